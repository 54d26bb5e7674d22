//! Results that a second judge has to verify before teams see them.

use super::super::in_process::Answer;
use super::site::{Site, Who};
use axum::http::StatusCode;
use judge_server::store::{Contest, Role, SubmissionId, now_ms};
use serde_json::Value;

fn see_other(answer: &Answer) {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

fn set_verification(site: &Site, verification: bool) {
    let contest = site.app.store.contest(site.contest).expect("a contest");
    let new = Contest {
        verification,
        ..contest
    };
    site.app.store.put_contest(&new).expect("it is kept");
}

/// Verifies the result of a submission, or takes that back.
async fn change(site: &Site, who: &Who, id: SubmissionId, what: &str) -> Answer {
    let judging = site.app.store.valid_judging(id).expect("a judging").id;
    let judging = judging.to_string();
    let fields = [
        ("do", what),
        ("judging", judging.as_str()),
        ("verification", "looked at the output"),
    ];
    let path = format!("/jury/submissions/{id}/verification");
    site.post(who, &path, &fields).await
}

/// Judged and pending tries of the only team, as this viewer sees them, and whether it solved the problem.
async fn cell(site: &Site, who: &Who) -> (u64, u64, bool) {
    let board = site.page(who, "/api/contests/c1/scoreboard").await;
    let board: Value = serde_json::from_str(&board).expect("JSON");
    let cell = &board["rows"][0]["problems"][0];
    let number = |name: &str| cell[name].as_u64().expect("a number");
    (
        number("num_judged"),
        number("num_pending"),
        cell["solved"] == true,
    )
}

/// The judgements that a viewer has after reading the feed from its beginning: their verdicts.
async fn judgements(site: &Site, who: &Who) -> Vec<String> {
    let feed = site
        .page(who, "/api/contests/c1/event-feed?stream=false")
        .await;
    let mut known = std::collections::BTreeMap::new();
    for line in feed.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        if event["type"] != "judgements" {
            continue;
        }
        let id = event["id"].as_str().expect("an id").to_owned();
        match event["data"]["judgement_type_id"].as_str() {
            Some(verdict) => known.insert(id, verdict.to_owned()),
            None if event["data"].is_null() => known.remove(&id),
            None => known.insert(id, String::new()),
        };
    }
    let collection = site.page(who, "/api/contests/c1/judgements").await;
    let collection: Vec<Value> = serde_json::from_str(&collection).expect("JSON");
    assert_eq!(collection.len(), known.len(), "{feed}");
    known.into_values().collect()
}

#[tokio::test]
async fn teams_see_a_result_when_a_judge_has_verified_it() {
    let site = Site::new();
    set_verification(&site, true);
    let (jury, team) = (
        site.sign_in("jury", Role::Jury),
        site.sign_in("team", Role::Team),
    );
    let spectator = Who::default();
    let user = site.app.store.user_named("team").expect("it is read");
    let id = site.submit(user.expect("a user").id, true, "x");
    site.judge_next("AC");

    let own = format!("/submissions/{id}");
    let page = site.page(&team, &own).await;
    assert!(page.contains("when a judge has verified it"), "{page}");
    for secret in ["Accepted", "0.125", ">AC<"] {
        let main = page.split_once("data-events").expect("results").1;
        let main = main.split_once("<h2>Source").expect("a source").0;
        assert!(!main.contains(secret), "{secret} in {main}");
    }
    for who in [&team, &spectator] {
        assert_eq!(cell(&site, who).await, (0, 1, false));
        assert_eq!(judgements(&site, who).await, [""; 0]);
    }
    assert_eq!(cell(&site, &jury).await, (1, 0, true));
    assert_eq!(judgements(&site, &jury).await, ["AC"]);
    let problems = site.page(&team, "/contests/c1").await;
    assert!(!problems.contains("solved</span>"), "{problems}");
    let balloons = site.page(&jury, "/jury/contests/c1/balloons").await;
    assert!(balloons.contains("0 to bring"), "{balloons}");
    let waiting = "/jury/submissions?state=unverified";
    let list = site.page(&jury, waiting).await;
    assert!(list.contains("1 submission. "), "{list}");
    let board = site.page(&jury, "/contests/c1/scoreboard").await;
    assert!(board.contains("view=public"), "{board}");

    see_other(&change(&site, &jury, id, "verify").await);
    let again = change(&site, &jury, id, "verify").await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
    let page = site.page(&jury, &format!("/jury/submissions/{id}")).await;
    assert!(page.contains("Verified by jury"), "{page}");
    assert!(page.contains("looked at the output"), "{page}");
    let page = site.page(&team, &own).await;
    assert!(page.contains("Accepted"), "{page}");
    assert!(!page.contains("looked at the output"), "{page}");
    for who in [&team, &spectator, &jury] {
        assert_eq!(cell(&site, who).await, (1, 0, true));
        assert_eq!(judgements(&site, who).await, ["AC"]);
    }
    let list = site.page(&jury, waiting).await;
    assert!(list.contains("0 submissions"), "{list}");
    let balloons = site.page(&jury, "/jury/contests/c1/balloons").await;
    assert!(balloons.contains("1 to bring"), "{balloons}");

    // It is taken back, and others lose the result.
    see_other(&change(&site, &jury, id, "withdraw").await);
    for who in [&team, &spectator] {
        assert_eq!(cell(&site, who).await, (0, 1, false));
        assert_eq!(judgements(&site, who).await, [""; 0]);
    }
    // Without the option, results are shown at once.
    set_verification(&site, false);
    for who in [&team, &spectator] {
        assert_eq!(cell(&site, who).await, (1, 0, true));
        assert_eq!(judgements(&site, who).await, ["AC"]);
    }
    set_verification(&site, true);
    assert_eq!(judgements(&site, &team).await, [""; 0]);
    let refused = change(&site, &team, id, "verify").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_new_result_waits_again_and_a_second_judge_verifies_one_by_hand() {
    let site = Site::new();
    set_verification(&site, true);
    let hash = judge_server::secret::hash_password("a long password").expect("a hash");
    let first = site.user("first", Role::Jury);
    let set = site.app.store.set_password(first, Some(&hash));
    set.expect("it is set");
    let first = super::super::in_process::Session::start(&site.app.store, first, "first");
    let second = site.sign_in("second", Role::Jury);
    let team = site.sign_in("team", Role::Team);
    let user = site.app.store.user_named("team").expect("it is read");
    let id = site.submit(user.expect("a user").id, true, "x");
    let unjudged = change(&site, &second, id, "verify").await;
    assert_eq!(unjudged.status, StatusCode::CONFLICT, "{}", unjudged.body);
    site.judge_next("WA");
    see_other(&change(&site, &second, id, "verify").await);
    assert_eq!(judgements(&site, &team).await, ["WA"]);

    let path = format!("/jury/submissions/{id}/verdict");
    let by_hand = [
        ("verdict", "AC"),
        ("comment", "a wrong test"),
        ("password", "a long password"),
    ];
    see_other(&site.post(&first, &path, &by_hand).await);
    assert_eq!(judgements(&site, &team).await, [""; 0]);
    assert_eq!(cell(&site, &team).await, (0, 1, false));
    let own = change(&site, &first, id, "verify").await;
    assert_eq!(own.status, StatusCode::CONFLICT);
    assert!(own.body.contains("another judge"), "{}", own.body);
    see_other(&change(&site, &second, id, "verify").await);
    assert_eq!(judgements(&site, &team).await, ["WA", "AC"]);
    assert_eq!(cell(&site, &team).await, (1, 0, true));
}

#[tokio::test]
async fn results_become_final_only_when_they_are_verified() {
    let site = Site::new();
    set_verification(&site, true);
    let (admin, jury) = (
        site.sign_in("admin", Role::Admin),
        site.sign_in("jury", Role::Jury),
    );
    let id = site.submit(site.user("team", Role::Team), true, "x");
    site.judge_next("AC");
    let store = &site.app.store;
    let contest = store.contest(site.contest).expect("a contest");
    let over = Contest {
        duration_ms: now_ms() - contest.start_ms.expect("a start"),
        ..contest
    };
    store.put_contest(&over).expect("it is over");
    let clock = "/jury/contests/c1/clock";
    let finalize = [("do", "finalize")];
    let refused = site.confirmed(&admin, clock, &finalize).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.body.contains("not verified"), "{}", refused.body);
    see_other(&change(&site, &jury, id, "verify").await);
    see_other(&site.confirmed(&admin, clock, &finalize).await);
    let late = change(&site, &jury, id, "withdraw").await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.body);
}
