//! Messages of coordinators and workers: work and its results.

use crate::store::{
    JudgingId, Recorded, SourceFile, StepReport, SubmissionId, UploadId, VersionId,
};
use judge_core::judging::Overrides;
use judge_core::results::{CaseResult, Compilation};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The work that a unit stands for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Judge a submission.
    Judge(Judge),
    /// Verify a package.
    Verify(Verify),
    /// Judge a part of the cases of a submission.
    Batch(Box<Batch>),
}

/// A submission to judge.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judge {
    /// Its number.
    pub submission: SubmissionId,
    /// The language's code.
    pub(crate) language: String,
    /// The file or class to start, if given.
    pub(crate) entry_point: Option<String>,
    /// Its sources; [`super::Attempt::source`] has the content.
    pub files: Vec<SourceFile>,
    /// The snapshot of the package.
    pub(crate) tree: String,
    /// CPU seconds per case, if known; a limit that is derived is reported.
    pub(crate) time_limit_s: Option<f64>,
    /// Limits that replace those of the package and its cases.
    #[serde(default, skip_serializing_if = "SentOverrides::is_empty")]
    pub(crate) overrides: SentOverrides,
    /// Names of the cases; a result names the index.
    pub cases: Vec<String>,
    /// Stops at the first failure, which decides; otherwise all cases are judged.
    pub(crate) first_failure: bool,
}

/// A step of verifying a package.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verify {
    /// The snapshot of the package.
    pub(crate) tree: String,
    /// Step 0 checks files and data, step `k` judges submission `k` of the package, from 1.
    pub(crate) step: usize,
}

/// Cases of a submission, to judge for a coordinator that grades them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Batch {
    /// The name of the submission in reports.
    pub(crate) submission: String,
    /// The snapshot of the package.
    pub(crate) tree: String,
    /// The submission.
    pub(crate) program: SentProgram,
    /// The language's code, if given.
    pub(crate) language: Option<String>,
    /// The file or class to start, if given.
    pub(crate) entry_point: Option<String>,
    /// The checker that replaces the package's, and headers beside it.
    pub(crate) checker: Option<Vec<SourceFile>>,
    /// CPU seconds per case.
    pub(crate) time_limit_s: f64,
    /// Limits that override even those of single cases.
    pub(crate) overrides: SentOverrides,
    /// With instructions as the clock: how many count as a second.
    pub(crate) instructions_per_second: Option<f64>,
    /// Exceeding the time limit is not unexpected.
    pub(crate) may_be_slow: bool,
    /// The coordinator keeps outputs of failed cases: a server for its jury.
    #[serde(default)]
    pub(crate) keeps_outputs: bool,
    /// The cases: their numbers in the package.
    pub(crate) cases: Vec<usize>,
}

/// Where a submission is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentProgram {
    /// At this path in the package.
    Packaged(String),
    /// In these files, with relative paths; [`super::Attempt::source`] has the content.
    Files(Vec<SourceFile>),
}

/// Limits that override those of a package and its cases.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SentOverrides {
    /// CPU seconds per case.
    pub(crate) time_s: Option<f64>,
    /// Bytes.
    pub(crate) memory: Option<u64>,
}

impl SentOverrides {
    fn is_empty(&self) -> bool {
        *self == SentOverrides::default()
    }

    /// The same as settings of a judging.
    pub(crate) fn settings(self) -> Overrides {
        Overrides {
            time: self.time_s.map(Duration::from_secs_f64),
            memory: self.memory,
        }
    }
}

impl Batch {
    /// A submission without limits of its own, and without cases.
    pub(crate) fn new(submission: String, tree: String, program: SentProgram) -> Self {
        Batch {
            submission,
            tree,
            program,
            language: None,
            entry_point: None,
            checker: None,
            time_limit_s: 0.0,
            overrides: SentOverrides::default(),
            instructions_per_second: None,
            may_be_slow: false,
            keeps_outputs: false,
            cases: Vec::new(),
        }
    }

    /// All files that are sent with it.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> + Clone {
        let own = match &self.program {
            SentProgram::Packaged(_) => [].iter(),
            SentProgram::Files(files) => files.iter(),
        };
        own.chain(self.checker.iter().flatten())
    }
}

/// A report of a worker to its coordinator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// A result of a judging.
    Result(Recorded),
    /// The time limit that was derived for the package, in seconds.
    TimeLimit(f64),
    /// The findings of a step of verifying.
    Step(StepReport),
    /// The submission of a batch was compiled.
    Compiled(Compilation),
    /// The result of a case of a batch: its number in the package.
    Case(usize, Box<CaseResult>),
    /// A batch has no more results.
    Ended,
}

/// Reports of one attempt, in order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The judging, step or batch that they belong to.
    pub target: AttemptId,
    /// At least one.
    pub reports: Vec<Report>,
}

/// The judging, step or batch that the results of an attempt belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptId {
    Judging(JudgingAttempt),
    /// A step of verifying an upload.
    Step(UploadId, usize),
    /// A batch of a command.
    Batch(BatchAttempt),
}

/// An attempt at a batch of cases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BatchAttempt {
    /// The batch's number in its coordinator.
    pub(crate) batch: u64,
    /// The attempt, from 1.
    pub(crate) attempt: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct JudgingAttempt {
    pub judging: JudgingId,
    pub attempt: i64,
    pub submission: SubmissionId,
    /// The version of the package.
    pub version: VersionId,
}
