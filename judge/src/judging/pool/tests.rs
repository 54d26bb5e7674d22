//! The pool with a runner that runs nothing.

use super::super::outcome::{self, Graded, Outcomes};
use super::*;
use crate::judging::{Clock, Overrides, PlanEntry, PlanSubmission};
use crate::language::Program;
use crate::package::{Expectation, Package, Rule, TestCase};
use crate::submission::{Source, Submission};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

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
        how: How<'_>,
    ) -> Option<CaseResult> {
        let again = matches!(how, How::Alone);
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
        Some(CaseResult {
            told,
            doubtful: false,
            cancelled: false,
        })
    }

    fn grade(&mut self, at: At<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        let package = &at.plan.entries[0].package;
        let none = &mut |_: &[String], _: &[_]| Err("no grader".to_owned());
        Some(outcome::of_submission(package, outcomes, none))
    }
}

/// A plan of submissions of which this is expected, over the package in `dir` with three cases.
fn plan(dir: &Path, expected: &[Expectation]) -> Plan {
    for name in ["1.in", "1.ans", "2.in", "2.ans", "3.in", "3.ans"] {
        std::fs::write(dir.join(name), name).expect("it is written");
    }
    let package = Package::read(dir).expect("a plain package");
    let planned = |expected: &Expectation| PlanSubmission {
        submission: Submission {
            name: "x".to_owned(),
            source: Source::Executable("/x".into()),
            rules: vec![Rule {
                expected: expected.clone(),
                ..Rule::default()
            }],
            expected: expected.clone(),
            time_limit: None,
        },
        prepared: None,
    };
    Plan {
        entries: vec![PlanEntry {
            cases: package.cases().into_iter().cloned().collect(),
            submissions: expected.iter().map(planned).collect(),
            package,
        }],
    }
}

fn settings(extent: Extent) -> Settings {
    Settings {
        jobs: 2,
        mode: judge_sandbox::Mode::Auto,
        fail_fast: false,
        extent,
        overrides: Overrides::default(),
        clock: Clock::Cpu,
    }
}

/// As the directory of a legacy package says it.
fn must_get(verdict: Verdict) -> Expectation {
    Expectation {
        permitted: vec![Verdict::Accepted, verdict],
        required: vec![verdict],
        ..Expectation::default()
    }
}

#[test]
fn the_slow_begin_and_nothing_runs_in_vain_while_others_wait() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let expected = [
        Expectation::accepted(),
        must_get(Verdict::WrongAnswer),
        must_get(Verdict::TimeLimitExceeded),
    ];
    let plan = plan(dir.path(), &expected);
    let selection: Selection = (0..3)
        .map(|k| Selected::new(0, k, Duration::from_secs(1)))
        .collect();
    let order = |extent| {
        let mut state = State::new(&plan, &selection, &settings(extent));
        std::iter::from_fn(move || state.take()).collect::<Vec<_>>()
    };
    let [ac, wa, tle] = [0, 1, 2].map(Work::Prepare);
    assert_eq!(order(Extent::Decisive), [tle, ac, wa]);
    assert_eq!(order(Extent::Everything), [0, 1, 2].map(Work::Prepare));

    let mut state = State::new(&plan, &selection, &settings(Extent::Decisive));
    let cases = [(1, 0), (1, 1), (2, 0), (2, 1), (0, 0), (0, 1)];
    state.queue = cases.map(|(track, case)| Work::Case(track, case)).into();
    let mut next = || match state.take() {
        Some(Work::Case(track, case)) => (track, case),
        other => panic!("{other:?}"),
    };
    let taken: Vec<(usize, usize)> = (0..5).map(|_| next()).collect();
    // Those that must fail give one case each at a time, until there is nothing else.
    assert_eq!(taken, [(1, 0), (2, 0), (0, 0), (0, 1), (1, 1)]);
}

#[test]
fn who_is_too_slow_against_expectation_is_run_alone_until_that_is_sure() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let judged = |always: bool, expected: Expectation| {
        let plan = plan(dir.path(), &[expected]);
        let alone = AtomicUsize::new(0);
        let runner = Slow {
            always,
            alone: &alone,
        };
        let selection = vec![Selected::new(0, 0, Duration::from_secs(1))];
        let summary = judge(
            &plan,
            &selection,
            &settings(Extent::Everything),
            vec![runner],
            &|_| (),
        );
        let summary = summary.expect("it is judged");
        (summary.as_expected, alone.into_inner())
    };
    let slow = must_get(Verdict::TimeLimitExceeded);
    assert_eq!(judged(false, Expectation::accepted()), (true, 3));
    assert_eq!(judged(true, Expectation::accepted()), (false, 1));
    assert_eq!(judged(true, slow), (true, 0));
    // Of who shall have some of the points nobody says how the others are lost.
    let partly = Expectation {
        outcome: vec![Verdict::Accepted, Verdict::PartiallyAccepted],
        ..Expectation::default()
    };
    assert_eq!(judged(true, partly), (false, 0));
}
