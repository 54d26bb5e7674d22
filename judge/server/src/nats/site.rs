//! A server's answers to workers, and what it does with their results: its store keeps them.

use super::objects::{self, Content};
use super::protocol::{Answer, Object, Results, Start, inline};
use super::requests::Handler;
use super::{Connection, OwnUnits};
use crate::blobs::Blobs;
use crate::packages::Packages;
use crate::store::{Error, JudgingId, Recorded, Starter, Store, SubmissionId};
use crate::worker::{
    Fleet, JudgingAttempt, Outcome, Report, Target, Work, judged, start_attempt, verdict_of,
};
use judge::verdict::Verdict;
use std::sync::Arc;

/// More cases than a package may have.
const MOST_CASES: usize = 100_000;

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

/// Results that may be recorded.
type Entry = (JudgingId, i64, Recorded);

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

    fn take(&self, batch: Vec<(String, Results)>) -> Result<(), String> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut verdicts: Vec<(usize, SubmissionId, Verdict)> = Vec::new();
        for (worker, results) in batch {
            let worker = worker.as_str();
            match results.target {
                Target::Judging(of) => {
                    let accepted = self.check(worker, &of).map_err(|e| e.to_string())?;
                    for report in results.reports.into_iter().filter(|_| accepted) {
                        let result = match report {
                            Report::Result(result) if is_sound(&result) => result,
                            Report::TimeLimit(seconds) if seconds > 0.0 => {
                                let set = self.store.set_time_limit(of.version, seconds);
                                set.map_err(|e| e.to_string())?;
                                continue;
                            }
                            report => {
                                tracing::error!(worker, "a result is refused: {report:?}");
                                continue;
                            }
                        };
                        if let Some(verdict) = verdict_of(&result) {
                            verdicts.push((entries.len(), of.submission, verdict));
                        }
                        entries.push((of.judging, of.attempt, result));
                    }
                }
                Target::Batch(_) => tracing::error!(worker, "results of a command are refused"),
                Target::Step(upload, step) => {
                    for report in results.reports {
                        let Report::Step(report) = report else {
                            continue;
                        };
                        match self.store.upload(upload) {
                            Ok(found) if step < found.steps => {
                                let kept = self.store.record_step(upload, step, &report);
                                kept.map_err(|e| e.to_string())?;
                            }
                            Ok(_) | Err(Error::NotFound(_)) => {
                                tracing::error!(
                                    worker,
                                    "results of no step of an upload are refused"
                                );
                            }
                            Err(error) => return Err(error.to_string()),
                        }
                    }
                }
            }
        }
        let accepted = self.store.record(&entries).map_err(|e| e.to_string())?;
        for (place, submission, verdict) in verdicts {
            if accepted[place] {
                judged(submission, verdict);
            }
        }
        Ok(())
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

/// Whether the store can keep it: a worker of another make may send anything.
fn is_sound(result: &Recorded) -> bool {
    match result {
        Recorded::Compiled(_) => true,
        Recorded::Case(case) => {
            case.case < MOST_CASES && Verdict::from_code(&case.verdict).is_some()
        }
        Recorded::Finished(_) => verdict_of(result).is_some(),
    }
}
