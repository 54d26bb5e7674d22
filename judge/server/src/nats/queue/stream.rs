//! The stream of a queue: the last message of each unit, changed by compare-and-set.

use super::record::{Record, Value, token};
use async_nats::Client;
use async_nats::jetstream::consumer::{DeliverPolicy, push};
use async_nats::jetstream::context::{
    Context, CreateStreamError, CreateStreamErrorKind, GetStreamError, GetStreamErrorKind,
    PublishError, PublishErrorKind, RequestError, RequestErrorKind,
};
use async_nats::jetstream::message::{Message, PublishMessage};
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, LastRawMessageErrorKind, StorageType, Stream,
};
use async_nats::jetstream::{ErrorCode, response::Response};
use futures_util::future::join_all;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::time::Duration;
use tokio::time::sleep;

/// Pause before a stream is created again.
const RETRY: Duration = Duration::from_millis(250);

/// The stream, by its names.
#[derive(Clone)]
pub struct Units {
    jetstream: Context,
    client: Client,
    name: String,
    /// Prefix of the subjects of all units.
    subjects: String,
}

/// How a conditional change ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Put {
    /// The unit has this revision now.
    Stored(u64),
    /// It had another revision, and was not changed.
    Conflict,
}

/// A message of a unit.
pub struct Known {
    /// Its sequence number in the stream.
    pub revision: u64,
    /// The content of the message.
    pub value: Value,
    /// When the server got it, by its clock: milliseconds since 1970.
    pub at_ms: i64,
}

/// A unit to add.
pub struct Addition {
    /// The unit.
    pub record: Record,
    /// Revision of the message that it replaces; 0: none.
    pub replaced: u64,
    /// Name by which the server recognises this addition if it is sent again because the answer was lost: the
    /// unit may be finished by then.
    pub name: Option<String>,
}

/// Why a request to the stream failed.
pub type Failure = async_nats::Error;

/// Whether a cluster without a leader can be the reason: its servers say so, or do not answer.
fn may_lack_leader(error: &(dyn Error + 'static)) -> bool {
    let found = error.downcast_ref().map(GetStreamError::kind);
    let created = error.downcast_ref().map(CreateStreamError::kind);
    let answer = match (&found, &created) {
        (Some(GetStreamErrorKind::JetStream(answer)), _)
        | (_, Some(CreateStreamErrorKind::JetStream(answer))) => Some(answer),
        (_, Some(CreateStreamErrorKind::TimedOut)) => return true,
        _ => None,
    };
    let request = || error.source()?.downcast_ref::<RequestError>();
    match answer {
        Some(answer) => [
            ErrorCode::CLUSTER_NOT_AVAILABLE,
            ErrorCode::CLUSTER_NO_PEERS,
        ]
        .contains(&answer.error_code()),
        None => request().is_some_and(|e| e.kind() == RequestErrorKind::TimedOut),
    }
}

fn failure(message: impl fmt::Display) -> Failure {
    message.to_string().into()
}

impl Units {
    /// The stream of the queue with this prefix of names.
    pub fn new(jetstream: &Context, client: &Client, prefix: &str) -> Self {
        Units {
            jetstream: jetstream.clone(),
            client: client.clone(),
            name: format!("{prefix}-queue"),
            subjects: format!("{prefix}.queue."),
        }
    }

    /// Creates the stream, unless there is one. Waits while a cluster that has just started chooses
    /// its leader; `waits` is called once if it does.
    pub async fn create(&self, replicas: usize, waits: impl FnOnce()) -> Result<(), Failure> {
        let mut waits = Some(waits);
        loop {
            match self.create_now(replicas).await {
                Err(error) if may_lack_leader(error.as_ref()) => {
                    if let Some(waits) = waits.take() {
                        waits();
                    }
                    sleep(RETRY).await;
                }
                created => return created,
            }
        }
    }

    async fn create_now(&self, replicas: usize) -> Result<(), Failure> {
        let config = Config {
            name: self.name.clone(),
            description: Some("judge: units of work, one message each".to_owned()),
            subjects: vec![format!("{}*", self.subjects)],
            max_messages_per_subject: 1,
            // A stream that an administrator bounded refuses new units; it loses none.
            discard: DiscardPolicy::New,
            storage: StorageType::File,
            num_replicas: replicas,
            ..Config::default()
        };
        if !self.exists().await? {
            self.jetstream.create_stream(config).await?;
        }
        Ok(())
    }

    /// Whether there is such a stream.
    pub async fn exists(&self) -> Result<bool, Failure> {
        match self.jetstream.get_stream(&self.name).await {
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                GetStreamErrorKind::JetStream(e)
                    if e.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                {
                    Ok(false)
                }
                _ => Err(error.into()),
            },
        }
    }

    /// Whether there is such a stream, and a leader that answers.
    pub async fn is_ready(&self) -> Result<bool, Failure> {
        match self.exists().await {
            Err(error) if may_lack_leader(error.as_ref()) => Ok(false),
            answer => answer,
        }
    }

    /// The stream's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn subject(&self, id: &str) -> String {
        format!("{}{}", self.subjects, token(id))
    }

    /// Replaces the message of a unit if its revision is the expected one; 0: it has none.
    pub async fn put(&self, value: &Value, expected: u64) -> Result<Put, Failure> {
        self.put_as(None, value, expected).await
    }

    /// Like [`Units::put`]; a message of this name that was stored before is not stored again.
    async fn put_as(
        &self,
        name: Option<&str>,
        value: &Value,
        expected: u64,
    ) -> Result<Put, Failure> {
        let mut message = PublishMessage::build()
            .payload(serde_json::to_vec(value)?.into())
            .expected_last_subject_sequence(expected);
        if let Some(name) = name {
            message = message.message_id(name);
        }
        let published = async {
            let ack = self
                .jetstream
                .send_publish(self.subject(value.id()), message);
            ack.await?.await
        };
        let is_conflict = |e: &PublishError| e.kind() == PublishErrorKind::WrongLastSequence;
        match published.await {
            Ok(ack) => Ok(Put::Stored(ack.sequence)),
            Err(error) if is_conflict(&error) => Ok(Put::Conflict),
            Err(error) => Err(error.into()),
        }
    }

    /// The message of a unit, as the stream's leader has it.
    pub async fn last(&self, id: &str) -> Result<Option<Known>, Failure> {
        let stream = self.jetstream.get_stream_no_info(&self.name).await?;
        match stream
            .get_last_raw_message_by_subject(&self.subject(id))
            .await
        {
            Ok(message) => Ok(Some(Known {
                revision: message.sequence,
                value: serde_json::from_slice(&message.payload)?,
                at_ms: milliseconds(message.time.unix_timestamp_nanos()),
            })),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Adds a unit that the queue does not have; else returns what it has.
    pub async fn add(&self, addition: &Addition) -> Result<Known, Failure> {
        let value = Value::Unit(addition.record.clone());
        let mut expected = addition.replaced;
        loop {
            let put = self.put_as(addition.name.as_deref(), &value, expected);
            if let Put::Stored(revision) = put.await? {
                return Ok(Known {
                    revision,
                    value,
                    at_ms: crate::store::now_ms(),
                });
            }
            expected = match self.last(value.id()).await? {
                Some(Known {
                    revision,
                    value: Value::Finished { .. },
                    ..
                }) => revision,
                Some(known) => return Ok(known),
                None => 0,
            };
        }
    }

    /// Adds a unit that was not found when the messages up to `read` were read; else returns what the stream
    /// has. A unit with a later message changed meanwhile, and was not lost. Also returns whether it was lost.
    pub async fn restore(&self, record: &Record, read: u64) -> Result<(Known, bool), Failure> {
        let replaced = match self.last(&record.unit.id).await? {
            None => 0,
            Some(Known {
                revision,
                value: Value::Finished { .. },
                ..
            }) if revision <= read => revision,
            Some(known) => return Ok((known, false)),
        };
        let addition = Addition {
            record: record.clone(),
            replaced,
            name: None,
        };
        Ok((self.add(&addition).await?, true))
    }

    /// Deletes a message, if it is still there.
    pub async fn delete(&self, revision: u64) -> Result<(), Failure> {
        let subject = format!("STREAM.MSG.DELETE.{}", self.name);
        // Nothing in it is secret, so that it need not be overwritten.
        let request = serde_json::json!({"seq": revision, "no_erase": true});
        let _: Response<serde_json::Value> = self.jetstream.request(subject, &request).await?;
        Ok(())
    }

    /// The stream with its present state.
    pub async fn stream(&self) -> Result<Stream, Failure> {
        Ok(self.jetstream.get_stream(&self.name).await?)
    }

    /// The sequence number of the last message; 0 without any.
    pub async fn end(&self) -> Result<u64, Failure> {
        let stream = self.jetstream.get_stream_no_info(&self.name).await?;
        let all = format!("{}*", self.subjects);
        match stream.get_last_raw_message_by_subject(&all).await {
            Ok(message) => Ok(message.sequence),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Follows the stream from the last message of each unit on, in the order of sequence numbers.
    pub async fn follow(&self, stream: &Stream) -> Result<push::Ordered, Failure> {
        let consumer = stream
            .create_consumer(push::OrderedConfig {
                deliver_subject: self.client.new_inbox(),
                filter_subject: format!("{}*", self.subjects),
                deliver_policy: DeliverPolicy::LastPerSubject,
                ..push::OrderedConfig::default()
            })
            .await?;
        Ok(consumer.messages().await?)
    }
}

/// All results, or the first failure.
pub async fn all<T>(
    requests: impl Iterator<Item = impl Future<Output = Result<T, Failure>>>,
) -> Result<Vec<T>, Failure> {
    join_all(requests).await.into_iter().collect()
}

/// Reads a message of [`Units::follow`].
pub fn read(message: &Message) -> Result<Known, Failure> {
    let info = message.info()?;
    Ok(Known {
        revision: info.stream_sequence,
        value: serde_json::from_slice(&message.payload)
            .map_err(|e| failure(format_args!("{}: {e}", message.subject)))?,
        at_ms: milliseconds(info.published.unix_timestamp_nanos()),
    })
}

fn milliseconds(nanoseconds: i128) -> i64 {
    i64::try_from(nanoseconds / 1_000_000).unwrap_or(0)
}
