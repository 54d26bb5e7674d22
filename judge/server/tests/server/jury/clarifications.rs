//! Questions, answers and announcements.

use super::site::{HOSTILE, Site};
use axum::http::StatusCode;
use judge_server::store::{Clarification, ClarificationId, NewClarification, Role, Visibility};

fn ask(site: &Site, text: &str) -> ClarificationId {
    let question = NewClarification {
        contest: site.contest,
        problem: Some(site.problem),
        from_team: Some(site.team),
        to_team: None,
        reply_to: None,
        text: text.to_owned(),
        author: None,
    };
    site.app
        .store
        .add_clarification(&question)
        .expect("a question")
}

fn last(site: &Site) -> Clarification {
    let all = site
        .app
        .store
        .clarifications(site.contest)
        .expect("clarifications");
    all.last().expect("one").clone()
}

#[tokio::test]
async fn a_text_does_not_control_the_display() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let path = "/jury/clarifications/c1";
    for text in ["a\u{1b}[2J", "a\0b", "a\u{202e}b"] {
        let fields = [("text", text), ("to", "all")];
        let refused = site.post(&jury, path, &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{text:?}");
    }
    let fields = [("text", "two\r\nlines"), ("to", "all")];
    let accepted = site.post(&jury, path, &fields).await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER);
    assert_eq!(last(&site).text, "two\nlines");
}

#[tokio::test]
async fn questions_wait_until_they_are_answered() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let (first, second) = (ask(&site, HOSTILE), ask(&site, "Why?"));
    let page = site.page(&jury, "/jury/clarifications/c1").await;
    assert!(
        page.contains("2 questions wait") && page.contains("problem A"),
        "{page}"
    );
    assert!(!page.contains("<script>alert"), "{page}");

    let path = format!("/jury/clarifications/c1/{first}/answer");
    let fields = [("canned", "No comment."), ("text", ""), ("to", "team")];
    assert_eq!(
        site.post(&jury, &path, &fields).await.status,
        StatusCode::SEE_OTHER
    );
    let answer = last(&site);
    assert_eq!(
        (answer.text.as_str(), answer.reply_to),
        ("No comment.", Some(first))
    );
    assert_eq!(answer.visible(), Visibility::Team(site.team));

    let path = format!("/jury/clarifications/c1/{second}/answer");
    let empty = site
        .post(&jury, &path, &[("to", "all"), ("text", " ")])
        .await;
    assert_eq!(empty.status, StatusCode::BAD_REQUEST);
    site.post(&jury, &path, &[("to", "all"), ("text", "Because.")])
        .await;
    assert_eq!(last(&site).visible(), Visibility::Public);
    let page = site.page(&jury, "/jury/clarifications/c1").await;
    assert!(
        page.contains("0 questions wait") && page.contains("Because."),
        "{page}"
    );
}

#[tokio::test]
async fn an_announcement_goes_to_all() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let fields = [("problem", "1"), ("text", "The limit is 2 s.")];
    site.post(&jury, "/jury/clarifications/c1", &fields).await;
    let sent = last(&site);
    assert_eq!(
        (sent.visible(), sent.text.as_str()),
        (Visibility::Public, "The limit is 2 s.")
    );
    let wrong = [("problem", "77"), ("text", "x")];
    let answer = site.post(&jury, "/jury/clarifications/c1", &wrong).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn prepared_answers_have_those_of_the_icpc() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let question = ask(&site, "Why?");
    let page = site.page(&jury, "/jury/clarifications/c1").await;
    for prepared in [
        "No comment, read problem statement.",
        "This will be answered during the answers to questions session.",
    ] {
        assert!(
            page.contains(&format!("<option>{prepared}</option>")),
            "{page}"
        );
        let path = format!("/jury/clarifications/c1/{question}/answer");
        let sent = site.post(&jury, &path, &[("canned", prepared)]).await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
        assert_eq!(last(&site).text, prepared);
    }
}
