//! Events of judging, the single source of every report.
//!
//! Events are serialisable and self-contained, so that the same stream can feed a terminal, a file,
//! or later a queue between machines. Fields may be added, never renamed.

mod details;

pub use details::{Board, Details, Difference, Excerpt, ExcerptLine, House};

use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// An event.
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
        package: String,
        /// The submission's name.
        submission: String,
    },
    /// A submission was compiled, or its compiler is missing.
    CompileFinished {
        /// The package's id.
        package: String,
        /// The submission's name.
        submission: String,
        /// The language's name.
        language: String,
        /// Whether compiling succeeded.
        ok: bool,
        /// Whether it is skipped because this machine lacks the compiler.
        #[serde(default)]
        skipped: bool,
        /// Wall-clock seconds.
        wall_s: f64,
        /// The compiler's message, or which compiler is missing.
        message: Option<String>,
        /// The hash of the package's files, if other machines judge.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        package_hash: Option<String>,
    },
    /// A test case starts. If the case is cancelled as irrelevant, no `CaseFinished` follows. If
    /// the time limit is derived from the case, its other events follow when the limit is known.
    CaseStarted {
        /// The package's id.
        package: String,
        /// The submission's name.
        submission: String,
        /// The case: `secret/02-hard`.
        case: String,
    },
    /// A test case has its verdict.
    CaseFinished(CaseFinished),
    /// All cases of a submission are judged.
    SubmissionFinished(SubmissionFinished),
    /// Everything is judged.
    RunFinished(RunFinished),
}

/// The start of a run.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct RunStarted {
    /// The judge's version.
    pub version: String,
    /// Layer of isolation or measurement -> `present`, `degraded` or `absent`.
    pub sandbox: BTreeMap<String, String>,
    /// Time of the start: seconds since 1970, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_s: Option<f64>,
    /// With instructions as the clock: how many count as a second of the time limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_per_second: Option<f64>,
    /// The machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// The command with its options that influence verdicts: `judge run --time-limit 0.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The whole command that repeats the run, if its program is a file that is gone then:
    /// `judge bundle sol.cpp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
}

/// A package before it is judged.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PackageStarted {
    /// The package's id.
    pub package: String,
    /// The problem's title.
    pub name: String,
    /// CPU seconds per test case; `None` until it is derived from the accepted submissions.
    pub time_limit_s: Option<f64>,
    /// Bytes of memory.
    pub memory_limit_bytes: u64,
    /// Origin of the time limit, if neither the package nor the command line gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_from: Option<LimitOrigin>,
    /// Origin of the memory limit, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit_from: Option<LimitOrigin>,
    /// The package's format, if a limit is its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The run that a derived time limit, once it is known, is derived from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_run: Option<LimitRun>,
    /// The cases that will be judged, in judging order.
    pub cases: Vec<String>,
    /// The package's directory or archive, relative to the working directory if inside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// A defect of a package.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The package's id.
    pub package: String,
    /// `error` or `warning`.
    pub severity: String,
    /// Path of the file in the package.
    pub path: String,
    /// The line, from 1, where known.
    pub line: Option<usize>,
    /// The column, from 1, where known.
    pub column: Option<usize>,
    /// The error message.
    pub message: String,
    /// A remedy.
    pub remedy: Option<String>,
}

/// The end of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunFinished {
    /// Number of submissions that were judged.
    pub submissions: usize,
    /// Number of test cases that were run.
    pub cases: usize,
    /// Whether every submission got its expected verdict.
    pub as_expected: bool,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// Whether judging was interrupted.
    #[serde(default)]
    pub interrupted: bool,
    /// Reasons to doubt the figures, such as a busy machine.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The machine that judges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: Option<String>,
    /// Number of processors.
    pub cores: usize,
    /// Number of cases that run at once.
    pub jobs: usize,
    /// The operating system's name and version.
    pub system: String,
}

/// A submission before it is judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SubmissionPlanned {
    /// The package's id.
    pub package: String,
    /// The submission's name.
    pub submission: String,
    /// The executable, source file or directory, relative to the working directory if inside it;
    /// `None` for a binary of the workspace.
    pub path: Option<String>,
    /// The expected verdicts: `AC`, `WA|TLE`.
    pub expected: Option<String>,
    /// The source code, if it is one file; cut after 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Origin of a limit that was not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOrigin {
    /// Derived from the times of the package's accepted submissions.
    Derived,
    /// The judge's default, because the package's format has neither a field nor a default for it.
    Default,
    /// The default of the package's format.
    FormatDefault,
}

impl LimitOrigin {
    /// The note that a report prints after the limit.
    pub fn note(origin: Option<Self>, format: Option<&str>, run: Option<&LimitRun>) -> String {
        match origin {
            None => String::new(),
            Some(LimitOrigin::Default) => " (default)".to_owned(),
            Some(LimitOrigin::FormatDefault) => {
                format!(" (default of {})", format.unwrap_or("the format"))
            }
            Some(LimitOrigin::Derived) => match run {
                None => " (derived)".to_owned(),
                Some(run) => format!(
                    " (derived from {}: {:.3} s x {}, in steps of {} s)",
                    run.submission, run.cpu_s, run.factor, run.resolution_s
                ),
            },
        }
    }
}

/// The slowest run of an accepted submission, and how the time limit follows from it: its time
/// times `factor`, rounded up to a multiple of `resolution_s`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LimitRun {
    /// The submission's name.
    pub submission: String,
    /// The case.
    pub case: String,
    /// CPU seconds.
    pub cpu_s: f64,
    /// The factor.
    pub factor: f64,
    /// The step, in seconds.
    pub resolution_s: f64,
}

/// A test case with its verdict and figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseFinished {
    /// The package's id.
    pub package: String,
    /// The submission's name.
    pub submission: String,
    /// The case: `secret/02-hard`.
    pub case: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// CPU seconds of the whole process tree; the median if the case was measured several times.
    pub cpu_s: Option<f64>,
    /// CPU seconds of each run of a case that was measured several times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats_cpu_s: Vec<f64>,
    /// Wall-clock seconds.
    pub wall_s: Option<f64>,
    /// Peak memory of the whole process tree, in bytes.
    pub memory_bytes: Option<u64>,
    /// Instructions retired in user mode.
    pub instructions: Option<u64>,
    /// Figure -> how it was measured.
    #[serde(default)]
    pub measured_by: MeasuredBy,
    /// Points, for a scoring problem.
    #[serde(default)]
    pub score: Option<f64>,
    /// The error message for the user.
    pub message: Option<String>,
    /// The exit code, if the program ended with another than 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Parts of input, answer and output, if the case failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Details>>,
    /// The verdict is JE because this machine failed, and not the package: judging the case again
    /// may give another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_failed: bool,
    /// The worker that judged it, if that is on another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The version of the judge there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_version: Option<String>,
}

/// How each figure of a case was measured: `cgroup-v2`, `rusage`, ... A struct and not a map,
/// because there is one per case, and a map would cost more than the rest of the event.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct MeasuredBy {
    /// The CPU time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Cow<'static, str>>,
    /// The instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Cow<'static, str>>,
    /// The memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Cow<'static, str>>,
    /// The wall-clock time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall: Option<Cow<'static, str>>,
}

impl CaseFinished {
    /// The measurements to compare with those of another program: instructions, or CPU seconds of
    /// each run.
    pub fn figures(&self, instructions: bool) -> Vec<f64> {
        match instructions {
            true => self
                .instructions
                .iter()
                .map(|count| *count as f64)
                .collect(),
            false if !self.repeats_cpu_s.is_empty() => self.repeats_cpu_s.clone(),
            false => self.cpu_s.into_iter().collect(),
        }
    }

    /// A case with its verdict, without figures.
    pub fn new(package: &str, submission: &str, case: &str, verdict: Verdict) -> Self {
        CaseFinished {
            package: package.to_owned(),
            submission: submission.to_owned(),
            case: case.to_owned(),
            verdict,
            cpu_s: None,
            repeats_cpu_s: Vec::new(),
            wall_s: None,
            memory_bytes: None,
            instructions: None,
            measured_by: MeasuredBy::default(),
            score: None,
            message: None,
            exit_code: None,
            signal: None,
            details: None,
            machine_failed: false,
            machine: None,
            judge_version: None,
        }
    }
}

/// A group that was not run, because one that it requires failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GroupNotRun {
    /// Its name.
    pub group: String,
    /// Number of its cases.
    pub cases: usize,
    /// The groups that failed.
    pub requires: Vec<String>,
}

impl GroupNotRun {
    /// `secret/b was not run: it requires secret/a`.
    pub fn text(&self) -> String {
        format!(
            "{} was not run: it requires {}",
            self.group,
            self.requires.join(", ")
        )
    }
}

/// A submission with its verdict.
#[derive(Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SubmissionFinished {
    /// The package's id.
    pub package: String,
    /// The submission's name.
    pub submission: String,
    /// Its verdict; `None` when it was skipped because the compiler is missing.
    pub verdict: Option<Verdict>,
    /// The expected verdicts: `AC`, `WA|TLE`.
    pub expected: Option<String>,
    /// Whether the verdict is expected; a skipped submission counts as expected.
    pub as_expected: bool,
    /// The expectation that it does not meet, if `verdict` and `expected` do not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmet: Option<String>,
    /// The groups that were not run, because one that they require failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups_not_run: Vec<GroupNotRun>,
    /// Points, for a scoring problem.
    pub score: Option<f64>,
    /// Maximum CPU seconds of a case.
    pub max_cpu_s: Option<f64>,
    /// Maximum memory of a case, in bytes.
    pub max_memory_bytes: Option<u64>,
    /// The CPU-time limit of its cases, in seconds.
    #[serde(default)]
    pub time_limit_s: Option<f64>,
    /// Why grading its cases failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The verdict is JE because this machine failed, and not the package.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_failed: bool,
}
