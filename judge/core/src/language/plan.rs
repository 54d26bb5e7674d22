//! The commands that compile and start one program, with all placeholders but the directory filled
//! in.
//!
//! Paths in the commands begin with [`DIR`], not with the program's directory, so that the same
//! sources give the same commands, which are part of the cache key.

use super::config::{Entry, Language, Profile, STANDARD, command_words};
use super::detect::{is_source, main_file};
use super::java;
use super::program::{Program, read_only};
use super::source::SourceFile;
use super::tools::Tools;
use crate::error::Reason;
use judge_package::imports;
use regex::Regex;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub const DIR: &str = "{dir}";
/// The longest class name that is used as a file name; the compiler rejects longer ones.
const MAX_NAME_CHARS: usize = 240;
/// The longest entry point, in bytes: no path is longer.
const MAX_ENTRY_POINT: usize = 4096;
/// The name of the compiler's output; no source file has it.
const BINARY: &str = "judge-program";

/// The commands that compile and start one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The command that compiles, if there is one.
    pub compile: Option<Vec<String>>,
    pub run: Vec<String>,
    pub env: Vec<(String, String)>,
    /// A file that must exist after compiling.
    pub product: Option<PathBuf>,
}

/// Fills in the commands of a profile, for one of its standards. `own` are the files that the
/// author wrote, as opposed to added ones. A single file is renamed if the compiler would reject its name.
/// Fails if there is nothing to start.
pub fn plan(
    language: &Language,
    (profile, standard): (&Profile, &str),
    tools: &Tools,
    files: &mut [SourceFile],
    own: &[PathBuf],
    entry_point: Option<&str>,
) -> Result<Plan, Reason> {
    let is_own = |path: &Path| own.iter().any(|own| own == path);
    name_for_compiler(language, files, &is_own);
    let mut sources = sources(language, files);
    if sources.is_empty() {
        // The language was given explicitly, so all files count as sources.
        sources = files.iter().map(|file| file.path.as_path()).collect();
    }
    match entry_point {
        Some(name) if name.contains('\0') => {
            return Err(Reason::new("the entry point has a NUL character"));
        }
        Some(name) if name.len() > MAX_ENTRY_POINT => {
            return Err(Reason::new(format!(
                "the entry point has more than {MAX_ENTRY_POINT} bytes: name a file or a class"
            )));
        }
        _ => {}
    }
    let (mut main, mut class) = (None, None);
    match language.entry {
        Entry::All => {}
        Entry::File => {
            let is_first = |path: &Path| is_own(path) && !is_imported(files, path);
            main = Some(main_file(language, &sources, &is_first, entry_point)?);
        }
        Entry::Class => class = Some(main_class(language, files, entry_point)),
    }
    if profile.run_class.is_some() {
        let mut own = files.iter().filter(|file| is_own(&file.path));
        class = own.find_map(java::unstarted_main);
    }
    let inside = |path: &Path| format!("{DIR}/{}", path.display());
    let stem = main.and_then(Path::file_stem).unwrap_or_default();
    let fill = |word: &str| {
        word.replace("{main}", &main.map(inside).unwrap_or_default())
            .replace("{stem}", &stem.to_string_lossy())
            .replace("{class}", class.as_deref().unwrap_or_default())
            .replace(STANDARD, standard)
            .replace("{binary}", &format!("{DIR}/{BINARY}{EXE_SUFFIX}"))
    };
    let command = |text: &str| -> Vec<String> {
        let words = command_words(text).into_iter();
        let words = words.flat_map(|word| match word.as_str() {
            "{files}" => sources.iter().map(|path| inside(path)).collect(),
            word => vec![fill(word)],
        });
        tools.resolve(words.collect())
    };
    let run = match profile.run_class.as_deref().zip(class.as_ref()) {
        Some((run, _)) => command(run),
        None => command(&profile.run),
    };
    let product = run
        .iter()
        .find(|word| word.contains(BINARY))
        .and_then(|word| word.strip_prefix("{dir}/"))
        .map(PathBuf::from);
    Ok(Plan {
        compile: profile.compile.as_deref().map(command),
        run,
        env: profile
            .env
            .iter()
            .map(|(name, value)| (name.clone(), fill(value)))
            .collect(),
        product,
    })
}

/// The main file or class of a program; for linked languages, the first file.
pub fn entry_point(
    language: &Language,
    files: &[SourceFile],
    said: Option<&str>,
) -> Result<String, Reason> {
    let sources = sources(language, files);
    match language.entry {
        Entry::Class => Ok(main_class(language, files, said)),
        Entry::File => {
            let is_first = |path: &Path| !is_imported(files, path);
            main_file(language, &sources, &is_first, said).map(|path| path.display().to_string())
        }
        Entry::All => Ok(match (said, sources.first()) {
            (Some(said), _) => said.to_owned(),
            (None, Some(first)) => first.display().to_string(),
            (None, None) => String::new(),
        }),
    }
}

/// Whether another file of the program imports `path`, which is then a helper.
fn is_imported(files: &[SourceFile], path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut others = files.iter().filter(|other| other.path != path);
    others.any(|other| imports(&other.path, &String::from_utf8_lossy(&other.bytes), &name))
}

fn sources<'f>(language: &Language, files: &'f [SourceFile]) -> Vec<&'f Path> {
    let paths = files.iter().map(|file| file.path.as_path());
    paths.filter(|path| is_source(language, path)).collect()
}

impl Plan {
    /// Fills in the program's directory in a command.
    pub fn at(words: &[String], dir: &Path) -> Vec<OsString> {
        let dir = dir.to_string_lossy();
        words
            .iter()
            .map(|word| OsString::from(word.replace(DIR, &dir)))
            .collect()
    }

    /// The environment variables with the program's directory filled in.
    pub fn env_at(&self, dir: &Path) -> Vec<(OsString, OsString)> {
        let dir = dir.to_string_lossy();
        self.env
            .iter()
            .map(|(name, value)| (name.into(), value.replace(DIR, &dir).into()))
            .collect()
    }

    /// The program that was built in `dir`.
    pub fn program(&self, dir: &Path) -> Program {
        let mut words = Plan::at(&self.run, dir).into_iter();
        let executable = words.next().unwrap_or_default();
        Program {
            args: words.collect(),
            env: self.env_at(dir),
            mounts: vec![read_only(dir)],
            ..Program::executable(PathBuf::from(executable))
        }
    }
}

/// Renames the only source file if the compiler would reject its name: a Java file after its public class,
/// and one whose name is no name of a module.
fn name_for_compiler(language: &Language, files: &mut [SourceFile], own: &dyn Fn(&Path) -> bool) {
    let mut sources = files
        .iter_mut()
        .filter(|file| is_source(language, &file.path) && own(&file.path));
    let (Some(only), None) = (sources.next(), sources.next()) else {
        return;
    };
    let path = &mut only.path;
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let unfit = language.unfit_names.as_deref().map(Regex::new);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = match unfit {
        Some(Ok(unfit)) if unfit.is_match(&name) => Some("main".to_owned()),
        _ if language.entry == Entry::Class && extension == "java" => {
            let public = java::classes(&String::from_utf8_lossy(&only.bytes)).public;
            public.filter(|class| class.len() <= MAX_NAME_CHARS)
        }
        _ => None,
    };
    if let Some(stem) = stem {
        let name = format!("{stem}.{extension}");
        path.set_file_name(name);
    }
}

fn main_class(language: &Language, files: &[SourceFile], entry_point: Option<&str>) -> String {
    if let Some(entry) = entry_point {
        return entry.trim_end_matches(".java").to_string();
    }
    let mut found: Vec<(String, bool)> = Vec::new();
    for file in files.iter().filter(|file| is_source(language, &file.path)) {
        let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
        for main in java::classes(&String::from_utf8_lossy(&file.bytes)).with_main {
            let simple = main.name.rsplit('.').next().unwrap_or_default();
            let preferred = main.public || simple == stem;
            if Some(simple) == language.default_entry.as_deref() {
                return main.name;
            }
            found.push((main.name, preferred));
        }
    }
    // If no class has a `main`, the compiler or the runtime reports it.
    let preferred = found.iter().find(|(_, preferred)| *preferred);
    let chosen = preferred.or(found.first()).map(|(name, _)| name);
    let chosen = chosen.or(language.default_entry.as_ref());
    chosen.map_or("Main", String::as_str).to_owned()
}

/// Whether the program has an executable `build` or `run`.
pub fn has_scripts(files: &[SourceFile]) -> bool {
    script(files, "build").is_some() || script(files, "run").is_some()
}

fn script<'f>(files: &'f [SourceFile], name: &str) -> Option<&'f SourceFile> {
    files
        .iter()
        .find(|file| file.path == Path::new(name) && file.executable)
}

/// The plan for a program with scripts, both started in the program's directory.
pub fn of_scripts(files: &[SourceFile]) -> Plan {
    let in_dir = |command: &str| -> Vec<String> {
        [
            "/bin/sh",
            "-c",
            &format!("cd \"$0\" && exec {command} \"$@\""),
            DIR,
        ]
        .map(str::to_string)
        .to_vec()
    };
    Plan {
        compile: script(files, "build").map(|_| in_dir("./build")),
        run: in_dir("./run"),
        env: Vec::new(),
        product: Some(PathBuf::from("run")),
    }
}
