//! Which program is tested, which is the reference, which the generator; over which package.

use crate::cli::args::StressArgs;
use crate::cli::{folder, select, targets};
use crate::error::Failure;
use crate::judging::Toolchain;
use crate::stress::Generator;
use crate::submission::{Submission, Workspace, resolve};
use judge_package::Package;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The programs to run, from the arguments and the folder.
pub struct Chosen {
    pub package: Package,
    pub mine: Submission,
    pub against: Role,
    pub generator: Role,
}

/// The name of the reference, or the command of the generator.
pub struct Role {
    pub text: String,
    /// The option that gave it, with a blank behind; empty for an argument without option.
    option: &'static str,
}

/// The names of reference programs in a folder.
const REFERENCES: [&str; 4] = ["brute", "naive", "slow", "reference"];
/// The names of generators in a folder.
const GENERATORS: [&str; 2] = ["gen", "generator"];

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
        let path = select::path_of(first, workspace)?;
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
    if let Some(checker) = &args.checker {
        package.override_checker(checker)?;
    }
    let mine = match &program {
        Some(program) => Submission::at(program, args.running.language.as_deref())?,
        None => select::submissions(&package, &[], &args.running, false, workspace)?.swap_remove(0),
    };
    let mut role = |given: &Option<String>, option, known: &[&str], missing: &str| {
        if let Some(text) = given.clone() {
            return Ok(Role { text, option });
        }
        let option = "";
        if let Some(text) = names.next().cloned() {
            return Ok(Role { text, option });
        }
        match folder::source_named(&dir, known, languages)? {
            Some(path) => Ok(Role {
                text: path.display().to_string(),
                option,
            }),
            None => Err(Failure::usage(format!(
                "no {missing}, and no source file `{}.*` in {}\n  help: judge stress PROGRAM REFERENCE \
                 GENERATOR",
                known.join(".*` or `"),
                dir.display()
            ))),
        }
    };
    let against = role(
        &args.against,
        "--against ",
        &REFERENCES,
        "reference to compare with (--against)",
    )?;
    let generator = role(
        &args.generator,
        "--generator ",
        &GENERATORS,
        "generator of inputs (--generator)",
    )?;
    match names.next() {
        Some(name) => Err(Failure::usage(format!(
            "{name:?}: package, program, reference and generator are already given\n  help: quote the \
             generator with its arguments: 'gen.py 10 {{seed}}'"
        ))),
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
    let path = Path::new(name);
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
            Failure::usage(format!(
                "{option}{name:?}: neither a file, nor a binary of the problem's crate, nor a \
                 submission of the package{}",
                select::similar(name)
            ))
        })
}

/// Parses the generator's command: a program or source file and its arguments.
pub fn generator(
    role: &Role,
    package: &Package,
    toolchain: &Toolchain,
) -> Result<Generator, Failure> {
    let option = role.option;
    let mut words = role.text.split_whitespace().map(str::to_owned);
    let name = words
        .next()
        .ok_or_else(|| Failure::usage("the command of the generator is empty"))?;
    let mut args: Vec<String> = words.collect();
    if !args.iter().any(|arg| arg.contains("{seed}")) {
        args.push("{seed}".to_owned());
    }
    let beside = package.root.join("generators").join(&name);
    let path = [PathBuf::from(&name), beside]
        .into_iter()
        .find(|path| path.exists())
        .ok_or_else(|| {
            Failure::usage(format!(
                "{option}{name:?}: no such file, here or in the package's generators/{}",
                select::similar(&name)
            ))
        })?;
    let path = resolve(&path)?;
    match toolchain.helper(package, &path) {
        Ok(program) => Ok(Generator {
            program: Arc::new(program),
            path,
            args,
        }),
        Err(bad) => Err(Failure::usage(format!(
            "the generator: {}",
            String::from(bad)
        ))),
    }
}
