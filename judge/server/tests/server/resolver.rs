//! The event feed as the resolver of the ICPC tools reads it, of a contest that is over, final and still frozen: the resolver
//! computes the scoreboard before and after the freeze from submissions and judgements, and shows the awards.

use crate::api_fixture::{Fixture, When};
use crate::common::new_team;
use crate::in_process::eventually;
use judge_server::store::{Group, GroupId, Team, now_ms};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The last version of each object in the feed of a role, by type and id.
async fn objects(fixture: &Fixture, role: &str) -> BTreeMap<(String, String), Value> {
    let mut objects = BTreeMap::new();
    for event in fixture.feed(role, "").await {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        objects.insert((text("type"), text("id")), event["data"].clone());
    }
    objects.retain(|_, data| !data.is_null());
    objects
}

fn key(kind: &str, id: &str) -> (String, String) {
    (kind.to_owned(), id.to_owned())
}

/// Waits until the feed of a role has a state with this mark.
async fn state_with(fixture: &Fixture, role: &str, mark: &str) -> Value {
    eventually(500, async || {
        let all = objects(fixture, role).await;
        let state = all.get(&key("state", "")).unwrap_or(&Value::Null);
        (!state[mark].is_string()).then(|| format!("{role}: {state}"))
    })
    .await;
    objects(fixture, role).await[&key("state", "")].clone()
}

/// A contest that is over, with a guest in a hidden group that is the best, and whose results are made final.
async fn final_contest() -> Fixture {
    let fixture = Fixture::new(When::Ended);
    let store = &fixture.app.store;
    let guests = Group {
        id: GroupId(0),
        ext: "guests".into(),
        icpc_id: None,
        name: "Guests".into(),
        hidden: true,
    };
    let group = store.put_group(&guests).expect("it is added");
    let guest = Team {
        groups: vec![group],
        ..new_team("guest", "Guest")
    };
    let guest = store.put_team(&guest).expect("it is added");
    let teams = store.contest_teams(fixture.contest).expect("teams");
    let mut ids: Vec<_> = teams.iter().map(|team| team.id).collect();
    ids.push(guest);
    store
        .set_contest_teams(fixture.contest, &ids)
        .expect("they are set");
    store
        .finalize(fixture.contest, now_ms())
        .expect("it is final");
    fixture
}

#[tokio::test]
async fn final_results_are_complete_for_the_jury_while_they_are_frozen() {
    let fixture = final_contest().await;
    let state = state_with(&fixture, "jury", "finalized").await;
    assert!(
        state["frozen"].is_string() && state["thawed"].is_null(),
        "{state}"
    );
    assert!(state["end_of_updates"].is_null(), "{state}");
    let all = objects(&fixture, "jury").await;
    let contest = &all[&key("contest", "")];
    assert_eq!(contest["scoreboard_freeze_duration"], "1:00:00.000");
    // It refuses a contest with a submission without a judgement.
    let submissions = all.iter().filter(|((kind, _), _)| kind == "submissions");
    let submissions: Vec<&Value> = submissions.map(|(_, data)| data).collect();
    assert_eq!(submissions.len(), 4);
    for submission in submissions {
        let judged = all.iter().any(|((kind, _), data)| {
            kind == "judgements"
                && data["submission_id"] == submission["id"]
                && data["current"] == true
                && all.contains_key(&key(
                    "judgement-types",
                    data["judgement_type_id"].as_str().unwrap_or_default(),
                ))
        });
        assert!(judged, "{submission}");
        // It warns of accounts, which it does not read.
        assert_eq!(submission.get("account_id"), None);
    }
    // Others do not learn the result of a submission of the frozen hour.
    let public = objects(&fixture, "nobody").await;
    let of_freeze = |all: &BTreeMap<(String, String), Value>| {
        let mut judgements = all.iter().filter(|((kind, _), _)| kind == "judgements");
        judgements.any(|(_, data)| data["submission_id"] == "2")
    };
    assert!(of_freeze(&all) && !of_freeze(&public));
}

#[tokio::test]
async fn hidden_teams_are_marked_and_receive_no_awards() {
    let fixture = final_contest().await;
    state_with(&fixture, "jury", "finalized").await;
    let all = objects(&fixture, "jury").await;
    let hidden = |id: &str| all[&key("teams", id)].get("hidden").cloned();
    assert_eq!(["a", "b"].map(hidden), [None, None]);
    // By itself, and by its group.
    assert_eq!(
        ["h", "guest"].map(hidden),
        [(); 2].map(|()| Some(json!(true)))
    );
    let teams = |award: &str| all[&key("awards", award)]["team_ids"].clone();
    for award in [
        "winner",
        "first-to-solve-sum",
        "group-winner-g",
        "gold-medal",
    ] {
        // The hidden team h was faster.
        assert_eq!(teams(award), json!(["a"]), "{award}");
    }
    assert_eq!(teams("group-winner-guests"), json!([]));
    let (_, board) = fixture.get("jury", "/scoreboard").await;
    let board: Value = serde_json::from_str(&board).expect("JSON");
    let rows = board["rows"].as_array().expect("rows").iter();
    let ranked: Vec<_> = rows.map(|row| row["team_id"].clone()).collect();
    assert_eq!(ranked, ["a", "b"]);
    let (_, board) = fixture.get("jury", "/scoreboard?group_id=guests").await;
    let board: Value = serde_json::from_str(&board).expect("JSON");
    assert_eq!(board["rows"][0]["team_id"], "guest");
    let (_, results) = fixture
        .send("jury", "GET", "/contests/c/results.tsv", "")
        .await;
    assert_eq!(results.lines().count(), 3, "{results}");
}

#[tokio::test]
async fn awards_say_what_is_shown_and_how() {
    let fixture = final_contest().await;
    state_with(&fixture, "jury", "finalized").await;
    let all = objects(&fixture, "jury").await;
    let shown = |award: &str| {
        let award = &all[&key("awards", award)];
        (award["citation"].clone(), award["display_mode"].clone())
    };
    for (award, citation, mode) in [
        ("winner", "Contest winner", Value::Null),
        ("gold-medal", "Gold medal", Value::Null),
        ("group-winner-g", "Winner of group G", Value::Null),
        // Solved during the freeze, so that it is news.
        (
            "first-to-solve-sum",
            "First to solve problem A",
            Value::Null,
        ),
        ("highest-honors", "Highest honors", json!("pause")),
        ("high-honors", "High honors", json!("list")),
        ("honors", "Honors", json!("list")),
        ("honorable-mention", "Honorable mention", json!("list")),
    ] {
        assert_eq!(shown(award), (json!(citation), mode), "{award}");
    }
    let mut contest = fixture
        .app
        .store
        .contest(fixture.contest)
        .expect("a contest");
    let jury = fixture
        .app
        .store
        .user_named("admin")
        .expect("read")
        .expect("a user");
    let store = &fixture.app.store;
    store
        .reopen(fixture.contest, "test", jury.id)
        .expect("it is open");
    contest.freeze_ms = None;
    contest.finalized_ms = None;
    store.put_contest(&contest).expect("it is changed");
    eventually(500, async || {
        let award = &objects(&fixture, "jury").await[&key("awards", "first-to-solve-sum")];
        (award["display_mode"] != "pause").then(|| award.to_string())
    })
    .await;
}

#[tokio::test]
async fn the_end_of_updates_follows_when_the_results_are_shown() {
    let fixture = final_contest().await;
    state_with(&fixture, "jury", "finalized").await;
    fixture
        .app
        .store
        .thaw(fixture.contest, now_ms())
        .expect("it is thawed");
    for role in ["jury", "nobody"] {
        state_with(&fixture, role, "end_of_updates").await;
        let events = fixture.feed(role, "").await;
        assert_eq!(events.last().expect("events")["type"], "state", "{role}");
    }
    let (jury, public) = (
        objects(&fixture, "jury").await,
        objects(&fixture, "nobody").await,
    );
    for award in ["winner", "gold-medal", "first-to-solve-sum"] {
        assert_eq!(jury[&key("awards", award)], public[&key("awards", award)]);
    }
}

#[tokio::test]
async fn a_partial_score_is_an_accepted_judgement_where_points_count() {
    let fixture = Fixture::new(When::Ended);
    let store = &fixture.app.store;
    let (_, judging) = fixture.submit("b", now_ms() - 5 * 3_600_000, "PAC");
    let verdict = async || {
        let (_, text) = fixture.get("jury", &format!("/judgements/{judging}")).await;
        let judgement: Value = serde_json::from_str(&text).expect("JSON");
        judgement["judgement_type_id"].clone()
    };
    assert_eq!(verdict().await, "RE");
    let mut contest = store.contest(fixture.contest).expect("a contest");
    contest.scoring = judge_server::store::Scoring::Points;
    store.put_contest(&contest).expect("it is changed");
    assert_eq!(verdict().await, "AC");
}
