//! State of a submission while it is judged: its program and the results of its cases.

use super::super::expected;
use super::super::grading::{CaseOutcome, Graded, Outcomes};
use super::super::limits::{self, Overrides};
use super::super::{Extent, Plan, Prepared, Settings};
use super::protocol::{Facts, Progress};
use super::runner::{Selected, SubmissionRef};
use super::short_cuts::{only_whole, requirements, with_inner};
use crate::results::{CaseResult, GroupNotRun, SubmissionResult, expected_verdicts};
use crate::untrusted::{Message, Name};
use crate::verdict::Verdict;
use judge_package::{CaseId, Group, TestCase};
use judge_sandbox::Canceller;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

pub struct SubmissionState<'a> {
    pub at: SubmissionRef<'a>,
    pub program: Option<Prepared>,
    pub results: Vec<Option<Arc<CaseResult>>>,
    /// Results of runs that may be repeated.
    pub held: HashMap<usize, CaseResult>,
    /// Cancellers of the runs that may become irrelevant.
    pub cancellers: HashMap<usize, Canceller>,
    /// The result to send when the submission is reported.
    pub finished: Option<SubmissionResult>,
    overrides: Overrides,
}

/// Derives the facts about a submission that the state machine needs.
pub fn facts(selected: &Selected, plan: &Plan, settings: &Settings) -> Facts {
    let entry = &plan.entries[selected.key.package];
    let submission = &entry.submissions[selected.key.submission].submission;
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
        requirements: requirements(&entry.package.data, &entry.cases),
    }
}

impl<'a> SubmissionState<'a> {
    /// The initial state; earlier results come from the selection.
    pub fn new(selected: &Selected, plan: &'a Plan, settings: &Settings) -> Self {
        let at = SubmissionRef {
            plan,
            key: selected.key,
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
            overrides: settings.overrides,
        }
    }

    /// Whether no result so far contradicts the expectation.
    pub fn is_as_expected_so_far(&self) -> bool {
        let expected = &self.at.submission().expected;
        let mut known = self.results.iter().flatten();
        known.all(|case| expected.allows(case.verdict))
    }

    /// The time limit of cases without one of their own.
    fn time_limit(&self) -> Duration {
        let time = self.at.time_limit;
        match &self.program {
            Some(Prepared::Ready(program)) => {
                let package = &self.at.entry().package.limits;
                limits::of_program(package, &TestCase::default(), time, self.overrides, program).0
            }
            _ => time,
        }
    }

    /// The result. `graded` is the grading of all cases, if they were run.
    pub fn finished(&self, left_out: &LeftOut, graded: Option<&Graded>) -> SubmissionResult {
        let entry = self.at.entry();
        let submission = self.at.submission();
        let results = || self.results.iter().flatten();
        let outcomes = outcomes(&entry.cases, &self.results, left_out);
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
        let listed = expected_verdicts(&submission.expected).unwrap_or_default();
        let is_listed = verdict.is_some_and(|verdict| listed.contains(&verdict));
        SubmissionResult {
            verdict,
            as_expected: unmet.is_none(),
            // Left out if the verdict and the expected verdicts show it.
            unmet: unmet
                .filter(|unmet| !unmet.is_verdict || is_listed)
                .map(|unmet| Message::from(unmet.what)),
            groups_not_run: groups_not_run(&entry.package.data, &entry.cases, left_out, &outcomes),
            score,
            max_cpu_s: results().filter_map(|c| c.cpu_s).reduce(f64::max),
            max_memory_bytes: results().filter_map(|c| c.memory_bytes).max(),
            time_limit_s: Some(self.time_limit().as_secs_f64()),
            machine_failed: error.as_ref().is_some_and(|error| error.of_machine)
                || matches!(self.program, Some(Prepared::Failed(_)))
                || results().any(|case| case.machine_failed),
            message: error.map(|error| Message::from(error.message)),
        }
    }
}

/// Whether a program exceeded its limit by computing. One that waits would also do so alone.
pub fn is_too_slow(finished: &CaseResult) -> bool {
    let computing = |cpu: f64| finished.wall_s.is_none_or(|wall| cpu > wall / 2.0);
    finished.verdict == Verdict::TimeLimitExceeded && finished.cpu_s.is_some_and(computing)
}

/// The cases whose runs do not count.
#[derive(Clone, Default)]
pub struct LeftOut {
    irrelevant: Vec<bool>,
    /// For each case that was not run because a required one failed: that one.
    barred_by: Vec<Option<usize>>,
}

impl From<&Progress> for LeftOut {
    fn from(progress: &Progress) -> Self {
        LeftOut {
            irrelevant: progress.irrelevant.clone(),
            barred_by: progress.barred_by.clone(),
        }
    }
}

/// Outcomes of the cases that count. Irrelevant cases are left out: whether one of them ran in
/// parallel with the failing case is chance. A case that was not run because a required one failed
/// has the verdict of that one.
pub fn outcomes<'a>(
    cases: &'a [TestCase],
    results: &'a [Option<Arc<CaseResult>>],
    left_out: &LeftOut,
) -> Outcomes<'a> {
    let outcome = |(case, result): (&'a TestCase, &'a Arc<CaseResult>)| {
        let outcome = CaseOutcome {
            name: &case.name,
            verdict: result.verdict,
            score: result.score,
            message: result.message.as_ref().map(Message::raw),
        };
        (case.id, outcome)
    };
    let barred = cases.iter().zip(&left_out.barred_by);
    let barred = barred.filter_map(|(case, by)| {
        let (id, outcome) = outcome((case, results.get((*by)?)?.as_ref()?));
        let outcome = CaseOutcome {
            score: None,
            message: None,
            ..outcome
        };
        Some((id, outcome))
    });
    let all = cases.iter().zip(results).zip(&left_out.irrelevant);
    let ran = all.filter(|(_, irrelevant)| !**irrelevant);
    let ran = ran.filter_map(|((case, result), _)| Some(outcome((case, result.as_ref()?))));
    ran.chain(barred).collect()
}

/// The groups whose cases were not run, because a required one failed.
fn groups_not_run(
    data: &Group,
    cases: &[TestCase],
    left_out: &LeftOut,
    outcomes: &Outcomes<'_>,
) -> Vec<GroupNotRun> {
    let barred = cases.iter().zip(&left_out.barred_by);
    let barred = barred.filter_map(|(case, by)| by.map(|_| case.id));
    let barred: HashSet<CaseId> = barred.collect();
    if barred.is_empty() {
        return Vec::new();
    }
    let groups = with_inner(data);
    let ids = |group: &Group| -> Vec<CaseId> {
        let cases = group.judged_cases();
        cases.iter().map(|case| case.id).collect()
    };
    let has_failed = |name: &&String| {
        let mut named = groups.iter().filter(|group| group.name == **name);
        let failed = |id: CaseId| {
            let outcome = outcomes.get(&id);
            outcome.is_some_and(|outcome| outcome.verdict != Verdict::Accepted)
        };
        named.any(|group| ids(group).into_iter().any(failed))
    };
    let requiring = groups.iter().filter(|group| !group.requires.is_empty());
    requiring
        .map(|group| GroupNotRun {
            group: Name::from(&group.name),
            cases: ids(group).iter().filter(|id| barred.contains(id)).count(),
            requires: group
                .requires
                .iter()
                .filter(has_failed)
                .map(Name::from)
                .collect(),
        })
        .filter(|group| group.cases > 0)
        .collect()
}
