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
    let mut names = args.names.as_slice();
    let mut package = None;
    if let [first, rest @ ..] = names {
        let path = names::path_of(first, workspace)?;
        if !targets::is_program(&path) {
            package = Some(Package::read(&path)?);
            names = rest;
        }
    }
    let program = match args.running.submissions.as_slice() {
        [one] => Some(one.clone()),
        [] => take_first(&mut names).map(PathBuf::from),
        _ => return Err(Failure::usage("stress takes exactly one --submission")),
    };
    let languages = args.running.languages.as_deref();
    let program = match program {
        None if package.is_none() => {
            let newest = targets::newest(&REFERENCES, languages, here, workspace)?;
            newest
                .iter()
                .for_each(|program| targets::say_newest(program));
            newest
        }
        program => program,
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
    let place = Folder {
        dir: &dir,
        program: program.as_deref(),
        languages,
    };
    let (against, generator) = place.roles(args, names)?;
    Ok(Chosen {
        package,
        mine,
        against,
        generator,
    })
}

fn take_first<'a>(names: &mut &'a [String]) -> Option<&'a String> {
    let (first, rest) = names.split_first()?;
    *names = rest;
    Some(first)
}

/// The folder of the tested program.
struct Folder<'a> {
    dir: &'a Path,
    program: Option<&'a Path>,
    /// The user's table of languages.
    languages: Option<&'a Path>,
}

impl Folder<'_> {
    /// The reference and the generator: from their options, from the names that are left, or from the folder.
    fn roles(
        &self,
        args: &StressArgs,
        mut names: &[String],
    ) -> Result<(Option<Role>, Role), Failure> {
        // One name that is left may be the generator's: the slowest input needs no reference.
        let may_be_generator =
            args.against.is_none() && args.generator.is_none() && names.len() == 1;
        let stem = names.first().and_then(|name| Path::new(name).file_stem());
        let is_called_generator =
            stem.is_some_and(|stem| GENERATORS.iter().any(|name| stem == *name));
        let is_generator = may_be_generator
            && (is_called_generator || args.slowest && self.source_named(&GENERATORS)?.is_none());
        let named = match is_generator {
            true => None,
            false => named_role(args.against.as_ref(), "--against ", &mut names),
        };
        let against = match named {
            Some(role) => Some(role),
            None => self.source_named(&REFERENCES)?,
        };
        if against.is_none() && !args.slowest {
            let what = "reference to compare with (--against)";
            return Err(self.missing(args, what, &REFERENCES));
        }
        let generator = match named_role(args.generator.as_ref(), "--generator ", &mut names) {
            Some(role) => Some(role),
            None => self.source_named(&GENERATORS)?,
        };
        let what = "generator of inputs (--generator)";
        let generator = generator.ok_or_else(|| self.missing(args, what, &GENERATORS))?;
        match names {
            [] => Ok((against, generator)),
            [name, ..] => Err(Failure::usage(format!(
                "{name:?}: package, program, reference and generator are already given"
            ))
            .help("quote the generator with its arguments: 'gen.py 10 {seed}'")),
        }
    }

    /// The source file with one of these names.
    fn source_named(&self, known: &[&str]) -> Result<Option<Role>, Failure> {
        let found = folder::source_named(self.dir, self.program, known, self.languages)?;
        Ok(found.map(|path| Role {
            text: path.display().to_string(),
            option: "",
            path: Some(path),
        }))
    }

    fn missing(&self, args: &StressArgs, what: &str, known: &[&str]) -> Failure {
        let given = match args.names.len() {
            0 => String::new(),
            _ => format!("{}: ", args.names.join(" and ")),
        };
        Failure::usage(format!(
            "{given}no {what}, and no source file `{}.*` in {}",
            known[..known.len().min(4)].join(".*`, `"),
            self.dir.display()
        ))
        .help("judge stress PROGRAM REFERENCE GENERATOR")
    }
}

/// The role that its option gives, or else the next of the names.
fn named_role(given: Option<&String>, option: &'static str, names: &mut &[String]) -> Option<Role> {
    let (text, option) = match given {
        Some(text) => (text, option),
        None => (take_first(names)?, ""),
    };
    Some(Role {
        text: text.clone(),
        option,
        path: None,
    })
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
        match names::similar(&name) {
            None => failure.help("name the program with its arguments, such as 'gen.py 10 {seed}'"),
            Some(help) => failure.help(help),
        }
    })
}

fn with_similar(failure: Failure, name: &str) -> Failure {
    match names::similar(name) {
        Some(help) => failure.help(help),
        None => failure,
    }
}
