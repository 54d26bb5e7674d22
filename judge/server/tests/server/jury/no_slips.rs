//! Actions that cannot be undone: each asks once, in a page without a script that names what changes.

use super::site::{Site, Who};
use crate::in_process::form_fields;
use axum::http::StatusCode;
use judge_server::store::{Contest, Role, now_ms};

/// Sets the clock of the contest: it started so long ago, and takes an hour.
fn clock(site: &Site, started_ms: Option<i64>) {
    let store = &site.app.store;
    let contest = store.contest(site.contest).expect("a contest");
    let set = Contest {
        start_ms: started_ms.map(|ago| now_ms() - ago),
        duration_ms: 3_600_000,
        freeze_ms: Some(1_800_000),
        ..contest
    };
    store.put_contest(&set).expect("it is set");
}

#[tokio::test]
async fn what_cannot_be_undone_asks_and_names_what_it_changes() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    clock(&site, Some(3_000_000));
    let id = site.submit(member, true, "x");
    site.judge_next("WA");
    let started = [("reason", "again"), ("submission", &*id.to_string())];
    let rejudging = site.post(&admin, "/jury/rejudgings", &started).await;
    assert_eq!(
        rejudging.location, "/jury/rejudgings/1",
        "{}",
        rejudging.body
    );
    site.judge_next("AC");
    let hour = Some(3_000_000);
    let over = Some(7_200_000);
    let password = format!("/jury/users/{member}/password");
    let user = format!("/jury/users/{member}/delete");
    let team = format!("/jury/teams/{}/delete", site.team);
    let was = site.team.to_string();
    for (started, path, fields, named) in [
        (
            over,
            "/jury/contests/c1/clock",
            vec![("do", "thaw")],
            "the results of 1 submission of the freeze",
        ),
        (
            over,
            "/jury/contests/c1/clock",
            vec![("do", "finalize")],
            "The verdicts of 1 submission",
        ),
        (
            None,
            "/jury/contests/c1/clock",
            vec![("do", "start")],
            "A contest starts now",
        ),
        (
            Some(60_000),
            "/jury/contests/c1/clock",
            vec![("do", "freeze")],
            "scoreboard of A contest stays",
        ),
        (
            hour,
            "/jury/rejudgings/1/apply",
            vec![],
            "1 submission: WA becomes AC",
        ),
        (
            hour,
            "/jury/rejudgings/1/drop",
            vec![],
            "Its 1 judging never count",
        ),
        (hour, password.as_str(), vec![], "team gets a password"),
        (
            hour,
            user.as_str(),
            vec![],
            "1 submission and all their results are deleted",
        ),
        (hour, team.as_str(), vec![], "A contest loses the team"),
        (
            hour,
            "/jury/contests/c1/delete",
            vec![],
            "1 submission and all their results",
        ),
        (
            hour,
            "/jury/packages/sum/delete",
            vec![],
            "A contest loses the problem",
        ),
        (
            hour,
            "/jury/contests/c1/problems",
            vec![("problem-0", "")],
            "loses the problem A sum",
        ),
        (
            hour,
            "/jury/contests/c1/teams",
            vec![("was-team", was.as_str())],
            "loses the team t1",
        ),
    ] {
        clock(&site, started);
        let contest = site.app.store.contest(site.contest).expect("a contest");
        let asked = site.post(&admin, path, &fields).await;
        let what = format!("{path} {fields:?}: {}", asked.body);
        assert_eq!(asked.status, StatusCode::CONFLICT, "{what}");
        assert!(asked.body.contains("Nothing has changed yet"), "{what}");
        assert!(asked.body.contains(named), "{what}");
        assert!(asked.body.contains("Change nothing"), "{what}");
        // A wrong answer is none.
        let mut wrong = fields.clone();
        wrong.push(("confirm", "1"));
        let again = site.post(&admin, path, &wrong).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "{what}");
        assert_eq!(
            site.app.store.contest(site.contest).expect("it stays"),
            contest
        );
        assert_eq!(site.verdicts(&[id]), ["WA"], "{what}");
        let user = site.app.store.user(member).expect("the user stays");
        assert_eq!(user.password_hash, None);
        assert_eq!(
            site.app
                .store
                .contest_problems(site.contest)
                .expect("problems")
                .len(),
            1
        );
        assert_eq!(
            site.app
                .store
                .contest_teams(site.contest)
                .expect("teams")
                .len(),
            1
        );
    }
}

#[tokio::test]
async fn the_answer_holds_for_what_the_page_named() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    let path = "/jury/packages/sum/delete";
    let asked = site.post(&admin, path, &[]).await;
    let stale = form_fields(&asked.body, path);
    // Somebody submits before the answer: the page asks again, with the new consequence.
    site.submit(member, true, "x");
    let stale: Vec<_> = stale
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let again = site.post(&admin, path, &stale).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
    assert!(
        again.body.contains("1 submission and all their results"),
        "{}",
        again.body
    );
    let found = site.app.store.problem_by_ext("sum").expect("it is read");
    assert!(found.is_some());
}

#[tokio::test]
async fn programs_are_not_asked() {
    let site = Site::new();
    let admin = site.user("admin", Role::Admin);
    clock(&site, None);
    let store = &site.app.store;
    let hash = judge_server::secret::hash("token");
    store.add_token(&hash, admin, "program").expect("a token");
    let request = axum::http::Request::post("/jury/contests/c1/clock")
        .header("authorization", "Bearer token")
        .header("content-type", "application/x-www-form-urlencoded");
    let router = judge_server::web::router(site.app.clone());
    let answer = crate::in_process::ask(&router, request, "do=start").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert!(
        store
            .contest(site.contest)
            .expect("a contest")
            .is_running(now_ms() + 1)
    );
    assert_eq!(Who::default().csrf, "");
}

#[tokio::test]
async fn settings_that_show_hidden_results_ask() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    clock(&site, Some(3_000_000));
    site.submit(member, true, "x");
    site.judge_next("AC");
    let path = "/jury/contests/c1";
    let settings = async || {
        let page = site.page(&admin, path).await;
        form_fields(&page, path)
    };
    let with = |fields: &[(String, String)], changes: &[(&str, &str)]| {
        let kept = fields
            .iter()
            .filter(|(name, _)| changes.iter().all(|(own, _)| own != name));
        let mut all: Vec<_> = kept.cloned().collect();
        all.extend(
            changes
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned())),
        );
        all
    };
    let send = async |fields: &[(String, String)]| {
        let fields: Vec<_> = fields
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        site.post(&admin, path, &fields).await
    };
    let length = || {
        site.app
            .store
            .contest(site.contest)
            .expect("a contest")
            .duration_ms
    };
    // An hour longer, the scoreboard would be frozen after the submission.
    let longer = with(&settings().await, &[("duration", "2:00:00")]);
    let asked = send(&longer).await;
    assert_eq!(asked.status, StatusCode::CONFLICT, "{}", asked.body);
    for part in [
        "the results of 1 submission of the freeze",
        "for the last 1:30:00",
    ] {
        assert!(asked.body.contains(part), "no {part} in {}", asked.body);
    }
    assert_eq!(length(), 3_600_000);
    let frozen = with(&longer, &[("freeze", "1:30:00")]);
    assert_eq!(send(&frozen).await.status, StatusCode::SEE_OTHER);
    assert_eq!(length(), 7_200_000);
    let never = with(&settings().await, &[("freeze", "")]);
    let never: Vec<_> = never
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let shown = site.confirmed(&admin, path, &never).await;
    assert_eq!(shown.status, StatusCode::SEE_OTHER, "{}", shown.body);
    // The same for results that no judge has verified.
    let fields = with(&settings().await, &[("verification", "1")]);
    assert_eq!(send(&fields).await.status, StatusCode::SEE_OTHER);
    let fields = with(&settings().await, &[("verification", "")]);
    let asked = send(&fields).await;
    assert!(
        asked
            .body
            .contains("of 1 submission that no judge has verified"),
        "{}",
        asked.body
    );
}

/// Two admins who add an object with one id at the same time: one of them learns of the other.
#[tokio::test]
async fn of_two_new_objects_with_one_id_the_second_is_refused() {
    let site = Site::new();
    let admins = [
        site.sign_in("first", Role::Admin),
        site.sign_in("second", Role::Admin),
    ];
    for path in [
        "/jury/contests",
        "/jury/organizations",
        "/jury/groups",
        "/jury/teams",
    ] {
        let names = ["First", "Second"];
        let fields = names.map(|name| {
            [
                ("id", "same"),
                ("new", "1"),
                ("name", name),
                ("duration", "5 h"),
            ]
        });
        let (first, second) = tokio::join!(
            site.post(&admins[0], path, &fields[0]),
            site.post(&admins[1], path, &fields[1]),
        );
        let mut all = [first.status, second.status];
        all.sort();
        assert_eq!(all, [StatusCode::SEE_OTHER, StatusCode::CONFLICT], "{path}");
    }
}
