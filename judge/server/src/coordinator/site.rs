//! A server's answers to workers, and what it does with their results: its store keeps them.

use super::CoordinatorState;
use crate::nats::{self, Content, Object, Order, Started, inline};
use crate::store::{Error, Starter};
use crate::units::{record, start_attempt};
use crate::work_protocol::{AttemptId, JudgingAttempt, Outcome, Results, Work};
use judge_core::error::Reason;

impl CoordinatorState {
    /// Starts an attempt, unless there is nothing to do.
    pub(super) fn start(&self, by: &Starter<'_>, unit: &str) -> Started {
        let (work, target) = match start_attempt(&self.data.store, unit, by) {
            Ok(started) => started,
            Err(Outcome::Hopeless(why)) => return Started::Hopeless(why),
            Err(Outcome::Failed(why) | Outcome::LeftToOthers(why)) => return Started::Failed(why),
            Err(Outcome::Done | Outcome::Interrupted) => return Started::Closed,
        };
        let files = match &work {
            Work::Judge(work) => work.files.as_slice(),
            Work::Verify(_) | Work::Batch(_) => &[],
        };
        match inline(files.iter(), |hash| self.data.blobs.get(hash)) {
            Ok(sources) => Started::Order(Box::new(Order {
                work,
                sources,
                target,
            })),
            Err(error) => Started::Hopeless(error.into()),
        }
    }

    /// Puts an object into the object store, unless it is there.
    pub(super) fn put(&self, object: &Object) -> Result<(), Reason> {
        nats::put_object(&self.batches.connection, object, |object| match object {
            Object::Source(hash) => {
                let content = self.data.blobs.get(hash)?;
                Ok(Content::Bytes(content))
            }
            Object::Tree(hash) => {
                let failed = |e: std::io::Error| {
                    Reason::new(format!("failed to pack the package {hash}: {e}"))
                };
                let dir = self.data.packages.snapshot(hash).map_err(failed)?;
                nats::pack(&dir).map(Content::File).map_err(failed)
            }
        })
    }

    /// Keeps results, each with its worker, which has to have started the attempt.
    pub(super) fn take(&self, all: Vec<(String, Results)>) -> Result<(), Reason> {
        let mut own = Vec::with_capacity(all.len());
        for (worker, results) in all {
            let is_accepted = match &results.target {
                AttemptId::Judging(of) => self.check(&worker, of)?,
                AttemptId::Step(..) | AttemptId::Batch(_) => true,
            };
            own.extend(is_accepted.then_some((worker, results)));
        }
        record(&self.data.store, own)
    }

    /// Whether this worker started this attempt, which is the present one. The store compares the
    /// attempt again when it records the result.
    fn check(&self, worker: &str, of: &JudgingAttempt) -> Result<bool, Error> {
        let judging = match self.data.store.judging(of.judging) {
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
