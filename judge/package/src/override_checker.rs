//! Replaces the checker of a package by another one.

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
        let failed = |e| PackageError::new(checker, format!("failed to read: {e}"));
        let checker = checker.canonicalize().map_err(failed)?;
        if self.kind.interactive || self.kind.multi_pass {
            let what = "nothing to check: in this problem a program talks to the submission";
            return Err(PackageError::new(&checker, what));
        }
        let staging_dir = StagingDir::new()?;
        let around = checker.parent().unwrap_or(&checker);
        let files = std::slice::from_ref(&checker);
        let path = staging_dir.program(around, "checker", files, "")?;
        self.unpacked.push(staging_dir.guard());
        self.originals.extend(staging_dir.originals());
        let protocol = ValidatorProtocol::Testlib;
        self.validation = Validator::Program { path, protocol }.into();
        forget_the_own(&mut self.data);
        Ok(())
    }
}

/// Clears the arguments and choices that are meant for the package's own validators.
fn forget_the_own(group: &mut Group) {
    for case in group.cases.iter_mut().filter(|case| !case.is_static) {
        case.validator_args.clear();
        case.checks_failed_runs = false;
    }
    group.groups.iter_mut().for_each(forget_the_own);
}
