//! Static checks of the ICPC formats' rules, for `judge verify`.
//!
//! The reader only checks what judging needs; this module checks the rest of the format.

mod data;
mod language_code;
mod layout;
mod metadata;
mod programs;
mod scoring;

use crate::error::{Finding, PackageError};
use crate::format::icpc::{VERSIONS, Version};
use crate::model::Package;
use std::path::PathBuf;

/// The package and the findings so far.
struct Report<'a> {
    package: &'a Package,
    version: Version,
    findings: Vec<Finding>,
}

impl Report<'_> {
    /// The path of `name` in the package.
    fn path(&self, name: &str) -> PathBuf {
        self.package.root.join(name)
    }

    /// Whether the package is of version 2023-07 or later.
    fn is_new(&self) -> bool {
        matches!(self.version, Version::V2025 | Version::Draft2023)
    }

    fn error(&mut self, error: PackageError) {
        self.findings.push(Finding::error(error));
    }

    fn warning(&mut self, error: PackageError) {
        self.findings.push(Finding::warning(error));
    }

    /// Adds an error if `forbidden` is set, otherwise a warning.
    fn error_if(&mut self, forbidden: bool, error: PackageError) {
        match forbidden {
            true => self.error(error),
            false => self.warning(error),
        }
    }
}

/// Returns the findings of the reader and those of all checks.
pub fn check(package: &Package) -> Vec<Finding> {
    let mut versions = VERSIONS.iter();
    let version = versions.find(|(name, _)| *name == package.format);
    let mut report = Report {
        package,
        version: version.map_or(Version::Legacy, |(_, version)| *version),
        findings: package.findings.clone(),
    };
    metadata::check(&mut report);
    layout::check(&mut report);
    data::check(&mut report);
    scoring::check(&mut report);
    programs::check(&mut report);
    report.findings
}
