//! `judge bundle`: makes one file to submit, compiles it alone and judges it.

use super::args::{self, BundleArgs};
use judge_bundle::{Bundle, BundleError, BundleRequest, Target};
use judge_core::error::{Failure, exit_status};
use judge_core::files;
use judge_core::submission::Workspace;
use judge_core::text::shell_word;
use judge_session::args::{PreprocessorArgs, RunArgs};
use judge_session::names;
use judge_session::new_file::NewFile;
use judge_session::output::say;
use judge_session::targets;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Makes the bundle and writes it only if it compiles alone and is accepted.
pub fn bundle(args: &BundleArgs) -> Result<u8, Failure> {
    let (_, workspace) = Workspace::here()?;
    let is_path = Path::new(&args.id).join("Cargo.toml").is_file();
    let dir = match &workspace {
        _ if is_path => PathBuf::from(&args.id),
        Some(workspace) => workspace.root.join("problems").join(&args.id),
        None => PathBuf::from(&args.id),
    };
    if !dir.join("Cargo.toml").is_file() {
        return Err(nothing_to_bundle(&args.id, workspace.as_ref()));
    }
    if args.preprocessor.is_given() {
        return Err(
            Failure::usage(format!("{}: -D, -U and -I are for C++ programs", args.id))
                .help("omit them"),
        );
    }
    let target = args.to.as_deref().unwrap_or("rust");
    let target: Target = target.parse().map_err(Failure::usage)?;
    let mut request = BundleRequest::new(&dir, target);
    request.bin.clone_from(&args.bin);
    request.edition.clone_from(&args.edition);
    request.minify = args.minify;
    let name = name(&args.id);
    let extension = target.extension();
    let file = OutputFile {
        usual: format!("{name}.{extension}").into(),
        in_directory: format!("{name}-{target}.{extension}").into(),
    };
    let has_package = workspace
        .as_ref()
        .is_some_and(|w| w.root.join("testdata").join(&args.id).is_dir());
    let make = || judge_bundle::bundle(&request);
    deliver(args, &file, make, |bundle| {
        let standalone = judge_bundle::compile_standalone(bundle, &[])
            .map_err(|error| Failure::usage(error.to_string()))?;
        for command in &standalone.commands {
            say(&format!("compiled alone: {command}"));
        }
        match has_package && !args.no_judging {
            true => {
                let executable = standalone.executable();
                let words = [
                    args.id.as_ref(),
                    "--submission".as_ref(),
                    executable.as_os_str(),
                ];
                judge(&words, None, &PreprocessorArgs::default())
            }
            false => Ok(exit_status::AS_EXPECTED),
        }
    })
}

/// The error for a name that is neither a crate nor a program in C or C++.
fn nothing_to_bundle(name: &str, workspace: Option<&Workspace>) -> Failure {
    let usual = "name a program in C or C++, a problem in problems/, or the directory of a crate";
    let (what, help) = match names::path_of(name, workspace) {
        Err(missing) => return missing,
        Ok(path) if path.is_file() => (
            "is no program in C or C++",
            format!("submit it as it is, if it needs no other file; or {usual}"),
        ),
        Ok(_) => ("there is no crate with a Cargo.toml", usual.to_owned()),
    };
    Failure::usage(format!("{name}: {what}")).help(help)
}

/// Where a bundle is written.
pub(super) struct OutputFile {
    /// The file if the user names none.
    pub usual: PathBuf,
    /// The file's name in a directory that the user names.
    pub in_directory: PathBuf,
}

impl OutputFile {
    /// The file for a path that the user names.
    fn at(&self, named: &Path) -> PathBuf {
        let names_directory = named.as_os_str().as_encoded_bytes().ends_with(b"/");
        match named.is_dir() || names_directory {
            true => named.join(&self.in_directory),
            false => named.to_owned(),
        }
    }
}

/// Makes a bundle and compares it with the file of `--check`, or writes it if `judge` returns that it
/// is accepted. Returns the exit status.
pub(super) fn deliver(
    args: &BundleArgs,
    file: &OutputFile,
    make: impl FnOnce() -> Result<Bundle, BundleError>,
    judge: impl FnOnce(&Bundle) -> Result<u8, Failure>,
) -> Result<u8, Failure> {
    let output = match &args.output {
        Some(named) => file.at(named),
        None => file.usual.clone(),
    };
    let make = || make().map_err(|e| Failure::usage(e.to_string()));
    if let Some(named) = &args.check {
        return check(&make()?, &file.at(named));
    }
    // Opened first, because compiling and judging take long.
    if !args.force {
        refuse_foreign(&output)?;
    }
    let opened = open(&output)?;
    let bundle = make()?;
    let status = judge(&bundle)?;
    if status != exit_status::AS_EXPECTED {
        say(
            "bundle not written: it has no accepted result, see above; --no-judging writes it without",
        );
        return Ok(status);
    }
    write(&bundle, &output, opened)?;
    if args.copy {
        let tool = super::clipboard::copy(&bundle.source)?;
        say(&format!("copied to the clipboard with {tool}"));
    }
    Ok(exit_status::AS_EXPECTED)
}

/// Judges a program over its cases, and `bundle`, a temporary file, in its place if given.
/// Without cases it only says so, and returns `None`.
pub(super) fn judge_program(
    program: &Path,
    bundle: Option<PathBuf>,
    preprocessor: &PreprocessorArgs,
) -> Result<Option<u8>, Failure> {
    if !targets::has_cases(program)? {
        say(&format!(
            "{} is not judged: it has no test cases",
            program.display()
        ));
        return Ok(None);
    }
    judge(&[program.as_os_str()], bundle, preprocessor).map(Some)
}

/// `judge run` with these names, and with the bundle in place of the program; its report goes to standard output and
/// names the user's own command as the one that repeats the run.
fn judge(
    names: &[&OsStr],
    bundle: Option<PathBuf>,
    preprocessor: &PreprocessorArgs,
) -> Result<u8, Failure> {
    let words = ["judge run", "--no-history"].map(OsStr::new);
    let mut args: RunArgs = args::parsed(words.iter().chain(names))?;
    args.again = Some(own_command());
    args.bundle = bundle;
    args.judging.running.preprocessor = preprocessor.of_bundle();
    judge_session::run::run(&args)
}

/// The command that started this process, as words of a shell command.
fn own_command() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| shell_word(&word.to_string_lossy()).into_owned());
    let words: Vec<String> = std::iter::once("judge".to_owned()).chain(words).collect();
    words.join(" ")
}

/// Checks whether the file is up to date.
fn check(bundle: &Bundle, file: &Path) -> Result<u8, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| Failure::usage(format!("{}: {e}", file.display())))?;
    if judge_bundle::same(&text, &bundle.source) {
        return Ok(exit_status::AS_EXPECTED);
    }
    say(&match judge_bundle::is_bundle(&text) {
        true => format!(
            "{} is stale: run judge bundle with -o {0} again",
            file.display()
        ),
        false => format!(
            "{} was not written by judge bundle: name a file that it wrote",
            file.display()
        ),
    });
    Ok(exit_status::NOT_AS_EXPECTED)
}

/// The problem's name; `id` may be the path of its crate.
fn name(id: &str) -> String {
    let dir = Path::new(id).canonicalize().unwrap_or_else(|_| id.into());
    let name = dir.file_name().unwrap_or(dir.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Rejects an existing file that is not a bundle: it may be the user's own work.
fn refuse_foreign(file: &Path) -> Result<(), Failure> {
    let is_foreign = match std::fs::read(file) {
        Ok(bytes) => {
            !bytes.is_empty() && !judge_bundle::is_bundle(&String::from_utf8_lossy(&bytes))
        }
        Err(_) => false, // writing it reports the error
    };
    match is_foreign && file.is_file() {
        true => Err(Failure::usage(format!(
            "{} exists and was not written by judge bundle",
            file.display()
        ))
        .help("choose another file with -o, or replace it with --force")),
        false => Ok(()),
    }
}

fn write(bundle: &Bundle, file: &Path, opened: NewFile) -> Result<(), Failure> {
    for note in &bundle.notes {
        say(&format!("note: {note}"));
    }
    let written = opened.write(bundle.source.as_bytes());
    written.map_err(files::failed("write", file))?;
    let settings = &bundle.settings;
    let language = settings.language.as_deref().unwrap_or(bundle.target.name());
    let url = settings.url.as_deref().unwrap_or("the judge's page");
    say(&format!(
        "{}: {} bytes; paste at {url} as {language}",
        file.display(),
        bundle.source.len()
    ));
    Ok(())
}

fn open(file: &Path) -> Result<NewFile, Failure> {
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => {
            let what = format!("{}: its directory does not exist", file.display());
            Failure::usage(what).help("create it")
        }
        _ => files::failed("write", file)(error).help("choose another file with -o"),
    };
    if file.as_os_str() == "-" {
        return Err(failed(ErrorKind::InvalidFilename.into()));
    }
    NewFile::open(file).map_err(failed)
}
