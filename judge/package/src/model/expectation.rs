//! The submissions of a package and the results that their authors expect.

use crate::verdict::Verdict;
use std::path::PathBuf;

/// A submission that comes with the package.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PackagedSubmission {
    /// A source file, or a directory of them.
    pub path: PathBuf,
    /// The author's expectation of all cases together: the combination of those `rules` that apply
    /// to the whole submission.
    pub expected: Expectation,
    /// The language, if the package names it.
    pub language: Option<String>,
    /// The file or class to start, if the package names it.
    pub entry_point: Option<String>,
    /// The path below `submissions/`: `accepted/fast.cpp`.
    pub name: String,
    /// The individual rules; all of them must be met.
    pub rules: Vec<Rule>,
}

/// The expected result of a submission.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expectation {
    /// The verdicts that a test case may get; empty: any.
    pub permitted: Vec<Verdict>,
    /// At least one test case must get one of these; empty: no such condition.
    pub required: Vec<Verdict>,
    /// The minimum and maximum score, if given.
    pub score: Option<(f64, f64)>,
    /// Verdicts of the whole submission that meet the expectation regardless of the cases; empty:
    /// the final verdict does not matter. For formats whose tools compare the final verdict
    /// (legacy, DOMjudge's `@EXPECTED_RESULTS@`).
    pub outcome: Vec<Verdict>,
}

/// One expectation about all cases, or about those that `scope` selects.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rule {
    /// A glob over groups and cases below the data directory (`secret/*-hard`); `None`: all.
    pub scope: Option<String>,
    /// The verdicts that the cases in scope may and must get. `score` is that of the group
    /// `scope`, or of the
    /// submission.
    pub expected: Expectation,
    /// Must be in the `judgemessage.txt` of at least one case in scope.
    pub message: Option<String>,
    /// How the cases in scope bound the time limit; `None`: as `expected` implies.
    pub time_limit_use: Option<TimeLimitUse>,
}

/// How a submission's times bound the time limit (2025-09 `use_for_time_limit`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLimitUse {
    /// Not at all.
    No,
    /// A lower bound: the submission must pass.
    Lower,
    /// An upper bound: the submission must exceed the limit.
    Upper,
}

impl Expectation {
    /// Every case is accepted.
    pub fn accepted() -> Self {
        Expectation {
            permitted: vec![Verdict::Accepted],
            required: vec![Verdict::Accepted],
            ..Expectation::default()
        }
    }

    /// Whether a case may get `verdict`. If the submission is expected to get only part of the
    /// points, its cases may fail with any verdict.
    pub fn allows(&self, verdict: Verdict) -> bool {
        let partial = self.score.is_none() && self.outcome.contains(&Verdict::PartiallyAccepted);
        let lists = [&self.permitted, &self.required, &self.outcome];
        partial
            || lists.iter().all(|list| list.is_empty())
            || lists.iter().any(|list| contains(list, verdict))
    }

    /// Whether a submission that gets `verdict` in every case meets the expectation.
    pub fn is_met_by(&self, verdict: Verdict) -> bool {
        self.is_met(&[verdict], verdict)
    }

    /// Whether the verdicts of the cases in scope, and that of the whole submission, meet the
    /// expectation; the score is compared separately. A matching `outcome` is sufficient; otherwise
    /// `permitted` and `required` decide, if present.
    ///
    /// Formats without MLE, OLE and PE count them as the verdicts that they have.
    pub fn is_met(&self, cases: &[Verdict], whole: Verdict) -> bool {
        let no_demand = self.permitted.is_empty() && self.required.is_empty();
        if contains(&self.outcome, whole) {
            return true;
        }
        // Points do not compensate for a verdict: formats with an `outcome` have no partial
        // verdict.
        let bad = |case: &Verdict| *case != Verdict::Accepted && contains(&self.outcome, *case);
        if whole == Verdict::PartiallyAccepted && cases.iter().any(bad) {
            return true;
        }
        if !self.outcome.is_empty() && no_demand {
            return false;
        }
        (self.permitted.is_empty() || cases.iter().all(|&case| contains(&self.permitted, case)))
            && (self.required.is_empty()
                || cases.iter().any(|&case| contains(&self.required, case)))
    }
}

/// Whether `verdict`, or the verdict that it counts as, is listed.
fn contains(list: &[Verdict], verdict: Verdict) -> bool {
    let counts_as: &[Verdict] = match verdict {
        Verdict::MemoryLimitExceeded => &[Verdict::RunTimeError],
        // A tool that truncates the output sees a program that floods it exceed the time limit.
        Verdict::OutputLimitExceeded => &[
            Verdict::RunTimeError,
            Verdict::WrongAnswer,
            Verdict::TimeLimitExceeded,
        ],
        Verdict::PresentationError => &[Verdict::WrongAnswer],
        _ => &[],
    };
    list.contains(&verdict) || counts_as.iter().any(|other| list.contains(other))
}

impl Rule {
    /// How the cases in scope bound the time limit: as the package specifies; otherwise a lower
    /// bound if TLE is not permitted, an upper bound if only TLE meets the expectation, and none in
    /// other cases.
    pub fn bounds_time_limit(&self) -> TimeLimitUse {
        if let Some(said) = self.time_limit_use {
            return said;
        }
        let slow = Verdict::TimeLimitExceeded;
        if self.expected.required == [slow] {
            TimeLimitUse::Upper
        } else if !self.expected.permitted.is_empty() && !self.expected.permitted.contains(&slow) {
            TimeLimitUse::Lower
        } else {
            TimeLimitUse::No
        }
    }

    /// Whether the rule applies to the test case `case` (`secret/group/01`): its scope matches the
    /// case or a directory above it.
    pub fn applies_to(&self, case: &str) -> bool {
        self.scope
            .as_deref()
            .is_none_or(|scope| super::glob::matches_path_or_parent(scope, case))
    }
}

#[cfg(test)]
mod tests {
    use super::Expectation;
    use crate::verdict::Verdict::{
        self, Accepted as AC, CompileError as CE, MemoryLimitExceeded as MLE,
        OutputLimitExceeded as OLE, PartiallyAccepted as PAC, RunTimeError as RTE,
        TimeLimitExceeded as TLE, WrongAnswer as WA,
    };

    #[test]
    fn expectations_are_met_as_the_formats_say() {
        let of = |permitted: &[Verdict], required: &[Verdict], outcome: &[Verdict]| Expectation {
            permitted: permitted.to_vec(),
            required: required.to_vec(),
            outcome: outcome.to_vec(),
            score: None,
        };
        let accepted = of(&[AC], &[], &[]);
        let wrong = of(&[AC, WA], &[WA], &[]);
        let legacy_slow = of(&[AC, WA, TLE], &[TLE], &[TLE]);
        let annotated = of(&[], &[], &[CE, RTE]);
        let slow = of(&[AC, TLE], &[TLE], &[]);
        for (expected, cases, whole, met) in [
            (&accepted, &[AC, AC][..], AC, true),
            (&accepted, &[AC, WA], WA, false),
            (&accepted, &[], AC, true),
            (&wrong, &[AC, WA], WA, true),
            (&wrong, &[AC, AC], AC, false),
            (&wrong, &[WA, TLE], WA, false),
            (&legacy_slow, &[WA, TLE], WA, true),
            (&legacy_slow, &[TLE, RTE], TLE, true),
            (&legacy_slow, &[WA], WA, false),
            (&legacy_slow, &[WA, TLE, RTE], WA, false),
            (&annotated, &[], CE, true),
            (&annotated, &[MLE], MLE, true),
            (&annotated, &[WA], WA, false),
            (&annotated, &[AC, RTE], PAC, true),
            (&annotated, &[AC, WA], PAC, false),
            (&slow, &[AC, OLE], OLE, true),
            (&slow, &[AC, WA], WA, false),
            (&accepted, &[OLE], OLE, false),
        ] {
            assert_eq!(
                expected.is_met(cases, whole),
                met,
                "{expected:?} {cases:?} {whole}"
            );
        }
    }
}
