//! A server as the coordinator of workers on other machines.

use super::protocol::{check_name, decode, presence_subject, worker_of};
use super::requests::{self, Handler};
use super::results::{self, Reader};
use super::{Connection, Site, objects};
use crate::queue::{Listed, Queue, QueueError};
use crate::secret;
use crate::store::{Judging, JudgingId, Store};
use crate::threads;
use crate::worker::{self, Fleet, Presence};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The key of the server's name in its settings.
const NAME: &str = "coordinator";
/// How often judgings without a unit and parked units are looked for.
const RECONCILE: Duration = Duration::from_secs(10);

/// A server that answers workers.
pub trait Server: Handler {
    /// Its state.
    fn site(&self) -> &Site;

    /// Whether it has this judging judged without a unit for the whole of it.
    fn is_judging(&self, judging: JudgingId) -> bool;

    /// Looks after units that are none of judgings. `is_regular`: not because a unit was parked.
    fn look_after(&self, units: &[Listed], is_regular: bool);
}

/// The name of a server, which it keeps in its data.
///
/// # Errors
///
/// When the store fails.
pub fn server_name(store: &Store) -> Result<String, String> {
    if let Some(name) = store.setting(NAME)? {
        check_name(&name)?;
        return Ok(name);
    }
    let name = format!("server-{}", secret::password().map_err(|e| e.to_string())?);
    store.set_setting(NAME, &name)?;
    Ok(name)
}

/// Starts the threads that answer workers, take their results, and enqueue what is missing. They end
/// with the process.
///
/// # Errors
///
/// When JetStream fails, or another server has this name.
pub fn serve<S: Server>(server: &Arc<S>, replicas: usize) -> Result<(), String> {
    let site = server.site();
    let connection = &site.connection;
    objects::create(connection, replicas)?;
    let stream = results::present_stream(connection, replicas)?;
    let reader = Reader::new(connection, &site.name, server, stream);
    // What was judged while the server was down is not judged again.
    reader.take_all()?;
    worker::reconcile(&site.store, site.queue.as_ref())?;
    hear_workers(connection, &site.fleet)?;
    let (parked, hints) = channel();
    requests::check_alone(connection, &site.name)?;
    requests::answer(connection, &site.name, server, parked)?;
    threads::start("results", move || reader.follow())?;
    let server = server.clone();
    threads::start("reconcile", move || reconcile(server.as_ref(), &hints))?;
    Ok(())
}

/// Takes note of the workers that announce themselves.
///
/// # Errors
///
/// When the user may not listen to them.
pub fn hear_workers(connection: &Connection, fleet: &Arc<Fleet>) -> Result<(), String> {
    let own = fleet.clone();
    let subject = presence_subject("*");
    connection.listen("listen to workers", subject, move |message| {
        let worker = worker_of(&message.subject);
        match decode::<Presence>(&message.payload) {
            // Only the subject is bound by permissions.
            Ok(presence) if presence.name == worker => own.heard(presence),
            Ok(_) => {}
            Err(error) => tracing::debug!(worker, "{error}"),
        }
        true
    })?;
    fleet.listens();
    Ok(())
}

/// Enqueues judgings that have no unit, and ends those whose unit is parked.
fn reconcile(server: &impl Server, hints: &Receiver<()>) {
    let mut missing = HashSet::new();
    let mut due = Instant::now() + RECONCILE;
    loop {
        let _ = hints.recv_timeout(due.saturating_duration_since(Instant::now()));
        let done = match Instant::now() < due {
            true => give_up_parked(server),
            false => {
                due = Instant::now() + RECONCILE;
                look_for_missing(server, &mut missing)
            }
        };
        if let Err(error) = done {
            tracing::warn!("{error}");
        }
    }
}

fn give_up_parked(server: &impl Server) -> Result<(), QueueError> {
    let units = server.site().queue.list(usize::MAX >> 1)?;
    server.look_after(&units, false);
    worker::give_up_parked(&server.site().store, &units)
}

/// `missing`: attempts that had no unit the last time. A unit that was finished just now may have
/// results on their way, so a judging is enqueued again only if nothing came since.
fn look_for_missing(
    server: &impl Server,
    missing: &mut HashSet<(JudgingId, i64)>,
) -> Result<(), QueueError> {
    let site = server.site();
    let open = site.store.unfinished_judgings()?;
    if open.is_empty() {
        missing.clear();
        return Ok(());
    }
    let units = site.queue.list(usize::MAX >> 1)?;
    server.look_after(&units, true);
    worker::give_up_parked(&site.store, &units)?;
    let known: HashSet<&str> = units.iter().map(|unit| unit.unit.id.as_str()).collect();
    let without: Vec<Judging> = open
        .into_iter()
        .filter(|judging| !known.contains(worker::unit_id(judging.id).as_str()))
        .filter(|judging| !server.is_judging(judging.id))
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
