//! Clients that keep connections and send nothing.

use super::{agent, get};
use crate::common::{Data, Server};
use judge_server::store::Role;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// A server with limits on open files whose connections may be idle for these seconds.
fn serve<'d>(data: &'d Data, limits: &str, idle: u32) -> Server<'d> {
    let server = data.command();
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{limits} && exec \"$0\" \"$@\" --idle {idle}"))
        .arg(server.get_program())
        .args(server.get_args());
    for (name, value) in server.get_envs() {
        command.env(name, value.expect("it is set"));
    }
    command.current_dir(server.get_current_dir().expect("a directory"));
    data.serve_by(command)
}

/// Connects, and sends the beginning of a request.
fn connect(server: &Server<'_>, sent: &str) -> TcpStream {
    let address = server.address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("it connects");
    stream.write_all(sent.as_bytes()).expect("it is sent");
    stream
}

/// Reads until the server closes the connection.
fn rest(mut stream: TcpStream) -> String {
    let limit = stream.set_read_timeout(Some(Duration::from_secs(60)));
    limit.expect("it is set");
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        Ok(_) => {}
        Err(e) if e.kind() == ErrorKind::ConnectionReset => {}
        Err(e) => panic!("the connection is still open: {e}"),
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn idle_connections_are_closed() {
    let data = Data::new(&[]);
    let server = serve(&data, "true", 1);
    let form = "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n\r\nname=";
    let all = [
        ("", ""),
        ("GET /healthz HTTP/1.1\r\nHost:", ""),
        ("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK"),
        (form, "400 Bad Request"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""),
    ];
    let all = all.map(|(sent, status)| (connect(&server, sent), sent, status));
    for (stream, sent, status) in all {
        let received = rest(stream);
        assert!(received.contains(status), "{sent:?}: {received}");
    }
}

/// The clients take all files that the server may have open, until their connections are closed.
#[test]
fn idle_clients_do_not_keep_others_out() {
    let data = Data::new(&[]);
    let server = serve(&data, "ulimit -Sn 150 && ulimit -Hn 200", 3);
    let limits = format!("/proc/{}/limits", server.pid());
    let limits = std::fs::read_to_string(limits).expect("it is read");
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files: Vec<&str> = files.expect("a limit").split_whitespace().collect();
    assert_eq!(files[3..5], ["200", "200"], "the soft limit is raised");
    let mut idle: Vec<TcpStream> = Vec::new();
    // On a busy machine the first ones may be closed before the last ones come.
    for _ in 0..50 {
        idle.clear();
        idle.extend((0..250).map(|_| connect(&server, "GET /")));
        sleep(Duration::from_millis(200));
        if data.log().contains("connections cannot be accepted") {
            break;
        }
    }
    let log = data.log();
    assert!(log.contains("connections cannot be accepted"), "{log}");
    let health = agent().get(format!("{}/healthz", server.address)).call();
    assert_eq!(health.expect("an answer").status(), 200);
    drop(idle);
}

#[test]
fn a_feed_stays_open_without_events() {
    let data = Data::new(&[]);
    data.contest();
    data.user_with_token("boss", Role::Admin, None);
    let server = serve(&data, "true", 1);
    let contests = get(&server.address, "/api/contests", "boss")
        .into_body()
        .read_to_string();
    let contests: serde_json::Value = serde_json::from_str(&contests.expect("text")).expect("JSON");
    let contest = contests[0]["id"].as_str().expect("an id");
    let mut stream = connect(
        &server,
        &format!(
            "GET /api/contests/{contest}/event-feed HTTP/1.1\r\nHost: x\r\n\
             Authorization: Bearer boss\r\n\r\n"
        ),
    );
    sleep(Duration::from_secs(4));
    stream.set_nonblocking(true).expect("it is set");
    let mut buffer = [0; 4096];
    let end = loop {
        match stream.read(&mut buffer) {
            Ok(0) => break None,
            Ok(_) => {}
            Err(e) => break Some(e.kind()),
        }
    };
    assert_eq!(end, Some(ErrorKind::WouldBlock), "the feed has ended");
}
