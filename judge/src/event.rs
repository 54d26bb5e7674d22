//! What happens while judging, told as it happens: the one source of every report.
//!
//! Events are serialisable and self-contained, so that the same stream can feed a terminal, a
//! file, or later a queue between machines. Fields may be added, never renamed.

use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One thing that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Judging begins.
    RunStarted {
        /// The judge's version.
        version: String,
        /// Layer of isolation or measurement -> `present`, `degraded` or `absent`.
        sandbox: BTreeMap<String, String>,
        /// When it began: seconds since 1970, in UTC.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        started_s: Option<f64>,
        /// Where instructions are the clock: how many count as a second of a time limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions_per_second: Option<f64>,
    },
    /// A package is about to be judged.
    PackageStarted {
        /// The package's id.
        package: String,
        /// The problem's title.
        name: String,
        /// CPU seconds per test case; `None` until it is derived from the accepted submissions.
        time_limit_s: Option<f64>,
        /// Bytes of memory.
        memory_limit_bytes: u64,
        /// Where the time limit comes from, if neither from the package nor from the command line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_limit_from: Option<LimitOrigin>,
        /// The same of the memory limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory_limit_from: Option<LimitOrigin>,
        /// The cases that will be judged, in judging order.
        cases: Vec<String>,
    },
    /// Something is wrong with a package, though it can be judged.
    Finding {
        /// The package's id.
        package: String,
        /// `error` or `warning`.
        severity: String,
        /// The file at fault, below the package.
        path: String,
        /// The line, from 1, where known.
        line: Option<usize>,
        /// The column, from 1, where known.
        column: Option<usize>,
        /// What is wrong.
        message: String,
        /// How to mend it.
        remedy: Option<String>,
    },
    /// A submission was compiled, or its compiler is missing.
    CompileFinished {
        /// The package's id.
        package: String,
        /// The submission's name.
        submission: String,
        /// The language's name.
        language: String,
        /// Whether there is a program to run.
        ok: bool,
        /// Whether it is skipped because this machine lacks the compiler.
        #[serde(default)]
        skipped: bool,
        /// Wall-clock seconds.
        wall_s: f64,
        /// The compiler's message, or which compiler is missing.
        message: Option<String>,
    },
    /// A test case begins. Nothing more is told of it where it proves to be in vain. Where the time limit
    /// is derived from it, the rest is told when the limit is known.
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
    RunFinished {
        /// How many submissions were judged.
        submissions: usize,
        /// How many test cases were run.
        cases: usize,
        /// Whether every submission got what was expected of it.
        as_expected: bool,
        /// Wall-clock seconds.
        wall_s: f64,
        /// Whether judging was interrupted before its end.
        #[serde(default)]
        interrupted: bool,
        /// What makes the figures doubtful, such as a machine that was too busy.
        #[serde(default)]
        warnings: Vec<String>,
    },
}

/// Where a limit comes from that nobody gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOrigin {
    /// From how long the package's accepted submissions take.
    Derived,
    /// The package's format has no place for it: the judge's default.
    Default,
}

impl LimitOrigin {
    /// What a report puts behind the limit.
    pub fn note(origin: Option<Self>) -> &'static str {
        match origin {
            Some(LimitOrigin::Derived) => " (derived)",
            Some(LimitOrigin::Default) => " (default)",
            None => "",
        }
    }
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
    /// CPU seconds of the whole tree.
    pub cpu_s: Option<f64>,
    /// Wall-clock seconds.
    pub wall_s: Option<f64>,
    /// Peak memory of the whole tree, in bytes.
    pub memory_bytes: Option<u64>,
    /// Instructions retired in user mode.
    pub instructions: Option<u64>,
    /// Figure -> how it was measured.
    #[serde(default)]
    pub measured_by: MeasuredBy,
    /// Points, where the package scores.
    #[serde(default)]
    pub score: Option<f64>,
    /// What went wrong, for a person.
    pub message: Option<String>,
}

/// How each figure of a case was measured: `cgroup-v2`, `rusage`, ... (There is one for every case:
/// a map would cost more than all the rest of an event.)
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
    /// A case with its verdict, and nothing else known of it yet.
    pub fn new(package: &str, submission: &str, case: &str, verdict: Verdict) -> Self {
        CaseFinished {
            package: package.to_owned(),
            submission: submission.to_owned(),
            case: case.to_owned(),
            verdict,
            cpu_s: None,
            wall_s: None,
            memory_bytes: None,
            instructions: None,
            measured_by: MeasuredBy::default(),
            score: None,
            message: None,
        }
    }
}

/// A submission with its verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SubmissionFinished {
    /// The package's id.
    pub package: String,
    /// The submission's name.
    pub submission: String,
    /// Its verdict; `None` when it was skipped for want of a compiler.
    pub verdict: Option<Verdict>,
    /// What was expected, in letters: `AC`, `WA|TLE`.
    pub expected: Option<String>,
    /// Whether it got that; a skipped submission counts as expected.
    pub as_expected: bool,
    /// Points, where the package scores.
    pub score: Option<f64>,
    /// The most CPU seconds of any case.
    pub max_cpu_s: Option<f64>,
    /// The most memory of any case, in bytes.
    pub max_memory_bytes: Option<u64>,
    /// The CPU-time limit that it was held to, in seconds.
    #[serde(default)]
    pub time_limit_s: Option<f64>,
    /// Why its cases could not be put together, where the judge failed at that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}
