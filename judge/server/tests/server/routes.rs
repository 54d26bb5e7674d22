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
GET /  303 303 303 303 303 303 303 303 303
GET /static/{name}  404 404 404 404 404 404 404 404 404
GET /account  401 200 200 200 200 200 200 200 200
POST /account/password  401 400 400 400 400 400 400 400 400
POST /account/sessions/end-others  401 400 400 400 400 400 400 400 400
POST /account/tokens  401 400 400 400 400 400 400 400 400
POST /account/tokens/remove  401 400 400 400 400 400 400 400 400
GET /contests  200 200 200 200 200 200 200 200 200
GET /contests/{contest}  404 200 200 200 200 200 200 200 200
GET /contests/{contest}/clarifications  404 200 200 200 200 200 200 200 200
POST /contests/{contest}/clarifications  401 400 400 400 400 400 400 400 400
GET /contests/{contest}/problems/{label}  404 200 200 200 200 200 200 200 200
POST /contests/{contest}/problems/{label}/submit  401 400 400 400 400 400 400 400 400
GET /contests/{contest}/print  404 404 404 404 404 404 404 404 404
POST /contests/{contest}/print  401 400 400 400 400 400 400 400 400
GET /contests/{contest}/results.tsv  404 409 409 409 409 409 409 409 409
GET /contests/{contest}/scoreboard  404 200 200 200 200 200 200 200 200
GET /contests/{contest}/scoreboard.csv  404 200 200 200 200 200 200 200 200
GET /contests/{contest}/scoreboard.zip  404 200 200 200 200 200 200 200 200
GET /contests/{contest}/standings.csv  404 409 409 409 409 409 409 409 409
GET /contests/{contest}/statistics  404 404 404 404 404 200 200 200 200
POST /highlight  401 200 200 200 200 200 200 200 200
GET /problems  200 200 200 200 200 200 200 200 200
GET /problems/{problem}  404 404 404 404 404 404 404 200 200
GET /problems/{problem}/attachments/{name}  404 200 200 200 200 200 200 200 200
GET /problems/{problem}/images/{language}/{name}  404 404 404 404 404 404 404 404 404
GET /problems/{problem}/statement/{language}  404 404 404 404 404 404 404 404 404
POST /problems/{problem}/submit  401 400 400 400 400 400 400 400 400
GET /sign-in  200 200 200 200 200 200 200 200 200
POST /sign-in  400 400 400 400 400 400 400 400 400
GET /sign-in/{secret}  200 200 200 200 200 200 200 200 200
POST /sign-in/{secret}  404 404 404 404 404 404 404 404 404
POST /sign-out  400 400 400 400 400 400 400 400 400
GET /submissions  401 200 200 200 200 200 200 200 200
GET /submissions/{id}  404 200 200 200 200 200 200 200 200
GET /submissions/{id}/live  404 200 200 200 200 200 200 200 200
GET /api  200 200 200 200 200 200 200 200 200
GET /api/  200 200 200 200 200 200 200 200 200
GET /api/contests  200 200 200 200 200 200 200 200 200
GET /api/contests/{contest}  404 200 200 200 200 200 200 200 200
PATCH /api/contests/{contest}  401 403 403 403 403 403 403 403 400
GET /api/contests/{contest}/access  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/account  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/state  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/scoreboard  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/event-feed  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/submissions  404 200 200 200 200 200 200 200 200
POST /api/contests/{contest}/submissions  401 400 400 400 400 400 400 400 400
GET /api/contests/{contest}/submissions/{id}  404 200 200 200 200 200 200 200 200
PUT /api/contests/{contest}/submissions/{id}  401 403 403 403 403 403 403 403 400
GET /api/contests/{contest}/submissions/{id}/files  404 200 403 403 403 200 200 200 200
GET /api/contests/{contest}/organizations/{id}/logo  404 404 404 404 404 404 404 404 404
GET /api/contests/{contest}/problems/{id}/statement  404 404 404 404 404 404 404 404 404
GET /api/contests/{contest}/problems/{id}/attachments/{name}  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/clarifications  404 200 200 200 200 200 200 200 200
POST /api/contests/{contest}/clarifications  401 400 400 400 400 400 400 400 400
GET /api/contests/{contest}/clarifications/{id}  404 200 404 404 404 200 200 200 200
PUT /api/contests/{contest}/clarifications/{id}  401 403 403 403 403 403 403 403 400
GET /api/contests/{contest}/commentary  404 200 200 200 200 200 200 200 200
POST /api/contests/{contest}/commentary  401 403 403 403 403 403 400 400 400
POST /api/printing/team  401 400 400 400 400 400 400 400 400
GET /api/contests/{contest}/{kind}  404 200 200 200 200 200 200 200 200
GET /api/contests/{contest}/{kind}/{id}  404 200 200 200 200 200 200 200 200
GET /api/openapi.json  200 200 200 200 200 200 200 200 200
GET /api/practice/languages  200 200 200 200 200 200 200 200 200
GET /api/practice/problems  200 200 200 200 200 200 200 200 200
GET /api/practice/problems/{problem}  404 404 404 404 404 404 404 200 200
GET /api/practice/problems/{problem}/statement  404 404 404 404 404 404 404 404 404
GET /api/practice/problems/{problem}/samples  404 404 404 404 404 404 404 200 200
GET /api/practice/submissions  401 200 200 200 200 200 200 200 200
POST /api/practice/submissions  401 400 400 400 400 400 400 400 400
GET /api/practice/submissions/{submission}  404 200 200 200 200 200 200 200 200
GET /api/practice/submissions/{submission}/events  404 200 200 200 200 200 200 200 200
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
        let path = filled(&address);
        rows += &format!("{method} {address} ");
        for role in ROLES {
            let (status, _) = fixture.send(role, method, &path, "{}").await;
            rows += &format!(" {}", status.as_u16());
        }
        rows += "\n";
    }
    assert!(rows == TABLE, "the table is:\n{rows}");
}
