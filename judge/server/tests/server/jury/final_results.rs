//! Contests whose results are final, and forms that were loaded before somebody else changed the data.

use super::site::{Site, Who};
use crate::common::{labelled, new_team};
use crate::in_process::{eventually, form_fields, record_judging};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_server::store::{Contest, Finished, Role, SubmissionId, now_ms};
use serde_json::Value;

/// Ends the contest, which is frozen for its last hour, now.
fn end(site: &Site) {
    let store = &site.app.store;
    let contest = store.contest(site.contest).expect("a contest");
    let over = Contest {
        duration_ms: now_ms() - contest.start_ms.expect("a start"),
        freeze_ms: Some(1_000_000),
        ..contest
    };
    store.put_contest(&over).expect("it is over");
}

async fn clock(site: &Site, admin: &Who, what: &str) -> StatusCode {
    let fields = [("do", what)];
    site.confirmed(admin, "/jury/contests/c1/clock", &fields)
        .await
        .status
}

/// A site with a submission that got AC in a contest that is over and frozen.
fn judged() -> (Site, SubmissionId) {
    let site = Site::new();
    let id = site.submit(site.user("team", Role::Team), true, "x");
    site.judge_next("AC");
    end(&site);
    (site, id)
}

async fn feed(site: &Site, admin: &Who) -> Vec<Value> {
    let text = site
        .page(admin, "/api/contests/c1/event-feed?stream=false")
        .await;
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[tokio::test]
async fn the_end_of_updates_is_the_last_event() {
    let (site, id) = judged();
    let admin = site.sign_in("admin", Role::Admin);
    assert_eq!(
        clock(&site, &admin, "finalize").await,
        StatusCode::SEE_OTHER
    );
    let state = site.page(&admin, "/api/contests/c1/state").await;
    let state: Value = serde_json::from_str(&state).expect("JSON");
    assert!(
        state["finalized"].is_string() && state["end_of_updates"].is_null(),
        "{state}"
    );
    assert_eq!(clock(&site, &admin, "thaw").await, StatusCode::SEE_OTHER);
    let is_last = |events: &[Value]| {
        let last = events.last().expect("an event");
        last["type"] == "state" && last["data"]["end_of_updates"].is_string()
    };
    eventually(1000, async || {
        let events = feed(&site, &admin).await;
        (!is_last(&events)).then(|| format!("{:?}", events.last()))
    })
    .await;
    // Neither the jury nor a rename of a team adds another one.
    let said = [("text", "hello"), ("problem", "")];
    let refused = site.post(&admin, "/jury/clarifications/c1", &said).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    let store = &site.app.store;
    let count = feed(&site, &admin).await.len();
    store
        .put_team(&new_team("t1", "Renamed"))
        .expect("it is renamed");
    let problems = [labelled(site.problem, "Z")];
    assert!(store.set_contest_problems(site.contest, &problems).is_err());
    assert!(store.set_contest_teams(site.contest, &[]).is_err());
    let renamed = Contest {
        name: "Renamed".to_owned(),
        ..store.contest(site.contest).expect("a contest")
    };
    assert!(store.put_contest(&renamed).is_err());
    let (rejudging, added) = store
        .add_rejudging("again", None, &[id])
        .expect("a rejudging");
    let wrong = Finished::new(Verdict::WrongAnswer);
    record_judging(store, added[0], None, [], wrong).expect("it is judged");
    assert!(store.apply_rejudging(rejudging).is_err());
    assert_eq!(feed(&site, &admin).await.len(), count);

    // Reopening needs a reason, and lets everything change again.
    let path = "/jury/contests/c1/reopen";
    let without = site.post(&admin, path, &[("reason", "")]).await;
    assert_eq!(without.status, StatusCode::BAD_REQUEST);
    let opened = site.post(&admin, path, &[("reason", "a wrong test")]).await;
    assert_eq!(opened.status, StatusCode::SEE_OTHER, "{}", opened.body);
    assert!(
        site.page(&admin, "/jury/contests/c1")
            .await
            .contains("a wrong test")
    );
    store
        .put_contest(&Contest {
            finalized_ms: None,
            end_of_updates_ms: None,
            ..renamed
        })
        .expect("it is open");
    assert!(feed(&site, &admin).await.len() > count);
}

#[tokio::test]
async fn results_are_not_final_while_a_submission_has_no_verdict() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    site.submit(site.user("team", Role::Team), true, "x");
    end(&site);
    assert_eq!(clock(&site, &admin, "finalize").await, StatusCode::CONFLICT);
    site.judge_next("AC");
    assert_eq!(
        clock(&site, &admin, "finalize").await,
        StatusCode::SEE_OTHER
    );
}

fn with<'f>(
    fields: &'f [(String, String)],
    name: &'f str,
    value: &'f str,
) -> Vec<(&'f str, &'f str)> {
    let others = fields.iter().filter(|(own, _)| own != name);
    let mut all: Vec<_> = others
        .map(|(own, value)| (own.as_str(), value.as_str()))
        .collect();
    all.push((name, value));
    all
}

#[tokio::test]
async fn a_stale_form_changes_only_what_its_user_changed() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let path = "/jury/contests/c1";
    let page = site.page(&admin, path).await;
    let stale = form_fields(&page, path);
    assert_eq!(clock(&site, &admin, "freeze").await, StatusCode::SEE_OTHER);
    let contest = || site.app.store.contest(site.contest).expect("a contest");
    let frozen = contest().freeze_ms;
    assert!(frozen.is_some());
    let renamed = site
        .post(&admin, path, &with(&stale, "name", "Renamed"))
        .await;
    assert_eq!(renamed.status, StatusCode::SEE_OTHER, "{}", renamed.body);
    assert_eq!(
        (contest().name.as_str(), contest().freeze_ms),
        ("Renamed", frozen)
    );
    let conflict = site
        .post(&admin, path, &with(&stale, "freeze", "2:00:00"))
        .await;
    assert_eq!(conflict.status, StatusCode::CONFLICT, "{}", conflict.body);
    assert_eq!(contest().freeze_ms, frozen);
}

#[tokio::test]
async fn stale_lists_of_teams_and_problems_remove_nothing() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let page = site.page(&admin, "/jury/contests/c1").await;
    let store = &site.app.store;
    let late = store.put_team(&new_team("t2", "Late")).expect("a team");
    store
        .set_contest_teams(site.contest, &[site.team, late])
        .expect("it joins");
    let teams = form_fields(&page, "/jury/contests/c1/teams");
    let teams: Vec<_> = teams
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let saved = site.post(&admin, "/jury/contests/c1/teams", &teams).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(store.contest_teams(site.contest).expect("teams").len(), 2);

    let problems = form_fields(&page, "/jury/contests/c1/problems");
    let now = [labelled(site.problem, "B")];
    store
        .set_contest_problems(site.contest, &now)
        .expect("another label");
    let path = "/jury/contests/c1/problems";
    let stale = site
        .post(&admin, path, &with(&problems, "label-0", "C"))
        .await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.body);
    let label = store.contest_problems(site.contest).expect("problems")[0]
        .label
        .clone();
    assert_eq!(label, "B");
}

#[tokio::test]
async fn problems_and_teams_with_submissions_are_not_removed() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    site.submit(site.user("team", Role::Team), true, "x");
    let none = site
        .confirmed(&admin, "/jury/contests/c1/problems", &[("problem-0", "")])
        .await;
    assert_eq!(none.status, StatusCode::CONFLICT, "{}", none.body);
    assert!(none.body.contains("1 submissions"), "{}", none.body);
    let was = site.team.to_string();
    let none = site
        .confirmed(&admin, "/jury/contests/c1/teams", &[("was-team", &was)])
        .await;
    assert_eq!(none.status, StatusCode::CONFLICT, "{}", none.body);
}

#[tokio::test]
async fn the_form_of_a_new_team_changes_none() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let page = site.page(&admin, "/jury/teams").await;
    let form = form_fields(&page, "/jury/teams");
    let mut sent = with(&form, "id", "t1");
    sent.retain(|(name, _)| *name != "name");
    sent.push(("name", "Other"));
    let refused = site.post(&admin, "/jury/teams", &sent).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
}
