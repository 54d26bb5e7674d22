//! Answers the workers that ask a server for work.

use super::protocol::{Answer, Ask, Object, are_inline, ask_subject, decode, encode, worker_of};
use super::{Connection, Site, objects};
use crate::worker::{Outcome, Work, start_attempt};
use async_nats::{Message, Subject};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// Listens to the workers. `parked` hears of units that a worker parked.
///
/// # Errors
///
/// When another server has this name, or the user may not listen there.
pub fn answer(site: &Arc<Site>, parked: Sender<()>) -> Result<(), String> {
    let connection = &site.connection;
    check_alone(connection, &site.name)?;
    let subject = ask_subject("*", &site.name);
    let subscribed =
        connection.request("listen to workers", connection.client().subscribe(subject));
    let mut messages = subscribed.map_err(|e| e.to_string())?;
    let (asks, asked) = channel();
    connection.runtime().spawn(async move {
        while let Some(message) = messages.next().await {
            if asks.send(message).is_err() {
                break;
            }
        }
    });
    let (puts, wanted) = channel();
    let failed = |e: std::io::Error| format!("failed to start a thread: {e}");
    // Work is started in the order of the requests: the last one of a unit has the last attempt.
    let own = site.clone();
    Builder::new()
        .name("coordinator".to_owned())
        .spawn(move || answer_all(&own, &asked, &puts, &parked))
        .map_err(failed)?;
    // Packages take their time.
    let own = site.clone();
    Builder::new()
        .name("objects".to_owned())
        .spawn(move || put_all(&own, &wanted))
        .map_err(failed)?;
    Ok(())
}

/// Two servers of one name would take each other's results.
fn check_alone(connection: &Connection, name: &str) -> Result<(), String> {
    let client = connection.client();
    let ask = encode(&Ask::Parked)?;
    let asked = connection.request("look for a server of the same name", async {
        let answer = client
            .request(ask_subject("server", name), ask.into())
            .await;
        Ok::<_, String>(answer.is_ok())
    });
    match asked {
        Ok(false) => Ok(()),
        Ok(true) => Err(format!(
            "a server with the name {name} is connected to {} already: its data was copied\n  help: stop it",
            connection.url()
        )),
        Err(error) => Err(error.to_string()),
    }
}

fn answer_all(
    site: &Site,
    asked: &Receiver<Message>,
    puts: &Sender<(Object, Subject)>,
    parked: &Sender<()>,
) {
    for message in asked {
        let Some(reply) = message.reply.clone() else {
            continue;
        };
        let answer = match decode(&message.payload) {
            Ok(Ask::Start { payload, judge }) => {
                start(site, worker_of(&message.subject), &payload, &judge)
            }
            Ok(Ask::Put(object)) => {
                // The other thread lives as long as this one.
                let _ = puts.send((object, reply));
                continue;
            }
            Ok(Ask::Parked) => {
                let _ = parked.send(());
                Answer::Ready
            }
            Err(error) => {
                tracing::warn!(worker = worker_of(&message.subject), "{error}");
                Answer::Failed(error)
            }
        };
        send(site, reply, &answer);
    }
}

fn start(site: &Site, worker: &str, payload: &str, judge: &str) -> Answer {
    match start_attempt(&site.store, payload, worker, judge) {
        Ok((Work::Judge(work), target)) => {
            let content = |blob: &str| site.blobs.get(blob).map(|c| BASE64_STANDARD.encode(c));
            let sources = are_inline(&work.files).then(|| {
                let files = work.files.iter();
                files.map(|file| content(&file.blob)).collect()
            });
            match sources.transpose() {
                Ok(sources) => Answer::Judge {
                    work,
                    sources,
                    target,
                },
                Err(error) => Answer::Hopeless(error.to_string()),
            }
        }
        Ok((Work::Verify(work), target)) => Answer::Verify { work, target },
        Err(Outcome::Hopeless(why)) => Answer::Hopeless(why),
        Err(Outcome::Failed(why) | Outcome::NotStarted(why, _)) => Answer::Failed(why),
        Err(Outcome::Done | Outcome::Interrupted) => Answer::Closed,
    }
}

fn put_all(site: &Site, wanted: &Receiver<(Object, Subject)>) {
    for (object, reply) in wanted {
        let put = objects::put(&site.connection, &object, &site.blobs, &site.packages);
        let answer = match put {
            Ok(()) => Answer::Ready,
            Err(why) => Answer::Failed(why),
        };
        send(site, reply, &answer);
    }
}

fn send(site: &Site, reply: Subject, answer: &Answer) {
    let client = site.connection.client();
    let sent = encode(answer).and_then(|answer| {
        let published = client.publish(reply, answer.into());
        let sent = site.connection.request("answer a worker", published);
        sent.map_err(|e| e.to_string())
    });
    if let Err(error) = sent {
        // The worker asks again.
        tracing::warn!("{error}");
    }
}
