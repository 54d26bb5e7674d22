//! A machine that fails again and again, as with a full disk, takes units more and more rarely, so that
//! it does not spoil those that other machines can judge.

use judge::parallel::unpoisoned;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// After the second failure in a row; each further one doubles it.
const LEAST: Duration = Duration::from_secs(1);
/// Its bound.
const MOST: Duration = Duration::from_secs(60);

/// The failures of a machine, and until when it rests.
#[derive(Default, Debug)]
pub struct Rest(Mutex<State>);

#[derive(Default, Debug)]
struct State {
    failures: u32,
    until: Option<Instant>,
}

impl Rest {
    /// A unit failed; what was begun before the last rest does not count. Returns how long to rest.
    pub fn failed(&self) -> Duration {
        let mut state = unpoisoned(self.0.lock());
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
        *unpoisoned(self.0.lock()) = State::default();
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
        assert_eq!(rest.failed(), Duration::ZERO);
        assert!(!rest.is_resting());
        assert_eq!(rest.failed(), LEAST);
        assert!(rest.is_resting());
        // Of another core, which began before.
        assert_eq!(rest.failed(), Duration::ZERO);
        rest.succeeded();
        assert!(!rest.is_resting());
        assert_eq!(rest.failed(), Duration::ZERO);
    }
}
