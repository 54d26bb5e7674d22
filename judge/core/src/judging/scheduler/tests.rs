//! The scheduler with runners that start no processes.

use super::super::Prepared;
use super::super::grading::{self, Graded, JudgeError, Outcomes};
use super::*;
use crate::judging::{Extent, PlanEntry};
use crate::language::Program;
use crate::results::SubmissionKey;
use crate::submission::{Source, Submission};
use judge_package::{Expectation, Package, Rule};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A program to run.
fn ready() -> Option<PrepareResult> {
    let program = Program::executable("/x");
    Some(PrepareResult::without_compiler(program.into()))
}

/// Grades the outcomes of a package without a grader.
fn grade(at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
    let none = &mut |_: &[String], _: &[_]| Err(JudgeError::of_package("no grader".to_owned()));
    Some(grading::of_submission(&at.entry().package, outcomes, none))
}

/// Exceeds the time limit in parallel with others, and also alone if `always`.
struct Slow<'a> {
    always: bool,
    alone: &'a AtomicUsize,
}

impl Runner for Slow<'_> {
    fn prepare(&mut self, _: SubmissionRef<'_>) -> Option<PrepareResult> {
        ready()
    }

    fn run(
        &mut self,
        _: SubmissionRef<'_>,
        _: &Prepared,
        _: usize,
        how: RunMode<'_>,
    ) -> Option<CaseEnd> {
        let again = matches!(how, RunMode::Alone);
        self.alone.fetch_add(usize::from(again), Ordering::SeqCst);
        let verdict = match self.always || !again {
            true => Verdict::TimeLimitExceeded,
            false => Verdict::Accepted,
        };
        let result = CaseResult {
            cpu_s: Some(1.2),
            wall_s: Some(1.2),
            ..CaseResult::new(verdict)
        };
        Some(CaseEnd::Finished {
            result,
            near_limit: false,
            fails_anyway: false,
            undisturbed: false,
        })
    }

    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        grade(at, outcomes)
    }
}

/// A plan of submissions with these expectations, over a package in `dir` with three cases.
fn plan(dir: &Path, expected: &[Expectation]) -> Plan {
    for name in ["1.in", "1.ans", "2.in", "2.ans", "3.in", "3.ans"] {
        std::fs::write(dir.join(name), name).expect("it is written");
    }
    let package = Package::read(dir).expect("a plain package");
    let submission = |expected: &Expectation| Submission {
        name: "x".to_owned(),
        source: Source::Executable("/x".into()),
        rules: vec![Rule {
            expected: expected.clone(),
            ..Rule::default()
        }],
        expected: expected.clone(),
        time_limit: None,
    };
    let cases = package.cases().into_iter().cloned().collect();
    Plan {
        entries: vec![PlanEntry::new(
            package,
            cases,
            expected.iter().map(submission),
        )],
    }
}

/// A submission of the only package.
fn selected(submission: usize) -> Selected {
    let key = SubmissionKey {
        package: 0,
        submission,
    };
    Selected::new(key, Duration::from_secs(1))
}

fn settings(extent: Extent) -> Settings {
    Settings {
        extent,
        ..Settings::new(2, judge_sandbox::Mode::Auto)
    }
}

/// The expectation that a legacy package's directory name means.
fn must_get(verdict: Verdict) -> Expectation {
    Expectation {
        permitted: vec![Verdict::Accepted, verdict],
        required: vec![verdict],
        ..Expectation::default()
    }
}

#[test]
fn slow_submissions_start_first_and_possibly_unnecessary_cases_wait() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let expected = [
        Expectation::accepted(),
        must_get(Verdict::WrongAnswer),
        must_get(Verdict::TimeLimitExceeded),
    ];
    let plan = plan(dir.path(), &expected);
    let selection: Selection = (0..3).map(selected).collect();
    let state = |extent, workers| {
        let settings = settings(extent);
        let facts = selection
            .iter()
            .map(|selected| submission_state::facts(selected, &plan, &settings));
        let rules = Rules {
            workers,
            ..Rules::default()
        };
        let short_cuts = ShortCuts::new(&plan, &selection, &settings);
        StateMachine::new(facts.collect(), rules, short_cuts)
    };
    let first = |extent| state(extent, 3).on(Input::Start).work;
    let [ac, wa, tle] = [0, 1, 2].map(Work::Prepare);
    assert_eq!(first(Extent::Decisive), [tle, ac, wa]);
    assert_eq!(first(Extent::Everything), [ac, wa, tle]);

    let mut state = state(Extent::Decisive, 3);
    state.on(Input::Start);
    let mut taken = Vec::new();
    for submission in [2, 1, 0] {
        let ready = true;
        taken.extend(state.on(Input::Prepared { submission, ready }).work);
    }
    let accepted = protocol::CaseDecision {
        accepted: true,
        ..protocol::CaseDecision::default()
    };
    for at in [(0, 0), (0, 1)] {
        taken.extend(state.on(Input::Ran(at, Some(accepted))).work);
    }
    let case = |submission, case| Work::Case {
        at: (submission, case),
        alone: false,
    };
    // Submissions that are expected to fail run one case at a time while there is other work.
    let expected = [case(2, 0), case(1, 0), case(0, 0), case(0, 1), case(0, 2)];
    assert_eq!(taken, expected);
}

/// Counts what runs next to a case that runs alone.
struct Watching<'a> {
    /// Number of running cases and graders.
    running: &'a AtomicUsize,
    disturbed: &'a AtomicUsize,
    /// Reached when a grader has started.
    grading: &'a std::sync::Barrier,
}

impl Runner for Watching<'_> {
    fn prepare(&mut self, _: SubmissionRef<'_>) -> Option<PrepareResult> {
        ready()
    }

    fn run(
        &mut self,
        at: SubmissionRef<'_>,
        _: &Prepared,
        case: usize,
        how: RunMode<'_>,
    ) -> Option<CaseEnd> {
        let beside = self.running.fetch_add(1, Ordering::SeqCst);
        let alone = matches!(how, RunMode::Alone);
        self.disturbed
            .fetch_add(usize::from(alone && beside > 0), Ordering::SeqCst);
        let name = &at.submission().name;
        let slow = name == "slow";
        if slow && !alone && case == 0 {
            // The other worker grades the other submission when this ends.
            self.grading.wait();
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        let verdict = match slow && !alone && case == 0 {
            true => Verdict::TimeLimitExceeded,
            false => Verdict::Accepted,
        };
        Some(CaseEnd::Finished {
            result: CaseResult::new(verdict),
            near_limit: true,
            fails_anyway: false,
            undisturbed: false,
        })
    }

    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        self.running.fetch_add(1, Ordering::SeqCst);
        if at.key.submission == 0 {
            self.grading.wait();
            // Long enough for a case that does not wait for the grader to start.
            std::thread::sleep(Duration::from_millis(100));
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        grade(at, outcomes)
    }
}

#[test]
fn a_grader_does_not_run_beside_a_case_that_is_run_alone() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut plan = plan(
        dir.path(),
        &[Expectation::accepted(), Expectation::accepted()],
    );
    plan.entries[0].submissions[1].submission.name = "slow".to_owned();
    let (running, disturbed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let grading = std::sync::Barrier::new(2);
    let runner = || Watching {
        running: &running,
        disturbed: &disturbed,
        grading: &grading,
    };
    let selection = [0, 1].map(selected).into();
    let settings = settings(Extent::Everything);
    let runners = vec![runner(), runner()];
    let summary = judge(
        &plan,
        &selection,
        &settings,
        runners,
        &|_: Change| (),
        Place::default(),
    );
    assert!(summary.expect("it is judged").as_expected);
    assert_eq!(disturbed.into_inner(), 0, "something ran beside it");
}

#[test]
fn an_unexpected_time_limit_failure_runs_alone_until_it_is_confirmed() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let judged = |always: bool, expected: Expectation| {
        let plan = plan(dir.path(), &[expected]);
        let alone = AtomicUsize::new(0);
        let runner = Slow {
            always,
            alone: &alone,
        };
        let selection = vec![selected(0)];
        let summary = judge(
            &plan,
            &selection,
            &settings(Extent::Everything),
            vec![runner],
            &|_: Change| (),
            Place::default(),
        );
        let summary = summary.expect("it is judged");
        (summary.as_expected, alone.into_inner())
    };
    let slow = must_get(Verdict::TimeLimitExceeded);
    assert_eq!(judged(false, Expectation::accepted()), (true, 3));
    assert_eq!(judged(true, Expectation::accepted()), (false, 1));
    assert_eq!(judged(true, slow), (true, 0));
    // A submission that should get some of the points may fail any case in any way.
    let partly = Expectation {
        outcome: vec![Verdict::Accepted, Verdict::PartiallyAccepted],
        ..Expectation::default()
    };
    assert_eq!(judged(true, partly), (false, 0));
}

/// Runs each case once: with a verdict that a repetition must not replace, near the time limit.
struct Late<'t> {
    verdict: Verdict,
    fails_anyway: bool,
    runs: &'t AtomicUsize,
}

impl Runner for Late<'_> {
    fn prepare(&mut self, _: SubmissionRef<'_>) -> Option<PrepareResult> {
        let program = Program::executable("/x");
        Some(PrepareResult::without_compiler(program.into()))
    }

    fn run(
        &mut self,
        _: SubmissionRef<'_>,
        _: &Prepared,
        _: usize,
        _: RunMode<'_>,
    ) -> Option<CaseEnd> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        let result = CaseResult {
            cpu_s: Some(1.05),
            wall_s: Some(1.05),
            ..CaseResult::new(self.verdict)
        };
        Some(CaseEnd::Finished {
            result,
            near_limit: true,
            fails_anyway: self.fails_anyway,
            undisturbed: false,
        })
    }

    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        grade(at, outcomes)
    }
}

#[test]
fn only_a_result_that_time_could_have_changed_is_repeated() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let plan = plan(dir.path(), &[Expectation::accepted()]);
    for (verdict, fails_anyway, expected) in [
        (Verdict::Accepted, false, 3),
        (Verdict::WrongAnswer, false, 3),
        (Verdict::RunTimeError, false, 3),
        (Verdict::MemoryLimitExceeded, false, 3),
        // One that wrote a wrong output too late.
        (Verdict::TimeLimitExceeded, true, 3),
        // Each one until a run alone confirms it.
        (Verdict::TimeLimitExceeded, false, 6),
    ] {
        let runs = AtomicUsize::new(0);
        let runner = Late {
            verdict,
            fails_anyway,
            runs: &runs,
        };
        let selection = vec![selected(0)];
        let settings = settings(Extent::Everything);
        let summary = judge(
            &plan,
            &selection,
            &settings,
            vec![runner],
            &|_| (),
            Place::default(),
        );
        summary.expect("it is judged");
        assert_eq!(runs.into_inner(), expected, "{verdict:?} {fails_anyway}");
    }
}
