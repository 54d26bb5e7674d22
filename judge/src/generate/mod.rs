//! Generates the data of a package from `generators/generators.yaml`.
//!
//! All data is made and checked in a staging directory beside the old data, then swapped in one
//! step. On any error the old data is unchanged.

mod check;
mod insert;
mod install;
mod maker;
mod manifest;
mod old_case;
mod programs;
pub(crate) mod spec;
mod without_data;
pub(crate) mod words;

use check::Inspector;
pub use insert::{Inserted, insert, rule_for};
pub use install::Changes;
use judge_core::error::Failure;
use judge_core::files::failed;
use judge_core::judging::{Settings, Toolchain};
use judge_core::parallel::{self, unpoisoned};
use judge_package::PackageError;
use judge_package::yaml;
use maker::{Made, Maker};
use manifest::Manifest;
use programs::Programs;
pub use programs::{Located, input_file};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
pub use words::{rule_of, with_name};

/// The result of a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The number of cases that were made.
    pub made: usize,
    /// The number of cases that were up to date.
    pub reused: usize,
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

/// The complaint of an input validator about the case that the solution failed for, if there is one: a
/// solution need not run on an input that is not legal.
fn illegal_input(maker: &Maker<'_>, toolchain: &Toolchain) -> Option<Failure> {
    let rule = (*unpoisoned(maker.unanswered.lock()))?;
    let staged = check::stage(maker.package, maker.spec, maker.new).ok()?;
    let inspector = Inspector::new(maker.package, &staged, toolchain, maker.settings).ok()?;
    let mut context = inspector.context(judge_sandbox::cores().first().copied());
    inspector.check_input(&mut context, rule).err()
}

/// The file that describes how the data of the package at `root` is made.
pub fn rules_file(root: &Path) -> PathBuf {
    root.join("generators/generators.yaml")
}

/// Locates the generator that a key of `generators:` in the package at `root` names, if any does.
/// Fails when `generators.yaml` is invalid, or a file of the generator is missing.
pub fn generator_of_key(root: &Path, name: &str) -> Result<Option<Located>, Failure> {
    let file = rules_file(root);
    if !file.is_file() {
        return Ok(None);
    }
    let keys = spec::generators(&yaml::read(&file)?)?;
    let Some(files) = keys.get(name) else {
        return Ok(None);
    };
    let located = programs::locate(root, name, files)?;
    located
        .map(Some)
        .map_err(|what| PackageError::new(file, what).into())
}

/// Generates the data of the package at `root`; calls `on_case` with each case made.
/// Fails for an error in `generators.yaml` or a program, an illegal input, or an answer that another submission
/// contradicts. The data is unchanged then.
pub fn generate(
    root: &Path,
    toolchain: &Toolchain,
    settings: &Settings,
    request: Request,
    on_case: &mut dyn FnMut(&str),
) -> Result<Summary, Failure> {
    if !root.is_dir() {
        return Err(
            PackageError::new(root, "only the data of a directory can be made")
                .remedy("unpack the archive first")
                .into(),
        );
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
        unanswered: Mutex::default(),
        new: &new,
    };
    let Made {
        files,
        mut after,
        mut summary,
        stale,
    } = maker.make(on_case).map_err(|failure| {
        let illegal = illegal_input(&maker, toolchain);
        illegal.unwrap_or(failure)
    })?;
    let old = package.root.join("data");
    let is_made = |name: &str| {
        let root = name.split('/').next().unwrap_or(name);
        spec.roots.contains(root)
    };
    summary.changes = install::assemble(&old, &new, &files, is_made, &maker.before)?;
    let staged = check::stage(package, &spec, &new)?;
    let mut inspector = Inspector::new(package, &staged, toolchain, settings)?;
    summary.warnings.append(&mut inspector.warnings);
    summary.warnings.extend_from_slice(&spec.warnings);
    parallel::each(
        settings.jobs,
        &stale,
        |core| Ok(inspector.context(core)),
        |context, rule| {
            let given = maker.given_answer(rule, after.cases.get(&rule.path));
            inspector.check(context, rule, &programs, given)
        },
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
            "the next run generates all data again, because {} was not written: {e}",
            dir.display()
        );
        summary.warnings.push(what);
    }
    Ok(summary)
}
