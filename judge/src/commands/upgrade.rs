//! `judge upgrade`.

use super::args::UpgradeArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::submission::Workspace;
use judge_package::Package;
use judge_session::interrupt::watch_for_interrupt;
use judge_session::names;
use judge_session::output::print;

/// Rewrites a package of version legacy as 2025-09, and lists what to check by hand.
pub fn upgrade(args: &UpgradeArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let name = args.package.as_deref();
    let path = names::package_or_here(name, &here, workspace.as_ref(), "judge upgrade")?;
    let package = Package::read(&path)?;
    // Ctrl-C does not stop it: it is quick, and leaves nothing behind at its end.
    watch_for_interrupt()?;
    let checks = judge_export::upgrade(&package)?;
    let mut text = format!("{}: is of version 2025-09 now\n", path.display());
    for check in checks {
        text.push_str(&format!("check: {check}\n"));
    }
    print(&text)?;
    Ok(exit_status::AS_EXPECTED)
}
