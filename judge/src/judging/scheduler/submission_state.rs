//! State of a submission while it is judged: its program and the results of its cases.

use super::super::expected;
use super::super::grading::{CaseOutcome, Graded, Outcomes};
use super::super::{Extent, Plan, Prepared, Settings};
use super::protocol::Facts;
use super::runner::{Selected, SubmissionRef};
use super::short_cuts::only_whole;
use crate::event::{CaseFinished, SubmissionFinished};
use crate::verdict::Verdict;
use judge_package::TestCase;
use judge_sandbox::Canceller;
use std::collections::HashMap;

/// State of a submission while it is judged.
pub struct SubmissionState<'a> {
    pub at: SubmissionRef<'a>,
    pub program: Option<Prepared>,
    pub results: Vec<Option<CaseFinished>>,
    /// Results of runs that may be repeated.
    pub held: HashMap<usize, CaseFinished>,
    /// Cancellers of the runs that may become irrelevant.
    pub cancellers: HashMap<usize, Canceller>,
    /// The event to send when the submission is reported.
    pub finished: Option<SubmissionFinished>,
}

/// Derives the facts about a submission that the state machine needs.
pub fn facts(selected: &Selected, plan: &Plan, settings: &Settings) -> Facts {
    let entry = &plan.entries[selected.entry];
    let submission = &entry.submissions[selected.submission].submission;
    let expected = &submission.expected;
    let thorough = settings.extent == Extent::Everything
        || selected.thorough
        || !only_whole(&submission.rules);
    let fails = !expected.is_met_by(Verdict::Accepted);
    let slow = expected.is_met_by(Verdict::TimeLimitExceeded) && fails;
    Facts {
        cases: entry.cases.len(),
        is_known: selected.known.is_some(),
        starts_first: settings.extent == Extent::Decisive && slow,
        ends_early: fails && (settings.fail_fast || !thorough),
        thorough,
        may_be_slow: expected.allows(Verdict::TimeLimitExceeded),
    }
}

impl<'a> SubmissionState<'a> {
    /// The initial state; earlier results come from the selection.
    pub fn new(selected: &Selected, plan: &'a Plan) -> Self {
        let at = SubmissionRef {
            plan,
            entry: selected.entry,
            submission: selected.submission,
            time_limit: selected.time_limit,
        };
        SubmissionState {
            at,
            program: None,
            results: match &selected.known {
                Some(known) => known.results.iter().cloned().map(Some).collect(),
                None => vec![None; at.entry().cases.len()],
            },
            held: HashMap::new(),
            cancellers: HashMap::new(),
            finished: None,
        }
    }

    /// Whether no result so far contradicts the expectation.
    pub fn is_as_expected_so_far(&self) -> bool {
        let expected = &self.at.planned().submission.expected;
        let mut known = self.results.iter().flatten();
        known.all(|case| expected.allows(case.verdict))
    }

    /// Builds the final event. `graded` is the grading of all cases, if they were run.
    pub fn finished(&self, irrelevant: &[bool], graded: Option<&Graded>) -> SubmissionFinished {
        let entry = self.at.entry();
        let submission = &self.at.planned().submission;
        let results = || self.results.iter().flatten();
        let outcomes = outcomes(&entry.cases, &self.results, irrelevant);
        let mut error = None;
        let (verdict, score) = match (&self.program, graded) {
            (Some(Prepared::CompileError(_)), _) => (Some(Verdict::CompileError), None),
            (Some(Prepared::Skipped(_)), _) => (None, None),
            (_, Some(graded)) => {
                error.clone_from(&graded.error);
                (Some(graded.verdict), graded.score)
            }
            _ => (Some(Verdict::JudgeError), None),
        };
        let unmet = verdict.and_then(|verdict| {
            let of_program = Graded::new(verdict, score);
            let graded = graded.filter(|graded| graded.verdict == verdict);
            expected::unmet(&submission.rules, &outcomes, graded.unwrap_or(&of_program))
        });
        let expected = expected::expected_text(&submission.expected);
        let mut codes = expected.iter().flat_map(|text| text.split('|'));
        let is_listed = codes.any(|code| verdict.is_some_and(|verdict| verdict.code() == code));
        SubmissionFinished {
            package: entry.package.id.clone(),
            submission: submission.name.clone(),
            verdict,
            expected,
            as_expected: unmet.is_none(),
            // What the verdict and the expected ones show is not repeated.
            unmet: unmet
                .filter(|unmet| !unmet.is_verdict || is_listed)
                .map(|unmet| unmet.what),
            score,
            max_cpu_s: results().filter_map(|c| c.cpu_s).reduce(f64::max),
            max_memory_bytes: results().filter_map(|c| c.memory_bytes).max(),
            time_limit_s: Some(self.at.time_limit.as_secs_f64()),
            machine_failed: error.as_ref().is_some_and(|error| error.of_machine),
            message: error.map(|error| error.message),
        }
    }
}

/// Whether a program exceeded its limit by computing. One that waits would also do so alone.
pub fn is_too_slow(finished: &CaseFinished) -> bool {
    let computing = |cpu: f64| finished.wall_s.is_none_or(|wall| cpu > wall / 2.0);
    finished.verdict == Verdict::TimeLimitExceeded && finished.cpu_s.is_some_and(computing)
}

/// Outcomes of the cases that count. Irrelevant cases are left out: whether one of them ran in
/// parallel with the failing case is chance.
pub fn outcomes<'a>(
    cases: &'a [TestCase],
    results: &'a [Option<CaseFinished>],
    irrelevant: &[bool],
) -> Outcomes<'a> {
    let known =
        |((case, result), irrelevant): ((&'a TestCase, &'a Option<CaseFinished>), &bool)| {
            let result = result.as_ref().filter(|_| !irrelevant)?;
            let outcome = CaseOutcome {
                name: &case.name,
                verdict: result.verdict,
                score: result.score,
                message: result.message.as_deref(),
            };
            Some((case.id, outcome))
        };
    let all = cases.iter().zip(results).zip(irrelevant);
    all.filter_map(known).collect()
}
