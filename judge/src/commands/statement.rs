//! `judge statement`.

use super::args::{Engine, StatementArgs};
use super::print;
use super::watch::is_source;
use judge_core::error::{Failure, exit_status};
use judge_core::submission::Workspace;
use judge_package::{Package, StatementFile};
use judge_session::names;
use judge_session::output::{print as say_out, say};
use judge_statement::Unconverted;
use judge_statement::document::{Chosen, Entry, choose, document};
use notify::{RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// Writes the statement of a package, and again whenever it changes.
pub fn statement(args: &StatementArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let name = args.package.as_deref();
    let path = names::package_or_here(name, &here, workspace.as_ref(), "judge statement")?;
    let to = make(args, &path)?;
    if !args.watch {
        return Ok(exit_status::AS_EXPECTED);
    }
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let (path, to) = (real(path), real(to));
    let failed =
        |e: notify::Error| Failure::internal(format!("failed to watch {}: {e}", path.display()));
    let (sender, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let matters = event.is_ok_and(|event| {
            // The document may be written into the package.
            let mut paths = event.paths.iter();
            !event.kind.is_access() && paths.any(|path| *path != to && is_source(path))
        });
        if matters {
            let _ = sender.send(());
        }
    })
    .map_err(failed)?;
    watcher
        .watch(&path, RecursiveMode::Recursive)
        .map_err(failed)?;
    while changes.recv().is_ok() {
        // Editors write a file in several steps.
        while changes.recv_timeout(Duration::from_millis(200)).is_ok() {}
        match make(args, &path) {
            Err(failure @ (Failure::Usage(_) | Failure::Package(_))) => say(&failure.to_string()),
            other => drop(other?),
        }
    }
    Ok(exit_status::AS_EXPECTED)
}

/// Writes the statement; returns the path of the document.
fn make(args: &StatementArgs, path: &Path) -> Result<PathBuf, Failure> {
    let package = Package::read(path)?;
    let language = args.language.as_deref();
    let to = args.pdf.clone().or_else(|| args.html.clone());
    let to = to.unwrap_or_else(|| PathBuf::from(format!("{}.html", package.id)));
    let file = match choose(&package, language) {
        Chosen::File(file) => file,
        Chosen::Pdf(document) if args.pdf.is_some() => {
            let content = std::fs::read(&document).map_err(|e| {
                Failure::usage(format!("{}: failed to read: {e}", document.display()))
            })?;
            return written(to, &content);
        }
        Chosen::Pdf(document) => {
            let what = format!(
                "{}: is a PDF document, which is not rendered",
                document.display()
            );
            return Err(Failure::usage(what).help("copy it with --pdf FILE"));
        }
        Chosen::None(others) => return Err(missing(&package, language, &others)),
    };
    let entry = Entry {
        package: &package,
        letter: None,
        color: None,
        time_limit: None,
    };
    if args.engine == Engine::Latex {
        return written(to, &print::latex(&entry, &file)?);
    }
    let shown = file.path.display().to_string();
    warn_of_source(&package, &file);
    let html = document(None, &[(entry, file)])
        .map_err(|e| Failure::usage(format!("{shown}: failed to read: {e}")))?;
    match args.pdf {
        Some(_) => written(to, &print::pdf(&html)?),
        None => written(to, html.as_bytes()),
    }
}

/// Says which place of a statement is not converted, so that the document shows its source.
pub fn warn_of_source(package: &Package, file: &StatementFile) {
    if let Some(unconverted) = judge_statement::unconverted(package, file) {
        let (place, effect) = match &unconverted {
            Unconverted::Source(place) => (
                place,
                "the source is shown instead\n  help: write it otherwise, install pandoc, or use `--engine latex` for PDF",
            ),
            Unconverted::Picture(place) => (
                place,
                "the page says [picture] there\n  help: make an image and use \\includegraphics, or `--engine latex` for PDF",
            ),
        };
        let what = match place.text.is_empty() {
            true => "something is open at the end".to_owned(),
            false => format!("`{}` is not converted", place.text),
        };
        say(&format!(
            "warning: {}:{}: {what}: {effect}",
            file.path.display(),
            place.line
        ));
    }
}

/// The error for a package without a statement in the language.
pub fn missing(package: &Package, language: Option<&str>, others: &[String]) -> Failure {
    let root = package.origin.display();
    match language {
        Some(language) if !others.is_empty() => {
            Failure::usage(format!("{root}: has no statement in `{language}`"))
                .help(format!("its languages are {}", others.join(", ")))
        }
        _ => Failure::usage(format!("{root}: has no statement"))
            .help("add `statement/problem.en.md` or `statement/problem.en.tex`"),
    }
}

fn written(to: PathBuf, content: &[u8]) -> Result<PathBuf, Failure> {
    print::write(&to, content)?;
    say_out(&format!("{}: written\n", to.display()))?;
    Ok(to)
}
