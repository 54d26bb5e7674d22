use super::state::MAX_LOST;
use super::*;
use crate::queue::Priority;
use crate::store::JudgingId;
use crate::work_protocol::SentProgram;
use judge_core::results::{CaseResult, Compilation};
use judge_core::verdict::Verdict;
use std::sync::Arc;
use std::thread::{JoinHandle, spawn};

const FIRST: SubmissionKey = SubmissionKey {
    package: 0,
    submission: 0,
};
const KEY: SubmissionInRun = (0, FIRST);

fn work() -> Batch {
    let program = SentProgram::Packaged("p".to_owned());
    Batch::new("s".to_owned(), "t".to_owned(), program)
}

fn new(stops_at_failure: bool) -> New {
    New {
        work: work(),
        lane: lane(),
        stops_at_failure,
    }
}

fn lane() -> Arc<Lane> {
    Arc::new(Lane {
        judging: Some(JudgingId(7)),
        priority: Priority::Practice,
        share: "user 3".to_owned(),
        machine_class: Some("fast".to_owned()),
    })
}

/// Plans for one worker; marks what is to be enqueued as enqueued. Returns the step and the batches.
fn step(table: &Table) -> (Step, Vec<u64>) {
    let step = table.step(|own| {
        assert_eq!(*own, *lane());
        1
    });
    let batches: Vec<u64> = step.enqueue.iter().map(|(batch, _)| *batch).collect();
    table.set_enqueued(batches.iter().copied());
    (step, batches)
}

/// A table with a submission of this number of cases, which is compiled; its first batch has the
/// first of them.
fn table(cases: usize) -> Arc<Table> {
    let table = Arc::new(Table::default());
    let ids = (0..cases).map(CaseId);
    let compiled = table.add(KEY, new(false), ids, cases);
    let compiled = compiled.expect("added");
    let (step, batches) = step(&table);
    assert_eq!(batches, [1]);
    let unit = Unit {
        id: "judging-7-batch-1".to_owned(),
        priority: Priority::Practice,
        share: "user 3".to_owned(),
        machine_class: Some("fast".to_owned()),
    };
    assert_eq!(step.enqueue[0].1, unit, "as urgent as its judging");
    let (work, target) = table.start(1, "first", "0.9").expect("it is needed");
    assert_eq!(work.cases, [0]);
    let compile = Compilation {
        language: "C".to_owned(),
        ok: true,
        wall_s: 0.5,
        ..Compilation::default()
    };
    let reports = vec![Report::Compiled(compile), passed(0), Report::Ended];
    table.take("first", &target, reports);
    let compiled = compiled.recv().expect("a result");
    assert_eq!(compiled.language.as_deref(), Some("C"));
    table
}

fn passed(case: usize) -> Report {
    let result = CaseResult {
        wall_s: Some(0.1),
        ..CaseResult::new(Verdict::Accepted)
    };
    Report::Case(case, Box::new(result))
}

/// Asks for a case; returns when the table knows.
fn ask(table: &Arc<Table>, case: usize) -> JoinHandle<Option<CaseEnd>> {
    ask_of(table, KEY, case)
}

fn ask_of(table: &Arc<Table>, key: SubmissionInRun, case: usize) -> JoinHandle<Option<CaseEnd>> {
    let own = table.clone();
    let asked = spawn(move || own.result(key, CaseId(case)));
    while !asked.is_finished() {
        let is_known = |case: &mut Case| case.waiter.is_some();
        if table.lock().case(key, CaseId(case)).is_none_or(is_known) {
            break;
        }
        std::thread::yield_now();
    }
    asked
}

fn finished(asked: JoinHandle<Option<CaseEnd>>) -> CaseResult {
    match asked.join().expect("no panic") {
        Some(CaseEnd::Finished { result, .. }) => result,
        other => panic!("no result: {other:?}"),
    }
}

/// Asks for all cases but the first; returns the batch that has them.
fn batch_of_rest(table: &Arc<Table>, cases: usize) -> (u64, Vec<JoinHandle<Option<CaseEnd>>>) {
    let asked = (1..cases).map(|case| ask(table, case)).collect();
    let (step, batches) = step(table);
    assert_eq!(batches.len(), 1, "{step:?}");
    (batches[0], asked)
}

#[test]
fn a_case_has_the_result_of_the_present_attempt() {
    let table = table(4);
    let result = finished(ask(&table, 0));
    assert_eq!(result.machine.as_deref(), Some("first"));
    assert_eq!(result.judge_version.as_deref(), Some("0.9"));
    let (batch, asked) = batch_of_rest(&table, 4);
    let (work, early) = table.start(batch, "first", "0.9").expect("it is needed");
    assert_eq!(work.cases, [1, 2, 3]);
    table.take("first", &early, vec![passed(1)]);
    // Its lease is over: another worker gets what is left.
    let (work, late) = table.start(batch, "second", "0.9").expect("it is needed");
    assert_eq!(work.cases, [2, 3]);
    table.take("first", &early, vec![passed(2), Report::Ended]);
    table.take("third", &late, vec![passed(2), Report::Ended]);
    table.take(
        "second",
        &late,
        vec![passed(1), passed(2), passed(3), Report::Ended],
    );
    let machines: Vec<_> = asked
        .into_iter()
        .map(|asked| finished(asked).machine)
        .collect();
    let machines: Vec<_> = machines.iter().map(Option::as_deref).collect();
    assert_eq!(machines, [Some("first"), Some("second"), Some("second")]);
    assert!(
        table.start(batch, "second", "0.9").is_none(),
        "it has ended"
    );
}

#[test]
fn the_batches_of_a_submission_are_planned_at_once_when_its_package_is_known() {
    let table = table(4);
    let ids = (0..40).map(CaseId);
    let compiled = table.add((1, FIRST), new(false), ids, 2);
    assert!(compiled.is_some());
    // Cases take 0.1 s.
    let (_, batches) = step(&table);
    let sizes: Vec<usize> = batches
        .iter()
        .map(|batch| {
            table
                .start(*batch, "w", "1")
                .expect("it is needed")
                .0
                .cases
                .len()
        })
        .collect();
    assert_eq!(sizes, [20, 20]);
}

#[test]
fn a_case_that_decides_ends_those_behind_it_and_waits_for_those_before_it() {
    let table = table(4);
    let key = (1, FIRST);
    let ids = (0..40).map(CaseId);
    assert!(table.add(key, new(true), ids, 4).is_some());
    let (_, batches) = step(&table);
    let started = batches.iter().map(|batch| table.start(*batch, "w", "1"));
    let targets: Vec<AttemptId> = started.map(|own| own.expect("it is needed").1).collect();
    let asked: Vec<_> = [0, 11, 12, 13]
        .into_iter()
        .map(|case| ask_of(&table, key, case))
        .collect();
    let failed = |case: usize| Report::Case(case, Box::new(CaseResult::new(Verdict::WrongAnswer)));
    // Out of order, and two that fail.
    table.take("w", &targets[1], vec![failed(13), passed(11), failed(12)]);
    let step = step(&table).0;
    let dropped: Vec<usize> = step
        .cancel
        .iter()
        .flat_map(|cancel| cancel.2.clone())
        .collect();
    assert_eq!(dropped.len(), 40 - 10 - 4, "{step:?}");
    assert!(
        asked.iter().all(|asked| !asked.is_finished()),
        "the first one is to come"
    );
    let rest = (0..11).map(passed).collect();
    table.take("w", &targets[0], rest);
    let verdicts: Vec<Verdict> = asked
        .into_iter()
        .take(3)
        .map(|own| finished(own).verdict)
        .collect();
    let accepted = Verdict::Accepted;
    assert_eq!(verdicts, [accepted, accepted, Verdict::WrongAnswer]);
    // The scheduler does not wait for it.
    table.cancel(key, CaseId(13), true);
    let mut state = table.lock();
    assert!(
        state
            .case(key, CaseId(13))
            .is_some_and(|case| case.waiter.is_none())
    );
}

#[test]
fn unneeded_cases_are_cancelled_and_can_be_requested_again() {
    let table = table(4);
    let (batch, mut asked) = batch_of_rest(&table, 4);
    let (_, target) = table.start(batch, "w", "0.9").expect("it is needed");
    table.cancel(KEY, CaseId(3), true);
    assert_eq!(
        asked.pop().expect("three").join().expect("no panic"),
        Some(CaseEnd::Cancelled)
    );
    let cancelled = |cases: &[usize]| [("w".to_owned(), target, cases.to_vec())];
    assert_eq!(step(&table).0.cancel, cancelled(&[3]));
    // Cancelled just before it is asked for.
    table.cancel(KEY, CaseId(3), true);
    assert_eq!(table.result(KEY, CaseId(3)), Some(CaseEnd::Cancelled));
    for case in [1, 2] {
        table.cancel(KEY, CaseId(case), true);
    }
    assert_eq!(step(&table).0.cancel, cancelled(&[1, 2, 3]));
    assert!(
        table.start(batch, "w", "0.9").is_none(),
        "nothing of it is needed"
    );
    // The scheduler finds that it needs them all the same.
    let (again, asked) = batch_of_rest(&table, 4);
    assert_ne!(again, batch);
    // One that no worker has is removed.
    for case in 1..4 {
        table.cancel(KEY, CaseId(case), true);
    }
    assert_eq!(step(&table).0.remove, [lane().unit_id(again)]);
    assert_eq!(asked.len(), 3);
}

#[test]
fn a_batch_that_nobody_can_judge_is_a_judge_error() {
    let table = table(3);
    let (batch, asked) = batch_of_rest(&table, 3);
    table.fail(batch, "no disk");
    for result in asked.into_iter().map(finished) {
        assert_eq!(result.verdict, Verdict::JudgeError);
        assert_eq!(
            result
                .message
                .as_ref()
                .map(judge_core::untrusted::Message::raw),
            Some("no disk")
        );
    }
    // A worker that ends without results does not go on for ever.
    let table = self::table(2);
    let mut asked = Some(ask(&table, 1));
    for attempt in 0..=MAX_LOST {
        let batch = step(&table).1[0];
        let (_, target) = table.start(batch, "w", "0.9").expect("it is needed");
        assert!(
            asked.as_ref().is_some_and(|asked| !asked.is_finished()),
            "{attempt}"
        );
        table.take("w", &target, vec![Report::Ended]);
    }
    let result = finished(asked.take().expect("it waits"));
    assert_eq!(result.verdict, Verdict::JudgeError);
}

#[test]
fn an_interrupt_ends_all_waiting() {
    let table = table(3);
    let (batch, asked) = batch_of_rest(&table, 3);
    table.interrupt();
    for asked in asked {
        assert_eq!(asked.join().expect("no panic"), None);
    }
    assert_eq!(step(&table).0.remove, [lane().unit_id(batch)]);
    assert!(
        table
            .add((1, FIRST), new(false), std::iter::empty(), 1)
            .is_none()
    );
}
