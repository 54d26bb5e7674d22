//! The command `judge submit`: sends a program to a server, and prints its verdicts as they come.

mod credentials;
mod follow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use serde_json::{Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::Agent;
use ureq::http::Response;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// Arguments of `judge submit`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Signs in with the token in JUDGE_TOKEN, with JUDGE_USER and JUDGE_PASSWORD, or with the server's entry \
in ~/.netrc.

`judge submit --open FILE` submits nothing: it puts the file for another site on the clipboard, and opens \
the problem's page.

Exit status: 0 accepted, 1 not accepted, 2 not submitted, 3 the judge failed.")]
pub struct SubmitArgs {
    /// The program: one file, or all files of it
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The problem's id, or its label in the contest [default: the first file's name]
    #[arg(short, long, value_name = "ID")]
    pub(crate) problem: Option<String>,
    /// Submit to this contest [default: practice]
    #[arg(short, long, value_name = "ID")]
    pub(crate) contest: Option<String>,
    /// The language's id [default: by the file's extension]
    #[arg(short, long, value_name = "ID")]
    pub(crate) language: Option<String>,
    /// Print the files instead of submitting them, if the server prints
    #[arg(short = 'P', long, conflicts_with_all = ["problem", "language", "entry_point"])]
    pub(crate) print: bool,
    /// The file or class to start
    #[arg(long, value_name = "NAME")]
    pub(crate) entry_point: Option<String>,
    /// Address of the server
    #[arg(long, value_name = "URL", env = "JUDGE_SERVER")]
    pub(crate) server: String,
    /// Trust the certificates in this PEM file instead of those of public authorities
    #[arg(long, value_name = "FILE", env = "SSL_CERT_FILE")]
    pub(crate) ca: Option<PathBuf>,
}

/// Maximum bytes of an answer that are read.
const MAX_ANSWER: u64 = 16 << 20;

/// Submits and waits; returns the exit status.
/// Fails with a message with a remedy, when nothing was submitted or the server does not answer.
pub fn submit(args: &SubmitArgs) -> Result<u8, String> {
    let server = Server::new(&args.server, args.ca.as_deref())?;
    if args.print {
        return print(&server, args);
    }
    let body = body(args)?;
    let sent = server.call("POST", "/api/practice/submissions", Some(&body))?;
    let submission: Value = read_json(sent)?;
    let id = submission["id"].as_str().unwrap_or_default().to_owned();
    println!(
        "{}  submission {id}",
        submission["problem"].as_str().unwrap_or_default()
    );
    println!("  {}", args.files[0].display());
    follow::follow(&server, &id)
}

/// Lets the server print the files, one after the other.
fn print(server: &Server, args: &SubmitArgs) -> Result<u8, String> {
    for path in &args.files {
        let (name, data) = read_file(path)?;
        let body = json!({ "original-name": name, "file-contents": data, "contest": args.contest });
        let answer: Value = read_json(server.call("POST", "/api/printing/team", Some(&body))?)?;
        println!("{}", answer["output"].as_str().unwrap_or_default());
    }
    Ok(0)
}

/// The name and the content, in base64, of a file.
fn read_file(path: &Path) -> Result<(String, String), String> {
    let content = std::fs::read(path)
        .map_err(|e| format!("{}: {e}\n  help: name the program's file", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), BASE64_STANDARD.encode(content)))
}

fn body(args: &SubmitArgs) -> Result<Value, String> {
    let mut files = Vec::new();
    for path in &args.files {
        let (name, data) = read_file(path)?;
        files.push(json!({ "name": name, "data": data }));
    }
    let stem = args.files[0]
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    Ok(json!({
        "problem": args.problem.clone().unwrap_or_else(|| stem.into_owned()),
        "contest": args.contest,
        "language": args.language,
        "entry_point": args.entry_point,
        "files": files,
    }))
}

/// A server and how to sign in to it.
struct Server {
    base: String,
    authorization: Option<String>,
    agent: Agent,
}

impl Server {
    fn new(url: &str, ca: Option<&Path>) -> Result<Self, String> {
        let base = url.trim_end_matches('/').to_owned();
        let Some(host) = host(&base) else {
            return Err(format!(
                "{url:?} is not the address of a server\n  help: it begins with http:// or https://"
            ));
        };
        // An HTTP server has no certificate.
        let ca = ca.filter(|_| base.starts_with("https"));
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let netrc = var("HOME").map(|home| Path::new(&home).join(".netrc"));
        let netrc = netrc.and_then(|path| std::fs::read_to_string(path).ok());
        // A server that hangs does not hang the command; the events come without end.
        let config = Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .tls_config(tls(ca)?)
            .http_status_as_error(false);
        Ok(Server {
            authorization: credentials::authorization(var, netrc.as_deref(), host),
            agent: config.build().into(),
            base,
        })
    }

    /// Sends a request; the response has a status of success.
    fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response<ureq::Body>, String> {
        let url = format!("{}{path}", self.base);
        let mut request = ureq::http::Request::builder().method(method).uri(&url);
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let failed = |e: String| {
            let help = match e.contains("certificate") {
                true => "name the file of the authority's certificate: --ca FILE",
                false => "look whether the server runs",
            };
            format!("{}: {e}\n  help: {help}", self.base)
        };
        let sent = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                let request = request
                    .body(body.to_string())
                    .map_err(|e| failed(e.to_string()))?;
                self.agent.run(request)
            }
            None => {
                let request = request.body(()).map_err(|e| failed(e.to_string()))?;
                self.agent.run(request)
            }
        };
        let response = sent.map_err(|e| failed(e.to_string()))?;
        let status = response.status().as_u16();
        if response.status().is_success() {
            return Ok(response);
        }
        let why = read_json(response).ok();
        let why = why.and_then(|error| error["message"].as_str().map(str::to_owned));
        let why = why.unwrap_or_else(|| format!("the server answered with status {status}"));
        Err(match (status, &self.authorization) {
            (401, Some(_)) => format!("{}: the name, password or token is wrong", self.base),
            (401, None) => format!(
                "{}: {why}\n  help: set JUDGE_TOKEN, or JUDGE_USER and JUDGE_PASSWORD, or add the server \
                 to ~/.netrc",
                self.base
            ),
            (404, _) => {
                format!("{why}\n  help: name it with --problem, and its contest with --contest")
            }
            _ => why,
        })
    }
}

/// The authorities that are trusted: the public ones, or those of a file.
fn tls(ca: Option<&Path>) -> Result<TlsConfig, String> {
    let Some(path) = ca else {
        return Ok(TlsConfig::default());
    };
    let failed = |e: String| {
        format!(
            "{}: {e}\n  help: name a PEM file: --ca FILE",
            path.display()
        )
    };
    let text = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(certificate) = item.map_err(|e| failed(e.to_string()))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(failed("has no certificate".to_owned()));
    }
    let roots = RootCerts::new_with_certs(&certificates);
    Ok(TlsConfig::builder().root_certs(roots).build())
}

fn read_json(response: Response<ureq::Body>) -> Result<Value, String> {
    let mut text = Vec::new();
    let read = response
        .into_body()
        .into_reader()
        .take(MAX_ANSWER)
        .read_to_end(&mut text);
    read.map_err(|e| format!("the answer of the server breaks off: {e}"))?;
    serde_json::from_slice(&text).map_err(|e| {
        format!(
            "the answer of the server is not that of a judge-server: {e}\n  help: check --server"
        )
    })
}

/// The host of an address, without port.
fn host(base: &str) -> Option<&str> {
    let rest = base
        .strip_prefix("http://")
        .or_else(|| base.strip_prefix("https://"))?;
    let authority = rest.split('/').next()?;
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        for (base, expected) in [
            ("http://a.org", Some("a.org")),
            ("https://a.org:8443/judge", Some("a.org")),
            ("http://[::1]:8080", Some("::1")),
            ("a.org", None),
            ("http://", None),
        ] {
            assert_eq!(host(base), expected, "{base}");
        }
    }
}
