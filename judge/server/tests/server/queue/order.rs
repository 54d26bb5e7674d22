//! The order of units: classes and fair shares.

use super::{Implementation, LONG, counts, drain, enqueue, lease, list, practice, unit};
use judge_server::queue::{Counts, Phase, Priority, Unit};
use judge_server::store::now_ms;

pub fn the_backlog_counts_what_waits(place: &impl Implementation) {
    let queue = place.open();
    let backlog = || queue.queue.backlog().expect("the queue works");
    assert!(
        backlog()
            .iter()
            .all(|own| own.units == 0 && own.since_ms.is_none())
    );
    let start = now_ms();
    let contest = |id| unit(id, Priority::Contest, "team 1");
    enqueue(
        &queue,
        &[practice("a"), practice("b"), contest("c"), contest("d")],
    );
    let held = lease(&queue);
    assert_eq!(held.unit.id, "c");
    let delayed = lease(&queue);
    let late = queue.release(&delayed, "failed", LONG);
    assert!(late.expect("the queue works"));
    let units = |priority: Priority| backlog()[priority as usize].units;
    assert_eq!(
        (units(Priority::Contest), units(Priority::Practice)),
        (1, 2)
    );
    assert_eq!((units(Priority::Jury), units(Priority::Rejudge)), (0, 0));
    let since = backlog()[Priority::Practice as usize].since_ms;
    assert!(since.is_some_and(|since| (start - 1000..=now_ms() + 1000).contains(&since)));
}

pub fn urgent_classes_go_first(place: &impl Implementation) {
    let queue = place.open();
    let mut classes = Priority::ALL.to_vec();
    classes.reverse();
    let units: Vec<Unit> = classes
        .iter()
        .flat_map(|&class| (0..2).map(move |k| unit(&format!("{}-{k}", class.word()), class, "a")))
        .collect();
    enqueue(&queue, &units);
    let expected: Vec<String> = Priority::ALL
        .iter()
        .flat_map(|class| (0..2).map(|k| format!("{}-{k}", class.word())))
        .collect();
    assert_eq!(drain(&queue), expected);
}

pub fn a_hundred_units_of_a_team_do_not_delay_anothers_first(place: &impl Implementation) {
    let queue = place.open();
    let many: Vec<Unit> = (0..100)
        .map(|k| unit(&format!("a{k}"), Priority::Contest, "team 1"))
        .collect();
    enqueue(&queue, &many);
    for _ in 0..10 {
        let held = lease(&queue);
        queue.finish(&held).expect("the queue works");
    }
    enqueue(&queue, &[unit("b", Priority::Contest, "team 2")]);
    // At most one other goes before it, whose turn had come.
    let next: Vec<String> = drain(&queue).into_iter().take(2).collect();
    assert!(next.contains(&"b".to_owned()), "{next:?}");
}

pub fn shares_take_turns_and_keep_their_order(place: &impl Implementation) {
    let queue = place.open();
    for (share, count) in [("a", 4), ("b", 2), ("c", 3)] {
        for k in 0..count {
            enqueue(
                &queue,
                &[unit(&format!("{share}{k}"), Priority::Contest, share)],
            );
        }
    }
    let order = drain(&queue);
    assert_eq!(
        order,
        ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "c2", "a3"]
    );
}

pub fn an_idle_share_saves_nothing_up(place: &impl Implementation) {
    let queue = place.open();
    let of = |share: &str, k: usize| unit(&format!("{share}{k}"), Priority::Contest, share);
    for k in 0..20 {
        enqueue(&queue, &[of("a", k)]);
        queue.finish(&lease(&queue)).expect("the queue works");
    }
    // `b` was idle all the time: from now on both get the same.
    for k in 0..5 {
        enqueue(&queue, &[of("b", k), of("a", 20 + k)]);
    }
    let order = drain(&queue);
    for (k, pair) in order.chunks(2).enumerate() {
        let mut pair = pair.to_vec();
        pair.sort();
        assert_eq!(pair, [format!("a{}", 20 + k), format!("b{k}")], "{order:?}");
    }
}

pub fn units_are_listed_in_their_order(place: &impl Implementation) {
    let queue = place.open();
    for id in ["parked", "leased"] {
        enqueue(&queue, &[unit(id, Priority::Contest, "a")]);
    }
    queue.park(&lease(&queue), "no").expect("the queue works");
    let held = queue.lease("machine/3", LONG).expect("the queue works");
    let held = held.expect("a unit is ready");
    enqueue(
        &queue,
        &[
            unit("later", Priority::Rejudge, "a"),
            unit("soon", Priority::Jury, "a"),
        ],
    );
    let seen: Vec<(String, Phase)> = list(&queue)
        .into_iter()
        .map(|listed| (listed.unit.id, listed.phase))
        .collect();
    let expected = [
        ("leased", Phase::Leased("machine/3".to_owned())),
        ("soon", Phase::Waiting),
        ("later", Phase::Waiting),
        ("parked", Phase::Parked),
    ];
    assert_eq!(seen, expected.map(|(id, phase)| (id.to_owned(), phase)));
    let place = |id| {
        let found = queue.queue.position(id).expect("the queue works");
        found.map(|own| (own.listed.phase, own.before, own.leased))
    };
    assert_eq!(place("soon"), Some((Phase::Waiting, 0, 1)));
    assert_eq!(place("later"), Some((Phase::Waiting, 1, 1)));
    assert_eq!(place("parked"), Some((Phase::Parked, 0, 1)));
    assert_eq!(place("gone"), None);
    let (waiting, leased, parked) = (2, 1, 1);
    assert_eq!(
        counts(&queue),
        Counts {
            waiting,
            leased,
            parked
        }
    );
    let some = queue.queue.list(1).expect("the queue works");
    let some: Vec<&str> = some.iter().map(|own| own.unit.id.as_str()).collect();
    assert_eq!(some, ["leased", "soon", "parked"], "one that waits");
    assert!(queue.finish(&held).expect("the queue works"));
}
