//! Lets several runs of the judge in one process share its cores, each on a core of its own: what
//! one of them has to judge alone waits for the work of the others, and they wait for it.

use crate::parallel::unpoisoned;
use std::sync::{Condvar, Mutex, MutexGuard};

/// The work inside at the moment: any number of pieces beside each other, or one alone.
#[derive(Default, Debug)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    inside: usize,
    /// One of them is alone.
    alone: bool,
    /// Number of pieces of work that wait to be alone; others wait for them, so that they do not
    /// wait for ever.
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

    /// Enters beside others, or alone; waits until that is possible.
    pub fn enter(&self, alone: bool) -> Inside<'_> {
        let mut state = self.lock();
        state.waiting += usize::from(alone);
        let blocked = |state: &State| match alone {
            true => state.inside > 0,
            false => state.keeps_out(),
        };
        while blocked(&state) {
            let waited = self.changed.wait(state);
            state = unpoisoned(waited);
        }
        state.waiting -= usize::from(alone);
        state.alone = alone;
        self.inside(&mut state)
    }

    /// Enters beside others, unless that has to wait.
    pub fn try_enter(&self) -> Option<Inside<'_>> {
        let mut state = self.lock();
        (!state.keeps_out()).then(|| self.inside(&mut state))
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
    /// Whether something is alone or waits to be.
    fn keeps_out(&self) -> bool {
        self.alone || self.waiting > 0
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
        state.alone = false;
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
        let alone = gate.enter(true);
        assert!(gate.try_enter().is_none() && !alone.had_company());
        drop(alone);
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
                        let alone = (worker + k) % 5 == 0;
                        let place = gate.enter(alone);
                        let others = inside.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        let bad = alone && (others > 0 || place.had_company());
                        disturbed.fetch_add(usize::from(bad), Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(disturbed.into_inner(), 0);
    }
}
