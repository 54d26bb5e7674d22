//! The threads that share a core: one judges, while another one sends the results of the unit before
//! it or starts the next unit. So the core does not wait for the network.

use judge_core::judging::IdleBoxes;
use judge_core::parallel::unpoisoned;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How long before the expected end of a unit the next one is leased (prefetched). If the estimate holds,
/// the unit waits no longer than it would in the queue.
pub const AHEAD: Duration = Duration::from_millis(20);
/// How long a prefetched unit waits for the core at most. Then it is given back, for another worker.
const PATIENCE: Duration = Duration::from_millis(250);

/// A core and its threads.
pub(crate) struct Core {
    number: usize,
    boxes: Arc<IdleBoxes>,
    state: Mutex<CoreThreads>,
    changed: Condvar,
}

/// The threads of a core by what they do; a thread is named by its number.
#[derive(Default)]
struct CoreThreads {
    threads: u64,
    /// Leases a unit, or has one that waits for its turn.
    leases: Option<u64>,
    judges: Option<u64>,
    /// Judging is about to end.
    is_ending: bool,
}

pub struct Turn {
    core: Arc<Core>,
    thread: u64,
}

impl Core {
    pub fn new(number: usize) -> Arc<Self> {
        Arc::new(Core {
            number,
            boxes: Arc::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    pub fn number(&self) -> usize {
        self.number
    }

    /// Boxes of its units that none of them uses at the moment.
    pub fn boxes(&self) -> &Arc<IdleBoxes> {
        &self.boxes
    }

    fn lock(&self) -> MutexGuard<'_, CoreThreads> {
        unpoisoned(self.state.lock())
    }
}

impl Turn {
    /// A new thread of the core.
    pub(crate) fn new(core: &Arc<Core>) -> Self {
        let mut state = core.lock();
        state.threads += 1;
        Turn {
            core: core.clone(),
            thread: state.threads,
        }
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// Whether this thread may lease a unit now: no other one does, and the core is free, or about to
    /// be. Waits once for a change if it may not.
    pub(crate) fn may_lease(&self, most: Duration) -> bool {
        let may = |state: &CoreThreads| {
            let is_free = state.judges.is_none() || state.is_ending;
            is_free && state.leases.is_none_or(|thread| thread == self.thread)
        };
        let mut state = self.core.lock();
        if !may(&state) {
            state = unpoisoned(self.core.changed.wait_timeout(state, most)).0;
        }
        let may = may(&state);
        if may {
            state.leases = Some(self.thread);
        }
        may
    }

    /// Waits for the core; then this thread judges, pinned to it. Returns false if that takes too long.
    #[must_use]
    pub fn begin(&self) -> bool {
        let is_taken = |state: &mut CoreThreads| state.judges.is_some_and(|t| t != self.thread);
        let state = self.core.lock();
        let waited = self
            .core
            .changed
            .wait_timeout_while(state, PATIENCE, is_taken);
        let mut state = unpoisoned(waited).0;
        let is_free = !is_taken(&mut state);
        // If it is not free, the expectation was wrong.
        state.is_ending = false;
        if is_free {
            state.judges = Some(self.thread);
            state.leases = state.leases.filter(|thread| *thread != self.thread);
            // Best effort: without pinning the worker is slower but as accurate.
            let _ = judge_sandbox::pin(self.core.number);
        }
        is_free
    }

    /// Judging is about to end: another thread may lease the next unit.
    pub fn expect_end(&self) {
        let mut state = self.core.lock();
        if state.judges == Some(self.thread) && !state.is_ending {
            state.is_ending = true;
            self.core.changed.notify_all();
        }
    }

    /// Judging has ended: another thread may judge.
    pub(crate) fn end(&self) {
        if self.release(false) {
            let _ = judge_sandbox::unpin();
        }
    }

    /// Ends this thread's turn and its leasing. Any thread may call it.
    pub(crate) fn leave(&self) {
        self.release(true);
    }

    /// Returns whether this thread judged.
    fn release(&self, leases_too: bool) -> bool {
        let mut state = self.core.lock();
        if leases_too {
            state.leases = state.leases.filter(|thread| *thread != self.thread);
        }
        let judged = state.judges == Some(self.thread);
        if judged {
            state.judges = None;
            state.is_ending = false;
        }
        self.core.changed.notify_all();
        judged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn a_unit_is_leased_ahead_only_when_the_one_before_is_about_to_end() {
        let core = Core::new(0);
        let (a, b, c) = (Turn::new(&core), Turn::new(&core), Turn::new(&core));
        assert!(a.may_lease(NOW) && a.may_lease(NOW));
        assert!(!b.may_lease(NOW), "only one leases");
        assert!(a.begin());
        assert!(!b.may_lease(NOW), "the end is not near");
        b.expect_end();
        assert!(!b.may_lease(NOW), "it is not the thread that judges");
        a.expect_end();
        assert!(b.may_lease(NOW));
        assert!(!c.may_lease(NOW), "one is leased ahead already");
        a.end();
        assert!(b.begin());
        assert!(!a.may_lease(NOW));
        b.end();
        assert!(a.may_lease(NOW));
        a.leave();
        assert!(c.may_lease(NOW));
    }

    #[test]
    fn a_unit_that_waits_too_long_is_given_back_and_the_next_one_is_not_leased_ahead() {
        let core = Core::new(0);
        let (a, b) = (Turn::new(&core), Turn::new(&core));
        assert!(a.may_lease(NOW) && a.begin());
        a.expect_end();
        assert!(b.may_lease(NOW));
        assert!(!b.begin(), "the core is not free");
        b.leave();
        assert!(!b.may_lease(NOW), "until it is expected again");
        a.expect_end();
        assert!(b.may_lease(NOW));
        // Another takes the place of a thread that hangs.
        a.leave();
        assert!(b.begin());
        a.end();
        assert!(!a.may_lease(NOW), "it does not end the turn of another");
    }

    #[test]
    fn one_thread_judges_at_a_time() {
        let core = Core::new(0);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let (turn, inside, most) = (Turn::new(&core), &inside, &most);
                scope.spawn(move || {
                    let mut left = 200;
                    while left > 0 {
                        if turn.may_lease(Duration::from_secs(1)) && turn.begin() {
                            most.fetch_max(
                                1 + inside.fetch_add(1, Ordering::SeqCst),
                                Ordering::SeqCst,
                            );
                            turn.expect_end();
                            std::thread::yield_now();
                            inside.fetch_sub(1, Ordering::SeqCst);
                            turn.end();
                            left -= 1;
                        }
                        turn.leave();
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
    }
}
