//! Ctrl-C.

use judge_core::error::{Failure, exit_status};
use std::sync::atomic::{AtomicU8, Ordering};

/// Number of Ctrl-C presses.
static INTERRUPTS: AtomicU8 = AtomicU8::new(0);

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTS.load(Ordering::SeqCst) > 0
}

/// Installs the handler: the first Ctrl-C stops judging and prints the results so far; the second
/// ends the judge at once.
pub fn watch_for_interrupt() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTS.fetch_add(1, Ordering::SeqCst) > 0 {
            std::process::exit(i32::from(exit_status::INTERRUPTED));
        }
        judge_sandbox::interrupt();
    })
    .map_err(|e| Failure::internal(format!("failed to watch for Ctrl-C: {e}")))
}
