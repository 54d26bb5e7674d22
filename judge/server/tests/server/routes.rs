//! Every page and endpoint outside of the jury's pages, as every role: a route without a row fails.

use crate::api_fixture::{Fixture, When};
use judge_server::store::Contest;
use judge_server::web::addresses;

/// No account; the team of submission 1, and another one; the roles of the contest; those of the server.
const ROLES: [&str; 9] = [
    "nobody",
    "a",
    "b",
    "spectator",
    "balloons",
    "analyst",
    "judge",
    "jury",
    "admin",
];

/// Streams that do not end: their rights are tested where they are followed.
const ENDLESS: [&str; 2] = ["/live", "/contests/{contest}/scoreboard/live"];

/// Method, address, and the status for each of [`ROLES`], in a running contest that is not public. What is posted is invalid, so that
/// those who may do it get 400.
const TABLE: &str = "
";

/// An address with values for its parts.
fn filled(address: &str) -> String {
    let value = |part: &str| {
        match part {
            "{contest}" => "c",
            "{label}" => "A",
            "{problem}" => "sum",
            "{kind}" => "teams",
            "{id}" if address.contains("{kind}") => "a",
            "{id}" if address.contains("organizations") => "o",
            "{id}" if address.contains("/problems/") => "sum",
            "{id}" | "{submission}" => "1",
            "{name}" => "tool.py",
            "{language}" => "en",
            "{secret}" => "x",
            part => part,
        }
        .to_owned()
    };
    let parts: Vec<String> = address.split('/').map(value).collect();
    let end = match address.ends_with("/event-feed") {
        true => "?stream=false",
        false => "",
    };
    parts.join("/") + end
}

#[tokio::test]
async fn every_route_is_open_to_the_roles_of_the_table() {
    let fixture = Fixture::new(When::Running);
    fixture.add_contest_roles();
    let store = &fixture.app.store;
    let contest = store.contest(fixture.contest).expect("a contest");
    let hidden = Contest {
        public: false,
        ..contest
    };
    store.put_contest(&hidden).expect("it is changed");
    let mut rows = String::from("\n");
    for (address, method) in addresses() {
        if ENDLESS.contains(&address.as_str()) {
            continue;
        }
        rows += &format!("{method} {address} ");
        for role in ROLES {
            let sent = fixture.send(role, method, &filled(&address), "{}");
            rows += &format!(" {}", sent.await.0.as_u16());
        }
        rows += "\n";
    }
    assert!(rows == TABLE, "the table is:\n{rows}");
}
