//! Where the server listens, and who is at the other end of a connection: its peer, or whom a proxy
//! names.

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Files of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tls {
    /// The certificate chain, PEM.
    pub cert: PathBuf,
    /// The key, PEM.
    pub key: PathBuf,
}

/// Where to listen.
#[derive(Clone, Debug)]
pub struct Listen {
    /// The address; port 0 takes a free one.
    pub address: SocketAddr,
    pub tls: Option<Tls>,
    /// A proxy passes the requests on, and says in `X-Forwarded-For` and `X-Forwarded-Proto` whose.
    pub behind_proxy: bool,
    /// After this long without the request that a connection is for, or the next piece of its body,
    /// the connection is closed.
    pub idle: Duration,
}

/// The client of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    pub address: IpAddr,
    /// It uses TLS, to this server or to the proxy.
    pub https: bool,
    /// A proxy passed the request on, whose headers are not trusted.
    unknown: bool,
}

impl Client {
    /// `headers` are trusted only behind a proxy: any client can write them.
    fn new(peer: IpAddr, headers: &HeaderMap, listen: &Listen) -> Self {
        let forwarded_for = headers.contains_key(FORWARDED_FOR);
        let named = last(headers, FORWARDED_FOR).and_then(|text| text.parse().ok());
        let https = last(headers, FORWARDED_PROTO) == Some("https");
        Client {
            address: named
                .filter(|_| listen.behind_proxy)
                .unwrap_or(peer)
                .to_canonical(),
            https: listen.tls.is_some() || listen.behind_proxy && https,
            unknown: forwarded_for && (!listen.behind_proxy || named.is_none()),
        }
    }

    /// A process of this machine.
    pub fn is_local(self) -> bool {
        self.address.is_loopback() && !self.unknown
    }
}

/// The part of an address that one client cannot choose: networks of IPv6 have 2^64 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

/// The last value of a list: the proxy adds it, the client may have written those before.
fn last(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let line = headers.get_all(name).iter().next_back()?;
    line.to_str().ok()?.rsplit(',').next().map(str::trim)
}

/// Adds [`Client`] to the request. Over TLS, cookies become `Secure`, and browsers come back over TLS.
pub async fn identify(listen: Listen, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let Some(ConnectInfo(peer)) = peer.copied() else {
        return next.run(request).await;
    };
    let client = Client::new(peer.ip(), request.headers(), &listen);
    request.extensions_mut().insert(client);
    let mut response = next.run(request).await;
    if client.https {
        secure(response.headers_mut());
    }
    response
}

fn secure(headers: &mut HeaderMap) {
    let cookies = headers
        .iter_mut()
        .filter(|(name, _)| *name == header::SET_COOKIE);
    for (_, cookie) in cookies {
        let plain = cookie.to_str().ok();
        let plain = plain.filter(|text| !text.contains("; Secure"));
        let secure = plain.map(|text| HeaderValue::from_str(&format!("{text}; Secure")));
        if let Some(Ok(secure)) = secure {
            *cookie = secure;
        }
    }
    headers
        .entry(header::STRICT_TRANSPORT_SECURITY)
        .or_insert(HeaderValue::from_static("max-age=31536000"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, lines: &[(HeaderName, &str)], behind_proxy: bool) -> Client {
        let listen = Listen {
            address: ([127, 0, 0, 1], 0).into(),
            tls: None,
            behind_proxy,
            idle: Duration::from_secs(1),
        };
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        Client::new(peer.parse().expect("an address"), &headers, &listen)
    }

    #[test]
    fn only_the_last_address_behind_a_proxy_is_trusted() {
        let lines = [
            (FORWARDED_FOR, "127.0.0.1"),
            (FORWARDED_FOR, "127.0.0.1, 10.1.2.3"),
            (FORWARDED_PROTO, "https"),
        ];
        let proxied = client("127.0.0.1", &lines, true);
        assert_eq!(proxied.address.to_string(), "10.1.2.3");
        assert!(proxied.https && !proxied.is_local());
        let not_asked = client("127.0.0.1", &lines, false);
        assert_eq!(not_asked.address.to_string(), "127.0.0.1");
        // A proxy that the server does not know about must not make everybody local.
        assert!(!not_asked.https && !not_asked.is_local());
        assert!(!client("127.0.0.1", &[(FORWARDED_FOR, "unknown")], true).is_local());
    }

    #[test]
    fn a_process_of_this_machine_is_local() {
        for behind_proxy in [false, true] {
            assert!(client("127.0.0.1", &[], behind_proxy).is_local());
            assert!(client("::ffff:127.0.0.1", &[], behind_proxy).is_local());
            assert!(!client("10.0.0.1", &[], behind_proxy).is_local());
        }
    }

    #[test]
    fn cookies_become_secure_once() {
        let mut headers = HeaderMap::new();
        for cookie in ["a=1; HttpOnly", "b=2; Secure"] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        secure(&mut headers);
        let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1; HttpOnly; Secure", "b=2; Secure"]);
    }
}
