//! Writes the results of all workers in batches: one commit per 50 ms at most, and one at the end of
//! a judging.

use crate::store::{JudgingId, Recorded, Store};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long results may wait for others.
pub const FLUSH: Duration = Duration::from_millis(50);

/// Accepts results from any thread. The thread that writes them ends with the last copy.
#[derive(Clone)]
pub struct Recorder(Sender<Message>);

struct Message {
    judging: JudgingId,
    attempt: i64,
    /// `None`: nothing, but the earlier ones are to be written now.
    result: Option<Recorded>,
    /// Waits until it is on the disk.
    written: Option<Sender<Result<bool, String>>>,
}

impl Recorder {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(store: Arc<Store>) -> std::io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        Builder::new()
            .name("recorder".to_owned())
            .spawn(move || write_all(&store, &receiver))?;
        Ok(Recorder(sender))
    }

    /// Hands over a result, which is written soon.
    pub fn send(&self, judging: JudgingId, attempt: i64, result: Recorded) {
        // The receiver lives as long as this sender.
        let _ = self.0.send(Message {
            judging,
            attempt,
            result: Some(result),
            written: None,
        });
    }

    /// Writes a result and all before it; returns whether it was accepted.
    ///
    /// # Errors
    ///
    /// When this or an earlier result of the attempt could not be written.
    pub fn finish(
        &self,
        judging: JudgingId,
        attempt: i64,
        result: Recorded,
    ) -> Result<bool, String> {
        self.wait(judging, attempt, Some(result))
    }

    /// Writes all results that were handed over.
    ///
    /// # Errors
    ///
    /// When a result of the attempt could not be written.
    pub fn flush(&self, judging: JudgingId, attempt: i64) -> Result<(), String> {
        self.wait(judging, attempt, None).map(drop)
    }

    fn wait(
        &self,
        judging: JudgingId,
        attempt: i64,
        result: Option<Recorded>,
    ) -> Result<bool, String> {
        let (written, answer) = mpsc::channel();
        let _ = self.0.send(Message {
            judging,
            attempt,
            result,
            written: Some(written),
        });
        let gone = |_| Err("the thread that writes results ended".to_owned());
        answer.recv().unwrap_or_else(gone)
    }
}

fn write_all(store: &Store, messages: &Receiver<Message>) {
    // Attempts whose results could not be written: their verdict must not be written either.
    let mut broken: HashMap<(JudgingId, i64), String> = HashMap::new();
    while let Ok(first) = messages.recv() {
        let mut urgent = first.written.is_some();
        let mut batch = vec![first];
        let until = Instant::now() + FLUSH;
        while !urgent {
            let rest = until.saturating_duration_since(Instant::now());
            match messages.recv_timeout(rest) {
                Ok(message) => {
                    urgent = message.written.is_some();
                    batch.push(message);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        batch.extend(messages.try_iter());
        write(store, batch, &mut broken);
    }
}

fn write(store: &Store, batch: Vec<Message>, broken: &mut HashMap<(JudgingId, i64), String>) {
    let mut results = Vec::new();
    let mut waiting = Vec::new();
    for message in batch {
        let key = (message.judging, message.attempt);
        match (broken.get(&key), message.written) {
            (None, written) => {
                let place = message.result.map(|result| {
                    results.push((key.0, key.1, result));
                    results.len() - 1
                });
                waiting.push((key, place, written));
            }
            (Some(_), None) => {}
            (Some(why), Some(written)) => {
                let _ = written.send(Err(why.clone()));
                broken.remove(&key);
            }
        }
    }
    match store.record(&results) {
        Ok(accepted) => {
            for (_, place, written) in waiting {
                let accepted = place.is_none_or(|place| accepted[place]);
                // The worker may be gone.
                let _ = written.map(|written| written.send(Ok(accepted)));
            }
        }
        Err(error) => {
            let why = error.to_string();
            tracing::error!("failed to write results: {why}");
            for (key, _, written) in waiting {
                match written {
                    Some(written) => {
                        let _ = written.send(Err(why.clone()));
                        broken.remove(&key);
                    }
                    None => {
                        broken.insert(key, why.clone());
                    }
                }
            }
        }
    }
}
