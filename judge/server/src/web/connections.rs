//! A bound on the connections of one address, so that one client cannot use up the open files.

use super::seldom::Seldom;
use crate::http::client::network;
use axum_server::accept::Accept;
use judge_core::parallel::unpoisoned;
use rustix::process::{Resource, getrlimit};
use std::collections::HashMap;
use std::future::{Ready, ready};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpStream;
use tower_http::add_extension::AddExtension;

/// Maximum number of connections of one address, which a school may share: 20 for each of 100 browsers.
/// Also at most half of the open files.
const MAX_CONNECTIONS: u64 = 2000;

/// Accepts connections, except from addresses that have too many. Clones count together.
#[derive(Clone)]
pub struct PerAddress(Arc<Counts>);

struct Counts {
    /// `None`: all connections come from a proxy, which knows the addresses of the clients.
    most: Option<u64>,
    /// Number of open connections by network.
    open: Mutex<HashMap<IpAddr, u64>>,
    log: Seldom,
}

/// A connection that counts until this is dropped.
pub struct Counted {
    counts: Arc<Counts>,
    network: IpAddr,
}

impl PerAddress {
    /// Without connections. Behind a proxy, none is refused.
    pub fn new(behind_proxy: bool) -> Self {
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = MAX_CONNECTIONS.min(files / 2);
        PerAddress::with((!behind_proxy).then_some(most))
    }

    fn with(most: Option<u64>) -> Self {
        PerAddress(Arc::new(Counts {
            most,
            open: Mutex::default(),
            log: Seldom::default(),
        }))
    }

    /// Counts a connection of this address.
    /// Fails when the address has too many.
    fn count(&self, address: IpAddr) -> io::Result<Option<Counted>> {
        let address = address.to_canonical();
        let Some(most) = self.0.most.filter(|_| !address.is_loopback()) else {
            return Ok(None);
        };
        let network = network(address);
        let mut open = unpoisoned(self.0.open.lock());
        let number = open.entry(network).or_default();
        if *number >= most {
            if self.0.log.is_due() {
                tracing::warn!("connections are refused: {address} has {most} already");
            }
            return Err(io::Error::other("the address has too many connections"));
        }
        *number += 1;
        Ok(Some(Counted {
            counts: self.0.clone(),
            network,
        }))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = unpoisoned(self.counts.open.lock());
        if let Some(number) = open.get_mut(&self.network) {
            *number -= 1;
            if *number == 0 {
                open.remove(&self.network);
            }
        }
    }
}

impl<S> Accept<TcpStream, S> for PerAddress {
    type Stream = TcpStream;
    /// The service lives as long as the connection.
    type Service = AddExtension<S, Arc<Option<Counted>>>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let counted = stream.peer_addr().and_then(|peer| self.count(peer.ip()));
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
    fn closed_connections_leave_nothing() {
        let all = PerAddress::with(Some(1));
        drop(all.count(ip("192.0.2.1")));
        assert!(unpoisoned(all.0.open.lock()).is_empty());
    }
}
