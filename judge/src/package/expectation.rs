//! The submissions of a package, and what their authors expect of them.

use crate::verdict::Verdict;
use std::path::PathBuf;

/// A submission that comes with the package.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PackagedSubmission {
    /// A source file, or a directory of them.
    pub path: PathBuf,
    /// What its author expects of all cases together: the sum of those of `rules` that hold for
    /// the whole submission.
    pub expected: Expectation,
    /// The language, where the package says it.
    pub language: Option<String>,
    /// The file or class to start, where the package says it.
    pub entry_point: Option<String>,
    /// The path below `submissions/`: `accepted/fast.cpp`.
    pub name: String,
    /// Each single demand; all of them must be met.
    pub rules: Vec<Rule>,
}

/// What a submission should get.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expectation {
    /// The verdicts that a test case may get; empty means any.
    pub permitted: Vec<Verdict>,
    /// At least one test case must get one of these; empty means no such demand.
    pub required: Vec<Verdict>,
    /// The least and the most points, where they are given.
    pub score: Option<(f64, f64)>,
    /// What the submission as a whole must get: one of these; empty means no such demand. Used
    /// where a format speaks of the final verdict (DOMjudge's `@EXPECTED_RESULTS@`,
    /// legacy's `partially_accepted`).
    pub outcome: Vec<Verdict>,
}

/// One demand on a submission: over all cases, or over those that `scope` names.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rule {
    /// A glob over groups and cases below the data directory (`secret/*-hard`); `None`: all.
    pub scope: Option<String>,
    /// What the cases in scope may and must get. `score` is that of the group `scope`, or of the
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
    /// From below: the limit lets it pass.
    Lower,
    /// From above: the limit stops it.
    Upper,
}

impl Expectation {
    /// Every case accepted.
    pub fn accepted() -> Self {
        Expectation {
            permitted: vec![Verdict::Accepted],
            required: vec![Verdict::Accepted],
            ..Expectation::default()
        }
    }
}

impl Rule {
    /// How the cases in scope bound the time limit: as the package says, else from below where no
    /// TLE is permitted, from above where only TLE will do, else not at all.
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

    /// Whether the rule speaks of the test case `case` (`secret/group/01`): its scope matches the
    /// case or a directory above it.
    pub fn applies_to(&self, case: &str) -> bool {
        self.scope
            .as_deref()
            .is_none_or(|scope| super::glob::matches_path_or_parent(scope, case))
    }
}
