//! Backs off on a machine that fails repeatedly (because its disk is full, for example), and leaves units
//! that failed here to other machines first.

use judge::parallel::unpoisoned;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Delay after the second failure in a row; each further failure doubles it.
const MIN_BACKOFF: Duration = Duration::from_secs(1);
/// Maximum delay.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// How often a unit that failed here is given back before it is tried here again, and for how long
/// each time: any other machine that is free takes it meanwhile.
const DEFERRALS: u8 = 4;
pub const DEFERRAL: Duration = Duration::from_millis(200);
/// Maximum number of failed units that are remembered.
const MAX_UNITS: usize = 1000;

/// The failures of a machine, and until when it takes no units.
#[derive(Default, Debug)]
pub struct Backoff(Mutex<State>);

#[derive(Default, Debug)]
struct State {
    failures: u32,
    until: Option<Instant>,
    /// Units that failed here, and how often they are still given back.
    units: HashMap<String, u8>,
}

impl Backoff {
    /// Records that a unit failed. A failure during a delay does not count: the unit was begun before it.
    /// Returns the delay.
    pub fn failed(&self, unit: &str) -> Duration {
        let mut state = unpoisoned(self.0.lock());
        if state.units.len() >= MAX_UNITS {
            state.units.clear();
        }
        state.units.insert(unit.to_owned(), DEFERRALS);
        let now = Instant::now();
        if state.until.is_some_and(|until| now < until) {
            return Duration::ZERO;
        }
        state.failures += 1;
        let delay = match state.failures {
            // The cause may be the unit.
            1 => Duration::ZERO,
            more => (MIN_BACKOFF * 2_u32.pow(more.min(10) - 2)).min(MAX_BACKOFF),
        };
        state.until = Some(now + delay);
        delay
    }

    /// Records that a unit succeeded.
    pub fn succeeded(&self) {
        let mut state = unpoisoned(self.0.lock());
        (state.failures, state.until) = (0, None);
    }

    /// Whether a unit is given back for [`DEFERRAL`], because it failed here and another machine may
    /// be able to judge it.
    pub fn defers(&self, unit: &str) -> bool {
        let mut state = unpoisoned(self.0.lock());
        match state.units.get_mut(unit) {
            None => false,
            Some(0) => {
                state.units.remove(unit);
                false
            }
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }

    /// Whether a delay is in progress.
    pub fn is_active(&self) -> bool {
        let until = unpoisoned(self.0.lock()).until;
        until.is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_in_a_row_are_followed_by_delays() {
        let backoff = Backoff::default();
        assert_eq!(backoff.failed("a"), Duration::ZERO);
        assert!(!backoff.is_active());
        assert_eq!(backoff.failed("b"), MIN_BACKOFF);
        assert!(backoff.is_active());
        // Of another core, which began before.
        assert_eq!(backoff.failed("c"), Duration::ZERO);
        backoff.succeeded();
        assert!(!backoff.is_active());
        assert_eq!(backoff.failed("c"), Duration::ZERO);
    }

    #[test]
    fn a_unit_that_failed_here_is_left_to_others_first() {
        let backoff = Backoff::default();
        assert!(!backoff.defers("a"));
        backoff.failed("a");
        // Another unit succeeds here.
        backoff.succeeded();
        assert!(!backoff.defers("b"));
        let given_back = (0..10).take_while(|_| backoff.defers("a")).count();
        assert_eq!(given_back, usize::from(DEFERRALS));
        assert!(!backoff.defers("a"), "it is forgotten until it fails again");
        backoff.failed("a");
        assert!(backoff.defers("a"));
    }
}
