//! The server as its operator sees it: processes, signals, files, the network.

mod backup;
mod connections;
mod disk_full;
mod kill;
mod metrics;
mod network;
mod start;

use ureq::{Agent, Body, http::Response};

/// Adds two numbers.
const RIGHT: &str = "print(sum(map(int, input().split())))\n";
/// Does not.
const WRONG: &str = "print('no')\n";

/// For requests whose redirects and errors are answers.
fn agent() -> Agent {
    let config = Agent::config_builder()
        .max_redirects(0)
        .http_status_as_error(false)
        .build();
    config.into()
}

/// Reads an address as this user.
fn get(address: &str, path: &str, user: &str) -> Response<Body> {
    let request = agent().get(format!("{address}{path}"));
    let answer = request
        .header("Authorization", format!("Bearer {user}"))
        .call();
    answer.expect("an answer")
}
