//! The server as its operator sees it: processes, signals, files, the network.

mod backup;
mod kill;
mod metrics;
mod network;

use crate::common::Data;
use judge_server::secret;
use judge_server::store::{NewUser, Role, TeamId};
use ureq::{Agent, Body, http::Response};

/// Adds two numbers.
const RIGHT: &str = "print(sum(map(int, input().split())))\n";
/// Does not.
const WRONG: &str = "print('no')\n";

/// Adds a user whose token is its name.
fn user(data: &Data, name: &str, role: Role, team: Option<TeamId>) {
    let store = data.store();
    let user = store.put_user(&NewUser {
        ext: name.to_owned(),
        name: name.to_owned(),
        display_name: None,
        role,
        team,
        password_hash: None,
    });
    let added = store.add_token(&secret::hash(name), user.expect("added"), "test");
    added.expect("added");
}

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
