//! Receives problems from the browser: the extension Competitive Companion parses a judge's page
//! and sends the result as JSON in an HTTP POST to this machine.

use super::Draft;
use judge_core::error::Failure;
use serde::Deserialize;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The maximum size of a request's head in bytes.
const MAX_HEAD: u64 = 16 << 10;
/// The maximum size of a problem in bytes; samples are small.
const MAX_BODY: u64 = 4 << 20;
/// The timeout for receiving a request.
const PATIENCE: Duration = Duration::from_secs(5);
/// The timeout for the next problem of a contest; the extension opens a page for each.
const BATCH_PATIENCE: Duration = Duration::from_secs(60);

/// The fields of the extension's message that are used here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    name: String,
    url: String,
    #[serde(default)]
    interactive: bool,
    /// MiB.
    memory_limit: Option<f64>,
    /// Milliseconds.
    time_limit: Option<f64>,
    tests: Vec<Sample>,
    input: Option<Stream>,
    output: Option<Stream>,
    batch: Option<Batch>,
}

/// Where a program reads its input, or writes its output.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stream {
    #[serde(rename = "type")]
    kind: String,
    file_name: Option<String>,
}

impl Stream {
    /// The name of the file, unless it is a standard stream.
    fn file(self) -> Option<String> {
        let is_name = |name: &String| !name.is_empty() && !name.contains(['/', '\0']);
        self.file_name
            .filter(|name| self.kind == "file" && is_name(name))
    }
}

/// Problems sent together, each in its own request.
#[derive(Clone, PartialEq, Eq, Deserialize)]
struct Batch {
    id: String,
    size: usize,
}

#[derive(Deserialize)]
struct Sample {
    input: String,
    output: String,
}

/// A rejected request: HTTP status and reason.
struct Refusal(&'static str, String);

/// A received problem and the size of its batch.
#[derive(Debug)]
pub struct Problem {
    /// The data received.
    pub draft: Draft,
    /// The number of problems sent together: those of a contest, otherwise 1.
    pub batch: usize,
}

/// The result of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Received {
    /// The number of accepted problems.
    pub taken: usize,
    /// The number of problems that arrived.
    pub arrived: usize,
    /// The number of problems that the extension announced.
    pub announced: usize,
}

/// Listens on `port` of this machine until a problem, or all problems of a contest, arrived. Calls
/// `listening` with the port (an unused one if `port` is 0), `take` with each problem before
/// replying to the extension, and `refused` with the reason for each rejected request.
/// Fails when the port is in use, or a single problem is not accepted.
pub fn listen(
    port: u16,
    listening: &mut dyn FnMut(u16) -> Result<(), Failure>,
    take: &mut dyn FnMut(Problem) -> Result<(), Failure>,
    refused: &mut dyn FnMut(&str),
) -> Result<Received, Failure> {
    let in_use = |e: io::Error| {
        Failure::usage(format!("failed to listen on port {port}: {e}")).help(
            "end what listens there (an editor's plug-in?), or choose another with --listen=PORT \
             and set it in the extension",
        )
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(in_use)?;
    let port = listener.local_addr().map_err(in_use)?.port();
    listening(port)?;
    let mut batch: Option<Batch> = None;
    let (mut arrived, mut taken) = (0, 0);
    loop {
        let next = match &batch {
            Some(batch) if arrived >= batch.size => Ok(None),
            Some(_) => accept_within(&listener, BATCH_PATIENCE),
            None => listener.accept().map(|(stream, _)| Some(stream)),
        };
        let next = next.map_err(|e| Failure::internal(format!("failed to take a connection: {e}")));
        let Some(stream) = next? else {
            return Ok(Received {
                taken,
                arrived,
                announced: batch.map_or(0, |batch| batch.size),
            });
        };
        let sent = match receive(&stream, port) {
            Ok(sent) => sent,
            Err(Refusal(status, what)) => {
                answer(&stream, status, &what);
                refused(&what);
                continue;
            }
        };
        let own = sent.batch.clone().filter(|batch| batch.size > 1);
        if batch.is_none() && own.is_some() {
            batch.clone_from(&own);
        }
        if own.is_some() && own == batch {
            arrived += 1;
        }
        let size = own.as_ref().map_or(1, |batch| batch.size);
        let problem = Problem {
            draft: draft(sent),
            batch: size,
        };
        match take(problem) {
            Ok(()) => {
                answer(&stream, "200 OK", "");
                taken += 1;
            }
            Err(failure) => {
                answer(&stream, "409 Conflict", &failure.to_string());
                if batch.is_none() {
                    return Err(failure);
                }
                refused(&failure.to_string());
            }
        }
        if batch.is_none() {
            return Ok(Received {
                taken,
                arrived: 1,
                announced: 1,
            });
        }
    }
}

/// The next problem of a batch, if it arrives in time.
fn accept_within(listener: &TcpListener, patience: Duration) -> io::Result<Option<TcpStream>> {
    /// The time between two attempts.
    const PAUSE: Duration = Duration::from_millis(10);
    let until = Instant::now() + patience;
    listener.set_nonblocking(true)?;
    let stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break Some(stream),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) if e.kind() != io::ErrorKind::WouldBlock => return Err(e),
            Err(_) if Instant::now() > until => break None,
            Err(_) => std::thread::sleep(PAUSE),
        }
    };
    listener.set_nonblocking(false)?;
    // Some systems let the connection inherit it.
    stream
        .iter()
        .try_for_each(|stream| stream.set_nonblocking(false))?;
    Ok(stream)
}

fn receive(stream: &TcpStream, port: u16) -> Result<Sent, Refusal> {
    let broken = |e: io::Error| Refusal("400 Bad Request", format!("a broken request: {e}"));
    stream.set_read_timeout(Some(PATIENCE)).map_err(broken)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(broken)?;
    let mut reader = BufReader::new(stream);
    let length = head(&mut (&mut reader).take(MAX_HEAD), port)?;
    if length > MAX_BODY {
        let what = format!("a body of {length} bytes; at most {MAX_BODY} are taken");
        return Err(Refusal("413 Content Too Large", what));
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body).map_err(broken)?;
    serde_json::from_slice(&body).map_err(|e| {
        let what = format!("not a problem of the extension: {e}");
        Refusal("400 Bad Request", what)
    })
}

/// Reads the head of a request; returns the length of its body. Any web page can send requests to
/// this machine, so only requests of an extension or without an origin are accepted.
fn head(reader: &mut impl BufRead, port: u16) -> Result<u64, Refusal> {
    let bad = |what: &str| Refusal("400 Bad Request", what.to_owned());
    let mut line = || -> Result<String, Refusal> {
        let mut bytes = Vec::new();
        let read = reader.read_until(b'\n', &mut bytes);
        read.map_err(|e| bad(&format!("a broken request: {e}")))?;
        if bytes.last() != Some(&b'\n') {
            return Err(bad("an unterminated request head"));
        }
        Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
    };
    let request = line()?;
    let mut length = None;
    let mut is_here = false;
    loop {
        let header = line()?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok(),
            "host" => {
                let hosts = ["localhost", "127.0.0.1"].map(|host| format!("{host}:{port}"));
                is_here = hosts.iter().any(|host| host == value);
            }
            "origin" if !is_extension(value) => {
                let what = format!("a request of the page {value}, not of the extension");
                return Err(Refusal("403 Forbidden", what));
            }
            _ => {}
        }
    }
    if !is_here {
        return Err(Refusal(
            "403 Forbidden",
            "a request to another host".to_owned(),
        ));
    }
    if !request.starts_with("POST ") {
        let what = format!("expected a POST request, found {request:?}");
        return Err(Refusal("405 Method Not Allowed", what));
    }
    length.ok_or_else(|| {
        Refusal(
            "411 Length Required",
            "a body without its length".to_owned(),
        )
    })
}

fn is_extension(origin: &str) -> bool {
    let schemes = [
        "chrome-extension://",
        "moz-extension://",
        "safari-web-extension://",
    ];
    schemes.iter().any(|scheme| origin.starts_with(scheme))
}

/// Converts a message to a draft.
fn draft(sent: Sent) -> Draft {
    let limit = |value: Option<f64>, most: f64| value.filter(|v| *v > 0.0 && *v <= most);
    let text = |text: String| {
        let end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        format!("{text}{end}").into_bytes()
    };
    Draft {
        name: Some(sent.name).filter(|name| !name.trim().is_empty()),
        url: Some(sent.url).filter(|url| !url.is_empty()),
        time_limit_ms: limit(sent.time_limit, 1e7).map(|ms| ms.ceil() as u64),
        memory: limit(sent.memory_limit, 1e6).map(|mib| mib.ceil() as u64),
        samples: sent
            .tests
            .into_iter()
            .map(|sample| (text(sample.input), text(sample.output)))
            .collect(),
        input: sent.input.and_then(Stream::file),
        output: sent.output.and_then(Stream::file),
        is_interactive: sent.interactive,
    }
}

fn answer(mut stream: &TcpStream, status: &str, what: &str) {
    // Best effort: the extension may have closed the connection.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{what}",
        what.len()
    );
    // Closing a connection with unread data resets it, and the reply may be lost; therefore the
    // rest is read and discarded.
    let _ = stream.shutdown(Shutdown::Write);
    let _ = io::copy(&mut stream.take(MAX_HEAD + MAX_BODY), &mut io::sink());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_of_the_extension_are_accepted() {
        let status = |request: &str| match head(&mut request.as_bytes(), 10043) {
            Ok(length) => length.to_string(),
            Err(Refusal(status, _)) => status[..3].to_owned(),
        };
        let host = "Host: localhost:10043\r\n";
        for (request, expected) in [
            (
                format!("POST / HTTP/1.1\r\n{host}Content-Length: 7\r\n\r\n"),
                "7",
            ),
            (
                format!(
                    "POST / HTTP/1.1\r\n{host}origin: moz-extension://a\r\nContent-Length: 7\r\n\r\n"
                ),
                "7",
            ),
            (
                format!(
                    "POST / HTTP/1.1\r\n{host}Origin: https://evil.example\r\nContent-Length: 7\r\n\r\n"
                ),
                "403",
            ),
            (
                "POST / HTTP/1.1\r\nHost: evil.example:10043\r\nContent-Length: 7\r\n\r\n".into(),
                "403",
            ),
            (format!("GET / HTTP/1.1\r\n{host}\r\n"), "405"),
            (format!("POST / HTTP/1.1\r\n{host}\r\n"), "411"),
            (format!("POST / HTTP/1.1\r\n{host}"), "400"),
        ] {
            assert_eq!(status(&request), expected, "{request}");
        }
    }
}
