//! The queues of coordinators, as the workers of this process see them.

use super::offers::LostRequest;
use super::options::REQUEST;
use super::protocol::{Answer, Ask, Held, LeaseRequest};
use super::remote::{Leased, NoAnswer, Remote, Worker, other_answer};
use crate::queue::{self, Lease, Leases, QueueError, Settlement};
use judge_core::error::Reason;
use judge_core::parallel::unpoisoned;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a lease is settled again if there is no answer: then it ends by itself.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long the answer to an extension is waited for at least.
const MIN_WAIT: Duration = Duration::from_secs(1);
/// Pause between two attempts.
const RETRY: Duration = Duration::from_millis(50);

impl Worker {
    /// Asks a coordinator for a unit, or again for one that it may have leased with this token.
    fn lease_from(
        &self,
        coordinator: &str,
        repeated: Option<String>,
        thread: &str,
        duration: Duration,
    ) -> Result<Option<Lease>, Reason> {
        let is_repeated = repeated.is_some();
        let token = repeated.unwrap_or_else(|| self.new_token());
        let lost = |token| LostRequest {
            token,
            until: Instant::now() + duration,
        };
        let request = LeaseRequest {
            thread: thread.to_owned(),
            token: token.clone(),
            is_repeated,
            lease_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            machine_class: self.machine_class.clone(),
            judge: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let (why, is_lost) = match self.ask(coordinator, &Ask::Lease(request)) {
            Ok(Answer::Leased(leased)) => {
                self.offers.set(coordinator, leased.left);
                let own = Leased {
                    coordinator: coordinator.to_owned(),
                    order: Some(leased.order),
                };
                unpoisoned(self.leases.lock()).insert(token.clone(), own);
                return Ok(Some(Lease {
                    unit: leased.unit,
                    token,
                    delivery: leased.delivery,
                }));
            }
            Ok(Answer::Nothing) => {
                self.offers.set(coordinator, None);
                return Ok(None);
            }
            Err(NoAnswer::Gone) => {
                self.offers
                    .forget(coordinator, is_repeated.then(|| lost(token)));
                return Ok(None);
            }
            Ok(Answer::Failed(why)) => (why, is_repeated),
            Ok(Answer::Is(_)) => (other_answer(), false),
            // The next request gets the unit, if one was leased.
            Err(NoAnswer::Failed(why)) => (why, true),
        };
        self.offers
            .failed(coordinator, is_lost.then(|| lost(token)));
        Err(Reason::new(format!("{coordinator} leases no unit: {why}")))
    }

    /// The coordinator of a lease, and the lease for it.
    fn holder(&self, lease: &Lease) -> Option<(String, Held)> {
        let coordinator = unpoisoned(self.leases.lock())
            .get(&lease.token)
            .map(|own| own.coordinator.clone())?;
        let held = Held {
            unit: lease.unit.id.clone(),
            token: lease.token.clone(),
        };
        Some((coordinator, held))
    }

    /// Asks again while there is no answer and there is time. Not if a command is gone: its units are, too.
    fn persist(&self, coordinator: &str, ask: &Ask) -> Result<Answer, Reason> {
        let until = Instant::now() + PATIENCE;
        loop {
            let why = match self.ask(coordinator, ask) {
                Ok(answer) => return Ok(answer),
                Err(NoAnswer::Gone) if coordinator.contains('.') => return Ok(Answer::Is(false)),
                Err(why) => why,
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || judge_sandbox::interrupted() {
                return Err(why.into());
            }
            sleep(RETRY.min(left));
            self.connection.wait_connected(left);
        }
    }
}

/// Whether a lease was held, by the answer of a coordinator.
fn is_held(answer: Answer) -> queue::Result<bool> {
    match answer {
        Answer::Is(held) => Ok(held),
        Answer::Failed(why) => Err(QueueError(why)),
        Answer::Leased(_) | Answer::Nothing => Err(QueueError(other_answer())),
    }
}

/// A settlement that is repeated, because its answer was lost, returns that the lease is not held.
impl Leases for Remote {
    fn lease(&self, worker: &str, duration: Duration) -> queue::Result<Option<Lease>> {
        if self.0.offers.is_poll_due() {
            self.0.announce(true);
        }
        while let Some((coordinator, repeated)) = self.0.offers.take() {
            let leased = self.0.lease_from(&coordinator, repeated, worker, duration);
            if let Some(lease) = leased.map_err(QueueError)? {
                return Ok(Some(lease));
            }
        }
        Ok(None)
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> queue::Result<bool> {
        let Some((coordinator, held)) = self.0.holder(lease) else {
            return Ok(false);
        };
        let mut silent = unpoisoned(self.0.silent.lock());
        silent.retain(|_, until| *until > Instant::now());
        if silent.contains_key(&coordinator) {
            return Err(QueueError(NoAnswer::Gone.into()));
        }
        drop(silent);
        let lease_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let ask = Ask::Extend(held, lease_ms);
        // A coordinator that hangs must not delay the extension of other coordinators' leases.
        let most = (duration / 6).clamp(MIN_WAIT, REQUEST);
        let answer = self.0.ask_within(most, &coordinator, &ask);
        if matches!(answer, Err(NoAnswer::Failed(_))) {
            unpoisoned(self.0.silent.lock()).insert(coordinator, Instant::now() + most);
        }
        is_held(answer.map_err(|why| QueueError(why.into()))?)
    }

    fn settle(&self, lease: &Lease, settlement: &Settlement) -> queue::Result<bool> {
        let Some((coordinator, held)) = self.0.holder(lease) else {
            return Ok(false);
        };
        let ask = Ask::Settle(held, settlement.clone());
        let answer = match settlement {
            // The coordinator also learns it from the results.
            Settlement::Finished => self.0.ask(&coordinator, &ask).or_else(|why| {
                tracing::debug!("{}", Reason::from(why));
                Ok(Answer::Is(false))
            }),
            _ => self.0.persist(&coordinator, &ask),
        };
        unpoisoned(self.0.leases.lock()).remove(&lease.token);
        is_held(answer.map_err(QueueError)?)
    }

    fn wait(&self, most: Duration) {
        self.0.offers.wait(most, || self.0.announce(false));
    }

    fn wake(&self) {
        self.0.offers.wake();
    }
}
