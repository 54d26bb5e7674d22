//! `judge upgrade`.

use super::args::UpgradeArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::submission::Workspace;
use judge_package::Package;
use judge_session::output::print;
use judge_session::{folder, names};

/// Rewrites a package of version legacy as 2025-09, and lists what to check by hand.
pub fn upgrade(args: &UpgradeArgs) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let path = match &args.package {
        Some(name) => names::path_of(name, workspace.as_ref())?,
        None => folder::package_dir(&here, workspace.as_ref())
            .ok_or_else(|| Failure::usage("no package here").help("judge upgrade PACKAGE"))?,
    };
    let package = Package::read(&path)?;
    let checks = judge_export::upgrade(&package)?;
    let mut text = format!("{}: is of version 2025-09 now\n", path.display());
    for check in checks {
        text.push_str(&format!("check: {check}\n"));
    }
    print(&text)?;
    Ok(exit_status::AS_EXPECTED)
}
