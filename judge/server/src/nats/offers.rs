//! The coordinators that have units for this worker, and the threads that wait for units.

use super::protocol::{Ready, Units};
use crate::queue::Priority;
use judge_core::parallel::unpoisoned;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How often coordinators are reminded of threads that wait.
const AGAIN: Duration = Duration::from_millis(500);
/// How often a worker without such threads asks for more urgent units of other coordinators.
const BUSY: Duration = Duration::from_secs(1);
/// How long a coordinator that failed is not asked.
const FAILED: Duration = Duration::from_millis(500);

/// The units that coordinators have for this worker, as far as is known.
#[derive(Default)]
pub struct Offers {
    state: Mutex<Offered>,
    changed: Condvar,
}

#[derive(Default)]
struct Offered {
    known: HashMap<String, Known>,
    /// Counts the units that were asked for.
    turns: u64,
    /// Counts answers and wake-ups.
    arrivals: u64,
    /// When coordinators heard that this worker waits; `None`: one has answered since.
    announced: Option<Instant>,
    /// When coordinators were asked for more urgent units.
    polled: Option<Instant>,
}

/// A coordinator.
#[derive(Default)]
struct Known {
    units: Option<Units>,
    /// The turn in which it was asked last.
    turn: u64,
    /// After a failure: when it may be asked again.
    rests_until: Option<Instant>,
    /// Requests for a unit whose answers were lost: it may have leased one for each.
    lost: Vec<LostRequest>,
}

/// A request for a unit that was not answered.
pub struct LostRequest {
    /// The token of the lease, if there is one.
    pub token: String,
    /// When such a lease ends by itself.
    pub until: Instant,
}

impl Known {
    fn rests(&self) -> bool {
        self.rests_until.is_some_and(|until| Instant::now() < until)
    }

    fn is_lost(&self) -> bool {
        self.lost.iter().any(|lost| Instant::now() < lost.until)
    }
}

impl Offered {
    /// The coordinator to ask next: one that may have leased a unit, or else the one with the most urgent units, in
    /// turn among equals.
    fn next(&self) -> Option<&String> {
        let ready = self.known.iter().filter_map(|(name, known)| {
            let of_units = known.units.map(|units| units.priority);
            let priority = match known.is_lost() {
                true => Some(Priority::Contest),
                false => of_units,
            };
            Some((priority.filter(|_| !known.rests())?, known.turn, name))
        });
        ready.min().map(|(_, _, name)| name)
    }
}

impl Offers {
    fn lock(&self) -> MutexGuard<'_, Offered> {
        unpoisoned(self.state.lock())
    }

    /// Picks the coordinator to ask for a unit, and the token of the request to repeat, if there is one. The caller
    /// reports the answer with [`Offers::set`].
    pub fn take(&self) -> Option<(String, Option<String>)> {
        let mut state = self.lock();
        let name = state.next()?.clone();
        state.turns += 1;
        let turn = state.turns;
        let known = state.known.get_mut(&name)?;
        known.turn = turn;
        known.lost.retain(|lost| Instant::now() < lost.until);
        if let Some(lost) = known.lost.pop() {
            return Some((name, Some(lost.token)));
        }
        // As many threads may ask at a time as there are units.
        known.units = known.units.and_then(|units| {
            let count = units.count.saturating_sub(1);
            (count > 0).then_some(Units { count, ..units })
        });
        Some((name, None))
    }

    /// A coordinator answered a request: it has these units left.
    pub fn set(&self, coordinator: &str, units: Option<Units>) {
        let mut state = self.lock();
        let known = state.known.entry(coordinator.to_owned()).or_default();
        known.units = units;
        if units.is_some() {
            self.arrive(&mut state);
        }
    }

    /// A coordinator failed. If only its answer to `lost` is missing, it may have leased a unit: it is asked again,
    /// even if it answers another request that it has no units.
    pub fn failed(&self, coordinator: &str, lost: Option<LostRequest>) {
        let mut state = self.lock();
        let known = state.known.entry(coordinator.to_owned()).or_default();
        known.units = None;
        known.lost.extend(lost);
        known.rests_until = Some(Instant::now() + FAILED);
    }

    /// There is no coordinator of this name at present. A server may come back, a command does not.
    pub fn forget(&self, coordinator: &str, lost: Option<LostRequest>) {
        match coordinator.contains('.') {
            true => drop(self.lock().known.remove(coordinator)),
            false => self.failed(coordinator, lost),
        }
    }

    /// A coordinator answered that it has units, or none.
    pub fn hear(&self, ready: Ready) {
        let mut state = self.lock();
        let known = state.known.entry(ready.coordinator).or_default();
        known.units = ready.units;
        if ready.units.is_some() && !known.rests() {
            state.announced = None;
            self.arrive(&mut state);
        }
    }

    fn arrive(&self, state: &mut Offered) {
        state.arrivals += 1;
        self.changed.notify_all();
    }

    /// Ends all waits.
    pub fn wake(&self) {
        self.arrive(&mut self.lock());
    }

    /// Whether it is time to ask coordinators for more urgent units than those that are known. The caller asks.
    pub fn is_poll_due(&self) -> bool {
        let mut state = self.lock();
        let is_due = state.next().is_some() && state.polled.is_none_or(|at| at.elapsed() > BUSY);
        if is_due {
            state.polled = Some(Instant::now());
        }
        is_due
    }

    /// Waits until a coordinator has units, or the time is over. `announce` sends coordinators that this worker waits.
    pub fn wait(&self, most: Duration, announce: impl Fn()) {
        let until = Instant::now() + most;
        let mut state = self.lock();
        let before = state.arrivals;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if state.arrivals != before || state.next().is_some() || left.is_zero() {
                return;
            }
            let since = state.announced.map(|at| at.elapsed());
            let nap = match since.and_then(|since| AGAIN.checked_sub(since)) {
                Some(nap) => nap,
                None => {
                    state.announced = Some(Instant::now());
                    drop(state);
                    announce();
                    state = self.lock();
                    continue;
                }
            };
            let waited = self.changed.wait_timeout(state, left.min(nap));
            state = unpoisoned(waited).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn hear(offers: &Offers, coordinator: &str, priority: Priority, count: usize) {
        offers.hear(Ready {
            coordinator: coordinator.to_owned(),
            units: (count > 0).then_some(Units { priority, count }),
        });
    }

    #[test]
    fn the_most_urgent_units_go_first_and_equals_take_turns() {
        let offers = Offers::default();
        assert_eq!(offers.take(), None);
        let (practice, rejudge) = (Priority::Practice, Priority::Rejudge);
        hear(&offers, "a", practice, 2);
        hear(&offers, "b", rejudge, 1);
        hear(&offers, "c", practice, 2);
        let taken: Vec<String> = std::iter::from_fn(|| Some(offers.take()?.0)).collect();
        assert!(
            ["a", "c", "a", "c", "b"] == taken[..] || ["c", "a", "c", "a", "b"] == taken[..],
            "{taken:?}"
        );
        hear(&offers, "a", practice, 1);
        offers.failed("a", None);
        hear(&offers, "a", practice, 1);
        assert_eq!(offers.take(), None, "it is left alone for a while");
    }

    #[test]
    fn a_request_whose_answer_was_lost_is_repeated_although_there_are_no_more_units() {
        let offers = Offers::default();
        let lost = |until: Instant| LostRequest {
            token: "t".to_owned(),
            until,
        };
        let rested = || {
            let mut state = offers.lock();
            state
                .known
                .values_mut()
                .for_each(|known| known.rests_until = None);
        };
        let later = Instant::now() + Duration::from_secs(3600);
        offers.failed("a", Some(lost(later)));
        assert_eq!(offers.take(), None, "it is left alone for a while");
        offers.set("a", None);
        hear(&offers, "a", Priority::Jury, 0);
        rested();
        let repeated = Some(("a".to_owned(), Some("t".to_owned())));
        assert_eq!((offers.take(), offers.take()), (repeated.clone(), None));
        offers.forget("a", Some(lost(later)));
        rested();
        assert_eq!(offers.take(), repeated);
        // The lease is over by itself; a command does not come back.
        offers.failed("a", Some(lost(Instant::now())));
        offers.forget("command.1", Some(lost(later)));
        rested();
        assert_eq!(offers.take(), None);
    }

    #[test]
    fn a_wait_is_announced_until_a_coordinator_has_units() {
        let offers = Offers::default();
        let announced = Cell::new(0);
        let wait = |count| {
            offers.wait(Duration::from_secs(3600), || {
                announced.set(announced.get() + 1);
                hear(&offers, "a", Priority::Jury, count);
                if count == 0 {
                    offers.wake();
                }
            });
        };
        wait(0);
        assert_eq!((announced.get(), offers.take()), (1, None));
        offers.lock().announced = None;
        wait(1);
        assert_eq!(announced.get(), 2);
        wait(1);
        assert_eq!(announced.get(), 2, "the unit is still there");
        assert_eq!(offers.take(), Some(("a".to_owned(), None)));
        wait(1);
        assert_eq!(announced.get(), 3);
    }
}
