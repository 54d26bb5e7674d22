//! `judge submit --open`: the file to submit on the clipboard, and the problem's page in the browser.
//!
//! Signing in to other sites by a program fails at captchas, so the last step is the user's.

use super::args::{self, BundleArgs};
use super::{bundle, bundle_program, clipboard};
use crate::scaffold;
use clap::Parser;
use judge_core::error::{Failure, exit_status};
use judge_core::submission::Workspace;
use judge_package::Package;
use judge_session::folder;
use judge_session::names;
use judge_session::output::say;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

/// Copy the file to submit to the clipboard, and open the problem's page.
///
/// A C++ program or a crate is bundled as by `judge bundle`, which judges it first; any other program
/// is copied as it is.
#[derive(Parser, Debug)]
#[command(name = "judge submit")]
struct OpenArgs {
    /// Submit by hand: to any site.
    #[arg(long, required = true)]
    open: bool,

    /// The program, or the id of a problem of the workspace.
    #[arg(value_name = "PROGRAM")]
    program: String,

    /// The address of the problem's page, instead of the one in the folder's judge.yaml.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Do not judge the program first.
    #[arg(long)]
    no_judging: bool,
}

/// Programs that open a page in the user's browser, with the arguments before its address.
const BROWSERS: [(&str, &[&str]); 4] = [
    // From within WSL, whose `xdg-open` often finds no browser.
    ("wslview", &[]),
    ("xdg-open", &[]),
    ("open", &[]),
    ("explorer.exe", &[]),
];

/// Whether the arguments of `judge submit` ask for this.
pub fn is_wanted(args: &[OsString]) -> bool {
    args.iter().any(|arg| arg == "--open")
}

/// Copies the program and opens the page; nothing if the program is not accepted.
pub fn open(args: &[OsString]) -> Result<u8, Failure> {
    let words = std::iter::once("judge submit".into()).chain(args.iter().cloned());
    let args = match OpenArgs::try_parse_from::<_, OsString>(words) {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            let is_error = error.use_stderr();
            return Ok(if is_error { exit_status::USAGE } else { 0 });
        }
    };
    let url = url(&args)?;
    let status = copy(&args)?;
    if status != exit_status::AS_EXPECTED {
        return Ok(status);
    }
    let browser = show(&url)?;
    say(&format!("opened {url} with {browser}"));
    Ok(exit_status::AS_EXPECTED)
}

/// The address of the page.
fn url(args: &OpenArgs) -> Result<String, Failure> {
    let url = match &args.url {
        Some(url) => url.clone(),
        None => url_of_folder(Path::new(&args.program))?,
    };
    match scaffold::is_web(&url) {
        true => Ok(url),
        false => Err(
            Failure::usage(format!("{url:?} is not the address of a web page"))
                .help("write it like https://www.luogu.com.cn/problem/P1784"),
        ),
    }
}

/// The address in the settings of the program's folder.
fn url_of_folder(program: &Path) -> Result<String, Failure> {
    let unknown = || {
        let file = judge_package::SETTINGS_FILE;
        Failure::usage(format!(
            "{}: the address of the problem's page is unknown",
            program.display()
        ))
        .help(format!(
            "give it with --url, or write `url: ADDRESS` into {file} beside the cases"
        ))
    };
    if !program.exists() {
        let (_, workspace) = Workspace::here()?;
        let name = program.to_string_lossy();
        let package = Package::read(&names::path_of(&name, workspace.as_ref())?)?;
        return package.url.ok_or_else(unknown);
    }
    let dir = folder::dir_of(program)?;
    let package = folder::package(&dir, Workspace::around(&dir).as_ref());
    package
        .ok()
        .and_then(|package| package.url)
        .ok_or_else(unknown)
}

/// Copies the program, bundled if it can be. Returns the exit status of judging it.
fn copy(args: &OpenArgs) -> Result<u8, Failure> {
    let mut words = vec!["judge bundle", "--copy", &args.program];
    words.extend(args.no_judging.then_some("--no-judging"));
    let of_bundle: BundleArgs = args::parsed(words)?;
    let program = PathBuf::from(&args.program);
    if bundle_program::is_program(&of_bundle) {
        return bundle_program::bundle(&of_bundle);
    }
    if !program.is_file() {
        return bundle::bundle(&of_bundle);
    }
    let text = std::fs::read_to_string(&program)
        .map_err(|e| Failure::usage(format!("{}: {e}", program.display())))?;
    if !args.no_judging {
        let given = judge_session::args::PreprocessorArgs::default();
        let status = bundle::judge_program(&program, None, &given)?;
        if let Some(status) = status.filter(|status| *status != exit_status::AS_EXPECTED) {
            say(&format!(
                "{} not copied: it has no accepted result, see above; --no-judging copies it without",
                program.display()
            ));
            return Ok(status);
        }
    }
    let tool = clipboard::copy(&text)?;
    say(&format!(
        "copied {} to the clipboard with {tool}",
        program.display()
    ));
    Ok(exit_status::AS_EXPECTED)
}

/// Opens a page; returns the program that did.
fn show(url: &str) -> Result<&'static str, Failure> {
    for (browser, args) in BROWSERS {
        let mut command = Process::new(browser);
        command.args(args).arg(url);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match command.status() {
            // Explorer always exits with 1.
            Ok(status) if status.success() || browser == "explorer.exe" => return Ok(browser),
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => say(&format!("{browser}: {e}")),
        }
    }
    Err(Failure::usage("no program here opens a web page").help(format!("open it yourself: {url}")))
}
