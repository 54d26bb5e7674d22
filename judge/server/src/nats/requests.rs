//! Listens to workers: to their announcements, and to those that ask a coordinator for work.

use super::Connection;
use super::handler::Handler;
use super::protocol::{
    Answer, Ask, Needed, Object, Wait, ask_subject, decode, encode, presence_subject, wait_subject,
    worker_of,
};
use super::queue_server::{QueueServer, send};
use crate::threads;
use crate::work_protocol::{Fleet, Presence};
use async_nats::{Message, Subject};
use judge_core::error::Reason;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Answers the workers that wait and ask, in threads that end with the process.
pub fn serve<H: Handler>(server: QueueServer<H>, name: &str) -> Result<(), Reason> {
    let server = Arc::new(server);
    let (asks, asked) = channel();
    for subject in [wait_subject("*"), ask_subject("*", name)] {
        let asks = asks.clone();
        let listens = "listen to workers";
        server
            .connection
            .listen(listens, subject, move |message| asks.send(message).is_ok())?;
    }
    let (puts, wanted) = channel();
    // Work is started in the order of the requests: the last one of a unit has the last attempt.
    let own = server.clone();
    threads::start("coordinator", move || answer_all(&own, &asked, &puts))?;
    // Packages take their time.
    let own = server.clone();
    threads::start("objects", move || put_all(&own, &wanted))?;
    threads::start("waker", move || server.wake_on_arrivals())?;
    Ok(())
}

/// Records the announcements of workers.
pub fn hear_workers(connection: &Connection, fleet: &Arc<Fleet>) -> Result<(), Reason> {
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
pub fn check_alone(connection: &Connection, name: &str) -> Result<(), Reason> {
    let client = connection.client();
    let ask = encode(&Ask::Hello)?;
    let asked = connection.request("look for a server of the same name", async {
        let answer = client
            .request(ask_subject("server", name), ask.into())
            .await;
        Ok::<_, String>(answer.is_ok())
    });
    match asked? {
        false => Ok(()),
        true => Err(Reason::new(format!(
            "a server with the name {name} is connected to {} already: its data was copied\n  help: stop it",
            connection.url()
        ))),
    }
}

fn answer_all<H: Handler>(
    server: &QueueServer<H>,
    asked: &Receiver<Message>,
    puts: &Sender<(Object, Subject)>,
) {
    let mut session = *server.connection.session().borrow();
    for message in asked {
        if server.handler.is_over() {
            return;
        }
        server.renew(&mut session);
        let Some(reply) = message.reply.clone() else {
            continue;
        };
        let worker = worker_of(&message.subject);
        if *message.subject == *wait_subject(worker) {
            match decode::<Wait>(&message.payload) {
                Ok(wait) => server.wait(worker, wait, reply),
                // Of another version: so is the answer, and the worker's log says so.
                Err(error) => send(&server.connection, &reply, &Answer::Failed(error)),
            }
            continue;
        }
        let is = |found: Result<bool, Reason>| found.map_or_else(Answer::Failed, Answer::Is);
        let answer = match decode(&message.payload) {
            Ok(Ask::Lease(request)) => server.lease(worker, &request),
            Ok(Ask::Extend(held, lease_ms)) => is(server.extend(&held, lease_ms)),
            Ok(Ask::Settle(held, settlement)) => is(server.settle(worker, &held, &settlement)),
            Ok(Ask::Put(object)) => {
                // The other thread lives as long as this one.
                let _ = puts.send((object, reply));
                continue;
            }
            Ok(Ask::OthersHave(needed)) => {
                let Needed {
                    machine_class,
                    languages,
                } = needed;
                let fleet = server.handler.fleet();
                Answer::Is(fleet.others_have(worker, machine_class.as_deref(), &languages))
            }
            Ok(Ask::Hello) => Answer::Is(true),
            Err(error) => {
                tracing::warn!(worker, "{error}");
                Answer::Failed(error)
            }
        };
        send(&server.connection, &reply, &answer);
    }
}

fn put_all<H: Handler>(server: &QueueServer<H>, wanted: &Receiver<(Object, Subject)>) {
    for (object, reply) in wanted {
        let put = server.handler.put(&object);
        let answer = put.map_or_else(Answer::Failed, |()| Answer::Is(true));
        send(&server.connection, &reply, &answer);
    }
}
