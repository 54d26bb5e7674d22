//! The client at the other end of a connection: its peer, or the one that a proxy names.

use axum::http::{HeaderMap, HeaderName};
use std::net::{IpAddr, Ipv6Addr};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

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
    pub fn new(peer: IpAddr, headers: &HeaderMap, tls: bool, behind_proxy: bool) -> Self {
        let forwarded_for = headers.contains_key(FORWARDED_FOR);
        let named = last(headers, FORWARDED_FOR).and_then(|text| text.parse().ok());
        let https = last(headers, FORWARDED_PROTO) == Some("https");
        Client {
            address: named
                .filter(|_| behind_proxy)
                .unwrap_or(peer)
                .to_canonical(),
            https: tls || behind_proxy && https,
            unknown: forwarded_for && (!behind_proxy || named.is_none()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn client(peer: &str, lines: &[(HeaderName, &str)], behind_proxy: bool) -> Client {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        Client::new(
            peer.parse().expect("an address"),
            &headers,
            false,
            behind_proxy,
        )
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
}
