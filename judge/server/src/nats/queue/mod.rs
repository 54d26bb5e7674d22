//! The queue on NATS JetStream, for any number of processes on any machines.
//!
//! A stream with file storage keeps one message for each unit, its last; the message's sequence
//! number is the unit's revision. Each process follows the stream, mirrors the units in memory and
//! chooses the next one there. Every change (lease, extension, result) is published on the condition
//! that the unit still has the revision that the process saw. So of two processes one succeeds, and
//! a process whose mirror is late is refused.
//!
//! A lease is over when a process saw no new revision of the unit for the lease's time, by the clock
//! of [`shared::Stopwatch`], which stands still without a connection; machines share no clock. A unit
//! that is finished is replaced by a message that says so, which is deleted half a minute later.

mod change;
mod follow;
mod mirror;
mod operations;
mod own_units;
mod record;
mod shared;
mod shares;
mod stream;

use super::{Connection, REQUEST};
use crate::queue::{self, QueueError};
pub(crate) use mirror::Competition;
pub(crate) use own_units::OwnUnits;
use shared::Shared;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;
use stream::Units;
use tokio::task::JoinHandle;

/// Bound on creating the stream, in which a cluster that has just started chooses its leader.
const START: Duration = Duration::from_secs(30);
/// How often a worker looks whether a server has created the stream.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// Bound on reading the stream when the queue is opened.
const OPEN: Duration = Duration::from_secs(120);
/// How long changes are tried again without a connection: the work on the unit is done already.
const PATIENCE: Duration = Duration::from_secs(20);

/// The queue of all processes that use one prefix of names.
pub struct NatsQueue {
    connection: Arc<Connection>,
    units: Units,
    shared: Arc<Shared>,
    follower: JoinHandle<()>,
}

impl From<super::Error> for QueueError {
    fn from(error: super::Error) -> Self {
        QueueError(error.to_string())
    }
}

impl NatsQueue {
    /// Opens the queue for a server: creates its stream if needed, with this number of replicas (1,
    /// or 3 in a cluster), and deletes from it what is finished. Blocks until the units are read.
    ///
    /// # Errors
    ///
    /// When JetStream fails, or the user may not use the stream.
    pub fn create(
        connection: Arc<Connection>,
        prefix: &str,
        replicas: usize,
    ) -> queue::Result<Self> {
        let units = Units::new(connection.jetstream(), connection.client(), prefix);
        let what = format!("create the stream {}", units.name());
        let waits = || {
            let why = "JetStream has no leader yet, or lacks servers for all copies";
            tracing::warn!("NATS at {}: {why}; waiting", connection.url());
        };
        connection.first_request(START, &what, units.create(replicas, waits))?;
        Self::open(connection, units, true)
    }

    /// Opens the queue of a server for a worker: waits until a server has created it, then blocks until
    /// the units are read.
    ///
    /// # Errors
    ///
    /// When JetStream fails, or the user may not use the stream.
    pub fn join(connection: Arc<Connection>, prefix: &str) -> queue::Result<Self> {
        let units = Units::new(connection.jetstream(), connection.client(), prefix);
        let what = format!("find the stream {}", units.name());
        let mut is_reported = false;
        while !connection.first_request(REQUEST * 2, &what, units.is_ready())? {
            if !is_reported {
                is_reported = true;
                let url = connection.url();
                tracing::warn!("no judge serve or judge run uses NATS at {url} yet; waiting");
            }
            sleep(LOOK_AGAIN);
        }
        Self::open(connection, units, false)
    }

    /// From now on leases only units that need this class of machines, or none.
    pub fn set_machine_class(&self, class: &str) {
        self.shared.lock().mirror.set_machine_class(class);
    }

    /// The unit with this id, and what it competes with for workers of this class, as far as this
    /// process knows. Counts at most `most` units that wait.
    pub(crate) fn competition(
        &self,
        id: &str,
        machine_class: &str,
        most: usize,
    ) -> Option<Competition> {
        self.shared
            .look(|mirror, now| mirror.competition(id, machine_class, most, now))
    }

    fn open(connection: Arc<Connection>, units: Units, deletes: bool) -> queue::Result<Self> {
        let random = getrandom::u64().map_err(|e| connection.error(e))?;
        let process = format!("{random:016x}-");
        let shared = Arc::new(Shared::new(process));
        let follow = follow::follow(shared.clone(), units.clone(), connection.session(), deletes);
        let queue = NatsQueue {
            follower: connection.runtime().spawn(follow),
            connection,
            units,
            shared,
        };
        match queue.shared.wait_complete(OPEN) {
            true => Ok(queue),
            false => {
                let late = format_args!(
                    "failed to read the stream {} in {} s",
                    queue.units.name(),
                    OPEN.as_secs()
                );
                Err(queue.connection.error(late).into())
            }
        }
    }
}

impl Drop for NatsQueue {
    fn drop(&mut self) {
        self.follower.abort();
    }
}
