//! A server's answers to workers, and what it does with their results: its store keeps them.

use super::objects::{self, Content};
use super::protocol::{Answer, Object, Start, inline};
use super::requests::Handler;
use super::{Connection, OwnUnits};
use crate::blobs::Blobs;
use crate::packages::Packages;
use crate::store::{Error, Starter, Store};
use crate::worker::{Fleet, JudgingAttempt, Outcome, Results, Target, Work, record, start_attempt};
use std::sync::Arc;

/// The state of a server on NATS.
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

impl Handler for Site {
    fn start(&self, worker: &str, start: &Start) -> Answer {
        let by = Starter {
            machine: worker,
            machine_class: &start.machine_class,
            judge: &start.judge,
        };
        match start_attempt(&self.store, &start.payload, &by) {
            Ok((Work::Judge(work), target)) => {
                match inline(work.files.iter(), |hash| self.blobs.get(hash)) {
                    Ok(sources) => Answer::Judge {
                        work,
                        sources,
                        target,
                    },
                    Err(error) => Answer::Hopeless(error.to_string()),
                }
            }
            Ok((Work::Verify(work), target)) => Answer::Verify { work, target },
            Ok((Work::Batch(_), _)) => Answer::Hopeless("a server has no batches".to_owned()),
            Err(Outcome::Hopeless(why)) => Answer::Hopeless(why),
            Err(Outcome::Failed(why) | Outcome::NotStarted(why, _)) => Answer::Failed(why),
            Err(Outcome::Done | Outcome::Interrupted) => Answer::Closed,
        }
    }

    fn put(&self, object: &Object) -> Result<(), String> {
        objects::put(&self.connection, object, |object| match object {
            Object::Source(hash) => {
                let content = self.blobs.get(hash).map_err(|e| e.to_string())?;
                Ok(Content::Bytes(content))
            }
            Object::Tree(hash) => {
                let failed = |e: std::io::Error| format!("failed to pack the package {hash}: {e}");
                let dir = self.packages.snapshot(hash).map_err(failed)?;
                objects::pack(&dir).map(Content::File).map_err(failed)
            }
        })
    }

    fn take(&self, all: Vec<(String, Results)>) -> Result<(), String> {
        let mut own = Vec::with_capacity(all.len());
        for (worker, results) in all {
            let is_accepted = match &results.target {
                Target::Judging(of) => self.check(&worker, of)?,
                Target::Step(..) | Target::Batch(_) => true,
            };
            own.extend(is_accepted.then_some((worker, results)));
        }
        record(&self.store, own)
    }
}

impl Site {
    /// Whether this worker started this attempt, which is the present one. The store compares the
    /// attempt again when it records the result.
    fn check(&self, worker: &str, of: &JudgingAttempt) -> Result<bool, Error> {
        let judging = match self.store.judging(of.judging) {
            Ok(judging) => judging,
            Err(Error::NotFound(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        let judging_id = of.judging.0;
        if judging.attempt != of.attempt {
            tracing::info!(worker, judging = judging_id, "late results are refused");
            return Ok(false);
        }
        let is_own = judging.machine.as_deref() == Some(worker)
            && judging.submission == of.submission
            && judging.version == of.version;
        if !is_own {
            let other = judging.machine.unwrap_or_default();
            tracing::error!(
                worker,
                judging = judging_id,
                "results are refused: {other:?} started this attempt"
            );
        }
        Ok(is_own)
    }
}
