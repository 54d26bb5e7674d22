//! Announces this worker on NATS every two seconds: its state and its units.

use super::Identity;
use crate::languages;
use crate::nats::{Connection, presence_subject, send};
use crate::secret;
use crate::store::now_ms;
use crate::threads;
use crate::work_protocol::{Presence, WorkerState};
use crate::worker::{Context, Control};
use judge_core::error::Reason;
use judge_core::parallel::unpoisoned;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between two announcements.
const INTERVAL: Duration = Duration::from_secs(2);

/// The thread that announces the worker.
pub struct Announcer {
    state: Arc<Mutex<WorkerState>>,
    thread: JoinHandle<()>,
}

impl Announcer {
    /// Starts the thread.
    pub fn start(
        connection: Arc<Connection>,
        identity: Identity<'_>,
        jobs: usize,
        context: Arc<Context>,
        control: Control,
    ) -> Result<Self, Reason> {
        let mut presence = Presence {
            name: identity.name.to_owned(),
            process: secret::password()?,
            machine: crate::machine::name(),
            machine_class: identity.machine_class.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            jobs,
            since_ms: now_ms(),
            missing: Vec::new(),
            state: WorkerState::Ready,
            doing: Vec::new(),
        };
        let state = Arc::new(Mutex::new(WorkerState::Ready));
        let shared = state.clone();
        let run = move || {
            // This takes a second or two, in which the workers judge already.
            presence.missing = languages::missing(&context.toolchain);
            if !presence.missing.is_empty() {
                tracing::info!(
                    "languages that are not installed here, so that other workers judge programs in them: {}",
                    presence.missing.join(", ")
                );
            }
            loop {
                let state = unpoisoned(shared.lock()).clone();
                presence.state = match (state, control.resting()) {
                    (WorkerState::Ready, Some(reason)) => WorkerState::Resting(reason),
                    (state, _) => state,
                };
                // A unit whose core is not free yet is not shown.
                presence.doing = control.doing();
                presence.doing.sort_by_key(|doing| doing.since_ms);
                presence.doing.truncate(jobs);
                let subject = presence_subject(&presence.name);
                // The next announcement repeats it.
                if let Err(error) = send(&connection, "announce this worker", subject, &presence) {
                    tracing::debug!("{error}");
                }
                if presence.state == WorkerState::Gone {
                    return;
                }
                std::thread::park_timeout(INTERVAL);
            }
        };
        let thread = threads::start("presence", run)?;
        Ok(Announcer { state, thread })
    }

    /// Sets the state and announces it at once.
    pub fn set(&self, state: WorkerState) {
        *unpoisoned(self.state.lock()) = state;
        self.thread.thread().unpark();
    }

    /// Announces that the worker has ended.
    pub fn stop(self) {
        self.set(WorkerState::Gone);
        // The thread ends after this announcement.
        let _ = self.thread.join();
    }
}
