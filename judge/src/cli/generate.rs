//! `judge gen`.

use super::args::GenArgs;
use super::output::print;
use super::run::{settings_for, watch_for_interrupt};
use super::select;
use crate::error::{Failure, exit_status};
use crate::generate;
use crate::judging::Toolchain;
use crate::submission::Workspace;
use std::io::Write;

/// Makes a package's data from its generators.
pub fn generate(args: &GenArgs) -> Result<u8, Failure> {
    let here = std::env::current_dir()
        .map_err(|e| Failure::usage(format!("failed to find the current directory: {e}")))?;
    let workspace = Workspace::around(&here);
    let root = select::path_of(&args.package, workspace.as_ref())?;
    let settings = settings_for(args.sandbox);
    let toolchain = Toolchain::new(&settings, args.languages.as_deref())?;
    watch_for_interrupt()?;
    let mut said = Ok(());
    let summary = generate::generate(&root, &toolchain, &settings, args.seed, &mut |case| {
        if said.is_ok() {
            said = print(&format!("made {case}\n"));
        }
    })?;
    said?;
    for warning in &summary.warnings {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    let changes = summary.changes;
    print(&format!(
        "{}: {} cases made, {} as they were; files: {} new, {} changed, {} removed\n",
        args.package, summary.made, summary.reused, changes.new, changes.changed, changes.removed
    ))?;
    Ok(exit_status::AS_EXPECTED)
}
