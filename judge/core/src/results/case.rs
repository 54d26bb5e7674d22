//! The result of a case.

use super::Details;
use crate::untrusted::Message;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Verdict and figures of a case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseResult {
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
    pub message: Option<Message>,
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
    /// The version of the judge on the other machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_version: Option<String>,
}

impl CaseResult {
    /// A verdict without figures.
    pub fn new(verdict: Verdict) -> Self {
        CaseResult {
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

    /// Whether it is accepted.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accepted
    }

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

impl MeasuredBy {
    /// The known ones with the names of their figures.
    pub(super) fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("CPU time", &self.cpu),
            ("wall-clock time", &self.wall),
            ("memory", &self.memory),
            ("instructions", &self.instructions),
        ];
        all.into_iter()
            .filter_map(|(name, by)| Some((name, by.as_deref()?)))
    }
}
