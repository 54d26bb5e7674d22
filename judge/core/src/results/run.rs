//! The start and the end of a run, and what its limits follow from.

use crate::untrusted::{Message, Name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The start of a run.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct RunStarted {
    /// The judge's version.
    pub version: String,
    /// The layers of isolation and measurement.
    pub sandbox: BTreeMap<String, LayerState>,
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
    pub command: Option<Name>,
    /// The whole command that repeats the run, if its program is a file that is gone then:
    /// `judge bundle sol.cpp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Name>,
}

/// Whether this machine has a layer of the sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerState {
    /// All of the layer.
    Present,
    /// Only a part of the layer, or a weaker form.
    Degraded,
    /// Nothing of it.
    Absent,
}

impl LayerState {
    /// `present`, `degraded`, `absent`.
    pub fn text(self) -> &'static str {
        match self {
            LayerState::Present => "present",
            LayerState::Degraded => "degraded",
            LayerState::Absent => "absent",
        }
    }
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
    pub warnings: Vec<Message>,
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
    pub submission: Name,
    /// The case.
    pub case: Name,
    /// CPU seconds.
    pub cpu_s: f64,
    /// The factor.
    pub factor: f64,
    /// The step, in seconds.
    pub resolution_s: f64,
}

/// A group that was not run, because one that it requires failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GroupNotRun {
    /// Its name.
    pub group: Name,
    /// Number of its cases.
    pub cases: usize,
    /// The groups that failed.
    pub requires: Vec<Name>,
}

impl GroupNotRun {
    /// `secret/b was not run: it requires secret/a`.
    pub fn text(&self) -> String {
        let requires: Vec<_> = self.requires.iter().map(Name::shown).collect();
        format!(
            "{} was not run: it requires {}",
            self.group,
            requires.join(", ")
        )
    }
}
