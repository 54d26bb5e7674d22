//! Static checks: everything that is found without running a program.

mod equal_inputs;
mod statements;

use super::error::Finding;
use super::model::Package;

/// Checks a package without running anything: the findings of its reader
/// ([`Package::findings`]), and those of the further checks of its format,
/// of its test data and of its statements.
pub fn lint(package: &Package) -> Vec<Finding> {
    let mut findings = match package.checks {
        Some(checks) => checks(package),
        None => package.findings.clone(),
    };
    findings.extend(equal_inputs::check(package));
    findings.extend(statements::check(package));
    // Other files of the package are named relative to it: the directory that an archive was
    // unpacked to is of no use to the reader.
    let root = format!("{}/", package.root.display());
    for finding in &mut findings {
        let error = &mut finding.error;
        error.what = error.what.replace(&root, "");
        error.remedy = error.remedy.take().map(|text| text.replace(&root, ""));
    }
    findings
}
