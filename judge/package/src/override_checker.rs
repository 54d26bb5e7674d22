//! Replaces the checker or the interactor of a package by another one.

use super::error::PackageError;
use super::input::staging_dir::StagingDir;
use super::model::{Group, Package, Validator, ValidatorProtocol};
use std::path::Path;

impl Package {
    /// Makes `checker`, a program or a source file called like a testlib checker, decide whether
    /// outputs are correct.
    ///
    /// # Errors
    ///
    /// When the file is missing, or the problem is interactive.
    pub fn override_checker(&mut self, checker: &Path) -> Result<(), PackageError> {
        if self.kind.interactive || self.kind.multi_pass {
            let what = "nothing to check: in this problem a program talks to the submission";
            return Err(PackageError::new(checker, what).remedy("leave out --checker"));
        }
        self.validate_with(checker, "checker", "CHECKER INPUT OUTPUT ANSWER")
    }

    /// Makes `interactor`, a program or a source file called like a testlib interactor, talk to the
    /// submission.
    ///
    /// # Errors
    ///
    /// When the file is missing.
    pub fn override_interactor(&mut self, interactor: &Path) -> Result<(), PackageError> {
        self.validate_with(interactor, "interactor", "INTERACTOR INPUT OUTPUT ANSWER")?;
        self.kind.interactive = true;
        Ok(())
    }

    /// Makes a user's program the validator, with `testlib.h` if it needs that.
    fn validate_with(&mut self, file: &Path, name: &str, call: &str) -> Result<(), PackageError> {
        let failed = |e| {
            PackageError::new(file, format!("failed to read: {e}"))
                .remedy(format!("name a program or a source file, called as {call}"))
        };
        let file = file.canonicalize().map_err(failed)?;
        let staging_dir = StagingDir::new()?;
        let around = file.parent().unwrap_or(&file);
        let path = staging_dir.program(around, name, std::slice::from_ref(&file), "")?;
        self.unpacked.push(staging_dir.guard());
        self.originals.extend(staging_dir.originals());
        let protocol = ValidatorProtocol::Testlib;
        self.validation = Validator::Program { path, protocol }.into();
        self.findings.retain(|finding| !finding.concerns_checker);
        forget_the_own(&mut self.data);
        Ok(())
    }

    /// Makes the default validator accept numbers with this absolute or relative error, in all cases.
    ///
    /// # Errors
    ///
    /// When another validator decides.
    pub fn override_tolerance(&mut self, error: f64) -> Result<(), PackageError> {
        let is_default = |validator: &Validator| matches!(validator, Validator::Default(_));
        if !self.validation.validators().iter().all(is_default) {
            let what = "compares outputs with a checker of its own, which knows no tolerance";
            return Err(PackageError::new(&self.root, what).remedy("leave out --tolerance"));
        }
        add_tolerance(&mut self.data, error);
        Ok(())
    }
}

/// The arguments of the default validator for this absolute or relative error.
pub fn tolerance_args(error: f64) -> [String; 2] {
    ["float_tolerance".to_owned(), format!("{error:e}")]
}

/// Adds the tolerance to the arguments of all cases; the last one counts.
fn add_tolerance(group: &mut Group, error: f64) {
    for case in &mut group.cases {
        case.validator_args.extend(tolerance_args(error));
    }
    let inner = group.groups.iter_mut();
    inner.for_each(|group| add_tolerance(group, error));
}

/// Clears the arguments and choices that are meant for the package's own validators.
fn forget_the_own(group: &mut Group) {
    for case in group.cases.iter_mut().filter(|case| !case.is_static) {
        case.validator_args.clear();
        case.checks_failed_runs = false;
    }
    group.groups.iter_mut().for_each(forget_the_own);
}
