//! Listens to workers: to their announcements, and to those that ask a coordinator for work.

use super::Connection;
use super::protocol::{
    Answer, Ask, Needed, Object, Start, ask_subject, decode, encode, presence_subject, worker_of,
};
use crate::threads;
use crate::worker::{Fleet, Presence, Results};
use async_nats::{Message, Subject};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The version of the judge in this process.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The answers of a coordinator to workers, and its handling of their results. Implemented by a server
/// with its store, and by a command with its table.
pub trait Handler: Send + Sync + 'static {
    /// Starts an attempt of `worker`, unless there is nothing to do.
    fn start(&self, worker: &str, start: &Start) -> Answer;

    /// A worker parked a unit of this coordinator.
    fn parked(&self);

    /// The workers that are known.
    fn fleet(&self) -> &Fleet;

    /// Puts an object into the object store, unless it is there.
    ///
    /// # Errors
    ///
    /// When there is no such object, or NATS fails.
    fn put(&self, object: &Object) -> Result<(), String>;

    /// Keeps results, each with its worker. Those of an earlier attempt and of another worker are
    /// refused.
    ///
    /// # Errors
    ///
    /// When they cannot be kept now.
    fn take(&self, results: Vec<(String, Results)>) -> Result<(), String>;

    /// Whether no more results are needed.
    fn is_over(&self) -> bool {
        false
    }
}

/// Listens to the workers that work for the coordinator of this name.
///
/// # Errors
///
/// When the user may not listen there.
pub fn answer<H: Handler>(
    connection: &Arc<Connection>,
    name: &str,
    handler: &Arc<H>,
) -> Result<(), String> {
    let (asks, asked) = channel();
    let subject = ask_subject("*", name);
    connection.listen("listen to workers", subject, move |message| {
        asks.send(message).is_ok()
    })?;
    let (puts, wanted) = channel();
    // Work is started in the order of the requests: the last one of a unit has the last attempt.
    let own = (connection.clone(), handler.clone());
    threads::start("coordinator", move || {
        answer_all(&own.0, own.1.as_ref(), &asked, &puts);
    })?;
    // Packages take their time.
    let own = (connection.clone(), handler.clone());
    threads::start("objects", move || put_all(&own.0, own.1.as_ref(), &wanted))?;
    Ok(())
}

/// Records the announcements of workers.
///
/// # Errors
///
/// When the user may not listen to them.
pub fn hear_workers(connection: &Connection, fleet: &Arc<Fleet>) -> Result<(), String> {
    let own = fleet.clone();
    let subject = presence_subject("*");
    connection.listen("listen to workers", subject, move |message| {
        let worker = worker_of(&message.subject);
        match decode::<Presence>(&message.payload) {
            // Only the subject is bound by permissions.
            Ok(presence) if presence.name == worker => own.heard(presence),
            Ok(_) => {}
            Err(error) => tracing::debug!(worker, "{error}"),
        }
        true
    })?;
    fleet.listens();
    Ok(())
}

/// Checks that no other server has this name: two would take each other's results.
///
/// # Errors
///
/// When there is one.
pub fn check_alone(connection: &Connection, name: &str) -> Result<(), String> {
    let client = connection.client();
    let ask = encode(&Ask::Parked)?;
    let asked = connection.request("look for a server of the same name", async {
        let answer = client
            .request(ask_subject("server", name), ask.into())
            .await;
        Ok::<_, String>(answer.is_ok())
    });
    match asked? {
        false => Ok(()),
        true => Err(format!(
            "a server with the name {name} is connected to {} already: its data was copied\n  help: stop it",
            connection.url()
        )),
    }
}

fn answer_all(
    connection: &Connection,
    handler: &impl Handler,
    asked: &Receiver<Message>,
    puts: &Sender<(Object, Subject)>,
) {
    // Workers of another version that were named.
    let mut others = HashSet::new();
    for message in asked {
        let Some(reply) = message.reply.clone() else {
            continue;
        };
        let answer = match decode(&message.payload) {
            Ok(Ask::Start(start)) => {
                let worker = worker_of(&message.subject);
                if start.judge != VERSION && others.insert((worker.to_owned(), start.judge.clone()))
                {
                    let version = start.judge.as_str();
                    tracing::warn!(
                        worker,
                        version,
                        "a worker has another version of the judge than {VERSION}: results may differ"
                    );
                }
                handler.start(worker, &start)
            }
            Ok(Ask::Put(object)) => {
                // The other thread lives as long as this one.
                let _ = puts.send((object, reply));
                continue;
            }
            Ok(Ask::Parked) => {
                handler.parked();
                Answer::Ready
            }
            Ok(Ask::OthersHave(needed)) => {
                let Needed {
                    machine_class,
                    languages,
                } = needed;
                let asker = worker_of(&message.subject);
                let class = machine_class.as_deref();
                match handler.fleet().others_have(asker, class, &languages) {
                    true => Answer::Ready,
                    false => Answer::Closed,
                }
            }
            Err(error) => {
                tracing::warn!(worker = worker_of(&message.subject), "{error}");
                Answer::Failed(error)
            }
        };
        send(connection, reply, &answer);
    }
}

fn put_all(connection: &Connection, handler: &impl Handler, wanted: &Receiver<(Object, Subject)>) {
    for (object, reply) in wanted {
        let answer = match handler.put(&object) {
            Ok(()) => Answer::Ready,
            Err(why) => Answer::Failed(why),
        };
        send(connection, reply, &answer);
    }
}

fn send(connection: &Connection, reply: Subject, answer: &Answer) {
    let client = connection.client();
    let sent = encode(answer).and_then(|answer| {
        let published = client.publish(reply, answer.into());
        Ok(connection.request("answer a worker", published)?)
    });
    if let Err(error) = sent {
        // The worker asks again.
        tracing::warn!("{error}");
    }
}
