//! Bounds on the connections and the requests of one address, so that one client cannot use up the open files or the memory.

use super::held::Held;
use super::seldom::Seldom;
use crate::http::client::{Client, network};
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_server::accept::Accept;
use judge_core::parallel::unpoisoned;
use rustix::net::sockopt::set_tcp_user_timeout;
use rustix::process::{Resource, getrlimit};
use std::collections::HashMap;
use std::future::{Ready, ready};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpStream;
use tower_http::add_extension::AddExtension;

/// Maximum number of connections of one address, and of its requests, which a school may share: 20 for each of 100 browsers.
/// Also at most half of the open files.
const MAX_CONNECTIONS: u64 = 2000;

/// Maximum number of requests of one address with a large body, or one of unknown size: what arrives of it stays in memory
/// until its last piece is here.
const MAX_LARGE: u64 = 32;

/// Maximum KiB of responses in memory that one address has not read: those of 100 browsers with the largest pages.
const MAX_UNREAD_KIB: u64 = 256 << 10;

/// Bytes above which a body is large.
const LARGE: u64 = 64 << 10;

/// Counts the connections, or the requests, that each address has open, up to a maximum. Clones count together.
#[derive(Clone)]
pub struct PerAddress(Arc<Counts>);

struct Counts {
    /// `None`: without a maximum.
    most: Option<u64>,
    /// The number of open connections or requests, by network.
    open: Mutex<HashMap<IpAddr, u64>>,
    log: Seldom,
}

/// A connection or a request, which counts until this is dropped.
pub struct Counted {
    counts: Arc<Counts>,
    network: IpAddr,
    weight: u64,
}

impl PerAddress {
    /// With the usual maximum.
    pub fn limited() -> Self {
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        PerAddress::with(Some(MAX_CONNECTIONS.min(files / 2)))
    }

    /// With the maximum of KiB of responses.
    pub fn of_responses() -> Self {
        PerAddress::with(Some(MAX_UNREAD_KIB))
    }

    fn with(most: Option<u64>) -> Self {
        PerAddress(Arc::new(Counts {
            most,
            open: Mutex::default(),
            log: Seldom::default(),
        }))
    }

    /// Counts a connection or a request of this address.
    /// Fails when the address has too many of them.
    fn count(&self, address: IpAddr) -> io::Result<Option<Counted>> {
        self.weigh(address, 1)
    }

    /// Counts something of this address by its weight.
    /// Fails when the address has too much with it, but never for the first thing.
    pub fn weigh(&self, address: IpAddr, weight: u64) -> io::Result<Option<Counted>> {
        let address = address.to_canonical();
        let Some(most) = self.0.most.filter(|_| !address.is_loopback()) else {
            return Ok(None);
        };
        let network = network(address);
        let mut open = unpoisoned(self.0.open.lock());
        let number = open.entry(network).or_default();
        if *number > 0 && *number + weight > most || most == 0 {
            if self.0.log.is_due() {
                tracing::warn!(
                    "{address} has {number} open connections or requests, or KiB of responses that it does not \
                     read; further ones are refused"
                );
            }
            return Err(io::Error::other(
                "the address has too many connections or requests",
            ));
        }
        *number += weight;
        Ok(Some(Counted {
            counts: self.0.clone(),
            network,
            weight,
        }))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = unpoisoned(self.counts.open.lock());
        if let Some(number) = open.get_mut(&self.network) {
            *number -= self.weight;
            if *number == 0 {
                open.remove(&self.network);
            }
        }
    }
}

/// Counts the requests of each address, and those with large bodies on their own. Clones count together.
#[derive(Clone)]
pub struct Requests {
    all: PerAddress,
    large: PerAddress,
}

impl Requests {
    pub fn limited() -> Self {
        Requests {
            all: PerAddress::limited(),
            large: PerAddress::with(Some(MAX_LARGE)),
        }
    }

    /// Counts a request of this address.
    /// Fails when the address has too many of them.
    fn count(&self, address: IpAddr, is_large: bool) -> io::Result<[Option<Counted>; 2]> {
        let large = match is_large {
            true => self.large.count(address)?,
            false => None,
        };
        Ok([self.all.count(address)?, large])
    }
}

/// Answers a request, unless its address has too many whose responses are not sent yet: over HTTP/2 a connection has many.
pub async fn bound(requests: Requests, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<Client>();
    let is_large = request
        .body()
        .size_hint()
        .upper()
        .is_none_or(|most| most > LARGE);
    match client.map(|client| requests.count(client.address, is_large)) {
        Some(Err(_)) => refused(),
        Some(Ok(counted)) => {
            let response = next.run(request).await;
            response.map(|body| Body::new(Held::new(body, counted)))
        }
        None => next.run(request).await,
    }
}

/// The answer to an address that has too much at once.
pub fn refused() -> Response {
    let text = "your address has too many requests that are not answered yet; close some pages\n";
    let later = [(header::RETRY_AFTER, "10")];
    (StatusCode::TOO_MANY_REQUESTS, later, text).into_response()
}

/// Accepts connections, except from addresses that have too many.
#[derive(Clone)]
pub struct Acceptor {
    per_address: PerAddress,
    /// A connection whose client receives nothing for this long is closed.
    idle: Duration,
}

impl Acceptor {
    /// Without connections. Behind a proxy, which knows the addresses of the clients, none is refused.
    pub fn new(behind_proxy: bool, idle: Duration) -> Self {
        let per_address = match behind_proxy {
            true => PerAddress::with(None),
            false => PerAddress::limited(),
        };
        Acceptor { per_address, idle }
    }

    fn counted(&self, stream: &TcpStream) -> io::Result<Option<Counted>> {
        let counted = self.per_address.count(stream.peer_addr()?.ip())?;
        let idle = u32::try_from(self.idle.as_millis()).unwrap_or(u32::MAX);
        set_tcp_user_timeout(stream, idle)?;
        Ok(counted)
    }
}

impl<S> Accept<TcpStream, S> for Acceptor {
    type Stream = TcpStream;
    /// The service lives as long as the connection.
    type Service = AddExtension<S, Arc<Option<Counted>>>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let counted = self.counted(&stream);
        ready(counted.map(|counted| (stream, AddExtension::new(service, Arc::new(counted)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_has_a_bounded_number_of_connections() {
        let all = PerAddress::with(Some(2));
        let school = ip("192.0.2.1");
        let first = all.count(school).expect("one");
        let _second = all.count(ip("::ffff:192.0.2.1")).expect("two");
        assert!(all.count(school).is_err(), "three");
        all.count(ip("192.0.2.2")).expect("another address");
        drop(first);
        all.count(school).expect("two again");
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let all = PerAddress::with(Some(1));
        let _first = all.count(ip("2001:db8:0:1::1")).expect("one");
        assert!(all.count(ip("2001:db8:0:1:2::2")).is_err());
        all.count(ip("2001:db8:0:2::1")).expect("another network");
    }

    #[test]
    fn programs_of_this_machine_and_a_proxy_are_not_limited() {
        let all = PerAddress::with(Some(0));
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            all.count(ip(address)).expect("this machine");
        }
        assert!(all.count(ip("192.0.2.1")).is_err());
        let proxied = PerAddress::with(None);
        proxied.count(ip("192.0.2.1")).expect("a proxy");
    }

    #[test]
    fn an_address_has_few_requests_with_large_bodies() {
        let all = Requests::limited();
        let school = ip("192.0.2.1");
        let large = || all.count(school, true);
        let held: Vec<_> = (0..MAX_LARGE).map(|_| large().expect("few")).collect();
        assert!(large().is_err());
        all.count(school, false).expect("a small one");
        all.count(ip("192.0.2.2"), true).expect("another address");
        drop(held);
        large().expect("few again");
    }

    #[test]
    fn responses_of_an_address_count_by_their_size() {
        let all = PerAddress::of_responses();
        let school = ip("192.0.2.1");
        let large = all.weigh(school, 2 * MAX_UNREAD_KIB).expect("the first");
        assert!(all.weigh(school, 1).is_err());
        all.weigh(ip("192.0.2.2"), 1).expect("another address");
        drop(large);
        let _half = all.weigh(school, MAX_UNREAD_KIB / 2).expect("a half");
        let _other = all.weigh(school, MAX_UNREAD_KIB / 2).expect("the other");
        assert!(all.weigh(school, 1).is_err());
    }

    #[test]
    fn closed_connections_leave_nothing() {
        let all = PerAddress::with(Some(1));
        drop(all.count(ip("192.0.2.1")));
        assert!(unpoisoned(all.0.open.lock()).is_empty());
    }
}
