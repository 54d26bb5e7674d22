//! The coordinators of a worker on NATS: servers, each with a name that is a part of its units.

use super::Connection;
use super::cache::Cache;
use super::objects;
use super::protocol::{
    Answer, Ask, Cancel, Needed, Object, Start, ask_subject, cancel_subject, decode, encode,
};
use super::reporter;
use crate::blobs;
use crate::queue::Unit;
use crate::store::SourceFile;
use crate::worker::{Assignment, Attempt, Coordinator, Key, Outbox, Outcome, Reports, Work};
use async_nats::client::RequestErrorKind;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge::error::Failure;
use judge::judging::{Part, Settings, Toolchain};
use judge::parallel::unpoisoned;
use judge_package::{CaseId, Package};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Bound on the time until a coordinator has put an object into the store.
const PUT: Duration = Duration::from_secs(600);
/// Minimum and maximum delay of a unit whose coordinator does not answer. A server that is restarted is
/// back after about a second.
const MIN_WAIT: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(30);
/// A command that does not answer for this long was killed: its units are dropped.
const COMMAND_GONE: Duration = Duration::from_secs(6);

/// The coordinators of this process's workers.
pub struct Remote(Arc<Worker>);

struct Worker {
    connection: Arc<Connection>,
    /// The name of this worker on NATS.
    name: String,
    /// The class of its machine.
    machine_class: String,
    cache: Cache,
    outbox: Outbox,
    /// Coordinators that did not start a unit, since when.
    unreached: Mutex<HashMap<String, Instant>>,
    /// The batches that this process judges.
    parts: Mutex<HashMap<Key, Arc<Part>>>,
}

impl Remote {
    /// Starts the thread that sends results, and listens for cancelled cases.
    ///
    /// # Errors
    ///
    /// When the thread cannot be started, or NATS fails.
    pub fn start(
        connection: Arc<Connection>,
        name: &str,
        machine_class: &str,
        cache: Cache,
    ) -> Result<Self, String> {
        let worker = Arc::new(Worker {
            outbox: reporter::start(connection.clone(), name)?,
            connection,
            name: name.to_owned(),
            machine_class: machine_class.to_owned(),
            cache,
            unreached: Mutex::default(),
            parts: Mutex::default(),
        });
        let own = Arc::downgrade(&worker);
        let subject = cancel_subject(name);
        let connection = &worker.connection;
        connection.listen("listen to what is cancelled", subject, move |message| {
            let Some(worker) = own.upgrade() else {
                return false;
            };
            match decode(&message.payload) {
                Ok(cancel) => worker.cancel(cancel),
                Err(error) => tracing::warn!("{error}"),
            }
            true
        })?;
        Ok(Remote(worker))
    }
}

/// The coordinator of a unit on NATS, and its own payload.
pub fn split(payload: &str) -> Option<(&str, &str)> {
    payload.split_once(' ')
}

impl Worker {
    fn ask(&self, coordinator: &str, ask: &Ask) -> Result<Answer, String> {
        let subject = ask_subject(&self.name, coordinator);
        let payload = encode(ask)?;
        let client = self.connection.client();
        let answer = self.connection.request("ask the coordinator", async {
            match client.request(subject, payload.into()).await {
                Ok(message) => Ok(Some(message)),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
                Err(error) => Err(error),
            }
        });
        decode(&answer?.ok_or("the coordinator does not answer")?.payload)
    }

    fn cancel(&self, cancel: Cancel) {
        let key = Key {
            coordinator: cancel.coordinator,
            target: cancel.target,
        };
        let part = unpoisoned(self.parts.lock()).get(&key).cloned();
        if let Some(part) = part {
            part.cancel(cancel.cases.into_iter().map(CaseId));
        }
    }

    /// Delay before a unit is tried again whose coordinator did not start it. It grows with the time since
    /// the coordinator last answered, because all of its units are retried. `None`: the coordinator was a
    /// command, which ended; one that lost its connection adds its units again.
    fn wait_for(&self, coordinator: &str) -> Option<Duration> {
        let mut unreached = unpoisoned(self.unreached.lock());
        let since = unreached
            .entry(coordinator.to_owned())
            .or_insert_with(Instant::now);
        let passed = since.elapsed();
        let wait = (passed / 2).clamp(MIN_WAIT, MAX_WAIT);
        if !coordinator.contains('.') {
            return Some(wait);
        }
        let left = COMMAND_GONE.checked_sub(passed)?;
        Some(wait.min(left.max(MIN_WAIT)))
    }

    /// Has an object put into the store.
    fn put(&self, coordinator: &str, object: &Object) -> Result<(), String> {
        let until = Instant::now() + PUT;
        loop {
            let why = match self.ask(coordinator, &Ask::Put(object.clone())) {
                Ok(Answer::Ready) => return Ok(()),
                Ok(Answer::Failed(why)) => return Err(why),
                Ok(_) => {
                    return Err("the coordinator gave an answer to another question".to_owned());
                }
                // A large package takes longer than one request.
                Err(why) => why,
            };
            if Instant::now() > until || judge_sandbox::interrupted() {
                return Err(format!(
                    "{coordinator} does not provide {}: {why}",
                    object.name()
                ));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Coordinator for Remote {
    fn start(&self, unit: &Unit) -> Result<Assignment<'_>, Outcome> {
        let no_work = || Outcome::Hopeless(format!("unit {:?} names no coordinator", unit.payload));
        let (coordinator, payload) = split(&unit.payload).ok_or_else(no_work)?;
        let ask = Ask::Start(Start {
            payload: payload.to_owned(),
            judge: env!("CARGO_PKG_VERSION").to_owned(),
            machine_class: self.0.machine_class.clone(),
        });
        let answer = self.0.ask(coordinator, &ask);
        if !matches!(answer, Ok(Answer::Failed(_)) | Err(_)) {
            unpoisoned(self.0.unreached.lock()).remove(coordinator);
        }
        let (work, target, sources) = match answer {
            Ok(Answer::Judge {
                work,
                sources,
                target,
            }) => (Work::Judge(work), target, sources),
            Ok(Answer::Verify { work, target }) => (Work::Verify(work), target, None),
            Ok(Answer::Batch {
                work,
                sources,
                target,
            }) => (Work::Batch(work), target, sources),
            Ok(Answer::Closed | Answer::Ready) => return Err(Outcome::Done),
            Ok(Answer::Hopeless(why)) => return Err(Outcome::Hopeless(why)),
            Ok(Answer::Failed(why)) | Err(why) => {
                let why = format!("the coordinator {coordinator} does not start it: {why}");
                return Err(match self.0.wait_for(coordinator) {
                    Some(wait) => Outcome::NotStarted(why, wait),
                    None => Outcome::Done,
                });
            }
        };
        let key = Key {
            coordinator: coordinator.to_owned(),
            target,
        };
        let part = Arc::<Part>::default();
        if matches!(work, Work::Batch(_)) {
            unpoisoned(self.0.parts.lock()).insert(key.clone(), part.clone());
        }
        let attempt = Box::new(Remotely {
            worker: &self.0,
            reports: self.0.outbox.reports(key),
            machine_class: unit.machine_class.clone(),
            sources,
            part,
        });
        Ok(Assignment { work, attempt })
    }

    fn give_up(&self, unit: &Unit, _reason: &str) -> Result<(), String> {
        // The queue has the reason. Without an answer, the coordinator finds the unit later.
        if let Some((coordinator, _)) = split(&unit.payload)
            && let Err(why) = self.0.ask(coordinator, &Ask::Parked)
        {
            tracing::warn!(
                "{coordinator} learns later that {} is parked: {why}",
                unit.id
            );
        }
        Ok(())
    }
}

/// An attempt at a unit of another process.
struct Remotely<'w> {
    worker: &'w Worker,
    reports: Reports,
    /// The class of machines that the unit needs.
    machine_class: Option<String>,
    /// Contents of the source files in base64, in their order, if they are small.
    sources: Option<Vec<String>>,
    /// Cancels cases of a batch.
    part: Arc<Part>,
}

impl Remotely<'_> {
    /// Has an object put into the store.
    fn put(&self, object: &Object) -> Result<(), String> {
        self.worker.put(&self.reports.key().coordinator, object)
    }
}

impl Drop for Remotely<'_> {
    fn drop(&mut self) {
        unpoisoned(self.worker.parts.lock()).remove(self.reports.key());
    }
}

impl Attempt for Remotely<'_> {
    fn reports(&self) -> &Reports {
        &self.reports
    }

    fn part(&self) -> Arc<Part> {
        self.part.clone()
    }

    fn others_have(&self, languages: &[String]) -> bool {
        let ask = Ask::OthersHave(Needed {
            machine_class: self.machine_class.clone(),
            languages: languages.to_vec(),
        });
        let answer = self.worker.ask(&self.reports.key().coordinator, &ask);
        // A coordinator of an earlier version does not know.
        matches!(answer, Ok(Answer::Ready))
    }

    fn source(&self, file: &SourceFile) -> Result<Vec<u8>, String> {
        let Some(sources) = &self.sources else {
            let object = Object::Source(file.blob.clone());
            self.put(&object)?;
            return objects::source(&self.worker.connection, &file.blob);
        };
        for source in sources {
            let content = BASE64_STANDARD.decode(source).map_err(|e| e.to_string())?;
            if blobs::hash(&content) == file.blob {
                return Ok(content);
            }
        }
        Err("the coordinator sent a file with another hash".to_owned())
    }

    fn loaded_package(&self, tree: &str) -> Option<Arc<Package>> {
        self.worker.cache.loaded_package(tree)
    }

    fn package(
        &self,
        tree: &str,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, Failure> {
        let Worker {
            connection, cache, ..
        } = self.worker;
        let object = Object::Tree(tree.to_owned());
        let put = || self.put(&object);
        cache.package(connection, tree, put, settings, toolchain)
    }
}
