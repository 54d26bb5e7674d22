//! Sends the reports of this process to their coordinators: a message for each attempt, until the
//! stream of results has it.

use super::Connection;
use super::protocol::{encode, results_subject};
use crate::secret;
use crate::store::Recorded;
use crate::work_protocol::{Broken, Outbox, Report, ReportKey, Results};
use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use judge_core::error::Reason;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum bytes of the reports in a message; a NATS server accepts 1 MiB by default.
const MAX_BYTES: usize = 400 << 10;
/// Reports that could not be sent for this long are dropped, and their unit fails.
const PATIENCE: Duration = Duration::from_secs(600);
/// Pause before sending again.
const PAUSE: Duration = Duration::from_millis(250);

/// Starts the thread that sends reports in the name of this worker.
pub fn start(connection: Arc<Connection>, worker: &str) -> Result<Outbox, Reason> {
    let random = secret::password()?;
    let mut reporter = Reporter {
        connection,
        worker: worker.to_owned(),
        process: format!("{worker}-{random}"),
        sent: 0,
    };
    Outbox::start("reporter", move |reports| reporter.deliver(reports))
}

struct Reporter {
    connection: Arc<Connection>,
    worker: String,
    /// Begins the ids of messages; no other process uses it.
    process: String,
    sent: u64,
}

/// A message to send.
struct Message {
    key: ReportKey,
    reports: Vec<Report>,
    bytes: usize,
}

impl Reporter {
    fn deliver(&mut self, reports: Vec<(ReportKey, Report)>) -> Broken {
        let mut messages = Vec::new();
        for (key, report) in reports {
            add(&mut messages, &key, report);
        }
        let mut broken = Broken::new();
        for Message { key, reports, .. } in messages {
            if broken.contains_key(&key) {
                continue;
            }
            if let Err(error) = self.send(&key, reports) {
                tracing::error!("results are lost, and their unit is judged again: {error}");
                broken.insert(key, Reason::new("failed to send results"));
            }
        }
        broken
    }

    /// Sends a message until it is kept.
    fn send(&mut self, key: &ReportKey, reports: Vec<Report>) -> Result<(), Reason> {
        self.sent += 1;
        // A repeated message is recognised by its id.
        let mut headers = HeaderMap::new();
        let id = format!("{}-{}", self.process, self.sent);
        headers.insert(NATS_MESSAGE_ID, id.as_str());
        let subject = results_subject(&self.worker, &key.coordinator);
        let target = key.target;
        let payload = encode(&Results { target, reports })?;
        let jetstream = self.connection.jetstream();
        let until = Instant::now() + PATIENCE;
        loop {
            let sent = self.connection.request("send results", async {
                let publish = jetstream.publish_with_headers(
                    subject.clone(),
                    headers.clone(),
                    payload.clone().into(),
                );
                publish.await?.await
            });
            match sent {
                Ok(_) => return Ok(()),
                Err(error) if Instant::now() > until || judge_sandbox::interrupted() => {
                    return Err(error.into());
                }
                Err(error) => tracing::warn!("{error}; it is tried again"),
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Adds a report to the last message of its attempt, or to a new one if that is full.
fn add(messages: &mut Vec<Message>, key: &ReportKey, report: Report) {
    let (report, bytes) = bounded(report);
    let last = messages.iter_mut().rev().find(|m| m.key == *key);
    match last.filter(|last| last.bytes + bytes <= MAX_BYTES) {
        Some(last) => {
            last.reports.push(report);
            last.bytes += bytes;
        }
        None => messages.push(Message {
            key: key.clone(),
            reports: vec![report],
            bytes,
        }),
    }
}

/// The report and its size; without diagnosis if it would be too large for a message.
fn bounded(mut report: Report) -> (Report, usize) {
    let size = |report: &Report| serde_json::to_vec(report).map_or(0, |json| json.len());
    let bytes = size(&report);
    if bytes <= MAX_BYTES {
        return (report, bytes);
    }
    match &mut report {
        Report::Result(Recorded::Case(case)) => case.diagnosis = None,
        Report::Case(_, case) => case.details = None,
        _ => {}
    }
    let bytes = size(&report);
    (report, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{StepReport, UploadId};
    use crate::work_protocol::AttemptId;

    #[test]
    fn messages_are_bounded_and_keep_the_order() {
        let key = |step| ReportKey {
            coordinator: "c".to_owned(),
            target: AttemptId::Step(UploadId(1), step),
        };
        let report = |k: usize| {
            Report::Step(StepReport {
                findings: vec![(k.to_string(), "x".repeat(MAX_BYTES / 2 - 100))],
                submission: None,
            })
        };
        let mut messages = Vec::new();
        for k in 0..3 {
            add(&mut messages, &key(0), report(k));
            add(&mut messages, &key(1), report(k));
        }
        let of = |step| -> Vec<usize> {
            let own = messages.iter().filter(|m| m.key == key(step));
            own.map(|m| m.reports.len()).collect()
        };
        assert_eq!((of(0), of(1)), (vec![2, 1], vec![2, 1]));
        assert_eq!(messages[0].reports, [report(0), report(1)]);
    }
}
