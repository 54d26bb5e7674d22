//! The memory that the program in a box uses now, for a display on another thread.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Shows the memory of the running program to any thread. Clones show the same box.
///
/// A runner that passes one gauge to several boxes ([`BoxSpec::gauge`](crate::BoxSpec::gauge)) sees
/// the box that ran last. A gauge costs a run no system call: only [`MemoryGauge::read`] makes some.
#[derive(Clone, Default)]
pub struct MemoryGauge(Arc<Mutex<Option<Weak<dyn CurrentMemory>>>>);

/// The meter of one box.
pub trait CurrentMemory: Send + Sync {
    /// Bytes in use by the program now.
    fn current(&self) -> Option<u64>;
}

impl MemoryGauge {
    /// Bytes that the program in the box uses now, with the output that it wrote to memory files;
    /// `None` if no box has run yet, or it is gone. Without a control group the sum of the resident
    /// sizes of its processes and of the files in its box, in which shared pages count once for
    /// each process.
    pub fn read(&self) -> Option<u64> {
        let meter = self.lock().as_ref()?.upgrade();
        // Read without the lock, which a starting run takes.
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
