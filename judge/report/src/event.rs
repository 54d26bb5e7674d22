//! Events: the form in which changes of a run's results leave the process, as a line of JSON each.
//!
//! An event has names instead of indices, so each line can be understood alone. Fields may be added, never renamed.

mod reader;

pub use reader::Reader;

use judge_core::results::{
    CaseResult, Change, Compilation, Finding, PackageStarted, RunFinished, RunResults, RunStarted,
    SubmissionKey, SubmissionResult,
};
use judge_core::untrusted::{Message, Name};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Judging starts.
    RunStarted(RunStarted),
    /// A package is about to be judged.
    PackageStarted(PackageStarted),
    /// A submission that will be judged over the package.
    SubmissionPlanned(SubmissionPlanned),
    /// A defect of a package that can be judged all the same.
    Finding(Finding),
    /// A submission is being compiled.
    CompileStarted {
        /// The package's id.
        package: Name,
        submission: Name,
    },
    /// A submission was compiled, or its compiler is missing.
    CompileFinished {
        /// The package's id.
        package: Name,
        submission: Name,
        #[serde(flatten)]
        result: Compilation,
    },
    /// A test case starts. If the case is cancelled as irrelevant, no `CaseFinished` follows. If
    /// the time limit is derived from the case, its other events follow when the limit is known.
    CaseStarted {
        /// The package's id.
        package: Name,
        submission: Name,
        /// The case: `secret/02-hard`.
        case: Name,
    },
    /// A test case has its verdict.
    CaseFinished {
        /// The package's id.
        package: Name,
        submission: Name,
        /// The case: `secret/02-hard`.
        case: Name,
        /// Verdict and figures.
        #[serde(flatten)]
        result: CaseResult,
    },
    /// All cases of a submission are judged.
    SubmissionFinished {
        /// The package's id.
        package: Name,
        submission: Name,
        /// The expected verdicts: `AC`, `WA|TLE`.
        expected: Option<String>,
        /// Verdict, points and figures.
        #[serde(flatten)]
        result: SubmissionResult,
    },
    /// Everything is judged.
    RunFinished(RunFinished),
}

/// A submission before it is judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SubmissionPlanned {
    /// The package's id.
    pub package: Name,
    pub submission: Name,
    /// The executable, source file or directory, relative to the working directory if inside it;
    /// `None` for a binary of the workspace.
    pub path: Option<Name>,
    /// The expected verdicts: `AC`, `WA|TLE`.
    pub expected: Option<String>,
    /// The source code, if it is one file; cut after 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Message>,
}

impl Event {
    /// The event of a change that was applied to `results`.
    pub fn of(change: &Change, results: &RunResults) -> Self {
        let names = |at: SubmissionKey| {
            let package = results.package(at);
            let name = &package.submissions[at.submission].planned.name;
            (package.about.id.clone(), name.clone())
        };
        match change {
            Change::RunStarted(started) => Event::RunStarted(started.clone()),
            Change::PackageStarted(_, started) => Event::PackageStarted(started.clone()),
            Change::SubmissionPlanned(at, planned) => Event::SubmissionPlanned(SubmissionPlanned {
                package: results.package(*at).about.id.clone(),
                submission: planned.name.clone(),
                path: planned.path.clone(),
                expected: planned.expected_text(),
                source: planned.source.clone(),
            }),
            Change::Finding(finding) => Event::Finding(finding.clone()),
            Change::CompileStarted(at) => {
                let (package, submission) = names(*at);
                Event::CompileStarted {
                    package,
                    submission,
                }
            }
            Change::Compiled(at, result) => {
                let (package, submission) = names(*at);
                Event::CompileFinished {
                    package,
                    submission,
                    result: Compilation::clone(result),
                }
            }
            Change::CaseStarted(at) => {
                let (package, submission) = names(at.of);
                Event::CaseStarted {
                    package,
                    submission,
                    case: results.case_name(*at).clone(),
                }
            }
            Change::CaseFinished(at, result) => {
                let (package, submission) = names(at.of);
                Event::CaseFinished {
                    package,
                    submission,
                    case: results.case_name(*at).clone(),
                    result: CaseResult::clone(result),
                }
            }
            Change::SubmissionFinished(at, result) => {
                let (package, submission) = names(*at);
                Event::SubmissionFinished {
                    package,
                    submission,
                    expected: results.submission(*at).planned.expected_text(),
                    result: SubmissionResult::clone(result),
                }
            }
            Change::RunFinished(end) => Event::RunFinished(end.clone()),
        }
    }
}
