//! A part of a submission's cases, for another process that grades them.

use crate::parallel::unpoisoned;
use judge_package::CaseId;
use judge_sandbox::Canceller;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

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
    pub(super) fn start(&self, case: CaseId) -> Option<RunningPart<'_>> {
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
