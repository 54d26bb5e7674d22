//! A machine that fails again and again, as with a full disk, takes units more and more rarely, and
//! leaves those that failed here to others first, so that it does not spoil what they can judge.

use judge::parallel::unpoisoned;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// After the second failure in a row; each further one doubles it.
const LEAST: Duration = Duration::from_secs(1);
/// Its bound.
const MOST: Duration = Duration::from_secs(60);

/// How often a unit that failed here is given back before it is tried here again, and for how long
/// each time: any other machine that is free takes it meanwhile.
const DEFERRALS: u8 = 4;
pub const DEFERRAL: Duration = Duration::from_millis(200);
/// Units that are remembered.
const MOST_UNITS: usize = 1000;

/// The failures of a machine, and until when it rests.
#[derive(Default, Debug)]
pub struct Rest(Mutex<State>);

#[derive(Default, Debug)]
struct State {
    failures: u32,
    until: Option<Instant>,
    /// Units that failed here, and how often they are still given back.
    units: HashMap<String, u8>,
}

impl Rest {
    /// A unit failed; what was begun before the last rest does not count. Returns how long to rest.
    pub fn failed(&self, unit: &str) -> Duration {
        let mut state = unpoisoned(self.0.lock());
        if state.units.len() >= MOST_UNITS {
            state.units.clear();
        }
        state.units.insert(unit.to_owned(), DEFERRALS);
        let now = Instant::now();
        if state.until.is_some_and(|until| now < until) {
            return Duration::ZERO;
        }
        state.failures += 1;
        let rest = match state.failures {
            // Perhaps it was the unit.
            1 => Duration::ZERO,
            more => (LEAST * 2_u32.pow(more.min(10) - 2)).min(MOST),
        };
        state.until = Some(now + rest);
        rest
    }

    /// A unit has its result.
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

    /// Whether it rests.
    pub fn is_resting(&self) -> bool {
        let until = unpoisoned(self.0.lock()).until;
        until.is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_in_a_row_make_it_rest() {
        let rest = Rest::default();
        assert_eq!(rest.failed("a"), Duration::ZERO);
        assert!(!rest.is_resting());
        assert_eq!(rest.failed("b"), LEAST);
        assert!(rest.is_resting());
        // Of another core, which began before.
        assert_eq!(rest.failed("c"), Duration::ZERO);
        rest.succeeded();
        assert!(!rest.is_resting());
        assert_eq!(rest.failed("c"), Duration::ZERO);
    }

    #[test]
    fn a_unit_that_failed_here_is_left_to_others_first() {
        let rest = Rest::default();
        assert!(!rest.defers("a"));
        rest.failed("a");
        // Another unit succeeds here.
        rest.succeeded();
        assert!(!rest.defers("b"));
        let given_back = (0..10).take_while(|_| rest.defers("a")).count();
        assert_eq!(given_back, usize::from(DEFERRALS));
        assert!(!rest.defers("a"), "it is forgotten until it fails again");
        rest.failed("a");
        assert!(rest.defers("a"));
    }
}
