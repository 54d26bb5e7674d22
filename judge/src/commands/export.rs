//! `judge export`.

use super::args::ExportArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::figures::plural;
use judge_core::judging::{self, Toolchain};
use judge_core::submission::Workspace;
use judge_export::{Staged, Target};
use judge_package::{Package, StatementKind, statements};
use judge_session::names;
use judge_session::output::{print, say};
use judge_session::run::{settings_for, watch_for_interrupt};
use judge_statement::document::{Chosen, Entry, choose, document};
use std::fs;
use std::io;
use std::path::Path;

/// Writes a package in another format, and lists what that format cannot express.
pub fn export(args: &ExportArgs) -> Result<u8, Failure> {
    let (_, workspace) = Workspace::here()?;
    let path = names::path_of(&args.package, workspace.as_ref())?;
    let mut package = Package::read(&path)?;
    if package.generation.is_some() {
        let settings = settings_for(args.sandbox);
        let toolchain = Toolchain::new(&settings, None)?;
        watch_for_interrupt()?;
        judging::generate_data(&mut package, &settings, &toolchain)?;
    }
    let mut staged = judge_export::stage(&package, args.to, args.time_limit, &args.output)?;
    if args.to == Target::Domjudge {
        add_statement(&package, &mut staged)?;
    }
    for loss in &staged.losses {
        say(&loss.to_string());
    }
    let lost = staged.losses.len();
    if args.strict && lost > 0 {
        return Err(Failure::usage(format!(
            "{}: not written: {} cannot express {}",
            args.output.display(),
            args.to.name(),
            plural(lost, "part")
        ))
        .help("omit --strict to write the rest"));
    }
    staged.finish()?;
    print(&format!(
        "{}: written as {}\n",
        args.output.display(),
        args.to.name()
    ))?;
    Ok(exit_status::AS_EXPECTED)
}

/// Adds the statement as DOMjudge finds it: it shows `problem.pdf`, `problem.html` or `problem.txt`, but neither
/// TeX nor Markdown, nor a file with a language in its name.
fn add_statement(package: &Package, staged: &mut Staged) -> Result<(), Failure> {
    let all = statements(&package.root);
    let english = all.iter().find(|file| file.language == "en");
    let Some(first) = english.or(all.first()) else {
        return Ok(());
    };
    let language = &first.language;
    let failed = |path: &Path, e: io::Error| {
        Failure::usage(format!("{}: failed to read: {e}", path.display()))
    };
    let mut printed = all.iter().filter(|file| file.kind == StatementKind::Pdf);
    if let Some(file) = printed.find(|file| file.language == *language) {
        let content = fs::read(&file.path).map_err(|e| failed(&file.path, e))?;
        return Ok(staged.write("problem.pdf", content)?);
    }
    let Chosen::File(file) = choose(package, Some(language)) else {
        return Ok(());
    };
    let path = file.path.clone();
    let entry = Entry {
        package,
        letter: None,
        color: None,
        time_limit: None,
    };
    let html = document(None, &[(entry, file)]).map_err(|e| failed(&path, e))?;
    Ok(staged.write("problem.html", html)?)
}
