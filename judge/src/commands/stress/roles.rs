//! Which program is tested, which is the reference, which the generator; over which package.

use crate::commands::args::StressArgs;
use crate::generate;
use crate::stress::Generator;
use judge_core::error::Failure;
use judge_core::judging::Toolchain;
use judge_core::submission::{Submission, Workspace, resolve};
use judge_package::Package;
use judge_package::words::split_words;
use judge_session::{folder, names, select, targets};
use judge_tempdir::TempDirectory;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The programs to run, from the arguments and the folder.
pub struct Chosen {
    pub package: Package,
    pub mine: Submission,
    /// `None` if the slowest input is searched and no reference is given.
    pub against: Option<Role>,
    pub generator: Role,
}

/// The name of the reference, or the command of the generator.
pub struct Role {
    pub text: String,
    /// The option that gave it, with a blank behind; empty for an argument without option.
    option: &'static str,
    /// The source file, if it was found in the folder.
    path: Option<PathBuf>,
}

/// The names of reference programs in a folder.
const REFERENCES: [&str; 8] = [
    "brute",
    "naive",
    "slow",
    "reference",
    "brute_force",
    "bruteforce",
    "bf",
    "stupid",
];
/// The names of generators in a folder.
const GENERATORS: [&str; 3] = ["gen", "generator", "generate"];

/// Assigns the names of the command line to their roles; what is missing comes from the package or
/// from the folder of the program.
pub fn choose(
    args: &StressArgs,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Chosen, Failure> {
    let mut names = args.names.iter();
    let mut package = None;
    if let Some(first) = args.names.first() {
        let path = names::path_of(first, workspace)?;
        if !targets::is_program(&path) {
            package = Some(Package::read(&path)?);
            names.next();
        }
    }
    let languages = args.running.languages.as_deref();
    let program = match args.running.submissions.as_slice() {
        [one] => Some(one.clone()),
        [] => names.next().map(PathBuf::from),
        _ => return Err(Failure::usage("stress takes exactly one --submission")),
    };
    let program = match (program, &package) {
        (None, None) => {
            let newest = targets::newest(&REFERENCES, languages, here, workspace)?;
            newest
                .iter()
                .for_each(|program| targets::say_newest(program));
            newest
        }
        (program, _) => program,
    };
    let dir = match &program {
        Some(program) => folder::dir_of(program)?,
        None => here.to_owned(),
    };
    let mut package = match package {
        Some(package) => package,
        None if folder::package_dir(&dir, workspace).is_some() || program.is_none() => {
            folder::package(&dir, workspace)?
        }
        None => Package::without_cases(&dir)?,
    };
    args.checking.apply(&mut package)?;
    if let Some(program) = &program {
        folder::check_problem_of(program, &package)?;
    }
    let mine = match &program {
        Some(program) => Submission::at(program, args.running.language.as_deref())?,
        None => select::submissions(&package, &[], &args.running, false, workspace)?.swap_remove(0),
    };
    // The slowest input needs no reference, so one name that is left may be the generator's.
    let is_generator = args.slowest
        && args.against.is_none()
        && args.generator.is_none()
        && names.len() == 1
        && folder::source_named(&dir, program.as_deref(), &GENERATORS, languages)?.is_none();
    let mut role = |given: &Option<String>, option, takes_name: bool, known: &[&str]| {
        let path = None;
        if let Some(text) = given.clone() {
            return Ok(Some(Role { text, option, path }));
        }
        let option = "";
        if let Some(text) = takes_name.then(|| names.next().cloned()).flatten() {
            return Ok(Some(Role { text, option, path }));
        }
        let found = folder::source_named(&dir, program.as_deref(), known, languages)?;
        Ok::<_, Failure>(found.map(|path| Role {
            text: path.display().to_string(),
            option,
            path: Some(path),
        }))
    };
    let given = args.names.join(" and ");
    let given = match args.names.len() {
        0 => String::new(),
        _ => format!("{given}: "),
    };
    let missing = |what: &str, known: &[&str]| {
        Failure::usage(format!(
            "{given}no {what}, and no source file `{}.*` in {}",
            known[..known.len().min(4)].join(".*`, `"),
            dir.display()
        ))
        .help("judge stress PROGRAM REFERENCE GENERATOR")
    };
    let against = role(&args.against, "--against ", !is_generator, &REFERENCES)?;
    if against.is_none() && !args.slowest {
        let what = "reference to compare with (--against)";
        return Err(missing(what, &REFERENCES));
    }
    let generator = role(&args.generator, "--generator ", true, &GENERATORS)?
        .ok_or_else(|| missing("generator of inputs (--generator)", &GENERATORS))?;
    match names.next() {
        Some(name) => Err(Failure::usage(format!(
            "{name:?}: package, program, reference and generator are already given"
        ))
        .help("quote the generator with its arguments: 'gen.py 10 {seed}'")),
        None => Ok(Chosen {
            package,
            mine,
            against,
            generator,
        }),
    }
}

/// Resolves the reference program: a path, a binary of the problem's crate, or a submission of the
/// package.
pub fn named(
    role: &Role,
    package: &Package,
    workspace: Option<&Workspace>,
) -> Result<Submission, Failure> {
    let (name, option) = (role.text.as_str(), role.option);
    let path = role.path.as_deref().unwrap_or(Path::new(name));
    if path.exists() {
        return Submission::at(path, None);
    }
    if let Some(workspace) = workspace
        && let Some(problem) = workspace.problem(&package.id)?
    {
        let all = Submission::of_crate(&problem, true)?;
        if let Some(found) = all.into_iter().find(|s| s.name == name) {
            return Ok(found);
        }
    }
    Submission::of_package(package, |own| own == name)
        .pop()
        .ok_or_else(|| {
            let failure = Failure::usage(format!(
                "{option}{name:?}: neither a file, nor a binary of the problem's crate, nor a \
                 submission of the package"
            ));
            with_similar(failure, name)
        })
}

/// Builds the generator of a command, which is a program or source file and its arguments, or begins
/// with a key of `generators:` in the package's `generators.yaml`. Also returns a directory that must
/// exist while it runs.
pub fn generator(
    role: &Role,
    package: &Package,
    toolchain: &Toolchain,
) -> Result<(Generator, Option<TempDirectory>), Failure> {
    let option = role.option;
    let mut words = match role.path {
        Some(_) => vec![role.text.clone()],
        None => split_words(&role.text)
            .map_err(|what| Failure::usage(format!("{option}{:?}: {what}", role.text)))?,
    };
    if words.is_empty() {
        return Err(Failure::usage("the command of the generator is empty"));
    }
    let name = words.remove(0);
    let mut args: Vec<String> = words.iter().map(|arg| generate::with_name(arg)).collect();
    if !args.iter().any(|arg| arg.contains("{seed}")) {
        args.push("{seed}".to_owned());
    }
    let path = role.path.clone().unwrap_or_else(|| PathBuf::from(&name));
    let located = match path.exists() {
        true => None,
        false => generate::generator_of_key(&package.root, &name)?,
    };
    let (path, entry_point, dir) = match located {
        Some(located) => (located.path, located.entry_point, located.dir),
        None => (beside(&path, package, option)?, None, None),
    };
    let path = resolve(&path)?;
    let built = toolchain.helper_started_by(package, &path, entry_point.as_deref());
    let program = built.map_err(|bad| Failure::usage(format!("the generator: {bad}")))?;
    let generator = Generator {
        program: Arc::new(program),
        path,
        name,
        args,
        file: Some(generate::input_file()),
    };
    Ok((generator, dir))
}

/// The file of a generator: here, or in the package's `generators/`.
fn beside(name: &Path, package: &Package, option: &str) -> Result<PathBuf, Failure> {
    let inside = package.root.join("generators").join(name);
    let mut places = [name.to_owned(), inside].into_iter();
    places.find(|path| path.exists()).ok_or_else(|| {
        let name = name.to_string_lossy();
        let failure = Failure::usage(format!(
            "{option}{name:?}: no such file, here or in the package's generators/"
        ));
        with_similar(failure, &name)
    })
}

fn with_similar(failure: Failure, name: &str) -> Failure {
    match names::similar(name) {
        Some(help) => failure.help(help),
        None => failure,
    }
}
