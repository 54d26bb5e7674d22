//! Backs off on a machine that fails repeatedly (because its disk is full, for example).

use judge_core::parallel::unpoisoned;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Delay after the second failure in a row; each further failure doubles it.
const MIN_BACKOFF: Duration = Duration::from_secs(1);
/// Maximum delay.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The failures of a machine, and until when it takes no units.
#[derive(Default, Debug)]
pub struct Backoff(Mutex<Failures>);

#[derive(Default, Debug)]
struct Failures {
    failures: u32,
    until: Option<Instant>,
}

impl Backoff {
    /// Records that a unit failed. A failure during a delay does not count: the unit was begun before it.
    /// Returns the delay.
    pub fn failed(&self) -> Duration {
        let mut state = unpoisoned(self.0.lock());
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

    /// Whether units failed in a row since the last one that succeeded.
    pub fn fails_again(&self) -> bool {
        unpoisoned(self.0.lock()).failures > 1
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
        assert_eq!(backoff.failed(), Duration::ZERO);
        assert!(!backoff.is_active());
        assert!(!backoff.fails_again());
        assert_eq!(backoff.failed(), MIN_BACKOFF);
        assert!(backoff.is_active() && backoff.fails_again());
        // Of another core, which began before.
        assert_eq!(backoff.failed(), Duration::ZERO);
        backoff.succeeded();
        assert!(!backoff.is_active());
        assert_eq!(backoff.failed(), Duration::ZERO);
    }
}
