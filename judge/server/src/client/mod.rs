//! A client of a server: addresses, signing in, requests.

mod credentials;

use judge_core::error::{Failure, Usage};
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body};

/// Maximum bytes of an answer that are read.
const MAX_ANSWER: u64 = 16 << 20;

/// A server and how to sign in to it.
pub struct Client {
    /// The address, without a slash at the end.
    pub base: String,
    authorization: Option<String>,
    agent: Agent,
    /// The prefix of the variables with the credentials.
    variables: &'static str,
}

impl Client {
    /// For the server at `url`, whose credentials are in the variables `{variables}_TOKEN`, or `{variables}_USER` and
    /// `{variables}_PASSWORD`, or in `~/.netrc`.
    /// Fails when the address or the file of certificates is wrong.
    pub fn new(url: &str, ca: Option<&Path>, variables: &'static str) -> Result<Self, Failure> {
        let base = url.trim_end_matches('/').to_owned();
        let Some(host) = host(&base) else {
            return Err(
                Failure::usage(format!("{url:?} is not the address of a server"))
                    .help("it begins with http:// or https://"),
            );
        };
        // An HTTP server has no certificate.
        let ca = ca.filter(|_| base.starts_with("https"));
        let filled = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let var = |name: &str| filled(&format!("{variables}_{name}"));
        let netrc = filled("HOME").map(|home| Path::new(&home).join(".netrc"));
        let netrc = netrc.and_then(|path| std::fs::read_to_string(path).ok());
        // A server that hangs does not hang the command; the events come without end.
        let config = Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .tls_config(tls(ca)?)
            .http_status_as_error(false);
        Ok(Client {
            authorization: credentials::authorization(var, netrc.as_deref(), host),
            agent: config.build().into(),
            base,
            variables,
        })
    }

    /// The response to a request for `path`, which begins with a slash, or for a whole address.
    /// Fails when the server does not answer, or with a status that is no success.
    pub fn get(&self, path: &str) -> Result<Response<Body>, CallError> {
        self.call("GET", path, None)
    }

    /// Sends a JSON body, and returns the one of the answer.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        let answer = self.call("POST", path, Some(body))?;
        read_json(answer)
    }

    fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response<Body>, CallError> {
        let url = match path.starts_with('/') {
            true => format!("{}{path}", self.base),
            false => path.to_owned(),
        };
        let mut request = ureq::http::Request::builder().method(method).uri(&url);
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let failed = |e: String| {
            let help = match e.contains("certificate") {
                true => "name the file of the authority's certificate: --ca FILE",
                false => "look whether the server runs",
            };
            CallError::failed(format!("{}: {e}", self.base), Some(help))
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
        let (what, remedy) = match (status, &self.authorization) {
            (401, Some(_)) => {
                let what = format!("{}: the name, password or token is wrong", self.base);
                (what, None)
            }
            (401, None) => {
                let name = self.variables;
                let remedy = format!(
                    "set {name}_TOKEN, or {name}_USER and {name}_PASSWORD, or add the server to ~/.netrc"
                );
                (format!("{}: {why}", self.base), Some(remedy))
            }
            _ => (why, None),
        };
        let why = Usage { what, remedy };
        Err(CallError::Refused { status, why })
    }
}

/// Why a request has no result.
#[derive(Debug)]
pub enum CallError {
    /// The server's answer has this status, for this reason.
    Refused { status: u16, why: Usage },
    /// The server does not answer, or not as such a server does.
    Failed(Usage),
}

impl CallError {
    pub fn failed(what: String, remedy: Option<&str>) -> Self {
        let remedy = remedy.map(str::to_owned);
        CallError::Failed(Usage { what, remedy })
    }

    /// Whether the same request would be refused again, so that it is not sent again.
    pub fn is_lasting(&self) -> bool {
        matches!(self, CallError::Refused { status, .. } if *status < 500 && *status != 429)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (CallError::Refused { why, .. } | CallError::Failed(why)) = self;
        write!(f, "{why}")
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let (CallError::Refused { why, .. } | CallError::Failed(why)) = error;
        Failure::Usage(why)
    }
}

/// The line of a server without characters that would control the terminal.
pub fn plain(line: &str) -> String {
    line.chars()
        .filter(|c| !judge_package::words::is_hidden(*c) || *c == '\t')
        .collect()
}

/// The authorities that are trusted: the public ones, or those of a file.
fn tls(ca: Option<&Path>) -> Result<TlsConfig, Failure> {
    let Some(path) = ca else {
        return Ok(TlsConfig::default());
    };
    let failed = |e: String| {
        Failure::usage(format!("{}: {e}", path.display())).help("name a PEM file: --ca FILE")
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

fn read_json(response: Response<Body>) -> Result<Value, CallError> {
    let mut text = Vec::new();
    let read = response
        .into_body()
        .into_reader()
        .take(MAX_ANSWER)
        .read_to_end(&mut text);
    read.map_err(|e| CallError::failed(format!("the answer of the server breaks off: {e}"), None))?;
    serde_json::from_slice(&text).map_err(|e| {
        let what = format!("the answer of the server is not that of a judge-server: {e}");
        CallError::failed(what, Some("check --server"))
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
