//! Older versions of the Contest API: every one is consistent in itself, and served under its own address.

use crate::api_fixture::{Fixture, ROLES, When};
use crate::in_process::eventually;
use axum::http::StatusCode;
use judge_server::contest_api::{ApiVersion, ObjectType};
use judge_server::store::now_ms;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const OLDER: [ApiVersion; 3] = [
    ApiVersion::V2020_03,
    ApiVersion::V2022_07,
    ApiVersion::V2023_06,
];

/// Types of the feed with collections.
const TYPES: [ObjectType; 13] = [
    ObjectType::JudgementTypes,
    ObjectType::Languages,
    ObjectType::Problems,
    ObjectType::Groups,
    ObjectType::Organizations,
    ObjectType::Teams,
    ObjectType::Persons,
    ObjectType::Submissions,
    ObjectType::Judgements,
    ObjectType::Runs,
    ObjectType::Clarifications,
    ObjectType::Awards,
    ObjectType::Commentary,
];

type Objects = BTreeMap<(String, String), Value>;

fn base(version: ApiVersion) -> String {
    format!("/api/{}/contests/c", version.word())
}

async fn get(fixture: &Fixture, role: &str, path: &str) -> (StatusCode, Value) {
    let (status, text) = fixture.send(role, "GET", path, "").await;
    (status, serde_json::from_str(&text).expect("JSON"))
}

async fn feed(fixture: &Fixture, version: ApiVersion, role: &str, options: &str) -> Vec<Value> {
    let path = format!("{}/event-feed?stream=false{options}", base(version));
    let (status, text) = fixture.send(role, "GET", &path, "").await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let lines = text.lines().filter(|line| !line.is_empty());
    let events = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    events.collect()
}

/// The parameter that continues after an event.
fn after(version: ApiVersion, event: &Value) -> String {
    let (name, token) = match version {
        ApiVersion::V2020_03 => ("since_id", &event["id"]),
        _ => ("since_token", &event["token"]),
    };
    format!("&{name}={}", token.as_str().expect("a token"))
}

/// The objects that a client knows after these events. In 2020-03 a client creates an object once.
fn replay(version: ApiVersion, events: &[Value]) -> Objects {
    let mut objects = Objects::new();
    for event in events {
        let kind = event["type"].as_str().expect("a type").to_owned();
        let singular = ["contest", "contests", "state"].contains(&kind.as_str());
        let id = match version {
            ApiVersion::V2020_03 => &event["data"]["id"],
            _ => &event["id"],
        };
        let id = id.as_str().filter(|_| !singular).unwrap_or_default();
        let key = (kind, id.to_owned());
        let is_deleted = event["data"].is_null() || event["op"] == "delete";
        let before = match is_deleted {
            true => objects.remove(&key),
            false => objects.insert(key, event["data"].clone()),
        };
        if version == ApiVersion::V2020_03 {
            assert_eq!(event["op"] == "create", before.is_none(), "{event}");
        }
    }
    objects
}

async fn collections(fixture: &Fixture, version: ApiVersion, role: &str) -> Objects {
    let mut objects = Objects::new();
    for kind in TYPES {
        let Some(name) = version.type_name(kind) else {
            continue;
        };
        let path = format!("{}/{name}", base(version));
        let (status, all) = get(fixture, role, &path).await;
        if status != StatusCode::OK {
            continue;
        }
        for object in all.as_array().expect("an array") {
            let id = object["id"].as_str().expect("an id").to_owned();
            objects.insert((name.to_owned(), id), object.clone());
        }
        if let Some(id) = all[0]["id"].as_str() {
            let (_, one) = get(fixture, role, &format!("{path}/{id}")).await;
            assert_eq!(one, all[0], "{version:?} {role}");
        }
    }
    let contest = version.type_name(ObjectType::Contest).expect("a name");
    for (kind, path) in [(contest, ""), ("state", "/state")] {
        let (_, object) = get(fixture, role, &format!("{}{path}", base(version))).await;
        objects.insert((kind.to_owned(), String::new()), object);
    }
    objects
}

async fn settled(fixture: &Fixture, roles: &[&str], what: &str) {
    for version in OLDER {
        for &role in roles {
            eventually(500, async || {
                let events = feed(fixture, version, role, "").await;
                let sent = replay(version, &events);
                let there = collections(fixture, version, role).await;
                let differs = || format!("{what} {version:?} {role}: {sent:#?} and {there:#?}");
                (sent != there).then(differs)
            })
            .await;
        }
    }
}

#[tokio::test]
async fn the_feed_of_every_version_equals_its_collections() {
    // The forms of objects differ between versions, not the rights of roles, which `api_feed` compares in every state.
    let few = ["a", "jury"];
    for (when, roles) in [
        (When::Before, &few[..]),
        (When::Frozen, &ROLES),
        (When::Thawed, &few),
    ] {
        settled(&Fixture::new(when), roles, &format!("{when:?}")).await;
    }
}

#[tokio::test]
async fn what_a_rejudging_replaces_is_deleted() {
    let fixture = Fixture::new(When::Ended);
    let store = &fixture.app.store;
    let (submission, judging) = fixture.submit("b", now_ms() - 2 * 3_600_000, "WA");
    let (rejudging, judgings) = store
        .add_rejudging("test", None, &[submission])
        .expect("it is added");
    fixture.judge(judgings[0], "AC");
    store.apply_rejudging(rejudging).expect("it is applied");
    settled(&fixture, &["jury"], "applied").await;
    for version in OLDER {
        let path = format!("{}/judgements/{judging}", base(version));
        assert_eq!(get(&fixture, "jury", &path).await.0, StatusCode::NOT_FOUND);
        let path = format!("{}/judgements/{}", base(version), judgings[0]);
        assert_eq!(
            get(&fixture, "jury", &path).await.1["judgement_type_id"],
            "AC"
        );
    }
    let (_, newest) = fixture.get("jury", &format!("/judgements/{judging}")).await;
    assert!(newest.contains("\"current\":false"), "{newest}");
}

#[tokio::test]
async fn a_client_of_every_version_continues_after_any_event() {
    let fixture = Fixture::new(When::Frozen);
    settled(&fixture, &["jury"], "frozen").await;
    for version in OLDER {
        for role in ["nobody", "jury"] {
            let all = feed(&fixture, version, role, "").await;
            for (k, event) in all.iter().enumerate().step_by(4) {
                let rest = feed(&fixture, version, role, &after(version, event)).await;
                assert_eq!(rest, all[k + 1..], "{version:?} {role} after {event}");
            }
        }
        let wrong = after(version, &json!({"id": "999999", "token": "999999"}));
        let path = format!("{}/event-feed?stream=false{wrong}", base(version));
        assert_eq!(
            get(&fixture, "jury", &path).await.0,
            StatusCode::BAD_REQUEST
        );
    }
    let of_types = feed(&fixture, ApiVersion::V2020_03, "jury", "&types=teams,state").await;
    let types: BTreeSet<_> = of_types
        .iter()
        .filter_map(|own| own["type"].as_str())
        .collect();
    assert_eq!(types, BTreeSet::from(["state", "teams"]));
}

#[tokio::test]
async fn access_names_what_every_version_shows() {
    let fixture = Fixture::new(When::Thawed);
    settled(&fixture, &["admin"], "thawed").await;
    for version in OLDER {
        let (_, access) = get(&fixture, "admin", &format!("{}/access", base(version))).await;
        let endpoints = access["endpoints"].as_array().expect("an array");
        let properties: BTreeMap<&str, BTreeSet<&str>> = endpoints
            .iter()
            .map(|own| {
                let names = own["properties"].as_array().expect("an array").iter();
                let names = names.filter_map(Value::as_str).collect();
                (own["type"].as_str().expect("a type"), names)
            })
            .collect();
        for ((kind, id), object) in collections(&fixture, version, "admin").await {
            let known = &properties[kind.as_str()];
            for name in object.as_object().expect("an object").keys() {
                assert!(
                    known.contains(name.as_str()),
                    "{version:?} {kind} {id}: {name}"
                );
            }
        }
        let types: Vec<&str> = properties.keys().copied().collect();
        let is_there = |name: &str| types.contains(&name);
        let is_oldest = version == ApiVersion::V2020_03;
        assert_eq!(is_there("commentary"), !is_oldest);
        assert_eq!(is_there("team-members"), is_oldest);
        let capabilities = access["capabilities"].as_array().expect("an array");
        assert!(!capabilities.contains(&json!("post_comment")));
        let thaws = capabilities.contains(&json!("contest_thaw"));
        assert_eq!(thaws, version == ApiVersion::V2023_06);
    }
}

#[tokio::test]
async fn addresses_filters_and_requests_are_those_of_the_version() {
    let fixture = Fixture::new(When::Running);
    for version in OLDER {
        let word = version.word();
        let (_, information) = get(&fixture, "nobody", &format!("/api/{word}/")).await;
        assert_eq!(information["version"], word);
        let (_, contests) = get(&fixture, "nobody", &format!("/api/{word}/contests")).await;
        assert_eq!(contests[0]["penalty_time"], 20);
        let base = base(version);
        let (_, board) = get(&fixture, "nobody", &format!("{base}/scoreboard")).await;
        assert!(
            board["rows"][0]["score"]["total_time"].is_number(),
            "{board}"
        );

        // Message 3 is to team b.
        let path = format!("{base}/clarifications");
        let (_, to_b) = get(&fixture, "b", &format!("{path}?to_team_id=b")).await;
        assert_eq!(
            (to_b.as_array().map(Vec::len), &to_b[0]["id"]),
            (Some(1), &json!("3"))
        );
        let (_, to_a) = get(&fixture, "b", &format!("{path}?to_team_id=a")).await;
        assert_eq!(to_a, json!([]));

        let sent = json!({"text": "only you", "to_team_id": "a"}).to_string();
        let (status, answer) = fixture.send("jury", "POST", &path, &sent).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        let added: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(
            (&added["to_team_id"], &added["to_team_ids"]),
            (&json!("a"), &Value::Null)
        );
        let id = added["id"].as_str().expect("an id");
        let (_, seen) = get(&fixture, "a", &format!("{path}/{id}")).await;
        assert_eq!(seen, added);
        let (status, _) = get(&fixture, "b", &format!("{path}/{id}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);

        let (status, _) = fixture
            .send("a", "GET", &format!("{base}/submissions/1/files"), "")
            .await;
        assert_eq!(status, StatusCode::OK);
    }
    let oldest = base(ApiVersion::V2020_03);
    for kind in ["persons", "accounts", "account", "commentary"] {
        let (status, error) = get(&fixture, "admin", &format!("{oldest}/{kind}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{kind}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| text.contains("2020-03"))
        );
    }
    let (_, board) = get(&fixture, "jury", &format!("{oldest}/scoreboard")).await;
    let last = format!("&since_id={}", board["event_id"].as_str().expect("an id"));
    assert_eq!(
        feed(&fixture, ApiVersion::V2020_03, "jury", &last).await,
        [] as [Value; 0]
    );
    let (status, _) = get(&fixture, "jury", "/api/2021-11/contests").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
