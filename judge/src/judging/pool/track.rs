//! A submission while it is judged: what is known of its cases, what is still to be done.

use super::super::outcome::{self, CaseOutcome, Graded, Outcomes};
use super::super::{Extent, Plan, Prepared, Settings, moot};
use super::contract::Selected;
use crate::event::{CaseFinished, SubmissionFinished};
use crate::package::{CaseId, TestCase};
use crate::verdict::Verdict;
use judge_sandbox::Canceller;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// A submission while it is judged.
pub struct Track {
    pub entry: usize,
    pub submission: usize,
    pub time_limit: Duration,
    pub program: Option<Prepared>,
    pub results: Vec<Option<CaseFinished>>,
    /// Cases not yet done, dropped or put off.
    pub open: usize,
    pub failed: bool,
    /// It was too slow alone as well.
    pub slow: bool,
    /// It is expected to fail, and what comes behind the failure need not run.
    pub ends_early: bool,
    /// How many of its cases are running.
    pub running: usize,
    /// What ends those of them that may become moot.
    pub cancellers: HashMap<CaseId, Canceller>,
    /// Cases that cannot change the verdict any more.
    pub moot: HashSet<CaseId>,
    /// Moot cases whose turn came: they run if the submission is not as expected without them.
    pub put_off: Vec<usize>,
    /// Every case runs, moot or not.
    pub thorough: bool,
    /// What all cases together came to, where they were run.
    pub graded: Option<Graded>,
    pub done: bool,
}

impl Track {
    /// A submission of which nothing is known.
    pub fn new(selected: &Selected, plan: &Plan, settings: &Settings) -> Self {
        let entry = &plan.entries[selected.entry];
        let cases = entry.cases.len();
        let submission = &entry.submissions[selected.submission].submission;
        let thorough =
            settings.extent == Extent::Everything || !moot::only_whole(&submission.rules);
        let fails = !submission.expected.is_met_by(Verdict::Accepted);
        Track {
            entry: selected.entry,
            submission: selected.submission,
            time_limit: selected.time_limit,
            program: None,
            results: vec![None; cases],
            open: cases,
            failed: false,
            slow: false,
            ends_early: fails && (settings.fail_fast || !thorough),
            running: 0,
            cancellers: HashMap::new(),
            moot: HashSet::new(),
            put_off: Vec::new(),
            thorough,
            graded: None,
            done: false,
        }
    }

    /// Notes a failure: these cases cannot change the verdict any more, and those of them that are
    /// running need not go on.
    pub fn make_moot(&mut self, behind: &[CaseId]) {
        for case in behind {
            if let Some(canceller) = self.cancellers.get(case) {
                canceller.cancel();
            }
            self.moot.insert(*case);
        }
    }

    /// What the case would come to, where one that is the same was run before.
    pub fn of_twin(
        &self,
        cases: &[TestCase],
        twins: &[usize],
        case: usize,
    ) -> Option<CaseFinished> {
        let known = (0..cases.len()).find_map(|other| {
            let result = self.results[other]
                .as_ref()
                .filter(|_| twins[other] == twins[case])?;
            // Points are told as the case's own.
            let points_fit = result.score.is_none() || cases[other].score == cases[case].score;
            points_fit.then_some(result)
        })?;
        Some(CaseFinished {
            case: cases[case].name.clone(),
            ..known.clone()
        })
    }

    /// What is told of it when it is done.
    pub fn told(&self, plan: &Plan) -> SubmissionFinished {
        let entry = &plan.entries[self.entry];
        let submission = &entry.submissions[self.submission].submission;
        let results = || self.results.iter().flatten();
        let outcomes = outcomes(&entry.cases, &self.results, &self.moot);
        let mut message = None;
        let (verdict, score) = match (&self.program, &self.graded) {
            (Some(Prepared::CompileError(_)), _) => (Some(Verdict::CompileError), None),
            (Some(Prepared::Skipped(_)), _) => (None, None),
            (_, Some(graded)) => {
                message.clone_from(&graded.trouble);
                (Some(graded.verdict), graded.score)
            }
            _ => (Some(Verdict::JudgeError), None),
        };
        let as_expected = verdict
            .is_none_or(|verdict| outcome::meets(&submission.rules, &outcomes, verdict, score));
        SubmissionFinished {
            package: entry.package.id.clone(),
            submission: submission.name.clone(),
            verdict,
            expected: outcome::expected_text(&submission.expected),
            as_expected,
            score,
            max_cpu_s: results().filter_map(|c| c.cpu_s).reduce(f64::max),
            max_memory_bytes: results().filter_map(|c| c.memory_bytes).max(),
            time_limit_s: Some(self.time_limit.as_secs_f64()),
            message,
        }
    }
}

/// Whether a program computed too long; one that waits does so alone as well.
pub fn is_too_slow(told: &CaseFinished) -> bool {
    let computing = |cpu: f64| told.wall_s.is_none_or(|wall| cpu > wall / 2.0);
    told.verdict == Verdict::TimeLimitExceeded && told.cpu_s.is_some_and(computing)
}

/// What is known of each case that was run. Which of the moot ones ran all the same, beside the
/// one that failed, is chance: they are left out.
pub fn outcomes<'a>(
    cases: &'a [TestCase],
    results: &[Option<CaseFinished>],
    moot: &HashSet<CaseId>,
) -> Outcomes<'a> {
    let known = |(case, result): (&'a TestCase, &Option<CaseFinished>)| {
        let result = result.as_ref()?;
        let outcome = CaseOutcome {
            name: &case.name,
            verdict: result.verdict,
            score: result.score,
        };
        Some((case.id, outcome))
    };
    cases
        .iter()
        .zip(results)
        .filter(|(case, _)| !moot.contains(&case.id))
        .filter_map(known)
        .collect()
}
