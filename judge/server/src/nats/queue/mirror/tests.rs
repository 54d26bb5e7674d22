//! The mirror by itself: its clock is an argument, and messages come when the test says so.

mod model;

use super::*;

const ZERO: Duration = Duration::ZERO;
const SECOND: Duration = Duration::from_secs(1);

fn waiting(id: &str, rank: u64) -> Record {
    record(id, rank, Priority::Practice, None)
}

fn record(id: &str, rank: u64, priority: Priority, machine_class: Option<&str>) -> Record {
    let unit = Unit {
        id: id.to_owned(),
        priority,
        share: "user 1".to_owned(),
        payload: String::new(),
        machine_class: machine_class.map(str::to_owned),
    };
    Record::new(&unit, rank)
}

fn leased(record: &Record, token: &str, time: Duration) -> Value {
    Value::Unit(Record {
        token: token.to_owned(),
        deliveries: record.deliveries + 1,
        phase: Phase::Leased {
            worker: "m/0".to_owned(),
            for_ms: time.as_millis() as u64,
        },
        ..record.clone()
    })
}

fn finished(id: &str) -> Value {
    Value::Finished {
        id: id.to_owned(),
        token: String::new(),
    }
}

fn chosen(mirror: &mut Mirror, now: Duration) -> Option<(String, u64)> {
    let choice = mirror.choose(now)?;
    Some((choice.record.unit.id, choice.revision))
}

#[test]
fn a_lease_is_over_when_no_revision_came_for_its_time_by_the_observers_clock() {
    let mut mirror = Mirror::default();
    let record = waiting("a", 0);
    mirror.apply(1, Value::Unit(record.clone()), ZERO, 0);
    mirror.apply(2, leased(&record, "t", 30 * SECOND), 100 * SECOND, 0);
    assert!(!mirror.is_ready(129 * SECOND));
    // An extension counts from when it is seen, however late that is.
    mirror.apply(3, leased(&record, "t", 30 * SECOND), 129 * SECOND, 0);
    assert!(!mirror.is_ready(158 * SECOND));
    assert!(mirror.leased("a", "t", 158 * SECOND).is_some());
    assert!(mirror.leased("a", "other", 158 * SECOND).is_none());
    // The same revision again, as after a reconnection, is no sign of life.
    mirror.apply(3, leased(&record, "t", 30 * SECOND), 158 * SECOND, 0);
    assert!(mirror.leased("a", "t", 159 * SECOND).is_none());
    assert_eq!(mirror.counts(159 * SECOND).waiting, 1);
    let choice = mirror.choose(159 * SECOND).expect("it is ready");
    assert_eq!(choice.revision, 3);
    let reason = choice.record.reason.expect("a reason");
    assert!(reason.starts_with("m/0"), "{reason}");
}

#[test]
fn a_unit_of_a_class_of_machines_waits_for_one_of_them() {
    let of_class = |id, rank, class| record(id, rank, Priority::Practice, class);
    let mut mirror = Mirror::default();
    let units = [
        of_class("fast", 0, Some("fast")),
        of_class("any", 1, None),
        of_class("slow", 2, Some("slow")),
        of_class("slow too", 3, Some("slow")),
    ];
    for (revision, unit) in (1..).zip(units) {
        mirror.apply(revision, Value::Unit(unit), ZERO, 0);
    }
    mirror.set_machine_class("slow");
    let mut ids = std::iter::from_fn(|| Some(chosen(&mut mirror, ZERO)?.0));
    assert!(ids.by_ref().eq(["any", "slow", "slow too"]));
    assert!(!mirror.is_ready(ZERO));
    mirror.set_machine_class("fast");
    assert_eq!(chosen(&mut mirror, ZERO), Some(("fast".to_owned(), 1)));
    assert_eq!(mirror.counts(ZERO).waiting, 4);
}

#[test]
fn a_unit_that_is_left_to_other_machines_keeps_no_other_one_waiting() {
    let mut mirror = Mirror::default();
    for (revision, id) in (1..).zip(["a", "b"]) {
        mirror.apply(revision, Value::Unit(waiting(id, revision)), ZERO, 0);
    }
    mirror.leave_to_others("a", 10 * SECOND, ZERO);
    assert_eq!(chosen(&mut mirror, ZERO), Some(("b".to_owned(), 2)));
    assert!(!mirror.is_ready(9 * SECOND));
    assert_eq!(mirror.counts(ZERO).waiting, 2);
    // Other machines may be gone by now.
    assert_eq!(chosen(&mut mirror, 10 * SECOND), Some(("a".to_owned(), 1)));
}

#[test]
fn a_unit_competes_with_those_that_are_as_urgent_and_may_take_its_workers() {
    let mut mirror = Mirror::default();
    let (practice, contest) = (Priority::Practice, Priority::Contest);
    let own = record("own", 0, practice, None);
    let leases = [
        own.clone(),
        record("leased", 0, practice, None),
        record("leased later", 0, Priority::Rejudge, None),
    ];
    let waiting = [
        record("a", 1, practice, Some("fast")),
        record("b", 1, contest, None),
        record("c", 1, practice, Some("slow")),
        record("d", 1, Priority::Jury, Some("fast")),
    ];
    let leases = leases.iter().map(|unit| leased(unit, "t", SECOND));
    let all = leases.chain(waiting.map(Value::Unit));
    for (revision, unit) in (1..).zip(all) {
        mirror.apply(revision, unit, ZERO, 0);
    }
    let found = mirror
        .competition("own", "fast", 10, ZERO)
        .expect("it is there");
    assert_eq!(found.unit, own.unit);
    assert_eq!(found.waiting, 2);
    let found = mirror
        .competition("own", "fast", 1, ZERO)
        .expect("it is there");
    assert_eq!(found.waiting, 1);
    // Leases that are over wait again.
    let found = mirror
        .competition("own", "fast", 10, SECOND)
        .expect("it is there");
    assert_eq!(found.waiting, 3);
    assert_eq!(mirror.competition("gone", "fast", 10, ZERO), None);
}

#[test]
fn a_refused_choice_waits_for_the_message_that_refused_it() {
    let mut mirror = Mirror::default();
    let (a, b) = (waiting("a", 0), waiting("b", 1));
    mirror.apply(1, Value::Unit(a.clone()), ZERO, 0);
    mirror.apply(2, Value::Unit(b), ZERO, 0);
    assert_eq!(chosen(&mut mirror, ZERO), Some(("a".to_owned(), 1)));
    // Another thread takes the next one.
    assert_eq!(chosen(&mut mirror, ZERO), Some(("b".to_owned(), 2)));
    assert_eq!(chosen(&mut mirror, ZERO), None);
    mirror.put_back("b", 2);
    mirror.apply(3, leased(&a, "other", SECOND), ZERO, 0);
    mirror.put_back("a", 1);
    assert_eq!(chosen(&mut mirror, ZERO), Some(("b".to_owned(), 2)));
    mirror.correct("b", 2);
    assert_eq!(mirror.counts(ZERO).leased, 1);
    assert_eq!(mirror.counts(ZERO).waiting, 0);
}

#[test]
fn an_older_message_does_not_restore_a_removed_unit() {
    let mut mirror = Mirror::default();
    mirror.apply(5, finished("a"), ZERO, 0);
    mirror.apply(4, Value::Unit(waiting("a", 0)), SECOND, 0);
    assert!(!mirror.is_ready(SECOND));
    assert_eq!(mirror.place(&waiting("a", 0).unit), (0, 5));
    // It is added again before the message is deleted, which is too late then.
    mirror.apply(6, Value::Unit(waiting("a", 0)), SECOND, 0);
    assert!(mirror.take_finished(1).is_empty());
    mirror.apply(7, finished("a"), SECOND, 0);
    assert!(mirror.take_finished(2).is_empty());
    assert_eq!(mirror.take_finished(2), [7]);
    assert!(!mirror.slots.contains_key("a"));
}

#[test]
fn a_unit_missing_from_a_new_reading_is_removed() {
    let mut mirror = Mirror::default();
    for (revision, id) in [(1, "a"), (2, "b"), (3, "c")] {
        mirror.apply(revision, Value::Unit(waiting(id, 7)), ZERO, 0);
    }
    mirror.begin_reading(3);
    mirror.apply(2, Value::Unit(waiting("b", 7)), ZERO, 0);
    // Added meanwhile.
    mirror.apply(4, Value::Unit(waiting("d", 7)), ZERO, 0);
    let lost = mirror.end_reading();
    let lost: Vec<&str> = lost.iter().map(|record| record.unit.id.as_str()).collect();
    assert_eq!(lost.len(), 2);
    assert!(lost.contains(&"a") && lost.contains(&"c"));
    let mut ids = Vec::new();
    while let Some((id, _)) = chosen(&mut mirror, ZERO) {
        ids.push(id);
    }
    assert_eq!(ids, ["b", "d"]);
    // A share that is new in a queue that is far along has no old rights.
    let new = Unit {
        share: "user 2".to_owned(),
        ..waiting("e", 0).unit
    };
    assert_eq!(mirror.place(&new), (7, 0));
}

#[test]
fn a_stream_that_lost_its_end_is_believed() {
    let mut mirror = Mirror::default();
    let (a, b) = (waiting("a", 0), waiting("b", 1));
    mirror.apply(1, Value::Unit(a.clone()), ZERO, 0);
    mirror.apply(2, Value::Unit(b.clone()), ZERO, 0);
    mirror.apply(3, leased(&a, "t", 9 * SECOND), ZERO, 0);
    mirror.apply(4, leased(&b, "u", 9 * SECOND), ZERO, 0);
    mirror.apply(5, Value::Unit(waiting("c", 2)), ZERO, 0);
    // Revisions 3 to 5 are lost. The server gave revision 3 to another lease.
    mirror.begin_reading(3);
    mirror.apply(1, Value::Unit(a.clone()), SECOND, 0);
    mirror.apply(3, leased(&b, "v", 9 * SECOND), SECOND, 0);
    let lost = mirror.end_reading();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].unit.id, "c");
    assert!(mirror.leased("a", "t", SECOND).is_none());
    assert!(mirror.leased("b", "u", SECOND).is_none());
    assert!(mirror.leased("b", "v", SECOND).is_some());
    assert_eq!(chosen(&mut mirror, SECOND), Some(("a".to_owned(), 1)));
    // The same, but new messages hide that the end is missing.
    mirror.apply(4, leased(&a, "w", 9 * SECOND), SECOND, 0);
    mirror.begin_reading(4);
    mirror.apply(2, Value::Unit(a.clone()), SECOND, 0);
    mirror.apply(4, Value::Unit(b), SECOND, 0);
    assert!(mirror.end_reading().is_empty());
    assert!(mirror.leased("a", "w", SECOND).is_none());
    assert_eq!(mirror.counts(SECOND).waiting, 2);
}
