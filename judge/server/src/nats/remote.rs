//! A worker's side of the protocol: asks coordinators, and has the work of the units that it leased.

use super::Connection;
use super::cache::Cache;
use super::objects;
use super::offers::Offers;
use super::options::REQUEST;
use super::protocol::{
    Answer, Ask, Cancel, Needed, Object, Order, Ready, Wait, ask_subject, cancel_subject, decode,
    encode, wait_subject,
};
use super::reporter;
use crate::blobs;
use crate::queue::{Lease, Unit};
use crate::secret;
use crate::store::SourceFile;
use crate::work_protocol::{
    Assignment, Attempt, Coordinator, Outbox, Outcome, ReportKey, Reports, Work,
};
use async_nats::client::RequestErrorKind;
use async_nats::{Message, StatusCode};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge_core::error::{Failure, Reason};
use judge_core::judging::{Part, Settings, Toolchain};
use judge_core::parallel::unpoisoned;
use judge_package::{CaseId, Package};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Bound on the time until a coordinator has put an object into the store.
const PUT: Duration = Duration::from_secs(600);
/// How often a worker looks whether there is a coordinator, before the first one.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The coordinators of this process's workers.
pub struct Remote(pub(super) Arc<Worker>);

pub(super) struct Worker {
    pub(super) connection: Arc<Connection>,
    /// The name of this worker on NATS.
    name: String,
    pub(super) machine_class: String,
    cache: Cache,
    outbox: Outbox,
    /// Where coordinators answer that they have units.
    inbox: String,
    pub(super) offers: Offers,
    /// Leases by their tokens.
    pub(super) leases: Mutex<HashMap<String, Leased>>,
    /// Begins the tokens of leases; no other process uses it.
    process: String,
    tokens: AtomicU64,
    /// Coordinators that did not answer lately, and until when they are not asked to extend leases.
    pub(super) silent: Mutex<HashMap<String, Instant>>,
    /// The log says that there is no coordinator.
    is_alone: AtomicBool,
    /// The batches that this process judges.
    parts: Mutex<HashMap<ReportKey, Arc<Part>>>,
}

/// A lease of this process.
pub(super) struct Leased {
    pub(super) coordinator: String,
    /// The work, until it is started.
    pub(super) order: Option<Order>,
}

/// Why a coordinator did not answer.
pub(super) enum NoAnswer {
    /// There is none of this name.
    Gone,
    /// The answer did not come, or cannot be read.
    Failed(Reason),
}

impl Remote {
    /// Starts the thread that sends results, and listens to coordinators. Waits for the first one.
    pub fn start(
        connection: Arc<Connection>,
        name: &str,
        machine_class: &str,
        cache: Cache,
    ) -> Result<Self, Reason> {
        let random = secret::password()?;
        let worker = Arc::new(Worker {
            outbox: reporter::start(connection.clone(), name)?,
            inbox: connection.client().new_inbox(),
            connection,
            name: name.to_owned(),
            machine_class: machine_class.to_owned(),
            cache,
            offers: Offers::default(),
            leases: Mutex::default(),
            process: format!("{name}-{random}"),
            tokens: AtomicU64::new(0),
            silent: Mutex::default(),
            is_alone: AtomicBool::new(false),
            parts: Mutex::default(),
        });
        let listen = |what: &str, subject: String, hear: fn(&Worker, &Message)| {
            let own = Arc::downgrade(&worker);
            worker.connection.listen(what, subject, move |message| {
                let worker = own.upgrade();
                worker.is_some_and(|worker| {
                    hear(&worker, &message);
                    true
                })
            })
        };
        listen("listen to coordinators", worker.inbox.clone(), Worker::hear)?;
        let cancelled = cancel_subject(name);
        listen("listen to what is cancelled", cancelled, Worker::cancel)?;
        while !worker.finds_coordinator()? {
            worker.report_alone();
            sleep(LOOK_AGAIN);
        }
        Ok(Remote(worker))
    }
}

impl Worker {
    /// A token for a lease, which no process used before.
    pub(super) fn new_token(&self) -> String {
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number}", self.process)
    }

    /// Whether a coordinator hears this worker. Fails if the worker has no permission to ask.
    fn finds_coordinator(&self) -> Result<bool, Reason> {
        let wait = encode(&self.waits(true))?;
        let subject = wait_subject(&self.name);
        let client = self.connection.client();
        let asked = self
            .connection
            .first_request(REQUEST * 2, "find a coordinator", async {
                match client.request(subject, wait.into()).await {
                    Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(false),
                    // One hears it and is slow.
                    Err(error) if error.kind() == RequestErrorKind::TimedOut => Ok(true),
                    answer => answer.map(|_| true),
                }
            });
        Ok(asked?)
    }

    fn waits(&self, at_once: bool) -> Wait {
        Wait {
            machine_class: self.machine_class.clone(),
            at_once,
        }
    }

    /// Announces to all coordinators that this worker waits, or only asks which units they have `at_once`. Best
    /// effort: it is repeated.
    pub(super) fn announce(&self, at_once: bool) {
        let client = self.connection.client();
        let subject = wait_subject(&self.name);
        let sent = encode(&self.waits(at_once)).and_then(|wait| {
            let inbox = self.inbox.clone();
            let published = client.publish_with_reply(subject, inbox, wait.into());
            Ok(self.connection.request("wait for units", published)?)
        });
        if let Err(error) = sent {
            tracing::debug!("{error}");
        }
    }

    /// A coordinator answered that it has units; or there is no coordinator.
    fn hear(&self, message: &Message) {
        if message.status == Some(StatusCode::NO_RESPONDERS) {
            self.report_alone();
            return;
        }
        match decode::<Ready>(&message.payload) {
            Ok(ready) => {
                self.is_alone.store(false, Ordering::Relaxed);
                self.offers.hear(ready);
            }
            Err(error) if !self.is_alone.swap(true, Ordering::Relaxed) => {
                tracing::error!("{error}");
            }
            Err(_) => {}
        }
    }

    /// Logs once that there is no coordinator.
    fn report_alone(&self) {
        if !self.is_alone.swap(true, Ordering::Relaxed) {
            let url = self.connection.url();
            tracing::warn!("no judge serve or judge run uses NATS at {url}; waiting");
        }
    }

    pub(super) fn ask(&self, coordinator: &str, ask: &Ask) -> Result<Answer, NoAnswer> {
        self.ask_within(REQUEST, coordinator, ask)
    }

    /// Asks a coordinator, and waits at most this long for the answer.
    pub(super) fn ask_within(
        &self,
        most: Duration,
        coordinator: &str,
        ask: &Ask,
    ) -> Result<Answer, NoAnswer> {
        let subject = ask_subject(&self.name, coordinator);
        let payload = encode(ask).map_err(NoAnswer::Failed)?;
        let client = self.connection.client();
        let what = "ask the coordinator";
        let answer = self.connection.request_within(most, what, async {
            match client.request(subject, payload.into()).await {
                Ok(message) => Ok(Some(message)),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
                Err(error) => Err(error),
            }
        });
        let answer = answer.map_err(|e| NoAnswer::Failed(e.into()))?;
        decode(&answer.ok_or(NoAnswer::Gone)?.payload).map_err(NoAnswer::Failed)
    }

    fn cancel(&self, message: &Message) {
        let cancel: Cancel = match decode(&message.payload) {
            Ok(cancel) => cancel,
            Err(error) => return tracing::warn!("{error}"),
        };
        let key = ReportKey {
            coordinator: cancel.coordinator,
            target: cancel.target,
        };
        let part = unpoisoned(self.parts.lock()).get(&key).cloned();
        if let Some(part) = part {
            part.cancel(cancel.cases.into_iter().map(CaseId));
        }
    }

    /// Has an object put into the store.
    fn put(&self, coordinator: &str, object: &Object) -> Result<(), Reason> {
        let until = Instant::now() + PUT;
        loop {
            let why = match self.ask(coordinator, &Ask::Put(object.clone())) {
                Ok(Answer::Is(true)) => return Ok(()),
                Ok(Answer::Failed(why)) => return Err(why),
                Ok(_) => return Err(other_answer()),
                // A large package takes longer than one request.
                Err(why) => Reason::from(why),
            };
            if Instant::now() > until || judge_sandbox::interrupted() {
                return Err(Reason::new(format!(
                    "{coordinator} does not provide {}: {why}",
                    object.name()
                )));
            }
            sleep(Duration::from_millis(200));
        }
    }
}

impl From<NoAnswer> for Reason {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Gone => Reason::new("the coordinator does not answer"),
            NoAnswer::Failed(why) => why,
        }
    }
}

/// The error for an answer of the wrong kind.
pub(super) fn other_answer() -> Reason {
    Reason::new("the coordinator gave an answer to another question")
}

impl Coordinator for Remote {
    fn start(&self, lease: &Lease) -> Result<Assignment<'_>, Outcome> {
        let mut leases = unpoisoned(self.0.leases.lock());
        let leased = leases.get_mut(&lease.token);
        let Some((coordinator, order)) =
            leased.and_then(|own| Some((own.coordinator.clone(), own.order.take()?)))
        else {
            // Its lease is over.
            return Err(Outcome::Done);
        };
        drop(leases);
        let Order {
            work,
            sources,
            target,
        } = order;
        let key = ReportKey {
            coordinator,
            target,
        };
        let part = Arc::<Part>::default();
        if matches!(work, Work::Batch(_)) {
            unpoisoned(self.0.parts.lock()).insert(key.clone(), part.clone());
        }
        let attempt = Box::new(Remotely {
            worker: &self.0,
            reports: self.0.outbox.reports(key),
            machine_class: lease.unit.machine_class.clone(),
            sources,
            part,
        });
        Ok(Assignment { work, attempt })
    }

    /// The coordinator does that when the unit is parked.
    fn give_up(&self, _unit: &Unit, _reason: &str) -> Result<(), Reason> {
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
    fn put(&self, object: &Object) -> Result<(), Reason> {
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
        matches!(answer, Ok(Answer::Is(true)))
    }

    fn source(&self, file: &SourceFile) -> Result<Vec<u8>, Reason> {
        let Some(sources) = &self.sources else {
            let object = Object::Source(file.blob.clone());
            self.put(&object)?;
            return objects::source(&self.worker.connection, &file.blob);
        };
        for source in sources {
            let content = BASE64_STANDARD.decode(source)?;
            if blobs::hash(&content) == file.blob {
                return Ok(content);
            }
        }
        Err(Reason::new("the coordinator sent a file with another hash"))
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
