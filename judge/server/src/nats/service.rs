//! A server as the coordinator of workers on other machines.

use super::protocol::{check_name, presence_subject, worker_of};
use super::results::{self, Reader};
use super::{Connection, OwnUnits, objects, requests};
use crate::blobs::Blobs;
use crate::packages::Packages;
use crate::queue::{Queue, QueueError};
use crate::secret;
use crate::store::{Judging, JudgingId, Store};
use crate::worker::{self, Fleet, Presence};
use futures_util::StreamExt;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The key of the server's name in its settings.
const NAME: &str = "coordinator";
/// How often the stream of results is read without a sign of new ones.
const POLL: Duration = Duration::from_secs(1);
/// How often judgings without a unit and parked units are looked for.
const RECONCILE: Duration = Duration::from_secs(10);

/// What a server on NATS has.
pub struct Site {
    /// The connection.
    pub connection: Arc<Connection>,
    /// The server's name on NATS.
    pub name: String,
    /// The state.
    pub store: Arc<Store>,
    /// Sources.
    pub blobs: Blobs,
    /// Snapshots of packages.
    pub packages: Arc<Packages>,
    /// Its own units.
    pub queue: Arc<OwnUnits>,
    /// The workers.
    pub fleet: Arc<Fleet>,
}

/// The name of a server, which it keeps in its data.
///
/// # Errors
///
/// When the store fails.
pub fn server_name(store: &Store) -> Result<String, String> {
    let found = store.setting(NAME).map_err(|e| e.to_string())?;
    if let Some(name) = found {
        check_name(&name)?;
        return Ok(name);
    }
    let name = format!("server-{}", secret::password().map_err(|e| e.to_string())?);
    store.set_setting(NAME, &name).map_err(|e| e.to_string())?;
    Ok(name)
}

/// Starts the threads that answer workers, take their results, and enqueue what is missing. They end
/// with the process.
///
/// # Errors
///
/// When JetStream fails, or another server has this name.
pub fn serve(site: Site, replicas: usize) -> Result<(), String> {
    let site = Arc::new(site);
    let connection = &site.connection;
    objects::create(connection, replicas).map_err(|e| e.to_string())?;
    let stream = results::stream(connection, replicas).map_err(|e| e.to_string())?;
    let reader = Reader::new(site.clone(), stream);
    // What was judged while the server was down is not judged again.
    reader.take_all()?;
    let queue = site.queue.as_ref();
    worker::reconcile(&site.store, queue).map_err(|e| e.to_string())?;
    hear_workers(&site)?;
    let (parked, hints) = channel();
    requests::answer(&site, parked)?;
    let failed = |e: std::io::Error| format!("failed to start a thread: {e}");
    let arrived = hear_results(&site)?;
    let own = site.clone();
    Builder::new()
        .name("results".to_owned())
        .spawn(move || take_results(&own, &reader, &arrived))
        .map_err(failed)?;
    Builder::new()
        .name("reconcile".to_owned())
        .spawn(move || reconcile(&site, &hints))
        .map_err(failed)?;
    Ok(())
}

fn hear_workers(site: &Site) -> Result<(), String> {
    let connection = &site.connection;
    let subscribe = connection.client().subscribe(presence_subject("*"));
    let messages = connection.request("listen to workers", subscribe);
    let mut messages = messages.map_err(|e| e.to_string())?;
    let fleet = site.fleet.clone();
    connection.runtime().spawn(async move {
        while let Some(message) = messages.next().await {
            match super::protocol::decode::<Presence>(&message.payload) {
                // Only the subject is bound by permissions.
                Ok(presence) if presence.name == worker_of(&message.subject) => {
                    fleet.heard(presence);
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(worker = worker_of(&message.subject), "{error}");
                }
            }
        }
    });
    Ok(())
}

/// Notifies of results: a subscription gets the messages that the stream keeps, too.
fn hear_results(site: &Site) -> Result<Arc<Notify>, String> {
    let connection = &site.connection;
    let subject = super::protocol::results_subject("*", &site.name);
    let subscribe = connection.client().subscribe(subject);
    let messages = connection.request("listen to results", subscribe);
    let mut messages = messages.map_err(|e| e.to_string())?;
    let arrived = Arc::new(Notify::new());
    let notify = arrived.clone();
    connection.runtime().spawn(async move {
        while messages.next().await.is_some() {
            notify.notify_one();
        }
    });
    Ok(arrived)
}

fn take_results(site: &Site, reader: &Reader, arrived: &Notify) {
    let runtime = site.connection.runtime();
    loop {
        if let Err(error) = reader.take_all() {
            tracing::error!("{error}; results wait");
            std::thread::sleep(POLL);
        }
        // New ones, or an attempt at the polling interval.
        let _ = runtime.block_on(async { tokio::time::timeout(POLL, arrived.notified()).await });
    }
}

/// Enqueues judgings that have no unit, and ends those whose unit is parked.
fn reconcile(site: &Site, hints: &Receiver<()>) {
    let mut missing = HashSet::new();
    let mut due = Instant::now() + RECONCILE;
    loop {
        let _ = hints.recv_timeout(due.saturating_duration_since(Instant::now()));
        let done = match Instant::now() < due {
            true => give_up_parked(site),
            false => {
                due = Instant::now() + RECONCILE;
                look_for_missing(site, &mut missing)
            }
        };
        if let Err(error) = done {
            tracing::warn!("{error}");
        }
    }
}

fn give_up_parked(site: &Site) -> Result<(), QueueError> {
    worker::give_up_parked(&site.store, &site.queue.list(usize::MAX >> 1)?)
}

/// `missing`: attempts that had no unit the last time. A unit that was finished just now may have
/// results on their way, so a judging is enqueued again only if nothing came since.
fn look_for_missing(
    site: &Site,
    missing: &mut HashSet<(JudgingId, i64)>,
) -> Result<(), QueueError> {
    let open = site.store.unfinished_judgings()?;
    if open.is_empty() {
        missing.clear();
        return Ok(());
    }
    let units = site.queue.list(usize::MAX >> 1)?;
    worker::give_up_parked(&site.store, &units)?;
    let known: HashSet<&str> = units.iter().map(|unit| unit.unit.id.as_str()).collect();
    let without: Vec<Judging> = open
        .into_iter()
        .filter(|judging| !known.contains(worker::unit_id(judging.id).as_str()))
        .collect();
    let key = |judging: &Judging| (judging.id, judging.attempt);
    let now: HashSet<(JudgingId, i64)> = without.iter().map(key).collect();
    let again: Vec<Judging> = without
        .into_iter()
        .filter(|judging| missing.contains(&key(judging)))
        .collect();
    *missing = now;
    if !again.is_empty() {
        tracing::warn!("{} judgings had no unit, and are enqueued", again.len());
        worker::enqueue(&site.store, site.queue.as_ref(), &again)?;
    }
    Ok(())
}
