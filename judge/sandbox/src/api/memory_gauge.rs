//! Current memory use of the program in a box, for a display on another thread.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Shows the memory of the running program to any thread. Clones show the same box.
///
/// A runner that passes one gauge to several boxes ([`BoxSpec::gauge`](crate::BoxSpec::gauge)) sees
/// the box that ran last. A gauge adds no system call to a run; only [`MemoryGauge::read`] makes
/// system calls.
#[derive(Clone, Default)]
pub struct MemoryGauge(Arc<Mutex<Option<Weak<dyn CurrentMemory>>>>);

/// The meter of one box.
pub trait CurrentMemory: Send + Sync {
    /// Bytes in use by the program.
    fn current(&self) -> Option<u64>;
}

impl MemoryGauge {
    /// Bytes in use by the program in the box, including output that it wrote to memory files;
    /// `None` if no box has run yet, or the box is closed. Without a control group, this is the sum
    /// of the resident sizes of the processes and of the files in the box; shared pages count once
    /// per process.
    pub fn read(&self) -> Option<u64> {
        let meter = self.lock().as_ref()?.upgrade();
        // Reads without holding the lock, because a starting run takes it.
        meter?.current()
    }

    /// Shows this box from now on.
    pub(crate) fn show(&self, meter: Weak<dyn CurrentMemory>) {
        *self.lock() = Some(meter);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Weak<dyn CurrentMemory>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gauges are equal if they show the same box.
impl PartialEq for MemoryGauge {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MemoryGauge {}

impl fmt::Debug for MemoryGauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryGauge")
    }
}
