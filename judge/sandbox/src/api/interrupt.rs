//! Ends every run (from a signal handler), or one run (from another thread).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use judge_os::OwnedStream;

use crate::api::Fault;
use crate::system::Event;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static EVENT: OnceLock<Event> = OnceLock::new();

/// Ends one run from another thread; see [`Sandbox::run_until`](crate::Sandbox::run_until).
///
/// A canceller serves one run: a run that starts with a used canceller ends at once.
#[derive(Clone, Debug)]
pub struct Canceller {
    event: Arc<Event>,
    output: Arc<Mutex<Option<OwnedStream>>>,
}

impl Canceller {
    /// A new canceller.
    pub fn new() -> Result<Self, Fault> {
        Ok(Canceller {
            event: Arc::new(new_event()?),
            output: Arc::default(),
        })
    }

    /// A new canceller whose run writes its standard output to `output` instead of the job's. This
    /// process closes its copy when the program has started.
    pub fn with_output(output: OwnedStream) -> Result<Self, Fault> {
        let canceller = Self::new()?;
        *canceller.output() = Some(output);
        Ok(canceller)
    }

    /// Closes the standard output of [`with_output`](Self::with_output), unless a run has taken it.
    pub fn drop_output(&self) {
        self.take_output();
    }

    /// Takes the standard output of [`with_output`](Self::with_output), if no run has taken it yet.
    pub(crate) fn take_output(&self) -> Option<OwnedStream> {
        self.output().take()
    }

    fn output(&self) -> MutexGuard<'_, Option<OwnedStream>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run; does nothing if it has already ended.
    pub fn cancel(&self) {
        self.event.signal();
    }

    /// The event that [`cancel`](Self::cancel) signals.
    pub(crate) fn event(&self) -> &Event {
        &self.event
    }
}

fn new_event() -> Result<Event, Fault> {
    Event::new().map_err(|e| Fault::os("make an event", e))
}

/// Ends every current and future run in all boxes of this process: each run kills its processes and
/// returns a [`Fault`] with `interrupted` set.
///
/// Async-signal-safe: sets a flag and writes to one descriptor.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    if let Some(event) = EVENT.get() {
        event.signal();
    }
}

/// Whether [`interrupt`] was called.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// The event that [`interrupt`] signals.
pub fn event() -> Result<&'static Event, Fault> {
    if let Some(event) = EVENT.get() {
        return Ok(event);
    }
    let made = new_event()?;
    let event = EVENT.get_or_init(|| made);
    if interrupted() {
        interrupt();
    }
    Ok(event)
}

/// The fault of an interrupted run.
pub fn fault() -> Fault {
    Fault {
        stage: "finish the run".into(),
        source: None,
        remedy: None,
        interrupted: true,
    }
}
