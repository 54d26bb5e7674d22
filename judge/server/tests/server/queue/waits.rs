//! Waiting for units.

use super::{Both, Implementation, LONG, enqueue, lease, practice, try_lease};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A worker that looks between the two must not sleep over the arrival.
pub fn an_arrival_before_the_wait_ends_it(place: &impl Implementation) {
    let queue = place.open();
    assert_eq!(try_lease(&queue, LONG), None);
    enqueue(&queue, &[practice("a")]);
    queue.wait(LONG);
    lease(&queue);
}

/// Another thread waits several times; `act` ends each wait.
fn waits_end(place: &impl Implementation, act: impl Fn(&Both, usize)) {
    const WAITS: usize = 20;
    let queue = place.open();
    let (done, is_done) = mpsc::channel();
    let waiting = queue.clone();
    let waiter = thread::spawn(move || {
        for _ in 0..WAITS {
            waiting.wait(LONG);
            done.send(()).expect("the test listens");
        }
    });
    for k in 0..WAITS {
        // The act may come before the wait: it is repeated.
        while is_done.try_recv().is_err() {
            act(&queue, k);
            thread::sleep(Duration::from_millis(1));
        }
    }
    waiter.join().expect("it ends");
}

pub fn arrivals_end_waits(place: &impl Implementation) {
    waits_end(place, |queue, k| {
        enqueue(queue, &[practice(&format!("unit {k}"))]);
    });
}

pub fn waking_ends_waits(place: &impl Implementation) {
    waits_end(place, |queue, _| queue.wake());
}
