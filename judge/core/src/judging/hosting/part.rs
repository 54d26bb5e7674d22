//! The cases that run now: the memory of their programs, for a display, and a way to cancel them, for
//! another process that grades them.

use crate::parallel::unpoisoned;
use crate::results::CaseKey;
use judge_package::CaseId;
use judge_sandbox::{Canceller, MemoryGauge};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

/// The cases that workers run now. Entering costs no system call; only asking for memory does.
#[derive(Debug, Default)]
pub struct RunningCases(Mutex<Vec<RunningCase>>);

#[derive(Debug)]
struct RunningCase {
    at: CaseKey,
    gauge: MemoryGauge,
}

/// The entry of a worker; removed on drop.
pub struct Entered<'a> {
    cases: &'a RunningCases,
    gauge: MemoryGauge,
}

impl RunningCases {
    /// Bytes of memory that the program of this case uses now; `None` if it does not run.
    pub fn memory(&self, at: CaseKey) -> Option<u64> {
        let gauge = {
            let cases = unpoisoned(self.0.lock());
            cases.iter().find(|running| running.at == at)?.gauge.clone()
        };
        // Read without the lock, which workers take.
        gauge.read()
    }

    /// Adds the case that a worker starts; `gauge` is the worker's own.
    pub(in crate::judging) fn enter(&self, at: CaseKey, gauge: &MemoryGauge) -> Entered<'_> {
        let gauge = gauge.clone();
        unpoisoned(self.0.lock()).push(RunningCase {
            at,
            gauge: gauge.clone(),
        });
        Entered { cases: self, gauge }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        unpoisoned(self.cases.0.lock()).retain(|running| running.gauge != self.gauge);
    }
}

/// Cancels cases of a run that judges a part of a submission's cases. Such a run grades nothing: its
/// submission gets AC unless it cannot be run.
#[derive(Debug, Default)]
pub struct Part(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    cancelled: HashSet<CaseId>,
    running: Vec<(CaseId, Canceller)>,
}

/// A case that runs, until it is dropped.
pub struct RunningPart<'p> {
    part: &'p Part,
    case: CaseId,
    /// Ends the run; `None` without a free descriptor: then the run continues although it is not
    /// needed.
    pub canceller: Option<Canceller>,
}

impl Part {
    fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.0.lock())
    }

    /// Cases are not needed any more: they do not start, or are ended.
    pub fn cancel(&self, cases: impl IntoIterator<Item = CaseId>) {
        let mut state = self.lock();
        for case in cases {
            state.cancelled.insert(case);
            for (_, canceller) in state.running.iter().filter(|(own, _)| *own == case) {
                canceller.cancel();
            }
        }
    }

    /// Starts a case, unless it was cancelled.
    pub(in crate::judging) fn start(&self, case: CaseId) -> Option<RunningPart<'_>> {
        let mut state = self.lock();
        if state.cancelled.contains(&case) {
            return None;
        }
        let canceller = Canceller::new().ok();
        let running = canceller.clone().map(|canceller| (case, canceller));
        state.running.extend(running);
        Some(RunningPart {
            part: self,
            case,
            canceller,
        })
    }
}

impl Drop for RunningPart<'_> {
    fn drop(&mut self) {
        let mut state = self.part.lock();
        state.running.retain(|(case, _)| *case != self.case);
    }
}
