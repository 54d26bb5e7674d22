//! The cases that run now, with the memory of their programs, for a display.

use super::scheduler::SubmissionRef;
use crate::parallel::unpoisoned;
use judge_package::TestCase;
use judge_sandbox::MemoryGauge;
use std::sync::Mutex;

/// The cases that workers run now. Entering costs no system call; only asking for memory does.
#[derive(Debug, Default)]
pub struct RunningCases(Mutex<Vec<RunningCase>>);

#[derive(Debug)]
struct RunningCase {
    package: String,
    submission: String,
    case: String,
    gauge: MemoryGauge,
}

/// The entry of a worker; removed on drop.
pub struct Entered<'a> {
    cases: &'a RunningCases,
    gauge: MemoryGauge,
}

impl RunningCases {
    /// Bytes of memory that the program of this case uses now; `None` if it does not run.
    pub fn memory(&self, package: &str, submission: &str, case: &str) -> Option<u64> {
        let gauge = {
            let cases = unpoisoned(self.0.lock());
            let is_asked = |running: &&RunningCase| {
                running.case == case
                    && running.submission == submission
                    && running.package == package
            };
            cases.iter().find(is_asked)?.gauge.clone()
        };
        // Read without the lock, which workers take.
        gauge.read()
    }

    /// Adds the case that a worker starts; `gauge` is the worker's own.
    pub(super) fn enter(
        &self,
        at: SubmissionRef<'_>,
        case: &TestCase,
        gauge: &MemoryGauge,
    ) -> Entered<'_> {
        unpoisoned(self.0.lock()).push(RunningCase {
            package: at.entry().package.id.clone(),
            submission: at.planned().submission.name.clone(),
            case: case.name.clone(),
            gauge: gauge.clone(),
        });
        Entered {
            cases: self,
            gauge: gauge.clone(),
        }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        unpoisoned(self.cases.0.lock()).retain(|running| running.gauge != self.gauge);
    }
}
