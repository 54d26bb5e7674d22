//! Clients that keep connections and send nothing.

use super::{agent, get};
use crate::common::{Data, Server, until};
use judge_server::store::Role;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// A server with limits on open files, and with these options.
fn serve<'d>(data: &'d Data, limits: &str, options: &str) -> Server<'d> {
    let server = data.command();
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{limits} && exec \"$0\" \"$@\" {options}"))
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
    let server = serve(&data, "true", "--idle 1");
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
    let server = serve(&data, "ulimit -Sn 150 && ulimit -Hn 200", "--idle 3");
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
    let server = serve(&data, "true", "--idle 1");
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

/// A feed asks for the rights of its listener again while there are always events, too.
#[test]
fn a_busy_event_feed_ends_with_the_rights_of_its_listener() {
    let data = Data::new(&[]);
    data.contest();
    data.user_with_token("eve", Role::Jury, None);
    data.user_with_token("boss", Role::Admin, None);
    let server = serve(&data, "true", "--idle 1");
    let feed =
        "GET /api/contests/c/event-feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer eve\r\n\r\n";
    let stream = connect(&server, feed);
    let listener = std::thread::spawn(|| rest(stream));
    let announce = |text: &str| {
        let request = agent().post(format!("{}/api/contests/c/clarifications", server.address));
        let request = request.header("Authorization", "Bearer boss");
        let request = request.content_type("application/json");
        let sent = request.send(serde_json::json!({ "text": text }).to_string());
        assert_eq!(sent.expect("an answer").status().as_u16(), 201);
    };
    announce("the first");
    let eve = data.store().user_named("eve").expect("read");
    let path = format!("/jury/users/{}/disabled", eve.expect("a user").id);
    let answer = server.admin().post(&path, &[("disabled", "yes")]);
    assert_eq!(answer.status, 303, "{}", answer.body);
    until("the feed ends", || {
        announce("another");
        listener.is_finished()
    });
    let received = listener.join().expect("it ends");
    assert!(received.contains("the first"), "{received}");
    assert!(received.ends_with("\r\n0\r\n\r\n"), "{received}");
}

/// Number of sockets that a process has open.
fn sockets(process: u32) -> usize {
    let files = std::fs::read_dir(format!("/proc/{process}/fd")).expect("it runs");
    let links = files.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
    links
        .filter(|to| to.to_string_lossy().starts_with("socket:"))
        .count()
}

/// The responses are larger than what the kernel keeps of them.
#[test]
fn connections_of_clients_that_read_nothing_are_closed() {
    let data = Data::new(&[]);
    let server = serve(&data, "true", "--idle 1");
    let before = sockets(server.pid());
    let page = agent().get(format!("{}/sign-in", server.address)).call();
    let page = page.expect("an answer").into_body().read_to_string();
    let page = page.expect("text");
    let mut parts = page.split('"');
    let style = parts.find(|part| part.starts_with("/static/") && part.ends_with(".css"));
    let style = style.expect("a style sheet");
    let request = format!("GET {style} HTTP/1.1\r\nHost: x\r\n\r\n");
    let silent = [(); 3].map(|()| {
        let mut stream = connect(&server, &request.repeat(2000));
        let mut start = [0; 12];
        stream.read_exact(&mut start).expect("a status");
        assert_eq!(&start, b"HTTP/1.1 200");
        stream
    });
    until("they are closed", || sockets(server.pid()) <= before);
    drop(silent);
}

#[test]
fn an_address_has_a_bounded_number_of_requests() {
    let data = Data::new(&[]);
    // Half of these files for an address.
    let server = serve(&data, "ulimit -n 200", "--behind-proxy");
    let live = |address: &str| {
        let sent = format!("GET /live HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {address}\r\n\r\n");
        let mut stream = connect(&server, &sent);
        let mut head = [0; 12];
        stream.read_exact(&mut head).expect("a status");
        (stream, String::from_utf8_lossy(&head).into_owned())
    };
    let mut open: Vec<TcpStream> = Vec::new();
    let refused = (0..200).find_map(|_| {
        let (stream, head) = live("192.0.2.1");
        let refused = (head != "HTTP/1.1 200").then_some(head);
        open.push(stream);
        refused
    });
    assert_eq!(
        (open.len(), refused.as_deref()),
        (101, Some("HTTP/1.1 429"))
    );
    assert_eq!(live("192.0.2.2").1, "HTTP/1.1 200", "another address");
    open.clear();
    until("they are closed", || live("192.0.2.1").1 == "HTTP/1.1 200");
}

/// The beginning of a body is in memory until its last piece arrives.
#[test]
fn an_address_sends_few_large_bodies_at_once() {
    let data = Data::new(&[]);
    data.contest();
    data.user_with_token("boss", Role::Admin, None);
    let server = serve(&data, "true", "--behind-proxy");
    let send = |length: usize| {
        let stream = connect(
            &server,
            &format!(
                "POST /api/contests/c/clarifications HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer boss\r\n\
                 X-Forwarded-For: 192.0.2.1\r\nContent-Length: {length}\r\n\r\n{{"
            ),
        );
        stream.set_nonblocking(true).expect("it is set");
        stream
    };
    let mut small: Vec<TcpStream> = (0..50).map(|_| send(1000)).collect();
    let mut large: Vec<TcpStream> = (0..33).map(|_| send(100_000)).collect();
    let answer = |stream: &mut TcpStream| {
        let mut head = [0; 12];
        let read = stream.read_exact(&mut head).ok();
        read.map(|()| String::from_utf8_lossy(&head).into_owned())
    };
    let mut refused = None;
    until("one is refused", || {
        refused = large.iter_mut().find_map(answer);
        refused.is_some()
    });
    assert_eq!(refused.as_deref(), Some("HTTP/1.1 429"));
    assert_eq!(small.iter_mut().find_map(answer), None, "small ones wait");
    // Those that are over do not count.
    large.clear();
    until("a large one is received", || {
        let mut stream = send(100_000);
        stream.set_nonblocking(false).expect("it is set");
        stream.write_all(&[b'x'; 99_999]).expect("it is sent");
        answer(&mut stream).as_deref() == Some("HTTP/1.1 400")
    });
}

/// The browser connects again, and its user's rights are asked again.
#[test]
fn streams_of_live_pages_end_after_a_time() {
    let data = Data::new(&[]);
    data.contest();
    let server = serve(&data, "true", "--idle 1");
    let stream = connect(&server, "GET /live HTTP/1.1\r\nHost: x\r\n\r\n");
    let received = rest(stream);
    assert!(received.contains("event: unread"), "{received}");
    assert!(
        received.ends_with("\r\n0\r\n\r\n"),
        "the stream ends: {received}"
    );
}
