//! Generates the data of a package from `generators/generators.yaml`.
//!
//! All data is made and checked in a staging directory beside the old data, then swapped in one
//! step. On any error the old data is unchanged.

mod check;
mod install;
mod maker;
mod manifest;
mod programs;
pub(crate) mod spec;
mod without_data;
pub(crate) mod words;

use crate::error::Failure;
use crate::files::failed;
use crate::judging::{Settings, Toolchain};
use crate::parallel;
use check::Inspector;
pub use install::Changes;
use judge_package::PackageError;
use judge_package::yaml;
use maker::{Made, Maker};
use manifest::Manifest;
use programs::Programs;
use std::path::Path;

/// The result of a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The number of cases that were made.
    pub made: usize,
    /// The number of cases that were up to date.
    pub reused: usize,
    /// Changes to the files.
    pub changes: Changes,
    /// Problems that the author should look at.
    pub warnings: Vec<String>,
}

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request {
    /// Changes every seed.
    pub seed: Option<u64>,
    /// Only report what would change.
    pub check: bool,
}

/// Generates the data of the package at `root`; calls `on_case` with each case made.
///
/// # Errors
///
/// An error in `generators.yaml` or a program, an illegal input, or an answer that another
/// submission contradicts. The data is unchanged then.
pub fn generate(
    root: &Path,
    toolchain: &Toolchain,
    settings: &Settings,
    request: Request,
    on_case: &mut dyn FnMut(&str),
) -> Result<Summary, Failure> {
    if !root.is_dir() {
        let what = "only the data of a directory can be made; unpack the archive first";
        return Err(PackageError::new(root, what).into());
    }
    let package = &without_data::read(root)?;
    let dir = root.join("generators");
    let file = dir.join("generators.yaml");
    if !file.is_file() {
        return Err(PackageError::new(&file, "file not found")
            .remedy("describe in it how the data is made, in the format of BAPCtools")
            .into());
    }
    let spec = spec::read(&yaml::read(&file)?, &package.constants, request.seed)?;
    let programs = Programs::build(package, &spec, toolchain, settings.jobs)?;
    let before = Manifest::read(&dir);
    let staging = tempfile::Builder::new()
        .prefix(".judge-gen-")
        .tempdir_in(&package.root)
        .map_err(failed("make a directory in", &package.root))?;
    let new = staging.path().join(&package.id).join("data");
    let maker = Maker {
        package,
        spec: &spec,
        programs: &programs,
        before,
        settings,
        scratch: staging.path(),
        new: &new,
    };
    let Made {
        files,
        mut after,
        mut summary,
        stale,
    } = maker.make(on_case)?;
    let old = package.root.join("data");
    let is_made = |name: &str| {
        let root = name.split('/').next().unwrap_or(name);
        spec.roots.contains(root)
    };
    summary.changes = install::assemble(&old, &new, &files, is_made, &maker.before)?;
    let staged = check::stage(package, &new)?;
    let mut inspector = Inspector::new(package, &staged, toolchain, settings)?;
    summary.warnings.append(&mut inspector.warnings);
    summary.warnings.extend_from_slice(&spec.warnings);
    parallel::each(
        settings.jobs,
        &stale,
        |worker| inspector.context(worker),
        |context, rule| inspector.check(context, rule, &programs, maker.given_answer(rule)),
        |_, ()| {},
    )?;
    drop(inspector);
    if judge_sandbox::interrupted() {
        return Err(Failure::Interrupted);
    }
    if request.check {
        return Ok(summary);
    }
    if !summary.changes.is_none() {
        install::swap(&new, &old)?;
    }
    if let Err(e) = after.write(&dir) {
        let what = format!(
            "the next run makes everything again: {}: {e}",
            dir.display()
        );
        summary.warnings.push(what);
    }
    Ok(summary)
}
