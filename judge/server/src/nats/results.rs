//! Takes results from their stream into the store. A message is deleted when its results are
//! committed; one that comes again changes nothing, because the store keeps the first result.

use super::protocol::{RESULTS, Results, decode, results_subject, worker_of};
use super::{Connection, Site};
use crate::store::{Error, JudgingId, Recorded, SubmissionId};
use crate::worker::{JudgingAttempt, Report, Target, judged, verdict_of};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{Config, LastRawMessageErrorKind, StorageType, Stream};
use judge::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// Results of a coordinator that never came back are deleted after this time.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Messages that are committed together.
const BATCH: usize = 64;
/// More cases than a package may have.
const MOST_CASES: usize = 100_000;

/// The stream, which is created if needed.
///
/// # Errors
///
/// When JetStream fails.
pub fn stream(connection: &Connection, replicas: usize) -> super::Result<Stream> {
    let config = Config {
        name: RESULTS.to_owned(),
        description: Some("judge: results on their way to the servers".to_owned()),
        subjects: vec![results_subject("*", "*")],
        storage: StorageType::File,
        num_replicas: replicas,
        max_age: KEPT,
        ..Config::default()
    };
    let jetstream = connection.jetstream();
    connection.request(
        "create the stream of results",
        jetstream.get_or_create_stream(config),
    )
}

/// The results of one coordinator.
pub struct Reader {
    site: Arc<Site>,
    stream: Stream,
    subject: String,
}

/// Results that may be recorded, and the reports beside them.
type Entry = (JudgingId, i64, Recorded);

impl Reader {
    /// Reads those of this server.
    pub fn new(site: Arc<Site>, stream: Stream) -> Self {
        Reader {
            subject: results_subject("*", &site.name),
            site,
            stream,
        }
    }

    /// Takes all results that are there; returns whether there were any.
    ///
    /// # Errors
    ///
    /// When NATS or the store fails: then the rest stays in the stream.
    pub fn take_all(&self) -> Result<bool, String> {
        let mut any = false;
        loop {
            let batch = self.read()?;
            let Some(last) = batch.last() else {
                return Ok(any);
            };
            any = true;
            self.commit(&batch)?;
            let connection = &self.site.connection;
            let purge = self.stream.purge().filter(&self.subject);
            let purge = purge.sequence(last.sequence + 1);
            let purged = connection.request("delete results", async { purge.await });
            purged.map_err(|e| e.to_string())?;
        }
    }

    /// The oldest messages, in order.
    fn read(&self) -> Result<Vec<StreamMessage>, String> {
        let connection = &self.site.connection;
        let read = connection.request("read results", async {
            let mut batch: Vec<StreamMessage> = Vec::new();
            while batch.len() < BATCH {
                let next = batch.last().map_or(1, |last| last.sequence + 1);
                let request = self.stream.raw_message_builder().sequence(next);
                match request.next_by_subject(self.subject.clone()).send().await {
                    Ok(message) => batch.push(message),
                    Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => break,
                    Err(error) => return Err(error),
                }
            }
            Ok(batch)
        });
        read.map_err(|e| e.to_string())
    }

    fn commit(&self, batch: &[StreamMessage]) -> Result<(), String> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut verdicts: Vec<(usize, SubmissionId, Verdict)> = Vec::new();
        for message in batch {
            let worker = worker_of(&message.subject);
            let results: Results = match decode(&message.payload) {
                Ok(results) => results,
                Err(error) => {
                    tracing::error!(worker, "results are refused: {error}");
                    continue;
                }
            };
            match results.target {
                Target::Judging(of) => {
                    let accepted = self.check(worker, &of).map_err(|e| e.to_string())?;
                    for report in results.reports.into_iter().filter(|_| accepted) {
                        let result = match report {
                            Report::Result(result) if is_sound(&result) => result,
                            Report::TimeLimit(seconds) if seconds > 0.0 => {
                                let set = self.site.store.set_time_limit(of.version, seconds);
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
                Target::Step(upload, step) => {
                    for report in results.reports {
                        let Report::Step(report) = report else {
                            continue;
                        };
                        match self.site.store.upload(upload) {
                            Ok(found) if step < found.steps => {
                                let kept = self.site.store.record_step(upload, step, &report);
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
        let accepted = self
            .site
            .store
            .record(&entries)
            .map_err(|e| e.to_string())?;
        for (place, submission, verdict) in verdicts {
            if accepted[place] {
                judged(submission, verdict);
            }
        }
        Ok(())
    }

    /// Whether this worker started this attempt, which is the present one. The store compares the
    /// attempt again when it records the result.
    fn check(&self, worker: &str, of: &JudgingAttempt) -> Result<bool, Error> {
        let judging = match self.site.store.judging(of.judging) {
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
