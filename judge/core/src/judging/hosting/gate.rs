//! Lets several runs in one process share the judge's cores, each on a core of its own. A case that
//! must run alone waits until the others are idle, and they wait until it ends.

use crate::parallel::unpoisoned;
use std::sync::{Condvar, Mutex, MutexGuard};

/// A gate for shared or exclusive use: any number of pieces of work are inside, or one that
/// excludes all others.
#[derive(Default, Debug)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    inside: usize,
    /// The work inside excludes all other.
    exclusive: bool,
    /// Number of pieces of work that wait for exclusive use. Shared work waits for them, so that
    /// they do not starve.
    waiting: usize,
    /// Counts the entries.
    entries: u64,
}

/// A piece of work inside a gate, until it is dropped.
#[derive(Debug)]
pub struct Inside<'g> {
    gate: &'g Gate,
    had_company: bool,
    entry: u64,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// Enters for shared or exclusive use; waits until that is possible.
    pub fn enter(&self, exclusive: bool) -> Inside<'_> {
        let mut state = self.lock();
        state.waiting += usize::from(exclusive);
        let blocked = |state: &State| match exclusive {
            true => state.inside > 0,
            false => state.excludes_shared(),
        };
        while blocked(&state) {
            let waited = self.changed.wait(state);
            state = unpoisoned(waited);
        }
        state.waiting -= usize::from(exclusive);
        state.exclusive = exclusive;
        self.inside(&mut state)
    }

    /// Enters for shared use, unless that has to wait.
    pub fn try_enter(&self) -> Option<Inside<'_>> {
        let mut state = self.lock();
        (!state.excludes_shared()).then(|| self.inside(&mut state))
    }

    fn inside(&self, state: &mut State) -> Inside<'_> {
        state.inside += 1;
        state.entries += 1;
        Inside {
            gate: self,
            had_company: state.inside > 1,
            entry: state.entries,
        }
    }
}

impl State {
    /// Whether exclusive work is inside or waits.
    fn excludes_shared(&self) -> bool {
        self.exclusive || self.waiting > 0
    }
}

impl Inside<'_> {
    /// Whether something else was inside at the same time so far.
    pub fn had_company(&self) -> bool {
        self.had_company || self.gate.lock().entries != self.entry
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let mut state = self.gate.lock();
        state.inside -= 1;
        state.exclusive = false;
        drop(state);
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn company_is_noticed_by_both() {
        let gate = Gate::default();
        let first = gate.enter(false);
        assert!(!first.had_company());
        let second = gate.enter(false);
        assert!(first.had_company() && second.had_company());
        drop((first, second));
        assert!(!gate.enter(false).had_company());
    }

    #[test]
    fn urgent_work_enters_unless_exclusive_work_runs() {
        let gate = Gate::default();
        let first = gate.try_enter().expect("it is empty");
        assert!(gate.try_enter().is_some() && first.had_company());
        drop(first);
        let exclusive = gate.enter(true);
        assert!(gate.try_enter().is_none() && !exclusive.had_company());
        drop(exclusive);
        assert!(gate.try_enter().is_some());
    }

    #[test]
    fn exclusive_work_runs_alone() {
        let gate = Gate::default();
        let (inside, disturbed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let (gate, inside, disturbed) = (&gate, &inside, &disturbed);
                scope.spawn(move || {
                    for k in 0..200 {
                        let exclusive = (worker + k) % 5 == 0;
                        let place = gate.enter(exclusive);
                        let others = inside.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        let bad = exclusive && (others > 0 || place.had_company());
                        disturbed.fetch_add(usize::from(bad), Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(disturbed.into_inner(), 0);
    }
}
