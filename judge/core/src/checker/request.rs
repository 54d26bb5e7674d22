//! The data that a validator receives.

use crate::verdict::Verdict;
use std::path::{Path, PathBuf};

/// Parameters of one run of a validator.
#[derive(Clone, Copy, Debug)]
pub struct CheckRequest<'a> {
    pub input: &'a Path,
    pub answer: Option<&'a Path>,
    /// Arguments of the case or its group.
    pub args: &'a [String],
    /// The points of the case.
    pub score: Option<f64>,
    /// Whether the validator may request another pass.
    pub multi_pass: bool,
    /// Whether the files with points are ignored, also invalid ones.
    pub ignores_points: bool,
    /// Facts about the submission for DMOJ's checkers.
    pub about: &'a About,
}

/// The data about the submission that DMOJ gives to a Python checker.
#[derive(Clone, Default, Debug)]
pub struct About {
    /// Its source, if it is one file.
    pub source: Option<PathBuf>,
    /// The resource usage of its run.
    pub run: Option<RunUsage>,
    /// The verdict that follows from the run, if it failed.
    pub verdict: Option<Verdict>,
}

/// The resource usage of a run, in DMOJ's units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunUsage {
    /// CPU time in seconds.
    pub cpu_s: f64,
    /// Wall-clock time in seconds.
    pub wall_s: f64,
    /// Peak memory in KiB.
    pub memory_kib: u64,
}

impl About {
    /// The JSON that the runner of these checkers reads.
    pub fn to_json(&self) -> String {
        match self.run {
            None => "{}".to_owned(),
            Some(run) => serde_json::json!({
                "time": run.cpu_s,
                "wall": run.wall_s,
                "memory": run.memory_kib,
                "ended": self.verdict.map(Verdict::code),
            })
            .to_string(),
        }
    }
}
