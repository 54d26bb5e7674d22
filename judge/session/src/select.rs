//! Turns arguments into a plan: packages, cases, submissions.

use super::args::{Format, JudgingArgs, RunningArgs};
use super::folder;
use super::history;
use super::names::path_of;
use globset::{Glob, GlobMatcher};
use judge_core::error::Failure;
use judge_core::judging::{Plan, PlanEntry, Prepared, Toolchain};
use judge_core::language::Program;
use judge_core::submission::{self, CargoBuild, Source, Submission, Targets, Workspace};
use judge_core::text::{printable_name, shell_word};
use judge_package::yaml::nearest;
use judge_package::{Package, PackageError, TestCase};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the named packages; without names the one that `here` is in, or else all of the workspace's.
/// Fails with all errors of all packages together.
pub fn packages(
    names: &[String],
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Vec<Package>, Failure> {
    let own = match workspace {
        _ if !names.is_empty() => None,
        Some(workspace) => folder::package_of_workspace(here, workspace),
        None => folder::package_dir(here, None),
    };
    let paths: Vec<PathBuf> = if let Some(dir) = own {
        vec![dir]
    } else if names.is_empty() {
        let workspace = workspace.ok_or_else(|| {
            Failure::usage(
                "no package named, none here, and no workspace: no parent directory has a \
                 Cargo.toml and a testdata/",
            )
            .help("name a package: its directory or archive")
        })?;
        let all = workspace.packages()?;
        if all.is_empty() {
            return Err(Failure::usage(format!(
                "no package in {}",
                workspace.root.join("testdata").display()
            )));
        }
        all
    } else {
        names
            .iter()
            .map(|name| path_of(name, workspace))
            .collect::<Result<_, _>>()?
    };
    read(paths, &Package::read)
}

/// The start of the names of cases that `judge stress --save` writes.
pub const STRESS: &str = "stress-";

pub type ReadPackage<'a> = dyn Fn(&Path) -> Result<Package, PackageError> + 'a;

/// Reads the packages at these paths.
/// Fails with all errors of all packages together.
pub fn read(paths: Vec<PathBuf>, read: &ReadPackage<'_>) -> Result<Vec<Package>, Failure> {
    let mut packages = Vec::new();
    let mut errors: Vec<PackageError> = Vec::new();
    for path in paths {
        match read(&path) {
            Ok(package) => packages.push(package),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(packages)
    } else {
        Err(Failure::Package(errors))
    }
}

/// The cases that the arguments select.
/// Fails if the glob is invalid or nothing matches.
pub fn cases(package: &Package, args: &JudgingArgs) -> Result<Vec<TestCase>, Failure> {
    let all = package.judged_cases();
    let filter = CaseFilter::new(&all, args.case.as_deref())?;
    // The cases of a folder are the samples of a statement, except those that `stress` saved.
    let has_samples = all.iter().any(|case| case.sample);
    let is_folder = package.policy.runs_without_answer && !has_samples;
    let is_sample = |case: &TestCase| case.sample || is_folder && !case.name.starts_with(STRESS);
    let chosen: Vec<TestCase> = all
        .iter()
        .filter(|case| !args.sample || is_sample(case))
        .filter(|case| filter.has(&case.name))
        .map(|case| (*case).clone())
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().take(8).map(|c| c.name.as_str()).collect();
        let refused = |what: &str| Failure::usage(format!("{}: {what}", package.id));
        return Err(match (all.is_empty(), args.sample) {
            (true, _) => refused("the package has no test case"),
            (_, true) if !all.iter().any(|case| is_sample(case)) => {
                refused("no case of the package is a sample").help("leave out --sample")
            }
            (_, true) => refused("no sample is selected"),
            _ => {
                let glob = args.case.as_deref().unwrap_or_default();
                let near = nearest_case(glob, &all).map(|near| format!("did you mean {near:?}?"));
                let failed = || {
                    let failed = history::last_failed_case(package)?;
                    Some(format!("the last run failed {failed:?}"))
                };
                let listed = || {
                    let more = if all.len() > names.len() { ", ..." } else { "" };
                    format!("its cases are {}{more}", names.join(", "))
                };
                let help = near.or_else(failed).unwrap_or_else(listed);
                refused(&format!("no case matches {glob:?}")).help(help)
            }
        });
    }
    all_readable(&chosen)?;
    Ok(chosen)
}

/// The cases that `--case` selects.
enum CaseFilter {
    All,
    Named(String),
    Matching(GlobMatcher),
}

impl CaseFilter {
    /// The case that is called `text`, or else those that match it as a glob.
    fn new(all: &[&TestCase], text: Option<&str>) -> Result<Self, Failure> {
        let Some(text) = text else {
            return Ok(CaseFilter::All);
        };
        if all.iter().any(|case| printable_name(&case.name) == text) {
            return Ok(CaseFilter::Named(text.to_owned()));
        }
        let glob = Glob::new(text)
            .map_err(|e| Failure::usage(format!("--case {text:?}: {}", e.kind())))?;
        Ok(CaseFilter::Matching(glob.compile_matcher()))
    }

    fn has(&self, name: &str) -> bool {
        match self {
            CaseFilter::All => true,
            CaseFilter::Named(text) => printable_name(name) == *text,
            CaseFilter::Matching(glob) => glob.is_match(name),
        }
    }
}

/// The case that a glob without a match was probably meant for: one with this name in any group, or
/// one with a similar name.
fn nearest_case<'a>(glob: &str, all: &[&'a TestCase]) -> Option<&'a str> {
    let mut names: Vec<&str> = all.iter().map(|case| case.name.as_str()).collect();
    let in_group = names
        .iter()
        .find(|name| name.rsplit('/').next() == Some(glob));
    if let Some(found) = in_group {
        return Some(found);
    }
    if glob.contains(['*', '?', '[', '{']) {
        // A glob is like the groups rather than like their cases.
        names.retain(|name| name.contains('/'));
        let mut groups: Vec<&str> = names
            .iter()
            .filter_map(|name| Some(name.rsplit_once('/')?.0))
            .collect();
        groups.dedup();
        let group = glob.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let near = nearest(group.trim_end_matches('/'), &groups)?;
        return names.into_iter().find(|name| name.starts_with(near));
    }
    nearest(glob, &names)
}

/// Checks that all data is readable before judging starts.
fn all_readable(cases: &[TestCase]) -> Result<(), Failure> {
    for case in cases.iter().filter(|case| !case.is_static) {
        for path in std::iter::once(&case.input).chain(&case.answer) {
            let error = match File::open(path).and_then(|file| file.metadata()) {
                Ok(metadata) if !metadata.is_dir() => continue,
                Ok(_) => "is a directory".to_owned(),
                Err(e) => format!("cannot be read: {e}"),
            };
            return Err(Failure::usage(format!("{}: {error}", path.display()))
                .help("fix it, or exclude its case with --case"));
        }
    }
    Ok(())
}

/// The submissions of `run` for one package: the named ones, the workspace crate's, or the
/// package's accepted ones.
pub fn submissions(
    package: &Package,
    programs: &[PathBuf],
    args: &RunningArgs,
    bins: bool,
    workspace: Option<&Workspace>,
) -> Result<Vec<Submission>, Failure> {
    if !programs.is_empty() {
        refuse_cases(package, programs)?;
        let language = args.language.as_deref();
        let at = |path: &PathBuf| Submission::at(path, language);
        return programs.iter().map(at).collect();
    }
    language_has_program(args)?;
    if let Some(workspace) = workspace {
        // Only a package of this workspace belongs to its crate; a package with the same name
        // elsewhere is a different problem.
        if package.root.starts_with(workspace.root.join("testdata"))
            && let Some(problem) = workspace.problem(&package.id)?
        {
            return Submission::of_crate(&problem, bins);
        }
    }
    let accepted = Submission::of_package(package, |name| name.starts_with("accepted/"));
    if !accepted.is_empty() {
        return Ok(accepted);
    }
    let origin = package.origin.to_string_lossy();
    let word = shell_word(&origin);
    if !package.origin.is_dir() || folder::is_configured(&package.origin) {
        return Err(Failure::usage(format!(
            "{}: nothing to judge: no crate in problems/{} and no submissions/accepted/",
            package.id, package.id,
        ))
        .help(format!("judge run {word} --submission PROGRAM")));
    }
    match folder::newest_source(&package.origin, &[], args.languages.as_deref())? {
        Some(path) => Ok(vec![Submission::at(&from_here(path), None)?]),
        None => Err(Failure::usage(format!(
            "{}: nothing to judge: no source file in {origin}",
            package.id
        ))
        .help(format!("name the program: judge run {word} PROGRAM"))),
    }
}

/// Refuses a program that is the input of a case: one who names it wants that case only.
fn refuse_cases(package: &Package, programs: &[PathBuf]) -> Result<(), Failure> {
    let cases = package.judged_cases();
    for program in programs {
        let is_input = |case: &&&TestCase| {
            let real = |path: &Path| path.canonicalize().ok();
            // Most cases differ by the name, and need no look at the disk.
            let input: &Path = &case.input;
            input.file_name() == program.file_name() && real(input) == real(program)
        };
        if let Some(case) = cases.iter().find(is_input) {
            let what = format!("{} is the input of a case", program.display());
            let case = shell_word(&case.name);
            return Err(Failure::usage(what).help(format!("select the case: --case {case}")));
        }
    }
    Ok(())
}

/// The path as a user in the current directory would write it: relative, if it is below.
fn from_here(path: PathBuf) -> PathBuf {
    let real = path.canonicalize().unwrap_or(path);
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here
        .ok()
        .and_then(|here| Some(real.strip_prefix(here).ok()?.to_owned()));
    below.unwrap_or(real)
}

/// Checks that `--language` is given only with programs.
/// Fails if it is given without.
pub fn language_has_program(args: &RunningArgs) -> Result<(), Failure> {
    match &args.language {
        Some(code) => Err(
            Failure::usage(format!("--language {code}: no program is named"))
                .help("add --submission PROGRAM"),
        ),
        None => Ok(()),
    }
}

/// Builds workspace crates with cargo and makes the entries a plan.
pub fn plan(
    mut entries: Vec<PlanEntry>,
    workspace: Option<&Workspace>,
    format: Format,
) -> Result<Plan, Failure> {
    let show_progress = format == Format::Human && std::io::stderr().is_terminal();
    let mut targets = Targets::new();
    for planned in entries.iter().flat_map(|entry| &entry.submissions) {
        if let Source::CargoBinary { package, target } = &planned.submission.source {
            let names = targets.entry(package.clone()).or_default();
            names.push(target.clone());
        }
    }
    let built = match workspace {
        Some(workspace) => submission::build(&workspace.root, &targets, show_progress)?,
        None => BTreeMap::new(),
    };
    for planned in entries.iter_mut().flat_map(|entry| &mut entry.submissions) {
        planned.prepared = prepared(&planned.submission, &built);
    }
    Ok(Plan { entries })
}

/// Builds a submission to run it without judging.
pub fn program(
    submission: Submission,
    package: &Package,
    workspace: Option<&Workspace>,
    format: Format,
    toolchain: &Toolchain,
) -> Result<Program, Failure> {
    let built = programs(vec![submission], package, workspace, format, toolchain)?;
    let built = built.into_iter().next().map(Arc::unwrap_or_clone);
    built.ok_or_else(|| Failure::internal("expected a built program"))
}

/// Builds submissions to run them without judging.
pub fn programs(
    submissions: Vec<Submission>,
    package: &Package,
    workspace: Option<&Workspace>,
    format: Format,
    toolchain: &Toolchain,
) -> Result<Vec<Arc<Program>>, Failure> {
    let entry = PlanEntry::new(package.clone(), Vec::new(), submissions);
    let plan = plan(vec![entry], workspace, format)?;
    let planned = plan.entries.iter().flat_map(|entry| &entry.submissions);
    planned
        .map(|planned| toolchain.program(package, planned))
        .collect()
}

fn prepared(submission: &Submission, built: &BTreeMap<String, CargoBuild>) -> Option<Prepared> {
    let ready = |path: &Path| Prepared::Ready(Arc::new(Program::executable(path)));
    match &submission.source {
        Source::Executable(path) => Some(ready(path)),
        Source::CargoBinary { package, target } => Some(match built.get(package) {
            Some(CargoBuild::Ready(executables)) => match executables.get(target) {
                Some(path) => ready(path),
                None => Prepared::CompileError(format!(
                    "cargo built no binary {target:?} in package {package}"
                )),
            },
            Some(CargoBuild::Failed(message)) => Prepared::CompileError(message.clone()),
            None => Prepared::CompileError(format!("package {package} was not built")),
        }),
        Source::Code { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_data_is_reported() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("1.in"), "1\n").expect("it is written");
        let mut case = TestCase {
            input: path("1.in").into(),
            ..TestCase::default()
        };
        let check = |case: &TestCase| {
            let result = all_readable(std::slice::from_ref(case));
            result.map_err(|failure| failure.to_string())
        };
        assert_eq!(check(&case), Ok(()));
        case.answer = Some(path("1.ans").into());
        assert!(check(&case).is_err_and(|why| why.contains("1.ans: cannot be read")));
        case.answer = Some(dir.path().to_owned().into());
        assert!(check(&case).is_err_and(|why| why.contains("is a directory")));
    }
}
