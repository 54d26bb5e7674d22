//! What the ICPC formats forbid, found without running anything: for `judge verify`.
//!
//! Reading a package asks only for what judging needs; here the rest of the format is held
//! against it. Other formats have no rules of that kind.

mod data;
mod layout;
mod metadata;
mod programs;
mod scoring;

use crate::package::error::{Finding, PackageError};
use crate::package::model::{Dialect, Package};
use std::path::PathBuf;

/// What is found; every check adds to it.
struct Report<'a> {
    package: &'a Package,
    findings: Vec<Finding>,
}

impl Report<'_> {
    /// The path of something in the package.
    fn path(&self, name: &str) -> PathBuf {
        self.package.root.join(name)
    }

    /// Whether the package is of version 2023-07 or later.
    fn is_new(&self) -> bool {
        matches!(self.package.dialect, Dialect::V2025 | Dialect::Draft2023)
    }

    fn error(&mut self, error: PackageError) {
        self.findings.push(Finding::error(error));
    }

    fn warning(&mut self, error: PackageError) {
        self.findings.push(Finding::warning(error));
    }
}

/// Everything wrong with a package that can be seen without running anything: what was found
/// when it was read ([`Package::findings`]), and what else its format forbids.
pub fn lint(package: &Package) -> Vec<Finding> {
    let mut report = Report {
        package,
        findings: package.findings.clone(),
    };
    let icpc = matches!(
        package.dialect,
        Dialect::Legacy | Dialect::LegacyIcpc | Dialect::Draft2023 | Dialect::V2025
    );
    if icpc {
        metadata::check(&mut report);
        layout::check(&mut report);
        data::check(&mut report);
        scoring::check(&mut report);
        programs::check(&mut report);
    }
    // Other files of the package are told by their place in it: an archive's own place is
    // nobody's business.
    let root = format!("{}/", package.root.display());
    for finding in &mut report.findings {
        finding.error.what = finding.error.what.replace(&root, "");
        finding.error.remedy = finding
            .error
            .remedy
            .take()
            .map(|text| text.replace(&root, ""));
    }
    report.findings
}
