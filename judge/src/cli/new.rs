//! `judge new`.

use super::args::NewArgs;
use super::output::print;
use crate::error::{Failure, exit_status};
use crate::scaffold;
use crate::submission::Workspace;

/// Makes a new problem in the workspace, and says what to fill in.
pub fn new(args: &NewArgs) -> Result<u8, Failure> {
    let here = std::env::current_dir()
        .map_err(|e| Failure::usage(format!("failed to find the current directory: {e}")))?;
    let workspace = Workspace::around(&here).ok_or_else(|| {
        Failure::usage(
            "no workspace here: there is no directory upwards with a Cargo.toml and a testdata/",
        )
    })?;
    let id = &args.id;
    let created = scaffold::create(&workspace, id, &args.like, args.url.as_deref())?;
    let show = |path: &std::path::Path| {
        let inside = path.strip_prefix(&workspace.root).unwrap_or(path);
        inside.display().to_string()
    };
    let (krate, package) = (show(&created.krate), show(&created.package));
    print(&format!(
        "1. {package}/problem.yaml: the name, the source, the limits; statement/: the problem\n\
         2. {package}/data/: its samples and cases, in place of those of {like}\n\
         3. {package}/input_validators, output_validator, submissions: what they check and expect\n\
         4. {krate}/src/lib.rs and main.rs: the form of the files, the program; tests/: its tests\n\
         5. judge run {id}, which is accepted now and should be at the end; judge verify {id}\n",
        like = args.like
    ))?;
    Ok(exit_status::AS_EXPECTED)
}
