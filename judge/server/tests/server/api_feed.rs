//! The event feed: complete, resumable, and equal to the collections.

use crate::api_fixture::{Fixture, ROLES, STATES, When};
use crate::in_process::eventually;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use judge_server::store::{VerdictChange, now_ms};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio_stream::StreamExt;
use tower::ServiceExt;

/// Types of the feed with collections.
const TYPES: [&str; 13] = [
    "judgement-types",
    "languages",
    "problems",
    "groups",
    "organizations",
    "teams",
    "persons",
    "submissions",
    "judgements",
    "runs",
    "clarifications",
    "awards",
    "commentary",
];

type Objects = BTreeMap<(String, String), Value>;

/// The objects that a client knows after these events: the last one of each id.
fn replay(events: &[Value]) -> Objects {
    let mut objects = Objects::new();
    for event in events {
        let id = event["id"].as_str().unwrap_or_default().to_owned();
        let key = (event["type"].as_str().expect("a type").to_owned(), id);
        match &event["data"] {
            Value::Null => objects.remove(&key),
            data => objects.insert(key, data.clone()),
        };
    }
    objects
}

/// The objects of the collections.
async fn collections(fixture: &Fixture, role: &str) -> Objects {
    let mut objects = Objects::new();
    for kind in TYPES {
        for object in fixture.collection(role, kind).await.unwrap_or_default() {
            let id = object["id"].as_str().expect("an id").to_owned();
            objects.insert((kind.to_owned(), id), object);
        }
    }
    for (kind, path) in [("contest", ""), ("state", "/state")] {
        let (status, text) = fixture.get(role, path).await;
        assert_eq!(status, StatusCode::OK);
        let object = serde_json::from_str(&text).expect("an object");
        objects.insert((kind.to_owned(), String::new()), object);
    }
    objects
}

/// Waits until what the feed says equals the collections, for all roles.
async fn settled(fixture: &Fixture, what: &str) {
    settled_for(fixture, &ROLES, what).await;
}

async fn settled_for(fixture: &Fixture, roles: &[&str], what: &str) {
    for &role in roles {
        eventually(500, async || {
            let (sent, there) = (
                replay(&fixture.feed(role, "").await),
                collections(fixture, role).await,
            );
            if sent == there {
                return None;
            }
            let sent_keys: BTreeSet<_> = sent.keys().cloned().collect();
            let differs = |(key, object): &(&_, &_)| there.get(*key) != Some(*object);
            let sent: Vec<_> = sent.iter().filter(differs).collect();
            let missing = there.keys().filter(|key| !sent_keys.contains(*key));
            let missing: Vec<_> = missing.collect();
            Some(format!(
                "{what} as {role}: wrong {sent:#?}, missing {missing:?}"
            ))
        })
        .await;
    }
}

#[tokio::test]
async fn the_feed_equals_the_collections() {
    for when in STATES {
        settled(&Fixture::new(when), &format!("{when:?}")).await;
    }
}

#[tokio::test]
async fn a_client_that_connects_again_misses_nothing_and_gets_nothing_twice() {
    let fixture = Fixture::new(When::Frozen);
    settled(&fixture, "frozen").await;
    for role in ROLES {
        let all = fixture.feed(role, "").await;
        for (k, event) in all.iter().enumerate() {
            let token = event["token"].as_str().expect("a token");
            let rest = fixture.feed(role, &format!("&since_token={token}")).await;
            assert_eq!(rest, all[k + 1..], "{role} after {token}");
        }
    }
}

#[tokio::test]
async fn changes_of_all_kinds_reach_the_feed() {
    let fixture = Fixture::new(When::Ended);
    settled(&fixture, "ended").await;
    let store = &fixture.app.store;
    // A judging that starts again loses its cases; a rejudging replaces a verdict.
    let (submission, judging) = fixture.submit("b", now_ms() - 2 * 3_600_000, "JE");
    store.reopen_judging(judging).expect("it was JE");
    settled(&fixture, "opened again").await;
    fixture.judge(judging, "AC");
    let (rejudging, judgings) = store
        .add_rejudging("test", None, &[submission])
        .expect("it is added");
    fixture.judge(judgings[0], "WA");
    settled(&fixture, "rejudged, not applied").await;
    let changes: Vec<VerdictChange> = store.rejudging_changes(rejudging).expect("changes");
    assert!(changes[0].differs());
    store.apply_rejudging(rejudging).expect("it is applied");
    settled(&fixture, "applied").await;
    store.thaw(fixture.contest, now_ms()).expect("it is thawed");
    settled(&fixture, "thawed").await;
    // Teams and problems that go are deleted.
    let mut teams = store.contest_teams(fixture.contest).expect("teams");
    teams.retain(|team| team.ext != "h");
    let ids: Vec<_> = teams.iter().map(|team| team.id).collect();
    store
        .set_contest_teams(fixture.contest, &ids)
        .expect("they are set");
    settled(&fixture, "without a team").await;
    let mut contest = store.contest(fixture.contest).expect("a contest");
    contest.start_ms = contest.start_ms.map(|start| start - 60_000);
    store.put_contest(&contest).expect("it is moved");
    settled(&fixture, "moved").await;
}

#[tokio::test]
async fn a_listener_gets_what_is_committed_while_it_listens() {
    let fixture = Fixture::new(When::Running);
    settled(&fixture, "running").await;
    let before = fixture.feed("b", "").await;
    let last = before.last().expect("events")["token"]
        .as_str()
        .expect("a token");
    let request = Request::builder()
        .uri(format!("/api/contests/c/event-feed?since_token={last}"))
        .header(header::AUTHORIZATION, "Bearer token-b")
        .body(Body::empty())
        .expect("a request");
    let response = fixture
        .router
        .clone()
        .oneshot(request)
        .await
        .expect("a response");
    let mut stream = response.into_body().into_data_stream();
    let (submission, _) = fixture.submit("b", now_ms(), "AC");
    let mut text = String::new();
    let judged = format!("\"submission_id\":\"{submission}\"");
    while !(text.contains(&judged) && text.contains("judgement_type_id")) {
        let chunk = tokio::time::timeout(Duration::from_secs(60), stream.next()).await;
        let chunk = chunk.expect("an event").expect("more").expect("a chunk");
        text += std::str::from_utf8(&chunk).expect("text");
    }
    let streamed: Vec<Value> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let after = fixture.feed("b", &format!("&since_token={last}")).await;
    assert_eq!(streamed[..], after[..streamed.len()]);
}

/// Everything that a client reads from the first event on, and everything after a token of a time at
/// which it saw more: no object that the collections do not show now.
async fn shows_only_what_the_collections_show(
    fixture: &Fixture,
    roles: &[&str],
    token: &str,
    what: &str,
) {
    settled_for(fixture, roles, what).await;
    for &role in roles {
        let there = collections(fixture, role).await;
        for since in ["", token] {
            for event in fixture.feed(role, since).await {
                let kind = event["type"].as_str().expect("a type");
                let id = event["id"].as_str().unwrap_or_default();
                let seen = there.contains_key(&(kind.to_owned(), id.to_owned()));
                assert!(
                    event["data"].is_null() || seen,
                    "{what}: {role} after {since:?} reads {event}"
                );
                let old_award = kind == "awards" && event["data"]["team_ids"] != Value::Null;
                let now = there.get(&(kind.to_owned(), id.to_owned()));
                let is_jury = matches!(role, "jury" | "admin");
                assert!(
                    !old_award || is_jury || now == Some(&event["data"]),
                    "{what}: {role} after {since:?} reads the award {event}, now {now:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn an_old_token_shows_nothing_that_was_hidden_since() {
    let fixture = Fixture::new(When::Running);
    settled(&fixture, "running").await;
    let store = &fixture.app.store;
    let first = fixture.feed("nobody", "").await;
    let token = first[0]["token"].as_str().expect("a token");
    let token = format!("&since_token={token}");
    let freeze = |freeze_ms: i64| {
        let mut contest = store.contest(fixture.contest).expect("a contest");
        contest.freeze_ms = Some(freeze_ms);
        store.put_contest(&contest).expect("it is moved");
    };
    let hide = |hidden: bool| {
        let mut team = store.team_by_ext("a").expect("read").expect("a team");
        team.hidden = hidden;
        store.put_team(&team).expect("it is changed");
    };
    let check = async |what: &str| {
        shows_only_what_the_collections_show(&fixture, &ROLES, &token, what).await;
    };
    let hour = 3_600_000;
    freeze(5 * hour);
    check("frozen from the start").await;
    freeze(hour);
    check("frozen later").await;
    freeze(5 * hour - 1500);
    check("frozen after the first submission").await;
    hide(true);
    check("with a team that became hidden").await;
    hide(false);
    check("with the team shown again").await;
    let mut group = store.groups().expect("groups").remove(0);
    group.hidden = true;
    store.put_group(&group).expect("it is changed");
    // Its teams, which are all, see the group's id in the feed, as the jury does.
    let others = ["nobody", "jury", "admin"];
    shows_only_what_the_collections_show(&fixture, &others, &token, "with a hidden group").await;
    group.hidden = false;
    store.put_group(&group).expect("it is changed");
    let mut contest = store.contest(fixture.contest).expect("a contest");
    contest.start_ms = Some(now_ms() - 6 * hour);
    store.put_contest(&contest).expect("it is over");
    check("over").await;
    store.thaw(fixture.contest, now_ms()).expect("it is thawed");
    check("thawed").await;
}

/// A listener learns of a freeze that moved before the rows that it changes.
#[tokio::test]
async fn a_listener_gets_results_that_are_shown_again() {
    let fixture = Fixture::new(When::Running);
    let store = &fixture.app.store;
    let mut contest = store.contest(fixture.contest).expect("a contest");
    contest.freeze_ms = Some(contest.duration_ms);
    store.put_contest(&contest).expect("it is frozen");
    settled(&fixture, "frozen").await;
    let request = Request::builder()
        .uri("/api/contests/c/event-feed")
        .body(Body::empty())
        .expect("a request");
    let response = fixture.router.clone().oneshot(request).await;
    let response = response.expect("a response");
    let mut stream = response.into_body().into_data_stream();
    let mut read = async |until: &str| {
        let mut text = String::new();
        while !text.contains(until) {
            let chunk = tokio::time::timeout(Duration::from_secs(60), stream.next()).await;
            let chunk = chunk.expect("an event").expect("more").expect("a chunk");
            text += std::str::from_utf8(&chunk).expect("text");
        }
        text
    };
    let before = read(r#""type":"state""#).await;
    assert!(!before.contains("judgement_type_id"), "{before}");
    contest.freeze_ms = Some(0);
    store.put_contest(&contest).expect("it is moved");
    let after = read(r#""judgement_type_id":"AC""#).await;
    assert!(after.contains(r#""type":"contest""#), "{after}");
}
