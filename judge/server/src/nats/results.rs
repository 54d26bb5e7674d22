//! Takes results from their stream to their coordinator. A message is deleted when its results are
//! kept; one that comes again changes nothing, because a coordinator keeps the first result.

use super::Connection;
use super::protocol::{RESULTS, Results, decode, results_subject, worker_of};
use super::requests::Handler;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{Config, LastRawMessageErrorKind, StorageType, Stream};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Results of a coordinator that never came back are deleted after this time.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Messages that are kept together.
const BATCH: usize = 64;
/// How often the stream is read without a sign of new results.
const POLL: Duration = Duration::from_secs(1);

/// The stream, which is created if needed.
///
/// # Errors
///
/// When JetStream fails.
pub fn stream(connection: &Connection, replicas: usize) -> super::Result<Stream> {
    let config = Config {
        name: RESULTS.to_owned(),
        description: Some("judge: results on their way to the servers".to_owned()),
        subjects: vec![results_subject("*", ">")],
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
pub struct Reader<H> {
    connection: Arc<Connection>,
    handler: Arc<H>,
    stream: Stream,
    subject: String,
}

impl<H: Handler> Reader<H> {
    /// Reads those of the coordinator with this name.
    pub fn new(connection: &Arc<Connection>, name: &str, handler: &Arc<H>, stream: Stream) -> Self {
        Reader {
            connection: connection.clone(),
            handler: handler.clone(),
            stream,
            subject: results_subject("*", name),
        }
    }

    /// Takes results as they come, without end.
    ///
    /// # Errors
    ///
    /// When the first request to NATS fails.
    pub fn follow(self) -> Result<impl FnOnce() + Send + 'static, String> {
        let arrived = self.hear()?;
        Ok(move || {
            let runtime = self.connection.runtime();
            loop {
                if let Err(error) = self.take_all() {
                    tracing::error!("{error}; results wait");
                    std::thread::sleep(POLL);
                }
                if self.handler.is_over() {
                    return;
                }
                // New ones, or an attempt at the polling interval.
                let _ = runtime
                    .block_on(async { tokio::time::timeout(POLL, arrived.notified()).await });
            }
        })
    }

    /// Notifies of results: a subscription gets the messages that the stream keeps, too.
    fn hear(&self) -> Result<Arc<Notify>, String> {
        let connection = &self.connection;
        let subscribe = connection.client().subscribe(self.subject.clone());
        let messages = connection.request("listen to results", subscribe);
        let mut messages = messages.map_err(|e| e.to_string())?;
        let arrived = Arc::new(Notify::new());
        let notify = arrived.clone();
        connection.runtime().spawn(async move {
            while messages.next().await.is_some() {
                notify.notify_one();
            }
        });
        Ok(arrived)
    }

    /// Takes all results that are there.
    ///
    /// # Errors
    ///
    /// When NATS or the coordinator fails: then the rest stays in the stream.
    pub fn take_all(&self) -> Result<(), String> {
        loop {
            let batch = self.read()?;
            let Some(last) = batch.last() else {
                return Ok(());
            };
            self.handler
                .take(batch.iter().filter_map(decoded).collect())?;
            self.purge(last.sequence + 1)?;
        }
    }

    /// Deletes results before this sequence number.
    fn purge(&self, before: u64) -> Result<(), String> {
        let purge = self.stream.purge().filter(&self.subject).sequence(before);
        let purged = self
            .connection
            .request("delete results", async { purge.await });
        purged.map(drop).map_err(|e| e.to_string())
    }

    /// The oldest messages, in order.
    fn read(&self) -> Result<Vec<StreamMessage>, String> {
        let read = self.connection.request("read results", async {
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
}

/// The worker and its results; a malformed message is refused.
fn decoded(message: &StreamMessage) -> Option<(String, Results)> {
    let worker = worker_of(&message.subject);
    match decode(&message.payload) {
        Ok(results) => Some((worker.to_owned(), results)),
        Err(error) => {
            tracing::error!(worker, "results are refused: {error}");
            None
        }
    }
}
