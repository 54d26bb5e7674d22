//! Leases: extended, expired, given back, released, parked.

use super::{
    Implementation, LONG, SHORT, counts, drain, enqueue, is_refused, lease, lease_later, list,
    only, practice, try_lease,
};
use judge_server::queue::{Counts, Phase};
use std::thread;
use std::time::Duration;

pub fn a_unit_is_leased_once_and_gone_when_finished(place: &impl Implementation) {
    let queue = place.open();
    assert_eq!(try_lease(&queue, LONG), None);
    enqueue(&queue, &[practice("a")]);
    let held = lease(&queue);
    assert_eq!((&held.unit, held.delivery), (&practice("a"), 1));
    assert_eq!(try_lease(&queue, LONG), None);
    assert!(queue.finish(&held).expect("the queue works"));
    is_refused(&queue, &held);
    assert_eq!(counts(&queue), Counts::default());
    assert_eq!(list(&queue), []);
}

pub fn a_unit_is_enqueued_once(place: &impl Implementation) {
    let queue = place.open();
    let again = || enqueue(&queue, &[practice("a"), practice("a")]);
    again();
    again();
    assert_eq!(counts(&queue).waiting, 1);
    let held = lease(&queue);
    again();
    assert_eq!(try_lease(&queue, LONG), None);
    queue.park(&held, "no").expect("the queue works");
    again();
    assert_eq!(try_lease(&queue, LONG), None);
    queue.queue.retry("a").expect("the queue works");
    queue.finish(&lease(&queue)).expect("the queue works");
    again();
    assert_eq!(lease(&queue).delivery, 1);
    assert_eq!(try_lease(&queue, LONG), None);
}

pub fn an_expired_lease_is_delivered_again_and_its_holder_refused(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a")]);
    let lost = try_lease(&queue, SHORT).expect("a unit is ready");
    let held = lease_later(&queue);
    assert_eq!(held.unit, lost.unit);
    assert_eq!((lost.delivery, held.delivery), (1, 2));
    is_refused(&queue, &lost);
    assert!(queue.extend(&held, LONG).expect("the queue works"));
    assert!(matches!(only(&queue).phase, Phase::Leased(_)));
    assert!(queue.finish(&held).expect("the queue works"));
    assert_eq!(counts(&queue), Counts::default());
}

pub fn a_heartbeat_keeps_the_lease(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a")]);
    // On a busy machine the first ones may be over before they are extended.
    for seconds in [1, 4, 16, 64] {
        let first = Duration::from_secs(seconds);
        let Some(held) = try_lease(&queue, first) else {
            thread::sleep(first);
            continue;
        };
        if !queue.extend(&held, LONG).expect("the queue works") {
            continue;
        }
        thread::sleep(first + SHORT);
        assert_eq!(try_lease(&queue, LONG), None);
        assert!(queue.finish(&held).expect("the queue works"));
        return;
    }
    panic!("no lease was extended in time");
}

pub fn a_heartbeat_sets_the_time_from_now(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a")]);
    let lost = lease(&queue);
    assert!(queue.extend(&lost, SHORT).expect("the queue works"));
    assert_eq!(lease_later(&queue).delivery, 2);
    is_refused(&queue, &lost);
}

pub fn a_released_unit_waits_and_counts(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a")]);
    let first = lease(&queue);
    let released = queue.release(&first, "the disk is full", Duration::ZERO);
    assert!(released.expect("the queue works"));
    is_refused(&queue, &first);
    assert_eq!(only(&queue).phase, Phase::Waiting);
    let second = lease(&queue);
    assert_eq!(second.delivery, 2);
    assert!(
        queue
            .release(&second, "full again", LONG)
            .expect("the queue works")
    );
    assert_eq!(try_lease(&queue, LONG), None);
    let listed = only(&queue);
    assert!(matches!(listed.phase, Phase::Delayed(_)), "{listed:?}");
    assert_eq!(listed.reason.as_deref(), Some("full again"));
    assert_eq!(listed.deliveries, 2);
    assert_eq!(counts(&queue).waiting, 1);

    enqueue(&queue, &[practice("b")]);
    let other = lease(&queue);
    assert_eq!(other.unit.id, "b");
    assert!(
        queue
            .release(&other, "soon", SHORT)
            .expect("the queue works")
    );
    assert_eq!(lease_later(&queue).unit.id, "b");
}

pub fn a_unit_that_was_given_back_does_not_count(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a")]);
    for _ in 0..10 {
        let held = lease(&queue);
        assert_eq!(held.delivery, 1);
        assert!(
            queue
                .give_back(&held, Duration::ZERO)
                .expect("the queue works")
        );
        is_refused(&queue, &held);
    }
    assert_eq!(only(&queue).phase, Phase::Waiting);
    // It waits as long as it has to; the next delivery is still the first.
    let held = lease(&queue);
    assert!(queue.give_back(&held, LONG).expect("the queue works"));
    assert!(matches!(only(&queue).phase, Phase::Delayed(_)));
    assert!(try_lease(&queue, LONG).is_none());
    enqueue(&queue, &[practice("b")]);
    let other = lease(&queue);
    assert!(queue.give_back(&other, SHORT).expect("the queue works"));
    let again = lease_later(&queue);
    assert_eq!((again.unit.id.as_str(), again.delivery), ("b", 1));
}

pub fn a_parked_unit_waits_for_a_retry(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a"), practice("b")]);
    let first = lease(&queue);
    queue
        .release(&first, "once", Duration::ZERO)
        .expect("the queue works");
    let held = lease(&queue);
    assert_eq!((held.unit.id.as_str(), held.delivery), ("a", 2));
    assert!(
        queue
            .park(&held, "the validator crashes")
            .expect("the queue works")
    );
    is_refused(&queue, &held);
    // It blocks nothing else.
    assert_eq!(drain(&queue), ["b"]);
    let parked = list(&queue).pop().expect("it is listed");
    assert_eq!((parked.unit, parked.phase), (practice("a"), Phase::Parked));
    assert_eq!(parked.reason.as_deref(), Some("the validator crashes"));
    assert_eq!(parked.deliveries, 2);
    assert_eq!(counts(&queue).parked, 1);
    assert!(!queue.queue.retry("b").expect("the queue works"));
    assert!(!queue.queue.retry("c").expect("the queue works"));
    assert!(queue.queue.retry("a").expect("the queue works"));
    assert!(!queue.queue.retry("a").expect("the queue works"));
    assert_eq!(lease(&queue).delivery, 1);
}

pub fn a_unit_that_is_not_leased_is_removed(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&queue, &[practice("a"), practice("b")]);
    let held = lease(&queue);
    let remove = |id| queue.queue.remove(id).expect("the queue works");
    assert!(!remove("a") && remove("b") && !remove("b"));
    queue.park(&held, "no").expect("the queue works");
    assert!(remove("a"));
    assert_eq!(list(&queue), []);
}
