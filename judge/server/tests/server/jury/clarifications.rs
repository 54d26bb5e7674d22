//! Questions, answers and announcements.

use super::super::in_process::form_fields;
use super::site::{HOSTILE, Site};
use axum::http::StatusCode;
use judge_server::store::{
    Clarification, ClarificationId, Contest, NewClarification, Role, Texts, Visibility,
};

fn ask(site: &Site, text: &str) -> ClarificationId {
    let question = NewClarification {
        contest: site.contest,
        problem: Some(site.problem),
        category: None,
        from_team: Some(site.team),
        to_team: None,
        reply_to: None,
        text: text.to_owned(),
        author: None,
        ..Default::default()
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
        page.contains("2 questions wait") && page.contains("about <strong>A sum</strong>"),
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
    let fields = [("about", "problem A"), ("text", "The limit is 2 s.")];
    site.post(&jury, "/jury/clarifications/c1", &fields).await;
    let sent = last(&site);
    assert_eq!(
        (sent.visible(), sent.text.as_str()),
        (Visibility::Public, "The limit is 2 s.")
    );
    let wrong = [("about", "problem Z"), ("text", "x")];
    let answer = site.post(&jury, "/jury/clarifications/c1", &wrong).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
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

/// Sets categories and prepared answers of the contest.
fn set_texts(site: &Site, categories: &[&str], prepared: &[&str]) {
    let texts = |all: &[&str]| Texts(all.iter().map(|&text| text.to_owned()).collect());
    let contest = site.app.store.contest(site.contest).expect("a contest");
    let new = Contest {
        clarification_categories: texts(categories),
        prepared_answers: Some(texts(prepared)).filter(|_| !prepared.is_empty()),
        ..contest
    };
    site.app.store.put_contest(&new).expect("it is kept");
}

#[tokio::test]
async fn questions_have_categories_that_the_jury_filters_and_changes() {
    let site = Site::new();
    let (jury, team) = (
        site.sign_in("jury", Role::Jury),
        site.sign_in("team", Role::Team),
    );
    set_texts(&site, &["Operations", "SysOps <b>"], &[]);
    let page = "/contests/c1/clarifications";
    let form = site.page(&team, page).await;
    for choice in [
        "<option value=\"\" selected>General</option>",
        "<option value=\"category SysOps &lt;b&gt;\">SysOps &lt;b&gt;</option>",
        "<option value=\"problem A\">A sum</option>",
    ] {
        assert!(form.contains(choice), "no {choice} in {form}");
    }
    for (about, text) in [
        ("category SysOps <b>", "THE PRINTER"),
        ("", "LUNCH"),
        ("problem A", "LIMITS"),
    ] {
        let asked = site
            .post(&team, page, &[("about", about), ("text", text)])
            .await;
        assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.body);
    }
    for wrong in ["category Sports", "problem Z", "nothing"] {
        let refused = site
            .post(&team, page, &[("about", wrong), ("text", "x")])
            .await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
    }

    let list = "/jury/clarifications/c1";
    // Which texts the list of all has; those that wait are above it.
    let shown = async |filter: &str| {
        let page = site.page(&jury, &format!("{list}?{filter}")).await;
        let (_, all) = page.split_once("id=\"all\"").expect("the list");
        let texts = ["THE PRINTER", "LUNCH", "LIMITS"];
        texts.map(|text| all.contains(&format!(">{text}<")))
    };
    let sysops = "about=category+SysOps+%3Cb%3E";
    assert_eq!(shown("").await, [true, true, true]);
    assert_eq!(shown(sysops).await, [true, false, false]);
    assert_eq!(
        shown(&format!("{sysops}&about=problem+A")).await,
        [true, false, true]
    );
    assert_eq!(shown("about=").await, [false, true, false]);
    assert_eq!(shown("team=t1&state=open").await, [true, true, true]);
    assert_eq!(shown("team=t9").await, [false; 3]);
    let answered = format!("{list}/1/answer");
    let answer = [("to", "team"), ("text", "Wait.")];
    site.post(&jury, &answered, &answer).await;
    assert_eq!(shown("state=answered").await, [true, false, false]);
    assert_eq!(shown("state=open").await, [false, true, true]);

    // The answer moves with its question.
    let moved = site
        .post(&jury, &format!("{list}/1/about"), &[("about", "problem A")])
        .await;
    assert_eq!(moved.status, StatusCode::SEE_OTHER, "{}", moved.body);
    assert_eq!(shown("about=problem+A").await, [true, false, true]);
    let sent = site.page(&team, "/api/contests/c1/clarifications").await;
    let sent: Vec<serde_json::Value> = serde_json::from_str(&sent).expect("JSON");
    let about: Vec<_> = sent.iter().map(|one| one["problem_id"].as_str()).collect();
    assert_eq!(about, [Some("sum"), None, Some("sum"), Some("sum")]);
    let refused = site
        .post(&team, &format!("{list}/1/about"), &[("about", "")])
        .await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn notes_of_the_jury_are_for_the_jury() {
    let site = Site::new();
    let (jury, team) = (
        site.sign_in("jury", Role::Jury),
        site.sign_in("team", Role::Team),
    );
    let question = ask(&site, "Why?");
    let path = format!("/jury/clarifications/c1/{question}/note");
    let note = "INTERNAL <i>doubt</i>";
    let noted = site.post(&jury, &path, &[("text", note)]).await;
    assert_eq!(noted.status, StatusCode::SEE_OTHER, "{}", noted.body);
    let empty = site.post(&jury, &path, &[("text", " ")]).await;
    assert_eq!(empty.status, StatusCode::BAD_REQUEST);
    let none = "/jury/clarifications/c1/77/note";
    let gone = site.post(&jury, none, &[("text", "x")]).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    let page = site.page(&jury, "/jury/clarifications/c1").await;
    assert!(page.contains("INTERNAL &lt;i&gt;doubt&lt;/i&gt;"), "{page}");
    assert!(page.contains("Note of jury"), "{page}");
    // A note is no answer.
    assert!(page.contains("1 questions wait"), "{page}");

    let feed = "/api/contests/c1/event-feed?stream=false";
    for who in [&team, &jury] {
        for path in [
            "/contests/c1/clarifications",
            "/api/contests/c1/clarifications",
            feed,
        ] {
            let body = site.page(who, path).await;
            assert!(body.contains("Why?"), "{path}: {body}");
            assert!(!body.contains("INTERNAL"), "{path}: {body}");
        }
    }
}

#[tokio::test]
async fn an_answer_quotes_its_question() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let question = ask(&site, "Is 0 allowed?\nAnd 1?");
    let path = format!("/jury/clarifications/c1/{question}/answer");
    let fields = [("text", "Yes."), ("to", "all"), ("quote", "1")];
    site.post(&jury, &path, &fields).await;
    assert_eq!(last(&site).text, "> Is 0 allowed?\n> And 1?\n\nYes.");
}

#[tokio::test]
async fn a_contest_has_its_own_prepared_answers() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    ask(&site, "Why?");
    let settings = "/jury/contests/c1";
    let page = site.page(&admin, settings).await;
    let mut fields = form_fields(&page, settings);
    for (name, text) in [
        ("categories", "SysOps\r\n\r\n Operations \r\nSysOps"),
        ("prepared", "See rule 7.\r\nAsk the coach."),
    ] {
        fields.push((name.to_owned(), text.to_owned()));
    }
    let sent: Vec<_> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let saved = site.post(&admin, settings, &sent).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let contest = site.app.store.contest(site.contest).expect("a contest");
    assert_eq!(contest.clarification_categories.0, ["SysOps", "Operations"]);
    let page = site.page(&admin, "/jury/clarifications/c1").await;
    assert!(page.contains("<option>See rule 7.</option>"), "{page}");
    assert!(!page.contains("<option>No comment.</option>"), "{page}");
    set_texts(&site, &[], &[]);
    let page = site.page(&admin, "/jury/clarifications/c1").await;
    assert!(page.contains("<option>No comment.</option>"), "{page}");
}

#[tokio::test]
async fn two_judges_do_not_answer_one_question_unseen_and_nothing_is_sent_twice() {
    let site = Site::new();
    let (first, second) = (
        site.sign_in("first", Role::Jury),
        site.sign_in("second", Role::Jury),
    );
    let id = ask(&site, "Why?");
    let path = format!("/jury/clarifications/c1/{id}/answer");
    let page = site.page(&second, "/jury/clarifications/c1").await;
    let stale = form_fields(&page, &path);
    let answer = |text| [("text", text), ("to", "all"), ("answers", "0")];
    let sent = site.post(&first, &path, &answer("Because.")).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
    let mut stale: Vec<_> = stale
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    stale.push(("text", "It is so."));
    for (who, fields) in [(&second, &stale[..]), (&first, &answer("Because."))] {
        let refused = site.post(who, &path, fields).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    }
    // The page that shows the answer allows a second one.
    let fields = [("text", "It is so."), ("to", "all"), ("answers", "1")];
    let again = site.post(&second, &path, &fields).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.body);
    let announce = [("text", "Lunch"), ("about", "")];
    for expected in [StatusCode::SEE_OTHER, StatusCode::CONFLICT] {
        let answer = site
            .post(&first, "/jury/clarifications/c1", &announce)
            .await;
        assert_eq!(answer.status, expected, "{}", answer.body);
    }
    assert_eq!(
        site.app
            .store
            .clarifications(site.contest)
            .expect("all")
            .len(),
        4
    );
}
