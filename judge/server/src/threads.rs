//! Threads with names.

use judge_core::error::Reason;
use std::thread::{Builder, JoinHandle};

/// Starts a thread with this name.
pub fn start<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Reason> {
    let started = Builder::new().name(name.to_owned()).spawn(run);
    started.map_err(|e| Reason::new(format!("failed to start a thread: {e}")))
}
