//! The queue of a coordinator for workers of other machines: leases, extends and settles through the store's queue,
//! and wakes waiting workers when there are units.

use super::handler::{Handler, Started};
use super::protocol::{Answer, Held, LeaseRequest, Leased, Ready, Units, Wait, check_name, encode};
use super::{Connection, Session};
use crate::queue::{Eligible, Lease, Leases, MAX_DELIVERIES, Settlement, delivered_too_often};
use crate::store::{Claim, SqliteQueue, Starter};
use async_nats::Subject;
use judge_core::error::Reason;
use judge_core::parallel::unpoisoned;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The version of the judge in this process.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Units that are counted for a worker.
const MAX_COUNT: usize = 16;
/// A worker that waits says so twice a second; one that is silent for longer is forgotten.
const SILENCE: Duration = Duration::from_secs(2);
/// How often leases and delays that end are looked for.
const IDLE: Duration = Duration::from_millis(500);
/// Time after which other workers are woken if those that were woken did not take the units.
const WOKEN: Duration = Duration::from_millis(20);
/// How long a unit waits whose attempt could not be started.
const NOT_STARTED: Duration = Duration::from_secs(1);

pub struct QueueServer<H> {
    pub(super) connection: Arc<Connection>,
    /// The name of the coordinator.
    name: String,
    queue: Arc<SqliteQueue>,
    pub(super) handler: Arc<H>,
    /// Only workers of this class get units.
    machine_class: Option<String>,
    waiting: Mutex<Vec<Waiting>>,
    /// Units that are left to others than this worker, by worker and unit.
    left: Mutex<HashMap<(String, String), Instant>>,
    /// Workers with another version of the judge that were named.
    others: Mutex<HashSet<(String, String)>>,
}

/// A worker process that waits for units.
struct Waiting {
    worker: String,
    machine_class: String,
    reply: Subject,
    since: Instant,
}

impl<H: Handler> QueueServer<H> {
    /// The queue of the coordinator with this name. With a class, only workers of that class get units.
    pub fn new(
        connection: &Arc<Connection>,
        name: &str,
        queue: &Arc<SqliteQueue>,
        handler: &Arc<H>,
        machine_class: Option<&str>,
    ) -> Result<Self, Reason> {
        machine_class.map_or(Ok(()), check_name)?;
        Ok(QueueServer {
            connection: connection.clone(),
            name: name.to_owned(),
            queue: queue.clone(),
            handler: handler.clone(),
            machine_class: machine_class.map(str::to_owned),
            waiting: Mutex::default(),
            left: Mutex::default(),
            others: Mutex::default(),
        })
    }

    /// Restarts all leases after a reconnection: workers could not extend them meanwhile.
    pub(super) fn renew(&self, last: &mut Session) {
        let now = *self.connection.session().borrow();
        if std::mem::replace(last, now).number != now.number
            && let Err(error) = self.queue.renew_leases()
        {
            tracing::error!("{error}");
        }
    }

    /// Leases and starts the next unit that a worker can do.
    pub(super) fn lease(&self, worker: &str, request: &LeaseRequest) -> Answer {
        self.note_version(worker, &request.judge);
        match self.next(worker, request) {
            Ok(Some(leased)) => Answer::Leased(Box::new(leased)),
            Ok(None) => Answer::Nothing,
            Err(why) => Answer::Failed(why),
        }
    }

    fn next(&self, worker: &str, request: &LeaseRequest) -> Result<Option<Leased>, Reason> {
        let except = self.left_by(worker);
        let Some(units) = self.eligible(&request.machine_class, &except) else {
            return Ok(None);
        };
        // Permissions bind only the name in the subject.
        let own = request.thread.split('/').next() == Some(worker);
        let thread = match own {
            true => request.thread.clone(),
            false => format!("{worker}/{}", request.thread),
        };
        let claim = Claim {
            worker: &thread,
            token: &request.token,
            is_repeated: request.is_repeated,
            duration: Duration::from_millis(request.lease_ms),
            units,
        };
        let by = Starter {
            machine: worker,
            machine_class: &request.machine_class,
            judge: &request.judge,
        };
        while let Some(lease) = self.queue.claim(&claim)? {
            let settlement = match self.start(&by, &lease) {
                Started::Order(order) => {
                    return Ok(Some(Leased {
                        unit: lease.unit,
                        delivery: lease.delivery,
                        order: *order,
                        left: self.units(&units)?,
                    }));
                }
                Started::Closed | Started::Divided => Settlement::Finished,
                Started::Hopeless(reason) => {
                    tracing::error!(unit = lease.unit.id, "judging failed: {reason}");
                    Settlement::Parked(reason.into())
                }
                Started::Failed(why) => {
                    self.queue.give_back(&lease, NOT_STARTED)?;
                    return Err(why);
                }
            };
            self.end(&lease.unit.id, &lease.token, &settlement)?;
        }
        Ok(None)
    }

    fn start(&self, by: &Starter<'_>, lease: &Lease) -> Started {
        match lease.delivery > MAX_DELIVERIES {
            true => Started::Hopeless(delivered_too_often()),
            false => self.handler.start(by, lease),
        }
    }

    /// Extends a lease; returns whether it is held.
    pub(super) fn extend(&self, held: &Held, lease_ms: u64) -> Result<bool, Reason> {
        let duration = Duration::from_millis(lease_ms);
        Ok(self.queue.extend_held(&held.unit, &held.token, duration)?)
    }

    /// Ends a lease of a worker; returns whether it was held. A finished unit whose results did not arrive yet stays
    /// leased: it leaves the queue with them.
    pub(super) fn settle(
        &self,
        worker: &str,
        held: &Held,
        settlement: &Settlement,
    ) -> Result<bool, Reason> {
        let Held { unit, token } = held;
        if let Settlement::GivenBack(wait) | Settlement::Released(_, wait) = settlement
            && !wait.here.is_zero()
        {
            let key = (worker.to_owned(), unit.clone());
            unpoisoned(self.left.lock()).insert(key, Instant::now() + wait.here);
        }
        match settlement {
            Settlement::Finished if !self.handler.is_done(unit)? => {
                Ok(self.queue.leased(token)?.is_some())
            }
            settlement => self.end(unit, token, settlement),
        }
    }

    fn end(&self, unit: &str, token: &str, settlement: &Settlement) -> Result<bool, Reason> {
        let held = self.queue.settle_held(unit, token, settlement)?;
        if let (Settlement::Parked(reason), true) = (settlement, held) {
            self.handler.give_up(unit, reason)?;
        }
        Ok(held)
    }

    /// Answers a worker that waits, now or when there are units.
    pub(super) fn wait(&self, worker: &str, wait: Wait, reply: Subject) {
        let waiting = Waiting {
            worker: worker.to_owned(),
            machine_class: wait.machine_class,
            reply,
            since: Instant::now(),
        };
        if wait.at_once {
            let units = self.units_for(&waiting);
            self.announce(&waiting, units.unwrap_or_default());
            return;
        }
        let mut all = unpoisoned(self.waiting.lock());
        all.retain(|own| own.reply != waiting.reply);
        all.push(waiting);
        drop(all);
        self.wake();
    }

    /// Wakes waiting workers as units arrive, until the coordinator is over.
    pub(super) fn wake_on_arrivals(&self) {
        let (mut seen, mut most) = (0, IDLE);
        while !self.handler.is_over() {
            seen = self.queue.wait_arrival(seen, most);
            most = if self.wake() { WOKEN } else { IDLE };
        }
    }

    /// Wakes as many waiting workers as there are units for them, those that have waited longest first; returns
    /// whether it woke any.
    fn wake(&self) -> bool {
        let mut waiting = unpoisoned(self.waiting.lock());
        waiting.retain(|own| own.since.elapsed() < SILENCE);
        let ready = self.queue.ready(&Eligible::default(), 1);
        if waiting.is_empty() || !ready.is_ok_and(|ready| !ready.is_empty()) {
            return false;
        }
        // The units for a class of machines, and how many of its workers were woken.
        let mut classes: HashMap<String, (Option<Units>, usize)> = HashMap::new();
        let before = waiting.len();
        waiting.retain(|own| {
            let units_for = || self.units_for(own).unwrap_or_default();
            let (units, woken) = match self.left_by(&own.worker).is_empty() {
                true => {
                    let class = own.machine_class.clone();
                    classes.entry(class).or_insert_with(|| (units_for(), 0))
                }
                false => &mut (units_for(), 0),
            };
            let wakes = units.is_some_and(|units| *woken < units.count);
            if wakes {
                *woken += 1;
                self.announce(own, *units);
            }
            !wakes
        });
        waiting.len() < before
    }

    fn announce(&self, to: &Waiting, units: Option<Units>) {
        let coordinator = self.name.clone();
        send(&self.connection, &to.reply, &Ready { coordinator, units });
    }

    fn units_for(&self, waiting: &Waiting) -> Result<Option<Units>, Reason> {
        let except = self.left_by(&waiting.worker);
        match self.eligible(&waiting.machine_class, &except) {
            Some(units) => self.units(&units),
            None => Ok(None),
        }
    }

    fn units(&self, units: &Eligible<'_>) -> Result<Option<Units>, Reason> {
        let ready = self.queue.ready(units, MAX_COUNT)?;
        Ok(ready.first().map(|first| Units {
            priority: *first,
            count: ready.len(),
        }))
    }

    /// The units for workers of a class; `None`: there are none. If the coordinator has a class, its workers do all
    /// units.
    fn eligible<'e>(&self, machine_class: &'e str, except: &'e [String]) -> Option<Eligible<'e>> {
        let machine_class = match &self.machine_class {
            None => Some(machine_class),
            Some(own) if own == machine_class => None,
            Some(_) => return None,
        };
        Some(Eligible {
            machine_class,
            except,
        })
    }

    /// The units that this worker leaves to others now.
    fn left_by(&self, worker: &str) -> Vec<String> {
        let mut left = unpoisoned(self.left.lock());
        left.retain(|_, until| *until > Instant::now());
        let own = left.keys().filter(|(by, _)| by == worker);
        own.map(|(_, unit)| unit.clone()).collect()
    }

    fn note_version(&self, worker: &str, version: &str) {
        let key = (worker.to_owned(), version.to_owned());
        if version != VERSION && unpoisoned(self.others.lock()).insert(key) {
            tracing::warn!(
                worker,
                version,
                "a worker has another version of the judge than {VERSION}: results may differ"
            );
        }
    }
}

/// Sends an answer to a worker, which asks again if it is lost.
pub fn send(connection: &Connection, reply: &Subject, answer: &impl Serialize) {
    let client = connection.client();
    let sent = encode(answer).and_then(|answer| {
        let published = client.publish(reply.clone(), answer.into());
        Ok(connection.request("answer a worker", published)?)
    });
    if let Err(error) = sent {
        tracing::warn!("{error}");
    }
}
