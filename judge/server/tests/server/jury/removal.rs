//! Deleting users, teams, contests and packages.

use super::site::{Site, Who};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_server::store::{Contest, NewClarification, Role, now_ms};
use serde_json::Value;

async fn deleted(site: &Site, admin: &Who, path: &str) -> StatusCode {
    let answer = site.confirmed(admin, path, &[]).await;
    answer.status
}

async fn feed(site: &Site, who: &Who) -> Vec<Value> {
    let text = site
        .page(who, "/api/contests/c1/event-feed?stream=false")
        .await;
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Whether the last event about an object says that it no longer exists.
fn is_deleted(events: &[Value], kind: &str, id: &str) -> bool {
    let mut own = events
        .iter()
        .filter(|event| event["type"] == kind && event["id"] == id);
    let last = own.next_back();
    last.is_some_and(|event| event["data"].is_null())
}

#[tokio::test]
async fn a_deleted_team_takes_its_submissions_and_questions_along() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let visitor = Who::default();
    let member = site.user("team", Role::Team);
    let id = site.submit(member, true, "x");
    site.judge_next("AC");
    let waiting = site.submit(member, true, "y");
    let board = "/api/contests/c1/scoreboard";
    assert!(
        site.page(&visitor, board)
            .await
            .contains("\"num_solved\":1")
    );
    let new = NewClarification {
        contest: site.contest,
        problem: None,
        category: None,
        from_team: Some(site.team),
        to_team: None,
        reply_to: None,
        text: "SECRET QUESTION".to_owned(),
        author: Some(member),
        ..Default::default()
    };
    let store = &site.app.store;
    let question = store.add_clarification(&new).expect("a question");
    let answer = NewClarification {
        from_team: None,
        reply_to: Some(question),
        text: "ANSWER TO ALL".to_owned(),
        ..new
    };
    let answer = store.add_clarification(&answer).expect("an answer");

    let path = format!("/jury/teams/{}/delete", site.team);
    assert_eq!(deleted(&site, &admin, &path).await, StatusCode::SEE_OTHER);
    assert!(store.submission(id).is_err() && store.submission(waiting).is_err());
    assert!(site.lease().is_none(), "its unit is left");
    let page = site.page(&admin, "/jury/clarifications/c1").await;
    assert!(
        !page.contains("SECRET QUESTION") && page.contains("ANSWER TO ALL"),
        "{page}"
    );
    assert_eq!(store.user(member).expect("the user stays").team, None);
    assert_eq!(
        store.clarifications(site.contest).expect("read")[0].reply_to,
        None
    );
    let shown = site.page(&visitor, board).await;
    assert!(!shown.contains("\"num_solved\":1"), "{shown}");
    for who in [&visitor, &admin] {
        let events = feed(&site, who).await;
        assert!(
            is_deleted(&events, "submissions", &id.to_string()),
            "{events:?}"
        );
        assert!(
            !is_deleted(&events, "clarifications", &answer.to_string()),
            "{events:?}"
        );
        // Nothing is left of it that an earlier freeze would hide.
        let about = format!("\"{id}\"");
        let mentions = |event: &Value| {
            event["data"]
                .to_string()
                .contains(&format!("\"submission_id\":{about}"))
        };
        assert!(!events.iter().any(mentions), "{events:?}");
    }
    assert!(is_deleted(&feed(&site, &admin).await, "judgements", "1"));
}

#[tokio::test]
async fn results_of_a_deleted_submission_are_refused_without_harm() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    site.submit(member, true, "x");
    let lease = site.lease().expect("a unit");
    let path = format!("/jury/users/{member}/delete");
    assert_eq!(deleted(&site, &admin, &path).await, StatusCode::SEE_OTHER);
    let id = lease.unit.id.parse().expect("an id");
    let started = judge_server::units::start_attempt(
        &site.app.store,
        &lease.unit.id,
        &crate::common::STARTER,
    );
    assert!(started.is_err(), "{started:?}");
    assert!(judge_server::units::is_done(&site.app.store, id).expect("it is read"));
    judge_server::units::give_up(&site.app.store, &lease.unit.id, "x").expect("nothing to do");
    // A worker that had started sends its results together with those of others.
    let gone = judge_server::store::JudgingId(1);
    let finished = judge_server::store::Finished::new(Verdict::Accepted);
    let result = judge_server::store::Recorded::Finished(finished);
    let recorded = site.app.store.record(&[(gone, 1, result)]);
    assert_eq!(recorded.expect("it is no error"), [false]);
    assert_eq!(site.app.store.user_named("team").expect("it is read"), None);
}

#[tokio::test]
async fn final_results_are_not_changed_by_deleting() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    site.submit(member, true, "x");
    site.judge_next("AC");
    let store = &site.app.store;
    let contest = store.contest(site.contest).expect("a contest");
    let over = Contest {
        duration_ms: now_ms() - contest.start_ms.expect("a start"),
        ..contest
    };
    store.put_contest(&over).expect("it is over");
    store.finalize(site.contest, now_ms()).expect("it is final");
    for path in [
        format!("/jury/users/{member}/delete"),
        format!("/jury/teams/{}/delete", site.team),
        "/jury/packages/sum/delete".to_owned(),
    ] {
        let refused = site.confirmed(&admin, &path, &[]).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{path}");
        assert!(
            refused.body.contains("are final"),
            "{path}: {}",
            refused.body
        );
    }
    // The contest itself goes with its results; then the others can.
    for path in [
        "/jury/contests/c1/delete".to_owned(),
        "/jury/packages/sum/delete".to_owned(),
        format!("/jury/teams/{}/delete", site.team),
        format!("/jury/users/{member}/delete"),
    ] {
        assert_eq!(
            deleted(&site, &admin, &path).await,
            StatusCode::SEE_OTHER,
            "{path}"
        );
    }
    assert!(store.contests().expect("contests").is_empty());
    assert!(store.problems().expect("problems").is_empty());
    assert!(store.teams().expect("teams").is_empty());
    let own = site
        .app
        .store
        .user_named("admin")
        .expect("it is read")
        .expect("the admin");
    let path = format!("/jury/users/{}/delete", own.id);
    assert_eq!(deleted(&site, &admin, &path).await, StatusCode::CONFLICT);
}
