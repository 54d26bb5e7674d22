//! The way of a contestant, with real judging: sign in, read, submit wrong, see why, submit right, see
//! the scoreboard move.

use crate::page_fixture::{Browser, Fixture, HOUR};
use judge_sandbox::Mode;
use judge_server::secret;
use judge_server::store::SubmissionId;
use judge_server::units::Embedded;
use judge_server::worker::{Context, Workers};
use std::env::temp_dir;
use std::sync::Arc;
use std::time::Duration;

fn workers(fixture: &Fixture) -> Workers {
    let app = &fixture.app;
    let (store, blobs, packages) = (&app.store, &app.blobs, &app.packages);
    let embedded = Embedded::start(store.clone(), blobs.clone(), packages.clone(), "here");
    let (queue, embedded) = (fixture.queue.clone(), embedded.expect("it starts"));
    let context = Context::new(queue, Arc::new(embedded), Mode::Auto, &temp_dir(), "here");
    let context = Arc::new(context.expect("compilers"));
    Workers::start(context, &judge_sandbox::cores()[..1]).expect("they start")
}

/// Submits, and loads the page again until it has a verdict.
async fn submit(browser: &Browser<'_>, program: &str) -> (String, String) {
    let csrf = browser.session.csrf.clone();
    let path = "/contests/final/problems/A/submit";
    let sent = browser.submit(path, &csrf, "a.py", program).await;
    let address = sent.location.clone();
    assert!(address.starts_with("/submissions/"), "{}", sent.body);
    for _ in 0..1200 {
        let page = browser.get(&address).await.body;
        if !page.contains("Load again") {
            return (address, page);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no verdict");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contestant_sees_why_and_then_the_scoreboard_move() {
    let fixture = Fixture::started(HOUR);
    let hash = secret::hash_password("pass word").expect("a hash");
    let user = fixture.user("a");
    let set = fixture.app.store.set_password(user.id, Some(&hash));
    set.expect("it is set");
    let workers = workers(&fixture);

    let mut browser = fixture.browser("-");
    let answer = browser
        .post_with("/sign-in", "name=a&password=pass+word&to=/contests/final")
        .await;
    let cookie = answer.headers["set-cookie"].to_str().expect("text");
    let value = cookie.split(['=', ';']).nth(1).expect("a value").to_owned();
    let overview = {
        browser.session.secret = Some(value);
        browser.get(&answer.location).await.body
    };
    assert!(
        overview.contains("/contests/final/problems/A"),
        "{overview}"
    );
    let problem = browser.get("/contests/final/problems/A").await.body;
    let (_, after) = problem
        .split_once("name=\"csrf\" value=\"")
        .expect("a form");
    browser.session.csrf = after.split('"').next().expect("a value").to_owned();

    let (_, wrong) = submit(&browser, "a, b = map(int, input().split())\nprint(a - b)\n").await;
    for text in ["Wrong answer", "sample/1", "<mark>", "a, b = map"] {
        assert!(wrong.contains(text), "no {text} in {wrong}");
    }
    assert!(
        !wrong.contains("20 22") && !wrong.contains("secret"),
        "{wrong}"
    );
    // Its output is kept for the jury.
    let store = &fixture.app.store;
    let judging = store.valid_judging(SubmissionId(1)).expect("a judging");
    let cases = store.case_results(judging.id).expect("they are read");
    let details = cases[0].diagnosis.as_ref().expect("details");
    let kept = details.output.as_ref().expect("the output");
    assert_eq!((&*kept.base64, kept.bytes), ("LTEK", 3));
    let board = browser.get("/contests/final/scoreboard").await.body;
    assert!(
        board.contains("class=\"own\"") && !board.contains("✓ 2"),
        "{board}"
    );

    let (address, right) = submit(&browser, "print(sum(map(int, input().split())))\n").await;
    assert!(right.contains("Accepted"), "{right}");
    let board = browser.get("/contests/final/scoreboard").await.body;
    assert!(board.contains("✓ 2"), "{board}");
    let overview = browser.get("/contests/final").await.body;
    assert!(overview.contains("✓ solved"), "{overview}");
    assert!(overview.contains("1 of 1 solved"), "{overview}");
    // The stream of a finished submission has its results, and ends.
    let stream = browser.get(&format!("{address}/live")).await.body;
    assert!(
        stream.contains("event: fragment") && stream.contains("event: end"),
        "{stream}"
    );
    // Other tests of this process run programs meanwhile.
    workers.stop(|| {});
}
