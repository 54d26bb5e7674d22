//! The stream of results.

use crate::common::start_nats;
use async_nats::jetstream::stream::{Config, Stream};
use judge_core::error::Reason;
use judge_server::nats::{
    Connection, RESULTS, delete_results, present_stream, results_stream, results_subject,
};
use std::time::Duration;

fn publish(connection: &Connection, coordinator: &str) -> Result<(), Reason> {
    let jetstream = connection.jetstream();
    let subject = results_subject("w1", coordinator);
    let sent = connection.request("publish", async {
        jetstream.publish(subject, "{}".into()).await?.await
    });
    sent?;
    Ok(())
}

/// The number of messages.
pub fn messages(connection: &Connection) -> u64 {
    let jetstream = connection.jetstream();
    let found = connection.request("find it", jetstream.get_stream(RESULTS));
    let stream: Stream = found.expect("it exists");
    stream.cached_info().state.messages
}

#[test]
fn a_server_updates_the_stream_of_an_earlier_version() {
    let Some(server) = start_nats() else { return };
    let connection = server.connect();
    let old = Config {
        name: RESULTS.to_owned(),
        subjects: vec![results_subject("*", "*")],
        max_age: Duration::from_secs(3600),
        max_messages: 1000,
        ..Config::default()
    };
    let jetstream = connection.jetstream();
    let created = connection.request("create", jetstream.create_stream(old));
    created.expect("it is created");
    publish(&connection, "server").expect("the old stream has it");
    results_stream(&connection, 1).expect("a command does not change it");
    publish(&connection, "jury.run").expect_err("no stream has it");

    present_stream(&connection, 1).expect("it is updated");
    publish(&connection, "jury.run").expect("the stream has it");
    let mut updated = present_stream(&connection, 1).expect("nothing is left to do");
    let info = connection.request("look", updated.info());
    let info = info.expect("an answer");
    assert_eq!(info.state.messages, 2, "the old message is kept");
    assert_eq!(info.config.max_messages, 1000, "what is not set here stays");
    assert!(info.config.max_age > Duration::from_secs(24 * 3600));
}

#[test]
fn results_of_one_coordinator_are_deleted() {
    let Some(server) = start_nats() else { return };
    let connection = server.connect();
    let stream = results_stream(&connection, 1).expect("it is created");
    for coordinator in ["jury.run", "jury.other", "jury", "jury.run"] {
        publish(&connection, coordinator).expect("it is kept");
    }
    delete_results(&connection, &stream, "jury.run").expect("they are deleted");
    assert_eq!(messages(&connection), 2);
}
