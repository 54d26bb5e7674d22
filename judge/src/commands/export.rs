//! `judge export`.

use super::args::ExportArgs;
use judge_core::error::{Failure, exit_status};
use judge_core::figures::plural;
use judge_core::judging::{self, Toolchain};
use judge_core::submission::Workspace;
use judge_package::Package;
use judge_session::interrupt::watch_for_interrupt;
use judge_session::names;
use judge_session::output::{print, say};
use judge_session::run::settings_for;

/// Writes a package in another format, and lists what that format cannot express.
pub fn export(args: &ExportArgs) -> Result<u8, Failure> {
    let (_, workspace) = Workspace::here()?;
    let path = names::path_of(&args.package, workspace.as_ref())?;
    let mut package = Package::read(&path)?;
    let of_format = Some(args.to.name()).filter(|name| package.profiles.contains_key(*name));
    if let Some(profile) = args.profile.as_deref().or(of_format) {
        package.use_profile(profile)?;
    }
    watch_for_interrupt()?;
    if package.generation.is_some() {
        let settings = settings_for(args.sandbox);
        let toolchain = Toolchain::new(&settings, None)?;
        judging::generate_data(&mut package, &settings, &toolchain)?;
    }
    let staged = judge_export::stage(&package, args.to, args.time_limit, &args.output)?;
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
    if judge_sandbox::interrupted() {
        return Err(Failure::Interrupted);
    }
    staged.finish()?;
    print(&format!(
        "{}: written as {}\n",
        args.output.display(),
        args.to.name()
    ))?;
    Ok(exit_status::AS_EXPECTED)
}
