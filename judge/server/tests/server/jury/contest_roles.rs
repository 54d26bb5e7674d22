//! Roles in one contest: giving them, and what their pages show.

use super::super::common::labelled;
use super::site::{Site, Who, contest};
use axum::http::StatusCode;
use judge_server::store::{Contest, ContestId, ContestRole, Role};

const ROLES: &str = "/jury/contests/c1/roles";

/// Signs an account in that has a role in the contest `c1`.
fn with_role(site: &Site, name: &str, role: ContestRole) -> Who {
    let user = site.user(name, Role::Public);
    let set = site
        .app
        .store
        .set_contest_role(site.contest, user, Some(role));
    set.expect("it is set");
    Who::start(&site.app.store, user, name)
}

/// Adds a contest with the same problem and team.
fn elsewhere(site: &Site) -> ContestId {
    let store = &site.app.store;
    let other = Contest {
        name: "Elsewhere".to_owned(),
        ..contest("c2")
    };
    let id = store.put_contest(&other).expect("a contest");
    store
        .set_contest_problems(id, &[labelled(site.problem, "A")])
        .and_then(|()| store.set_contest_teams(id, &[site.team]))
        .expect("they are set");
    id
}

#[tokio::test]
async fn an_admin_gives_and_removes_roles() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let eve = site.sign_in("eve", Role::Public);
    site.user("team", Role::Team);
    let submissions = "/jury/submissions";
    assert_eq!(
        site.get(&eve, submissions).await.status,
        StatusCode::FORBIDDEN
    );
    for (account, role, expected) in [
        ("eve", "king", StatusCode::BAD_REQUEST),
        ("nobody", "jury", StatusCode::BAD_REQUEST),
        ("team", "jury", StatusCode::CONFLICT),
        ("eve", "analyst", StatusCode::SEE_OTHER),
    ] {
        let fields = [("account", account), ("role", role)];
        let answer = site.post(&admin, ROLES, &fields).await;
        assert_eq!(answer.status, expected, "{account} {role}: {}", answer.body);
    }
    let page = site.page(&admin, "/jury/contests/c1").await;
    assert!(page.contains(">eve<"), "{page}");
    site.page(&eve, submissions).await;
    let removed = site
        .post(&admin, ROLES, &[("account", "eve"), ("role", "")])
        .await;
    assert_eq!(removed.status, StatusCode::SEE_OTHER, "{}", removed.body);
    assert_eq!(
        site.get(&eve, submissions).await.status,
        StatusCode::FORBIDDEN
    );
}

/// A role ends to count when the account's team joins the contest.
#[tokio::test]
async fn a_contestant_is_not_of_the_jury() {
    let site = Site::new();
    let store = &site.app.store;
    store
        .set_contest_teams(site.contest, &[])
        .expect("it is set");
    let user = site.user("team", Role::Team);
    let set = store.set_contest_role(site.contest, user, Some(ContestRole::Jury));
    set.expect("it is set");
    let who = Who::start(store, user, "team");
    site.page(&who, "/jury/submissions").await;
    store
        .set_contest_teams(site.contest, &[site.team])
        .expect("it is set");
    let refused = site.get(&who, "/jury/submissions").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn an_analyst_sees_one_contest_and_has_no_forms() {
    let site = Site::new();
    let store = &site.app.store;
    let team = site.user("contestant", Role::Team);
    let outside = site.submit_to(team, Some(elsewhere(&site)), "print(2)");
    let own = site.submit(team, true, "print(1)");
    while site.judge_next("WA").is_some() {}
    let rejudging = store.add_rejudging("together", None, &[own, outside]);
    let mixed = rejudging.expect("it is added").0;
    store
        .add_clarification(&judge_server::store::NewClarification {
            contest: site.contest,
            from_team: Some(site.team),
            text: "WHY".to_owned(),
            ..Default::default()
        })
        .expect("it is added");
    let analyst = with_role(&site, "analyst", ContestRole::Analyst);
    for (path, shown) in [
        (format!("/jury/submissions/{own}"), "print(<span"),
        ("/jury/submissions".to_owned(), "1 submission. "),
        (
            "/jury/submissions?contest=practice".to_owned(),
            "0 submissions.",
        ),
        ("/jury/clarifications/c1".to_owned(), "WHY"),
        ("/jury/contests/c1/balloons".to_owned(), "0 to bring."),
        (format!("/submissions/{own}"), "print(<span"),
        ("/contests/c1/clarifications".to_owned(), "WHY"),
        (
            "/contests/c1/problems/A".to_owned(),
            "Only teams of this contest submit here.",
        ),
    ] {
        let page = site.page(&analyst, &path).await;
        assert!(page.contains(shown), "{path}: {page}");
        let forms = page.split("<form").skip(1);
        let mut changing = forms.filter(|form| {
            let tag = form.split('>').next().unwrap_or_default();
            tag.contains("post") && !tag.contains("/sign-out")
        });
        assert_eq!(changing.next(), None, "{path}");
        assert!(!page.contains("Elsewhere"), "{path}: another contest");
    }
    for path in [
        format!("/jury/submissions/{outside}"),
        format!("/jury/rejudgings/{mixed}"),
        "/jury/clarifications/c2".to_owned(),
    ] {
        let refused = site.get(&analyst, &path).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
    let rejudgings = site.page(&analyst, "/jury/rejudgings").await;
    assert!(!rejudgings.contains("together"), "{rejudgings}");
}

#[tokio::test]
async fn the_jury_of_a_contest_judges_there() {
    let site = Site::new();
    let team = site.user("contestant", Role::Team);
    let own = site.submit(team, true, "print(1)");
    let outside = site.submit_to(team, Some(elsewhere(&site)), "print(2)");
    while site.judge_next("WA").is_some() {}
    let judge = with_role(&site, "judge", ContestRole::Jury);
    let announced = site
        .post(&judge, "/jury/clarifications/c1", &[("text", "HELLO")])
        .await;
    assert_eq!(
        announced.status,
        StatusCode::SEE_OTHER,
        "{}",
        announced.body
    );
    // A rejudging of all submissions has only those of the contest.
    let started = site
        .post(&judge, "/jury/rejudgings", &[("reason", "again")])
        .await;
    assert_eq!(started.status, StatusCode::SEE_OTHER, "{}", started.body);
    let single = outside.to_string();
    let fields = [("reason", "elsewhere"), ("submission", single.as_str())];
    let refused = site.post(&judge, "/jury/rejudgings", &fields).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert_eq!(site.judge_next("AC"), Some(own));
    let applied = site
        .confirmed(&judge, &format!("{}/apply", started.location), &[])
        .await;
    assert_eq!(applied.status, StatusCode::SEE_OTHER, "{}", applied.body);
    assert_eq!(site.verdicts(&[own, outside]), ["AC", "WA"]);
    // The jury's submissions are not on the scoreboard.
    let user = site
        .app
        .store
        .user_named("judge")
        .expect("it is read")
        .expect("a user");
    let tried = site.submit(user.id, true, "print(3)");
    let shown = site.page(&judge, "/api/contests/c1/submissions").await;
    assert!(!shown.contains(&format!("\"id\":\"{tried}\"")), "{shown}");
}

#[tokio::test]
async fn spectators_see_a_contest_that_is_not_public() {
    let site = Site::new();
    let store = &site.app.store;
    let hidden = Contest {
        public: false,
        ..contest("c1")
    };
    store.put_contest(&hidden).expect("it is changed");
    let spectator = with_role(&site, "spectator", ContestRole::Spectator);
    let visitor = site.sign_in("visitor", Role::Public);
    for path in [
        "/contests/c1",
        "/contests/c1/scoreboard",
        "/api/contests/c1",
    ] {
        site.page(&spectator, path).await;
        assert_eq!(
            site.get(&visitor, path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let navigation = site.page(&spectator, "/contests").await;
    assert!(!navigation.contains("href=\"/jury\""), "{navigation}");
    let balloons = with_role(&site, "runner", ContestRole::Balloons);
    let navigation = site.page(&balloons, "/contests").await;
    assert!(navigation.contains("href=\"/jury\""), "{navigation}");
    assert_eq!(
        site.get(&balloons, "/jury").await.location,
        "/jury/balloons"
    );
}

#[tokio::test]
async fn types_of_accounts_give_roles_in_the_contest_of_the_package() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let accounts = "\
- {id: ann, username: ann, password: secret-1, type: analyst}
- {id: bob, username: bob, password: secret-2, type: staff}
- {id: cat, username: cat, password: secret-3, type: other, contest_role: jury}
- {id: dan, username: dan, password: secret-4, type: other}
";
    let sent = site.import(&admin, &[("accounts.yaml", accounts)]).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
    for (name, path, expected) in [
        ("ann", "/jury/submissions", StatusCode::OK),
        ("ann", "/jury/rejudgings/new", StatusCode::FORBIDDEN),
        ("bob", "/jury/balloons", StatusCode::OK),
        ("bob", "/jury/submissions", StatusCode::FORBIDDEN),
        ("cat", "/jury/rejudgings/new", StatusCode::OK),
        ("dan", "/jury/balloons", StatusCode::FORBIDDEN),
    ] {
        let user = site.app.store.user_named(name).expect("it is read");
        let who = Who::start(&site.app.store, user.expect("a user").id, name);
        assert_eq!(site.get(&who, path).await.status, expected, "{name} {path}");
    }
    let wrong = accounts.replace("contest_role: jury", "contest_role: king");
    let refused = site.import(&admin, &[("accounts.yaml", &wrong)]).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
}
