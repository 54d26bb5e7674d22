//! `judge gen`.

use super::args::GenArgs;
use crate::generate::{self, Request};
use judge_core::error::{Failure, exit_status};
use judge_core::figures::plural;
use judge_core::judging::{Settings, Toolchain};
use judge_core::submission::Workspace;
use judge_session::folder;
use judge_session::interrupt::watch_for_interrupt;
use judge_session::names;
use judge_session::output::{print, say};
use judge_session::run::settings_for;
use std::path::{Path, PathBuf};

/// Generates packages' data, or checks whether it is up to date.
pub fn generate(args: &GenArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let roots = roots(args, &here, workspace.as_ref())?;
    let settings = Settings {
        program_bytes: args.program_size.map(|mib| mib << 20),
        ..settings_for(args.sandbox)
    };
    let toolchain = Toolchain::new(&settings, args.languages.as_deref())?;
    watch_for_interrupt()?;
    let mut as_made = true;
    for root in roots {
        as_made &= package(&root, args, &toolchain, &settings)?;
    }
    Ok(exit_status::of(as_made))
}

/// The named packages, else the package here, else those of the workspace with a `generators.yaml`.
fn roots(
    args: &GenArgs,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Vec<PathBuf>, Failure> {
    if !args.packages.is_empty() {
        let names = args.packages.iter();
        return names.map(|name| names::path_of(name, workspace)).collect();
    }
    if let Some(own) = package_here(here, workspace) {
        return Ok(vec![own]);
    }
    let workspace = workspace.ok_or_else(|| {
        Failure::usage("no package named, no workspace and no generators/generators.yaml here")
            .help("judge gen PATH_OF_PACKAGE")
    })?;
    let mut all = workspace.packages()?;
    all.retain(|root| has_generators(root));
    if all.is_empty() {
        return Err(Failure::usage(format!(
            "no package of {} has a generators/generators.yaml",
            workspace.root.display()
        ))
        .help("describe in one how the data is made, in the format of BAPCtools"));
    }
    Ok(all)
}

fn has_generators(root: &Path) -> bool {
    generate::rules_file(root).is_file()
}

/// The package that `here` is part of, below the root of the workspace. A package of the workspace is
/// also found without a `generators.yaml`, which is an error then: others are not meant.
fn package_here(here: &Path, workspace: Option<&Workspace>) -> Option<PathBuf> {
    let root = workspace.map(|workspace| workspace.root.as_path());
    let mut dirs = here.ancestors().take_while(|dir| Some(*dir) != root);
    let found = dirs.find(|dir| has_generators(dir)).map(Path::to_owned);
    found.or_else(|| folder::package_of_workspace(here, workspace?))
}

/// Generates or checks one package; returns false if a check found differences.
fn package(
    root: &Path,
    args: &GenArgs,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<bool, Failure> {
    let id = root.file_name().unwrap_or(root.as_os_str());
    let id = id.to_string_lossy();
    let request = Request {
        seed: args.seed,
        check: args.check,
    };
    let mut said = Ok(());
    let summary = generate::generate(root, toolchain, settings, request, &mut |case| {
        if said.is_ok() && !args.check {
            said = print(&format!("made {case}\n"));
        }
    })?;
    said?;
    for warning in &summary.warnings {
        say(&format!("warning: {warning}"));
    }
    let changes = &summary.changes;
    if !args.check {
        print(&format!(
            "{id}: {} made, {} as they were; files: {} new, {} changed, {} removed\n",
            plural(summary.made, "case"),
            summary.reused,
            changes.new.len(),
            changes.changed.len(),
            changes.removed.len()
        ))?;
        return Ok(true);
    }
    let cases = summary.made + summary.reused;
    if changes.is_none() {
        let cases = plural(cases, "case");
        print(&format!("{id}: the data is as made ({cases})\n"))?;
        return Ok(true);
    }
    let lists = [
        ("missing", &changes.new),
        ("different", &changes.changed),
        ("not made any more", &changes.removed),
    ];
    for (what, files) in lists {
        for file in files {
            print(&format!("{id}: data/{file} is {what}\n"))?;
        }
    }
    say(&format!(
        "{id}: the data is not as made\n  help: the same command without --check replaces the data"
    ));
    Ok(false)
}
