//! The connection outlives the server at its other end.

use crate::common::NatsServer;
use async_nats::jetstream::stream::Config;
use judge_server::nats::{Connection, Session};
use std::time::Duration;

/// Waits until the connection is in this state.
fn wait_for(connection: &Connection, state: impl Fn(&Session) -> bool) {
    let mut session = connection.session();
    let reached = async {
        tokio::time::timeout(Duration::from_secs(60), session.wait_for(|s| state(s)))
            .await
            .map(drop)
    };
    connection.runtime().block_on(reached).expect("in time");
}

#[test]
fn it_is_made_again_when_the_server_returns() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let connection = server.connect();
    let jetstream = connection.jetstream();
    let stream = Config {
        name: "kept".to_owned(),
        ..Config::default()
    };
    let created = connection.request("create", jetstream.create_stream(stream));
    created.expect("an answer");
    let find = || connection.request("find it", jetstream.get_stream("kept"));
    server.kill();
    wait_for(&connection, |session| !session.connected);
    let error = find().map(drop).expect_err("the server is gone");
    let error = error.to_string();
    assert!(
        error.contains(&server.url()) && error.contains("not connected"),
        "{error}"
    );
    server.restart();
    wait_for(&connection, |session| {
        session.connected && session.number == 2
    });
    find().expect("the stream is in the same files");
}
