//! Options of a connection: addresses, keys and certificates.

use async_nats::{ConnectOptions, ServerAddr};
use judge_core::error::Reason;
use judge_session::args::NatsAccess;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Timeout of a request: a server that has not answered within it does not answer.
pub const REQUEST: Duration = Duration::from_secs(5);
/// Bound on connecting to one server.
const CONNECT: Duration = Duration::from_secs(5);
/// Interval of the client's own pings: a connection that hangs is given up after three.
const PING: Duration = Duration::from_secs(5);
/// Maximum pause between two attempts to connect again.
const MAX_DELAY: Duration = Duration::from_secs(2);

/// Where NATS is, and who this is.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Addresses of the servers of one cluster, separated by commas: `nats://host:4222`, or
    /// `tls://host:4222` to refuse a server without TLS.
    pub url: String,
    /// Name of this process: answers come below `_INBOX_NAME`, which permissions can bind.
    pub name: Option<String>,
    /// File with a user's JWT and seed, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// File with the seed of a user's nkey.
    pub nkey: Option<PathBuf>,
    /// Certificates (PEM) of the authorities to trust instead of the system's. Requires TLS.
    pub ca: Option<PathBuf>,
    /// Certificate chain and key of this client (PEM). Requires TLS.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Options {
    /// The options for the process with this name.
    pub(crate) fn of(access: &NatsAccess, url: &str, name: &str) -> Self {
        Options {
            url: url.to_owned(),
            name: Some(name.to_owned()),
            credentials: access.creds.clone(),
            nkey: access.nkey.clone(),
            ca: access.ca.clone(),
            certificate: access.nats_cert.clone().zip(access.nats_key.clone()),
        }
    }
}

pub fn addresses(url: &str) -> Result<Vec<ServerAddr>, Reason> {
    url.split(',')
        .map(|one| {
            one.trim().parse().map_err(|e| {
                Reason::new(format!(
                    "malformed address: {e}\n  help: write nats://HOST:4222 or tls://HOST:4222"
                ))
            })
        })
        .collect()
}

/// The addresses without passwords, to print them.
pub fn without_secrets(url: &str) -> String {
    let one = |url: &str| {
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        match scheme {
            "" => host.to_owned(),
            scheme => format!("{scheme}://{host}"),
        }
    };
    let all: Vec<String> = url.split(',').map(|url| one(url.trim())).collect();
    all.join(",")
}

fn read_key(path: &Path) -> Result<String, Reason> {
    fs::read_to_string(path)
        .map_err(|e| Reason::new(format!("failed to read {}: {e}", path.display())))
}

/// The options of the client.
pub fn configure(options: &Options) -> Result<ConnectOptions, Reason> {
    let mut connect = ConnectOptions::new()
        .name("judge")
        .connection_timeout(CONNECT)
        .request_timeout(Some(REQUEST))
        .ping_interval(PING)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| {
            let doubled = Duration::from_millis(10) * 2_u32.pow(attempts.min(10) as u32);
            doubled.min(MAX_DELAY)
        });
    if let Some(name) = &options.name {
        connect = connect.custom_inbox_prefix(format!("_INBOX_{name}"));
    }
    if let Some(path) = &options.credentials {
        let invalid = |e| Reason::new(format!("{}: {e}", path.display()));
        connect = connect.credentials(&read_key(path)?).map_err(invalid)?;
    }
    if let Some(path) = &options.nkey {
        let text = read_key(path)?;
        let seed = text.lines().map(str::trim).find(|l| l.starts_with("SU"));
        let seed = seed.ok_or_else(|| {
            Reason::new(format!(
                "{}: no seed of a user\n  help: it is a line that begins with SU, as `nk -gen user` prints it",
                path.display()
            ))
        })?;
        connect = connect.nkey(seed.to_owned());
    }
    if let Some(path) = &options.ca {
        // Read at every connection: the certificates may be renewed.
        read_key(path)?;
        connect = connect
            .add_root_certificates(path.clone())
            .require_tls(true);
    }
    if let Some((chain, key)) = &options.certificate {
        read_key(chain)?;
        read_key(key)?;
        connect = connect
            .add_client_certificate(chain.clone(), key.clone())
            .require_tls(true);
    }
    Ok(connect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_printed_without_secrets() {
        let shown = without_secrets("nats://anna:pa@ss@a:4222, tls://b:4222,c");
        assert_eq!(shown, "nats://a:4222,tls://b:4222,c");
    }
}
