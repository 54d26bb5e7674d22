//! Work in a folder of one's own: finds the test cases that belong to a program, and the program
//! that a folder is about.

use super::output::say;
use judge_core::error::Failure;
use judge_core::language::{self, Languages};
use judge_core::submission::{Workspace, resolve};
use judge_core::text::shell_word;
use judge_package::{Package, ToolProblem, directories_of_cases};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files that identify a package whose cases are in subdirectories.
pub const CONFIGURATIONS: [&str; 4] = ["problem.yaml", "problem.xml", "init.yml", "info.toml"];
/// The end of the name, without extension, of a bundle of a program.
pub const BUNDLE: &str = "-bundle";
/// Programs of these names help to judge; they are not submissions.
pub const HELPERS: [&str; 9] = [
    "checker",
    "chk",
    "spj",
    "interactor",
    "gen",
    "generator",
    "generate",
    "validator",
    "val",
];

/// The directory of the package that a program in `dir` belongs to, and the id of the package if it
/// is not the directory's name. In this order: the package in or above `dir`, up to the workspace;
/// the package of the workspace's crate that `dir` is part of; cases in `dir` itself or in its directory
/// of cases; those of the crate around `dir`, which cargo-compete keeps beside `src/`.
pub fn package_dir(dir: &Path, workspace: Option<&Workspace>) -> Option<PathBuf> {
    let root = workspace.map(|workspace| workspace.root.as_path());
    let mut above = dir.ancestors().take_while(|dir| Some(*dir) != root);
    if let Some(package) = above.find(|dir| is_configured(dir)) {
        return Some(package.to_owned());
    }
    if let Some(root) = root {
        if let Ok(inside) = dir.strip_prefix(root.join("problems")) {
            let package = root.join("testdata").join(inside.iter().next()?);
            return package.is_dir().then_some(package);
        }
        if dir == root {
            return None;
        }
    }
    let of_crate = dir
        .ancestors()
        .nth(2)
        .filter(|above| dir.ends_with("src/bin") && above.join("Cargo.toml").is_file());
    let mut places = std::iter::once(dir).chain(of_crate);
    let found = places.find(|place| Package::is_recognised(place));
    found.map(Path::to_owned)
}

/// The directory with the cases of one program, which is called like it: `samples/a/`, `test/a/` or `a/` for `a.cpp`.
pub fn cases_named_like(program: &Path, dir: &Path) -> Option<PathBuf> {
    let stem = program.file_stem()?;
    let places = directories_of_cases(dir)
        .into_iter()
        .chain([dir.to_owned()]);
    let mut named = places.map(|place| place.join(stem));
    named.find(|place| Package::is_recognised(place))
}

/// The configured package of a workspace that `dir` belongs to. A command without names takes every
/// package where this is `None`, also in a directory of the workspace that has only cases.
pub fn package_of_workspace(dir: &Path, workspace: &Workspace) -> Option<PathBuf> {
    package_dir(dir, Some(workspace)).filter(|found| is_configured(found))
}

/// Whether the directory has the configuration of a package.
pub fn is_configured(dir: &Path) -> bool {
    CONFIGURATIONS.iter().any(|name| dir.join(name).is_file())
        || dir.join("data/secret").is_dir()
        || dir.join("data/sample").is_dir()
}

/// Reads the package of a program in `dir`, as [`package_dir`] finds it.
/// Fails if there is none: what was looked for, and where.
pub fn package(dir: &Path, workspace: Option<&Workspace>) -> Result<Package, Failure> {
    let Some(found) = package_dir(dir, workspace) else {
        // A program in a directory of its own, such as `sol/`, of a package that is not read.
        if let Some(error) = dir.parent().and_then(Package::unread_format) {
            return Err(error.into());
        }
        return Err(no_cases(dir));
    };
    Ok(Package::read(&found)?)
}

/// Whether one of the directories for cases in `dir` has some.
fn has_directory_with_cases(dir: &Path) -> bool {
    let mut places = directories_of_cases(dir).into_iter();
    places.any(|place| Package::is_recognised(&place))
}

/// The error of a folder without cases, with where they may be.
pub fn no_cases(dir: &Path) -> Failure {
    let inside = sorted_names(dir);
    let has_cases = |name: &&String| Package::is_recognised(&dir.join(name));
    let help = if let Some(archive) = inside.iter().find(|name| name.ends_with(".zip")) {
        format!(
            "`judge run {} PROGRAM` takes the cases of an archive",
            shell_word(archive)
        )
    } else if let Some(cases) = inside.iter().find(has_cases) {
        format!(
            "`{cases}/` has cases, which `judge run {} -s PROGRAM` takes",
            shell_word(&format!("./{cases}"))
        )
    } else if dir.parent().is_some_and(has_directory_with_cases) {
        "`..` has cases, which `judge run .. -s PROGRAM` takes".to_owned()
    } else {
        "save the samples as `test/1.in` and `test/1.out`, or name a package: judge run PACKAGE \
         PROGRAM"
            .to_owned()
    };
    Failure::usage(format!(
        "{}: no test cases: no pairs such as `1.in` and `1.out` here or in a directory such as \
         `test/` or `samples/`, and no package here or above",
        judge_os::plain_path(dir).display()
    ))
    .help(help)
}

/// Refuses a program whose problem in a file of a contestant's tool is interactive without an interactor, or has no cases,
/// and one without a problem there: it would be judged over those of the other problems.
pub fn check_problem_of(program: &Path, package: &Package) -> Result<(), Failure> {
    let problems = &package.tool_problems;
    if problems.is_empty() {
        return Ok(());
    }
    let stem = stem_of(program);
    let Some(problem) = problems.iter().find(|problem| stem == problem.program) else {
        let sources = sorted_names(&dir_of(program)?);
        let has_source = |problem: &ToolProblem| {
            let mut stems = sources.iter().map(|name| stem_of(Path::new(name)));
            stems.any(|stem| stem == problem.program)
        };
        // Another version of a program, or a program that was renamed, has the cases.
        let may_have_cases =
            |problem: &ToolProblem| stem.starts_with(&problem.program) || !has_source(problem);
        if problems.iter().any(may_have_cases) {
            return Ok(());
        }
        let others: Vec<&str> = problems
            .iter()
            .map(|problem| problem.program.as_str())
            .collect();
        let what = format!(
            "{}: no test cases: those here belong to {}",
            program.display(),
            others.join(", ")
        );
        return Err(Failure::usage(what)
            .help("save the problem in the tool again, or the samples as `1.in` and `1.out`"));
    };
    let shown = program.display();
    if problem.is_interactive && !package.kind.interactive {
        let what = format!("{shown}: the problem is interactive, and its interactor is missing");
        return Err(Failure::usage(what).help(
            "write one that is called as INTERACTOR INPUT OUTPUT ANSWER, and name it by --interactor",
        ));
    }
    if !problem.has_cases {
        let what = format!("{shown}: no test cases in {}", problem.file.display());
        return Err(Failure::usage(what).help("add them there, or write a folder for this problem"));
    }
    Ok(())
}

/// The source file in `dir` that changed last, except checkers, generators, bundles and files that are named
/// like one of `except`; `None` if there is none.
pub fn newest_source(
    dir: &Path,
    except: &[&str],
    languages: Option<&Path>,
) -> Result<Option<PathBuf>, Failure> {
    let languages = Languages::load(languages)?;
    let mut sources = sources(dir, &languages)?;
    let others = HELPERS.iter().chain(except);
    sources.retain(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_part = |name: &&str| {
            let rest = stem.strip_prefix(*name).or(stem.strip_suffix(*name));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_') || rest.ends_with('_'))
        };
        !stem.ends_with(BUNDLE) && !others.clone().any(is_part)
    });
    let changed = |path: &PathBuf| {
        let changed = path.metadata().and_then(|file| file.modified());
        changed.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    Ok(sources
        .into_iter()
        .max_by_key(|path| (changed(path), path.clone())))
}

/// The source file in `dir` with one of these names and any extension; first of all one that belongs to `program`, such as
/// `a_brute.py` or `brute_a.py` to `a.cpp`.
pub fn source_named(
    dir: &Path,
    program: Option<&Path>,
    names: &[&str],
    languages: Option<&Path>,
) -> Result<Option<PathBuf>, Failure> {
    let languages = Languages::load(languages)?;
    let sources = sources(dir, &languages)?;
    let named = |name: &str| sources.iter().find(|path| is_named(path, name)).cloned();
    let stem = program
        .and_then(Path::file_stem)
        .map(|stem| stem.to_string_lossy());
    let own = stem.iter().flat_map(|stem| {
        let both = move |name: &&str| [format!("{stem}_{name}"), format!("{name}_{stem}")];
        names.iter().flat_map(both)
    });
    let all = names.iter().map(|name| (*name).to_owned());
    Ok(own.chain(all).find_map(|name| named(&name)))
}

/// The names in `dir`, sorted.
fn sorted_names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The source files in `dir`, sorted by name.
pub fn sources(dir: &Path, languages: &Languages) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(dir)
        .map_err(|e| Failure::usage(format!("failed to read {}: {e}", dir.display())))?;
    let mut sources: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_source(languages, path) && path.is_file())
        .collect();
    sources.sort();
    Ok(sources)
}

/// Warns of an executable that is older than its source, which has its name; that of the compiler's `a.out` is any.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn report_outdated(executable: &Path, languages: &Languages) -> Result<(), Failure> {
    let is_any = executable.file_name().is_some_and(|name| name == "a.out");
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    let mut sources = sources(&dir_of(executable)?, languages)?.into_iter();
    let newer = sources.find(|source| {
        let is_of_it = is_any || stem_of(source) == stem_of(executable);
        is_of_it && changed(source) > changed(executable)
    });
    if let Some(source) = newer {
        let name = |path: &Path| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        say(&format!(
            "warning: {} is older than {}: compile it again, or judge the source",
            name(executable),
            name(&source)
        ));
    }
    Ok(())
}

/// Whether the file is a program in a language of the table.
pub fn is_source(languages: &Languages, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_hidden = name.as_encoded_bytes().starts_with(b".");
    let mut all = languages.iter();
    !is_hidden && all.any(|(_, known)| language::is_source(known, path))
}

/// The name of a file without its extension.
pub fn stem_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn is_named(path: &Path, name: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == name)
}

/// The absolute directory of a program.
pub fn dir_of(program: &Path) -> Result<PathBuf, Failure> {
    let path = resolve(program)?;
    Ok(path.parent().unwrap_or(&path).to_owned())
}
