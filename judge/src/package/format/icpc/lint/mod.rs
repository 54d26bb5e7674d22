//! Static checks of the ICPC formats' rules, for `judge verify`.
//!
//! The reader only checks what judging needs; this module checks the rest of the format.

mod data;
mod layout;
mod metadata;
mod programs;
mod scoring;

use crate::package::error::{Finding, PackageError};
use crate::package::model::{Dialect, Package};
use std::path::PathBuf;

/// The package and the findings so far.
struct Report<'a> {
    package: &'a Package,
    findings: Vec<Finding>,
}

impl Report<'_> {
    /// The path of `name` in the package.
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
    // Other files of the package are named relative to it: the directory that an archive was
    // unpacked to is of no use to the reader.
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
