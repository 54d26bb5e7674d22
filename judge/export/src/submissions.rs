//! Directories and tags for the expected results of submissions.

use judge_package::{Expectation, PackagedSubmission, Verdict};

/// The class of an expected result that most formats have a name for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    Accepted,
    Wrong,
    Slow,
    /// A run-time error.
    Crash,
    /// Too much memory.
    Memory,
    Presentation,
    /// Too slow, or a run-time error.
    BruteForce,
    SlowOrAccepted,
    /// Some of the points.
    Partial,
    /// It does not compile.
    CompileError,
    /// Too much output.
    Flood,
    /// Not accepted.
    Rejected,
    /// Nothing is known.
    Any,
}

impl Expected {
    /// The class of a submission's expectation.
    pub fn of(submission: &PackagedSubmission) -> Self {
        Expected::of_expectation(&submission.expected)
    }

    fn of_expectation(expected: &Expectation) -> Self {
        use Verdict::{
            Accepted, CompileError, MemoryLimitExceeded, OutputLimitExceeded, PartiallyAccepted,
            PresentationError, RunTimeError, TimeLimitExceeded, WrongAnswer,
        };
        let mut wanted = match expected.required.is_empty() {
            true => expected.outcome.clone(),
            false => expected.required.clone(),
        };
        if wanted.is_empty() && expected.permitted == [Accepted] {
            wanted = vec![Accepted];
        }
        wanted.sort_unstable();
        wanted.dedup();
        match wanted.as_slice() {
            [PartiallyAccepted] => Expected::Partial,
            [Accepted] if expected.score.is_some() && expected.permitted != [Accepted] => {
                Expected::Partial
            }
            [Accepted] => Expected::Accepted,
            [WrongAnswer] => Expected::Wrong,
            [TimeLimitExceeded] => Expected::Slow,
            [RunTimeError] => Expected::Crash,
            [MemoryLimitExceeded] => Expected::Memory,
            [PresentationError] => Expected::Presentation,
            [CompileError] => Expected::CompileError,
            [OutputLimitExceeded] => Expected::Flood,
            [RunTimeError, TimeLimitExceeded] => Expected::BruteForce,
            [Accepted, TimeLimitExceeded] => Expected::SlowOrAccepted,
            [] if expected.permitted == [Accepted, TimeLimitExceeded] => Expected::SlowOrAccepted,
            [] => Expected::Any,
            list if list.contains(&Accepted) => Expected::Any,
            _ => Expected::Rejected,
        }
    }

    /// The tag of Polygon; `None` if it has none.
    pub fn polygon_tag(self) -> Option<&'static str> {
        Some(match self {
            Expected::Accepted => "accepted",
            Expected::Wrong => "wrong-answer",
            Expected::Slow => "time-limit-exceeded",
            Expected::Memory => "memory-limit-exceeded",
            Expected::Presentation => "presentation-error",
            Expected::SlowOrAccepted => "time-limit-exceeded-or-accepted",
            Expected::Crash | Expected::BruteForce | Expected::Flood | Expected::Rejected => {
                "rejected"
            }
            Expected::Partial | Expected::CompileError | Expected::Any => return None,
        })
    }

    /// The directory of version 2025-09 with its expectation; `None` if that is another in all of them.
    pub fn directory_2025(self) -> Option<(&'static str, Expectation)> {
        let class = match self {
            Expected::Presentation => Expected::Wrong,
            class => class,
        };
        judge_package::directories_2025()
            .find(|(_, usual)| Expected::of_expectation(usual) == class)
    }

    /// The directory of version legacy, and the words of DOMjudge's `@EXPECTED_RESULTS@` if the
    /// directory does not say it.
    pub fn directory_legacy(self) -> (&'static str, Option<&'static str>) {
        match self {
            Expected::Accepted => ("accepted", None),
            Expected::Wrong | Expected::Presentation => ("wrong_answer", None),
            Expected::Slow => ("time_limit_exceeded", None),
            Expected::Crash | Expected::Memory => ("run_time_error", None),
            Expected::Partial => ("partially_accepted", None),
            Expected::CompileError => ("compiler_error", None),
            Expected::Flood => ("output_limit", None),
            Expected::BruteForce => ("brute_force", Some("TIMELIMIT, RUN-ERROR")),
            Expected::SlowOrAccepted => ("mixed", Some("CORRECT, TIMELIMIT")),
            Expected::Rejected => ("rejected", Some("WRONG-ANSWER, TIMELIMIT, RUN-ERROR")),
            Expected::Any => ("mixed", Some("CORRECT, WRONG-ANSWER, TIMELIMIT, RUN-ERROR")),
        }
    }
}
