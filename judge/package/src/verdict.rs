//! The verdicts that a package can expect of a submission, and that a judge gives.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Defines the enum with the code and the words of each verdict.
macro_rules! verdicts {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal $words:literal,)*) => {
        /// The verdict of a run, in the usual two or three letters.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum Verdict {
            $($(#[doc = $doc])* #[serde(rename = $code)] $name,)*
        }

        impl Verdict {
            /// All of them.
            pub const ALL: [Verdict; [$($code),*].len()] = [$(Verdict::$name),*];

            /// The letters: `AC`, `WA`, ...
            pub const fn code(self) -> &'static str {
                match self {
                    $(Verdict::$name => $code,)*
                }
            }

            /// The verdict in words, as they begin a sentence: `Accepted`, `Wrong answer`, ...
            pub const fn words(self) -> &'static str {
                match self {
                    $(Verdict::$name => $words,)*
                }
            }
        }
    };
}

verdicts! {
    /// Right, within the limits.
    Accepted = "AC" "Accepted",
    /// Partially accepted: some of the points.
    PartiallyAccepted = "PAC" "Partially accepted",
    /// The right tokens in the wrong format, if the judge distinguishes that.
    PresentationError = "PE" "Presentation error",
    /// The output is wrong.
    WrongAnswer = "WA" "Wrong answer",
    /// The run ended with a signal or an exit code other than 0.
    RunTimeError = "RTE" "Run-time error",
    /// It did what is forbidden. Only people give this verdict: what the sandbox refuses has no effect, and may be an accident.
    SecurityViolation = "SV" "Security violation",
    /// The output limit was exceeded.
    OutputLimitExceeded = "OLE" "Output limit exceeded",
    /// The time limit was exceeded.
    TimeLimitExceeded = "TLE" "Time limit exceeded",
    /// The memory limit was exceeded.
    MemoryLimitExceeded = "MLE" "Memory limit exceeded",
    /// It does not compile.
    CompileError = "CE" "Compile error",
    /// The judge or the package failed, not the submission.
    JudgeError = "JE" "Judge error",
}

impl Verdict {
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
            "AC", "WA", "PE", "TLE", "MLE", "OLE", "RTE", "CE", "JE", "PAC", "SV",
        ] {
            assert_eq!(Verdict::from_code(code).unwrap().code(), code);
        }
        assert_eq!(Verdict::from_code("wa"), Some(Verdict::WrongAnswer));
        assert_eq!(Verdict::from_code("XX"), None);
    }
}
