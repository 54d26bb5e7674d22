//! Sends the reports of all attempts of this process to their coordinators: what comes within 50 ms
//! is one message per attempt, and is kept when the stream of results has it. Accepted cases of a batch
//! but the first, which shows how long they take, wait longer: nothing depends on them before the end.

use super::Connection;
use super::protocol::{Results, encode, results_subject};
use crate::secret;
use crate::store::Recorded;
use crate::worker::{Report, Target};
use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use judge::event::Event;
use judge::verdict::Verdict;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long reports may wait for others.
const FLUSH: Duration = Duration::from_millis(50);
/// Likewise for accepted cases of a batch.
const FLUSH_ACCEPTED: Duration = Duration::from_millis(500);
/// Bytes of the reports in a message; a server accepts 1 MiB by default.
const MOST_BYTES: usize = 400 << 10;
/// Reports that could not be sent for this long are dropped, and their unit fails.
const PATIENCE: Duration = Duration::from_secs(600);
/// Pause before sending again.
const PAUSE: Duration = Duration::from_millis(250);

/// Accepts reports from any thread. The thread that sends them ends with the last copy.
#[derive(Clone)]
pub struct Reporter(Sender<Item>);

/// The coordinator and the target that reports belong to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The name of the coordinator.
    pub coordinator: String,
    /// Its target.
    pub target: Target,
}

struct Item {
    key: Key,
    report: Option<Report>,
    /// Waits until the report and all before it are kept.
    kept: Option<Sender<Result<(), String>>>,
}

/// A message to send.
struct Message {
    key: Key,
    reports: Vec<Report>,
    bytes: usize,
}

impl Reporter {
    /// Starts the thread, which sends in the name of this worker.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(connection: Arc<Connection>, worker: &str) -> std::io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let process = format!("{worker}-{}", secret::password()?);
        let mut sending = Sending {
            connection,
            worker: worker.to_owned(),
            process,
            sent: 0,
            broken: HashSet::new(),
            begun: HashSet::new(),
        };
        Builder::new()
            .name("reporter".to_owned())
            .spawn(move || sending.run(&receiver))?;
        Ok(Reporter(sender))
    }

    /// Hands over a report, which is sent soon.
    pub fn send(&self, key: &Key, report: Report) {
        // The receiver lives as long as this sender.
        let _ = self.0.send(Item {
            key: key.clone(),
            report: Some(report),
            kept: None,
        });
    }

    /// Hands over a report, or none; waits until all reports are kept.
    ///
    /// # Errors
    ///
    /// When one of this key could not be sent.
    pub fn keep(&self, key: &Key, report: Option<Report>) -> Result<(), String> {
        let (kept, answer) = mpsc::channel();
        let _ = self.0.send(Item {
            key: key.clone(),
            report,
            kept: Some(kept),
        });
        let gone = |_| Err("the thread that sends results ended".to_owned());
        answer.recv().unwrap_or_else(gone)
    }
}

struct Sending {
    connection: Arc<Connection>,
    worker: String,
    /// Begins the ids of messages; no other process uses it.
    process: String,
    sent: u64,
    /// Attempts with a report that was dropped: later ones are dropped too, so that no verdict comes
    /// without its cases.
    broken: HashSet<Key>,
    /// Attempts that reported something, and have not ended.
    begun: HashSet<Key>,
}

impl Sending {
    fn run(&mut self, items: &Receiver<Item>) {
        while let Ok(first) = items.recv() {
            let mut urgent = first.kept.is_some();
            let mut until = Instant::now() + self.patience(&first);
            let mut batch = vec![first];
            while !urgent {
                match items.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(item) => {
                        urgent = item.kept.is_some();
                        until = until.min(Instant::now() + self.patience(&item));
                        batch.push(item);
                    }
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
                }
            }
            batch.extend(items.try_iter());
            self.send(batch);
        }
    }

    fn send(&mut self, batch: Vec<Item>) {
        let mut messages: Vec<Message> = Vec::new();
        let mut waiting = Vec::new();
        for item in batch {
            if let Some(report) = item.report.filter(|_| !self.broken.contains(&item.key)) {
                add(&mut messages, &item.key, report);
            }
            waiting.extend(item.kept.map(|kept| (item.key, kept)));
        }
        for message in messages {
            if self.broken.contains(&message.key) {
                continue;
            }
            if let Err(error) = self.deliver(&message) {
                tracing::error!("results are lost, and their unit is judged again: {error}");
                self.broken.insert(message.key);
            }
        }
        for (key, kept) in waiting {
            let result = match self.broken.remove(&key) {
                true => Err("failed to send results".to_owned()),
                false => Ok(()),
            };
            // The worker may be gone.
            let _ = kept.send(result);
        }
    }

    /// How long a report may wait for others.
    fn patience(&mut self, item: &Item) -> Duration {
        if item.kept.is_some() {
            self.begun.remove(&item.key);
            return Duration::ZERO;
        }
        let Some(Report::Event(event)) = &item.report else {
            return FLUSH;
        };
        match event.as_ref() {
            Event::CaseFinished(case) => {
                let is_first = self.begun.insert(item.key.clone());
                match case.verdict == Verdict::Accepted && !is_first {
                    true => FLUSH_ACCEPTED,
                    false => FLUSH,
                }
            }
            _ => FLUSH,
        }
    }

    /// Sends a message until it is kept.
    fn deliver(&mut self, message: &Message) -> Result<(), String> {
        self.sent += 1;
        // A repeated message is recognised by its id.
        let mut headers = HeaderMap::new();
        let id = format!("{}-{}", self.process, self.sent);
        headers.insert(NATS_MESSAGE_ID, id.as_str());
        let subject = results_subject(&self.worker, &message.key.coordinator);
        let payload = encode(&Results {
            target: message.key.target,
            reports: message.reports.clone(),
        })?;
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
                    return Err(error.to_string());
                }
                Err(error) => tracing::warn!("{error}; it is tried again"),
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Adds a report to the last message of its attempt, or to a new one if that is full.
fn add(messages: &mut Vec<Message>, key: &Key, report: Report) {
    let (report, bytes) = bounded(report);
    let last = messages.iter_mut().rev().find(|m| m.key == *key);
    match last.filter(|last| last.bytes + bytes <= MOST_BYTES) {
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
    if bytes <= MOST_BYTES {
        return (report, bytes);
    }
    match &mut report {
        Report::Result(Recorded::Case(case)) => case.diagnosis = None,
        Report::Event(event) => {
            if let Event::CaseFinished(case) = event.as_mut() {
                case.details = None;
            }
        }
        _ => {}
    }
    let bytes = size(&report);
    (report, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{StepReport, UploadId};

    #[test]
    fn messages_are_bounded_and_keep_the_order() {
        let key = |step| Key {
            coordinator: "c".to_owned(),
            target: Target::Step(UploadId(1), step),
        };
        let report = |k: usize| {
            Report::Step(StepReport {
                findings: vec![(k.to_string(), "x".repeat(MOST_BYTES / 2 - 100))],
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
