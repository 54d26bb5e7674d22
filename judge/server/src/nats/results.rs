//! Takes results from their stream to their coordinator. A message is deleted when its results are
//! kept; one that comes again changes nothing, because a coordinator keeps the first result.

use super::Connection;
use super::connection::Session;
use super::handler::Handler;
use super::protocol::{RESULTS, decode, results_subject, worker_of};
use crate::work_protocol::Results;
use async_nats::jetstream::consumer::push;
use async_nats::jetstream::context::{
    CreateStreamError, CreateStreamErrorKind, DeleteStreamError, DeleteStreamErrorKind,
};
use async_nats::jetstream::stream::{Config, StorageType, Stream};
use async_nats::jetstream::{ErrorCode, Message};
use futures_util::{FutureExt, StreamExt};
use judge_core::error::Reason;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// Results of a coordinator that never came back are deleted after this time.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Messages that are kept together.
const BATCH: usize = 64;
/// Messages that are deleted together, unless nothing comes for a while.
const KEPT_MESSAGES: usize = 1024;
/// After this time without a message, the kept ones are deleted.
const QUIET: Duration = Duration::from_secs(1);
/// Pause before the stream is read again after a failure.
const PAUSE: Duration = Duration::from_secs(1);
/// Bound on creating the stream, in which a cluster that has just started chooses its leader.
const START: Duration = Duration::from_secs(30);
/// Pause before it is created again.
const RETRY: Duration = Duration::from_millis(250);
/// The stream of units of an earlier version.
const OLD_QUEUE: &str = "judge-queue";

fn config(replicas: usize) -> Config {
    Config {
        name: RESULTS.to_owned(),
        description: Some("judge: results on their way to the servers".to_owned()),
        subjects: vec![results_subject("*", ">")],
        storage: StorageType::File,
        num_replicas: replicas,
        max_age: KEPT,
        ..Config::default()
    }
}

/// The stream, which is created if needed. Waits while a cluster that has just started chooses its leader.
pub fn stream(connection: &Connection, replicas: usize) -> super::Result<Stream> {
    let jetstream = connection.jetstream();
    let mut is_reported = false;
    connection.first_request(START, "create the stream of results", async {
        loop {
            match jetstream.get_or_create_stream(config(replicas)).await {
                Err(error) if may_lack_leader(&error) => {
                    if !std::mem::replace(&mut is_reported, true) {
                        let why = "JetStream has no leader yet, or lacks servers for all copies";
                        tracing::warn!("NATS at {}: {why}; waiting", connection.url());
                    }
                    tokio::time::sleep(RETRY).await;
                }
                answer => return answer,
            }
        }
    })
}

/// Whether a cluster without a leader can be the reason: its servers say so, or do not answer.
fn may_lack_leader(error: &CreateStreamError) -> bool {
    let codes = [
        ErrorCode::CLUSTER_NOT_AVAILABLE,
        ErrorCode::CLUSTER_NO_PEERS,
    ];
    match error.kind() {
        CreateStreamErrorKind::JetStream(answer) => codes.contains(&answer.error_code()),
        CreateStreamErrorKind::TimedOut => true,
        _ => false,
    }
}

/// The stream, which is created if needed; one of an earlier version gets the present configuration. It
/// never has fewer replicas than before. The queue of an earlier version is deleted: its units are in the store.
pub fn present_stream(connection: &Connection, replicas: usize) -> super::Result<Stream> {
    let stream = stream(connection, replicas)?;
    let (old, new) = (&stream.cached_info().config, config(replicas));
    let updated = Config {
        description: new.description,
        subjects: new.subjects,
        num_replicas: new.num_replicas.max(old.num_replicas),
        max_age: new.max_age,
        ..old.clone()
    };
    if updated != *old {
        let update = connection.jetstream().update_stream(updated);
        connection.request("update the stream of results", update)?;
    }
    let delete = connection.jetstream().delete_stream(OLD_QUEUE);
    connection.request("delete the queue of an earlier version", async {
        match delete.await {
            Err(error) if is_missing(&error) => Ok(()),
            deleted => deleted.map(drop),
        }
    })?;
    Ok(stream)
}

fn is_missing(error: &DeleteStreamError) -> bool {
    matches!(error.kind(), DeleteStreamErrorKind::JetStream(answer)
        if answer.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// Deletes the results of the coordinator with this name, which will not be read.
pub fn delete(connection: &Connection, stream: &Stream, name: &str) -> super::Result<()> {
    let purge = stream.purge().filter(results_subject("*", name));
    let purged = connection.request("delete results", async { purge.await });
    purged.map(drop)
}

/// The results of one coordinator.
pub struct Reader<H> {
    connection: Arc<Connection>,
    handler: Arc<H>,
    stream: Stream,
    subject: String,
}

/// Reads results from the oldest one on, until the connection is lost.
struct Following<'r, H> {
    reader: &'r Reader<H>,
    messages: push::Ordered,
    session: watch::Receiver<Session>,
    /// Results of the beginning that were not read yet.
    waiting: usize,
    /// The messages that are kept and not deleted: the last one, and how many.
    kept: (u64, usize),
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

    /// Takes the results that are there.
    pub fn take_all(&self) -> Result<(), Reason> {
        // A subscription ends in the runtime.
        let _inside = self.connection.runtime().enter();
        let mut following = self.begin()?;
        while following.waiting > 0 && following.take()? > 0 {}
        following.delete()
    }

    /// Takes results as they come, until the coordinator is over.
    pub fn follow(&self) {
        // A subscription ends in the runtime.
        let _inside = self.connection.runtime().enter();
        while !self.handler.is_over() {
            if let Err(error) = self.begin().and_then(|mut following| following.take_on()) {
                tracing::error!("{error}; results wait");
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Begins to read. Results that are kept already are read again if their messages were not deleted;
    /// the coordinator refuses them.
    fn begin(&self) -> Result<Following<'_, H>, Reason> {
        let connection = &self.connection;
        let mut session = connection.session();
        session.mark_unchanged();
        let config = push::OrderedConfig {
            deliver_subject: connection.client().new_inbox(),
            filter_subject: self.subject.clone(),
            ..push::OrderedConfig::default()
        };
        let (messages, waiting) = connection.request("read results", async {
            let consumer = self.stream.create_consumer(config).await?;
            let waiting = consumer.cached_info().num_pending as usize;
            Ok::<_, async_nats::Error>((consumer.messages().await?, waiting))
        })?;
        Ok(Following {
            reader: self,
            messages,
            session,
            waiting,
            kept: (0, 0),
        })
    }
}

impl<H: Handler> Following<'_, H> {
    /// Takes results until the coordinator is over, or the connection is lost.
    fn take_on(&mut self) -> Result<(), Reason> {
        while !self.reader.handler.is_over() {
            self.take()?;
        }
        self.delete()
    }

    /// Waits briefly for results, and passes them to the handler, which keeps them. Returns the number of messages.
    fn take(&mut self) -> Result<usize, Reason> {
        let batch = self.next_messages()?;
        self.waiting = self.waiting.saturating_sub(batch.len());
        if let Some(last) = batch.last() {
            let last = last.info().map_err(Reason::new)?.stream_sequence;
            let results = batch.iter().filter_map(decoded).collect();
            self.reader.handler.take(results)?;
            self.kept = (last, self.kept.1 + batch.len());
        }
        if self.kept.1 >= KEPT_MESSAGES || batch.is_empty() {
            self.delete()?;
        }
        Ok(batch.len())
    }

    fn next_messages(&mut self) -> Result<Vec<Message>, Reason> {
        let connection = &self.reader.connection;
        let failed = |what: &dyn fmt::Display| {
            let what = format_args!("failed to read results: {what}").to_string();
            Reason::from(connection.error(what))
        };
        let (messages, session) = (&mut self.messages, &mut self.session);
        connection.runtime().block_on(async {
            let first = tokio::select! {
                first = timeout(QUIET, messages.next()) => first,
                _ = session.changed() => return Err(failed(&"the connection was lost")),
            };
            let mut next = match first {
                Ok(first) => Some(first),
                Err(_) => return Ok(Vec::new()),
            };
            let mut batch = Vec::new();
            while let Some(message) = next {
                let message = message.ok_or_else(|| failed(&"the subscription ended"))?;
                batch.push(message.map_err(|e| failed(&e))?);
                next = match batch.len() {
                    ..BATCH => messages.next().now_or_never(),
                    _ => None,
                };
            }
            Ok(batch)
        })
    }

    /// Deletes the messages of results that are kept.
    fn delete(&mut self) -> Result<(), Reason> {
        let (last, count) = std::mem::take(&mut self.kept);
        if count == 0 {
            return Ok(());
        }
        let Reader {
            connection,
            stream,
            subject,
            ..
        } = self.reader;
        let purge = stream.purge().filter(subject).sequence(last + 1);
        connection.request("delete results", async { purge.await })?;
        Ok(())
    }
}

/// The worker and its results; a malformed message is refused.
fn decoded(message: &Message) -> Option<(String, Results)> {
    let worker = worker_of(&message.subject);
    match decode(&message.payload) {
        Ok(results) => Some((worker.to_owned(), results)),
        Err(error) => {
            tracing::error!(worker, "results are refused: {error}");
            None
        }
    }
}
