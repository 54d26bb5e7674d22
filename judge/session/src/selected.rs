//! Packages with the cases to judge.

use super::args::RunArgs;
use super::folder;
use super::output::say;
use super::select;
use super::targets::Target;
use judge_core::error::Failure;
use judge_core::judging::{self, Settings, Toolchain};
use judge_core::language::Languages;
use judge_package::{Package, TestCase};
use std::path::PathBuf;

/// A package as it is judged.
pub struct Selected {
    pub package: Package,
    /// The cases to judge, in judging order.
    pub cases: Vec<TestCase>,
    /// The programs that the command line names or implies.
    pub programs: Vec<PathBuf>,
}

impl Selected {
    /// Generates missing data, applies the options that change the package, and selects cases.
    pub fn new(
        target: Target,
        args: &RunArgs,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Self, Failure> {
        let Target {
            mut package,
            programs,
        } = target;
        judging::generate_data(&mut package, settings, toolchain)?;
        args.checking.apply(&mut package)?;
        for program in &programs {
            folder::check_problem_of(program, &package)?;
        }
        say_findings(&package, &toolchain.languages.languages);
        let mut cases = select::cases(&package, &args.judging)?;
        if let Some(first) = &args.first {
            // The sort is stable: the other cases keep their order, samples first.
            cases.sort_by_key(|case| case.name != *first);
        }
        Ok(Selected {
            package,
            cases,
            programs,
        })
    }
}

/// Prints warnings of what the user of the package must know: the files that are left out, a key that
/// is given twice. In a folder of a contestant a source file is no test data, wherever it is.
fn say_findings(package: &Package, languages: &Languages) {
    const SHOWN: usize = 3;
    let concerns_run = |finding: &&judge_package::Finding| {
        finding.concerns_runs
            && !(package.policy.runs_without_answer
                && folder::is_source(languages, &finding.error.path))
    };
    let findings: Vec<&judge_package::Finding> =
        package.findings.iter().filter(concerns_run).collect();
    // One more takes no more lines than the note that there is one more.
    let shown = match findings.len() == SHOWN + 1 {
        true => SHOWN + 1,
        false => SHOWN,
    };
    for finding in findings.iter().take(shown) {
        say(&format!("warning: {}", finding.error));
    }
    if findings.len() > shown {
        let more = findings.len() - shown;
        say(&format!("warning: {more} more; `judge verify` lists all"));
    }
}
