//! The pool with a runner that runs nothing.

use super::*;
use crate::judging::{Clock, Overrides, PlanEntry, PlanSubmission};
use crate::language::Program;
use crate::package::{Expectation, Package, Rule};
use crate::submission::{Source, Submission};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Too slow beside others; alone too, if `always`.
struct Slow<'a> {
    always: bool,
    alone: &'a AtomicUsize,
}

impl Runner for Slow<'_> {
    fn prepare(&mut self, _: At<'_>) -> Option<PrepareResult> {
        Some(PrepareResult {
            prepared: Prepared::Ready(Arc::new(Program::executable("/x"))),
            language: None,
            wall: Duration::ZERO,
        })
    }

    fn run(
        &mut self,
        at: At<'_>,
        _: &Prepared,
        case: &TestCase,
        again: bool,
    ) -> Option<CaseResult> {
        self.alone.fetch_add(usize::from(again), Ordering::SeqCst);
        let entry = &at.plan.entries[0];
        let submission = &entry.submissions[0].submission.name;
        let verdict = match self.always || !again {
            true => Verdict::TimeLimitExceeded,
            false => Verdict::Accepted,
        };
        let told = CaseFinished {
            cpu_s: Some(1.2),
            wall_s: Some(1.2),
            ..CaseFinished::new(&entry.package.id, submission, &case.name, verdict)
        };
        let doubtful = false;
        Some(CaseResult { told, doubtful })
    }

    fn grade(&mut self, at: At<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        let package = &at.plan.entries[0].package;
        let none = &mut |_: &[String], _: &[_]| Err("no grader".to_owned());
        Some(outcome::of_submission(package, outcomes, none))
    }
}

#[test]
fn who_is_too_slow_against_expectation_is_run_alone_until_that_is_sure() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for name in ["1.in", "1.ans", "2.in", "2.ans", "3.in", "3.ans"] {
        std::fs::write(dir.path().join(name), name).expect("it is written");
    }
    let package = Package::read(dir.path()).expect("a plain package");
    let judged = |always: bool, expected: Expectation| {
        let submission = Submission {
            name: "x".to_owned(),
            source: Source::Executable("/x".into()),
            rules: vec![Rule {
                expected: expected.clone(),
                ..Rule::default()
            }],
            expected,
            time_limit: None,
        };
        let planned = PlanSubmission {
            submission,
            prepared: None,
        };
        let plan = Plan {
            entries: vec![PlanEntry {
                cases: package.cases().into_iter().cloned().collect(),
                package: package.clone(),
                submissions: vec![planned],
            }],
        };
        let settings = Settings {
            jobs: 2,
            mode: judge_sandbox::Mode::Auto,
            fail_fast: false,
            extent: Extent::Everything,
            overrides: Overrides::default(),
            clock: Clock::Cpu,
        };
        let alone = AtomicUsize::new(0);
        let runner = Slow {
            always,
            alone: &alone,
        };
        let selection = vec![Selected::new(0, 0, Duration::from_secs(1))];
        let summary = judge(&plan, &selection, &settings, vec![runner], &|_| ());
        let summary = summary.expect("it is judged");
        (summary.as_expected, alone.into_inner())
    };
    let slow = Expectation {
        permitted: vec![Verdict::Accepted, Verdict::TimeLimitExceeded],
        required: vec![Verdict::TimeLimitExceeded],
        ..Expectation::default()
    };
    assert_eq!(judged(false, Expectation::accepted()), (true, 3));
    assert_eq!(judged(true, Expectation::accepted()), (false, 1));
    assert_eq!(judged(true, slow), (true, 0));
}
