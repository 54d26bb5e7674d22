//! The verdicts that a package can expect of a submission, and that a judge gives.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The verdict of a run, in the usual two or three letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// Right, within the limits.
    #[serde(rename = "AC")]
    Accepted,
    /// Partially accepted: some of the points.
    #[serde(rename = "PAC")]
    PartiallyAccepted,
    /// The right tokens in the wrong format, if the judge distinguishes that.
    #[serde(rename = "PE")]
    PresentationError,
    /// The output is wrong.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// The run ended with a signal or an exit code other than 0.
    #[serde(rename = "RTE")]
    RunTimeError,
    /// The output limit was exceeded.
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// The time limit was exceeded.
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// The memory limit was exceeded.
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// It does not compile.
    #[serde(rename = "CE")]
    CompileError,
    /// The judge or the package failed, not the submission.
    #[serde(rename = "JE")]
    JudgeError,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 10] = [
        Verdict::Accepted,
        Verdict::PartiallyAccepted,
        Verdict::PresentationError,
        Verdict::WrongAnswer,
        Verdict::RunTimeError,
        Verdict::OutputLimitExceeded,
        Verdict::TimeLimitExceeded,
        Verdict::MemoryLimitExceeded,
        Verdict::CompileError,
        Verdict::JudgeError,
    ];

    /// The letters: `AC`, `WA`, ...
    pub const fn code(self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::PartiallyAccepted => "PAC",
            Verdict::PresentationError => "PE",
            Verdict::WrongAnswer => "WA",
            Verdict::RunTimeError => "RTE",
            Verdict::OutputLimitExceeded => "OLE",
            Verdict::TimeLimitExceeded => "TLE",
            Verdict::MemoryLimitExceeded => "MLE",
            Verdict::CompileError => "CE",
            Verdict::JudgeError => "JE",
        }
    }

    /// Parses the letters, in either case.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.code().eq_ignore_ascii_case(code))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn codes_round_trip() {
        for code in [
            "AC", "WA", "PE", "TLE", "MLE", "OLE", "RTE", "CE", "JE", "PAC",
        ] {
            assert_eq!(Verdict::from_code(code).unwrap().code(), code);
        }
        assert_eq!(Verdict::from_code("wa"), Some(Verdict::WrongAnswer));
        assert_eq!(Verdict::from_code("XX"), None);
    }
}
