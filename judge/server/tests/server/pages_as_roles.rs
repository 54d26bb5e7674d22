//! Every page as every role: which status, and what must not appear.

use crate::page_fixture::{
    Fixture, HOSTILE, HOUR, JUDGE_IMAGE, ROLES, SAMPLE, SECRET, SOURCE, TEAM_IMAGE,
};
use judge_server::submissions::PRACTICE_DATA;

/// The statuses of a page for [`ROLES`].
async fn statuses(fixture: &Fixture, path: &str) -> [u16; 6] {
    let mut found = [0; 6];
    for (place, role) in found.iter_mut().zip(ROLES) {
        let answer = fixture.browser(role).get(path).await;
        assert!(
            !answer.body.contains(HOSTILE),
            "{path} as {role}: {}",
            answer.body
        );
        *place = answer.status.as_u16();
    }
    found
}

#[tokio::test]
async fn pages_are_open_to_those_who_may_see_them() {
    let fixture = Fixture::started(HOUR);
    let practice = fixture.judged("solo", false, "WA");
    let of_a = fixture.judged("a", true, "WA");
    let ok = [200; 6];
    for (path, expected) in [
        ("/problems".to_owned(), ok),
        ("/problems/sum".to_owned(), ok),
        // It belongs to a contest that is not over.
        ("/problems/grid".to_owned(), [404, 404, 404, 404, 404, 200]),
        ("/contests".to_owned(), ok),
        ("/contests/final".to_owned(), ok),
        ("/contests/final/problems/A".to_owned(), ok),
        ("/contests/final/problems/B".to_owned(), [404; 6]),
        ("/contests/none".to_owned(), [404; 6]),
        ("/contests/final/scoreboard".to_owned(), ok),
        ("/contests/final/clarifications".to_owned(), ok),
        ("/submissions".to_owned(), [303, 200, 200, 200, 200, 200]),
        ("/account".to_owned(), [303, 200, 200, 200, 200, 200]),
        ("/sign-in".to_owned(), ok),
        (
            format!("/submissions/{practice}"),
            [404, 404, 404, 404, 200, 200],
        ),
        (format!("/submissions/{of_a}"), ok),
        ("/submissions/999".to_owned(), [404; 6]),
        ("/submissions/x".to_owned(), [404; 6]),
        ("/none".to_owned(), [404; 6]),
    ] {
        assert_eq!(statuses(&fixture, &path).await, expected, "{path}");
    }
}

#[tokio::test]
async fn problems_are_hidden_before_the_start() {
    let fixture = Fixture::started(-HOUR);
    let only_jury = [404, 404, 404, 404, 404, 200];
    for path in [
        "/contests/final/problems/A",
        "/problems/grid",
        "/problems/grid/images/en/a.svg",
    ] {
        assert_eq!(statuses(&fixture, path).await, only_jury, "{path}");
    }
    let overview = fixture.browser("a").get("/contests/final").await.body;
    assert!(!overview.contains("Sum of"), "{overview}");
    assert!(overview.contains("starts in"), "{overview}");
}

/// The roles that read these texts on the page of a submission, as a string of their first letters.
async fn readers(fixture: &Fixture, path: &str, text: &str) -> String {
    let mut found = String::new();
    for role in ROLES {
        if fixture.browser(role).get(path).await.body.contains(text) {
            found.push_str(&role[..1]);
        }
    }
    found
}

#[tokio::test]
async fn a_submission_shows_what_the_role_may_see() {
    let fixture = Fixture::started(HOUR);
    let id = fixture.judged("a", true, "WA");
    let path = format!("/submissions/{id}");
    assert_eq!(readers(&fixture, &path, "Wrong answer").await, "-abcsj");
    assert_eq!(readers(&fixture, &path, SOURCE).await, "aj");
    let line = "href=\"#file-1-line-2\"";
    assert_eq!(readers(&fixture, &path, line).await, "aj");
    assert_eq!(readers(&fixture, &path, "compiler says").await, "aj");
    assert_eq!(readers(&fixture, &path, SAMPLE).await, "aj");
    assert_eq!(readers(&fixture, &path, SECRET).await, "j");
    assert_eq!(readers(&fixture, &path, "secret/1").await, "j");
    assert_eq!(readers(&fixture, &path, TEAM_IMAGE).await, "aj");
    assert_eq!(readers(&fixture, &path, JUDGE_IMAGE).await, "j");

    let id = fixture.judged("solo", false, "WA");
    let path = format!("/submissions/{id}");
    assert_eq!(readers(&fixture, &path, SAMPLE).await, "sj");
    assert_eq!(readers(&fixture, &path, "secret/1").await, "sj");
    assert_eq!(readers(&fixture, &path, SECRET).await, "j");
    let store = &fixture.app.store;
    store.set_setting(PRACTICE_DATA, "all").expect("it is set");
    assert_eq!(readers(&fixture, &path, SECRET).await, "sj");
    let of_contest = format!("/submissions/{}", fixture.judged("a", true, "WA"));
    assert_eq!(readers(&fixture, &of_contest, SECRET).await, "j");
}

#[tokio::test]
async fn frozen_results_are_for_the_team_and_the_jury() {
    let fixture = Fixture::started(4 * HOUR + 1000);
    let id = fixture.judged("a", true, "AC");
    let path = format!("/submissions/{id}");
    assert_eq!(readers(&fixture, &path, "Accepted").await, "aj");
    assert_eq!(readers(&fixture, &path, "0.250").await, "aj");
    let board = "/contests/final/scoreboard";
    assert_eq!(readers(&fixture, board, "✓ 1").await, "j");
    assert_eq!(readers(&fixture, board, "0 + 1").await, "-abcs");
    assert_eq!(
        readers(
            &fixture,
            board,
            "The scoreboard was frozen with 60 minutes remaining"
        )
        .await,
        "-abcs"
    );
    assert_eq!(readers(&fixture, board, "class=\"own\"").await, "ab");
}

#[tokio::test]
async fn clarifications_are_for_those_they_are_for() {
    let fixture = Fixture::started(HOUR);
    let page = "/contests/final/clarifications";
    let asked = fixture
        .browser("a")
        .post(page, "about=problem+A&text=QUESTION")
        .await;
    assert_eq!(asked.status, 303);
    assert_eq!(readers(&fixture, page, "QUESTION").await, "aj");
    let jury = fixture.browser("jury");
    assert_eq!(
        jury.post(page, "text=ANSWER&reply_to=1&to=team")
            .await
            .status,
        303
    );
    assert_eq!(readers(&fixture, page, "ANSWER").await, "aj");
    assert_eq!(
        jury.post(page, "text=PUBLIC&reply_to=1&to=all")
            .await
            .status,
        303
    );
    assert_eq!(readers(&fixture, page, "PUBLIC").await, "-abcsj");
    assert_eq!(readers(&fixture, page, "QUESTION").await, "aj");
    for role in ["b", "c", "solo"] {
        let expected = if role == "b" { 303 } else { 403 };
        let status = fixture.browser(role).post(page, "text=Q").await.status;
        assert_eq!(status, expected, "{role}");
    }
    // A team cannot pretend to be the jury.
    let sent = fixture
        .browser("b")
        .post(page, "text=FAKE&to=all&reply_to=1")
        .await;
    assert_eq!(sent.status, 303);
    assert_eq!(readers(&fixture, page, "FAKE").await, "bj");
}
