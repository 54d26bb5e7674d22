//! Forms, files and errors of pages.

use crate::in_process::form_fields;
use crate::page_fixture::{Browser, Fixture, HOUR};
use judge_server::secret;
use judge_server::store::now_ms;

#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let fixture = Fixture::started(HOUR);
    let browser = fixture.browser("a");
    let forms = [
        ("/contests/final/clarifications", "text=Q"),
        ("/account/password", "current=&new=long+enough"),
        ("/account/tokens", "name=mine"),
        ("/account/tokens/remove", "id=1"),
        ("/account/sessions/end-others", ""),
        ("/sign-out", ""),
    ];
    for (path, form) in forms {
        for csrf in ["", "csrf=wrong&"] {
            let sent = browser.post_with(path, &format!("{csrf}{form}")).await;
            assert_eq!(sent.status, 403, "{path}");
        }
        let nobody = fixture.browser("-").post_with(path, form).await;
        assert_eq!(nobody.status, 303, "{path}");
    }
    let submitted = browser
        .submit("/problems/sum/submit", "wrong", "a.py", "print()")
        .await;
    assert_eq!(submitted.status, 403);
    let own = browser.get("/submissions").await.body;
    assert!(own.contains("You have submitted nothing yet"), "{own}");
}

#[tokio::test]
async fn a_submission_is_received_as_a_form() {
    let fixture = Fixture::started(HOUR);
    let browser = fixture.browser("solo");
    let csrf = browser.session.csrf.clone();
    let submit = async |path: &str, name: &str, content: &str| {
        browser.submit(path, &csrf, name, content).await
    };
    let sent = submit("/problems/sum/submit", "a.py", "print(3)").await;
    assert_eq!(
        (sent.status.as_u16(), sent.location.as_str()),
        (303, "/submissions/1")
    );
    // A double click sends one submission.
    let again = submit("/problems/sum/submit", "a.py", "print(3)").await;
    assert_eq!(again.location, "/submissions/1");
    let page = browser.get("/submissions/1").await.body;
    for text in [
        "Python 3",
        "waiting",
        "number 1 in the queue",
        "print(<span class=\"literal\">3</span>)",
        "Load again",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    let list = browser
        .get("/submissions?problem=1&verdict=&before=")
        .await
        .body;
    assert!(list.contains("/submissions/1\""), "{list}");
    let other = browser.get("/submissions?problem=2").await.body;
    assert!(!other.contains("/submissions/1\""), "{other}");
    let none = browser.get("/submissions?verdict=AC").await.body;
    assert!(none.contains("No submission fits"), "{none}");

    for (path, name, content, status, what) in [
        (
            "/problems/sum/submit",
            "a.txt",
            "x",
            400,
            "Choose a language",
        ),
        ("/problems/sum/submit", "a.py", "", 400, "Choose a file"),
        ("/problems/sum/submit", "../a.py", "x", 400, "is not a name"),
        (
            "/problems/none/submit",
            "a.py",
            "x",
            404,
            "there is no problem",
        ),
        (
            "/contests/final/problems/A/submit",
            "a.py",
            "x",
            403,
            "does not take part",
        ),
    ] {
        let refused = submit(path, name, content).await;
        let text = refused.body.to_lowercase();
        assert_eq!(refused.status, status, "{what}");
        assert!(text.contains(&what.to_lowercase()), "no {what} in {text}");
    }
    let large = "x".repeat(300 << 10);
    for content in [large.clone(), large.repeat(8)] {
        let refused = submit("/problems/sum/submit", "a.py", &content).await;
        assert_eq!(refused.status, 413);
        assert!(refused.body.contains("Too large"), "{}", refused.body);
    }
    for _ in 0..30 {
        let sent = submit("/problems/sum/submit", "a.py", "print(3)").await;
        if sent.status == 429 {
            assert!(sent.headers.contains_key("retry-after"));
            assert!(sent.body.contains("Too many requests"), "{}", sent.body);
            return;
        }
    }
    panic!("submissions without a limit");
}

#[tokio::test]
async fn a_text_is_coloured_while_it_is_edited() {
    let fixture = Fixture::started(HOUR);
    let browser = fixture.browser("solo");
    let shown = browser.post_with("/highlight?name=a.py", "if <1>:").await;
    let html = "<span class=\"keyword\">if</span> &lt;<span class=\"literal\">1</span>&gt;:";
    assert_eq!((shown.status.as_u16(), shown.body.as_str()), (200, html));
    let large = "x".repeat((64 << 10) + 1);
    let refused = browser.post_with("/highlight?name=a.py", &large).await;
    assert_eq!(refused.status, 413);
    for _ in 0..300 {
        let asked = browser.post_with("/highlight?name=a.py", "1").await;
        if asked.status == 429 {
            return;
        }
    }
    panic!("coloured without a limit");
}

#[tokio::test]
async fn statements_show_their_images_and_samples() {
    let fixture = Fixture::started(HOUR);
    let browser = fixture.browser("-");
    let page = browser.get("/problems/sum").await.body;
    for text in [
        "<h1>Sum of &lt;two&gt;</h1>",
        "<math",
        "src=\"/problems/sum/images/en/a.svg\"",
        "data-copy=\"sample-1-input\"",
        "2 s of CPU time per case",
        "set by the package",
        "to submit.",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    assert!(!page.contains("alert(1)"), "{page}");
    assert!(!page.contains("20 22"), "{page}");
    let image = browser.get("/problems/sum/images/en/a.svg").await;
    assert_eq!(image.headers["content-type"], "image/svg+xml");
    assert_eq!(image.headers["x-content-type-options"], "nosniff");
    let policy = image.headers["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.contains("sandbox") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    for path in [
        "/problems/sum/images/en/..%2F..%2Fproblem.yaml",
        "/problems/sum/images/de/a.svg",
        "/problems/sum/statement/en",
        "/problems/sum/attachments/a",
        "/static/style.css",
    ] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn pages_load_only_files_of_this_server() {
    let fixture = Fixture::started(HOUR);
    let page = fixture.browser("-").get("/problems").await;
    let policy = page.headers["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.contains("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    let style = &judge_server::layout::STYLE.path;
    assert!(page.body.contains(style));
    let file = fixture.browser("-").get(style).await;
    assert_eq!(file.status, 200);
    let caching = file.headers["cache-control"].to_str().expect("text");
    assert!(caching.contains("immutable"), "{caching}");
}

/// The session of a sign-in by password.
async fn sign_in<'a>(fixture: &'a Fixture, password: &str, to: &str) -> (Browser<'a>, String, u16) {
    let mut browser = fixture.browser("-");
    let form = format!("name=solo&password={password}&to={to}");
    let answer = browser.post_with("/sign-in", &form).await;
    let cookie = answer.headers.get("set-cookie");
    if let Some(cookie) = cookie.map(|value| value.to_str().expect("text")) {
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite"),
            "{cookie}"
        );
        let value = cookie.split(['=', ';']).nth(1).expect("a value").to_owned();
        let session = fixture
            .app
            .store
            .session(&secret::hash(&value))
            .expect("it is read");
        browser.session.csrf = session.expect("it is there").csrf;
        browser.session.secret = Some(value);
    }
    (browser, answer.location.clone(), answer.status.as_u16())
}

#[tokio::test]
async fn passwords_sessions_and_tokens() {
    let fixture = Fixture::started(HOUR);
    // Signed in without a password: sets one without naming the present one.
    let browser = fixture.browser("solo");
    let short = browser.post("/account/password", "new=short").await;
    assert_eq!(short.status, 400);
    assert!(
        short.body.contains("use 8 to 200 characters"),
        "{}",
        short.body
    );
    assert_eq!(
        browser
            .post("/account/password", "new=first+one")
            .await
            .status,
        303
    );
    assert_eq!(
        browser.get("/account").await.status,
        303,
        "its session is over"
    );

    let (_, _, status) = sign_in(&fixture, "wrong", "").await;
    assert_eq!(status, 403);
    let (first, to, _) = sign_in(&fixture, "first+one", "/problems/sum").await;
    assert_eq!(to, "/problems/sum");
    let (second, to, _) = sign_in(&fixture, "first+one", "//evil.example").await;
    assert_eq!(to, "/problems");
    for to in [
        "/%5Cevil.example",
        "/%09/evil.example/x",
        "/x%0D%0AX-A:+b",
        "/x%00",
        "/x%7F",
    ] {
        let (_, found, status) = sign_in(&fixture, "first+one", to).await;
        assert_eq!((found.as_str(), status), ("/problems", 303), "{to}");
    }

    let wrong = first
        .post("/account/password", "current=no&new=second+one")
        .await;
    assert!(
        wrong.body.contains("not your present password"),
        "{}",
        wrong.body
    );
    assert_eq!(
        first.post("/account/sessions/end-others", "").await.status,
        303
    );
    assert_eq!(first.get("/account").await.status, 200);
    assert_eq!(second.get("/account").await.status, 303);

    let made = first.post("/account/tokens", "name=my+program").await.body;
    let start = made.find("id=\"new-token\"").expect("a token");
    let after = &made[start..];
    let token: String = after[after.find('>').expect("a tag") + 1..]
        .trim_start()
        .chars()
        .take(64)
        .collect();
    let user = fixture
        .app
        .store
        .token_user(&secret::hash(&token))
        .expect("it is read");
    assert_eq!(user.expect("a user").name, "solo");
    let again = first.get("/account").await.body;
    assert!(again.contains("my program") && !again.contains(&token));
    let asked = first.post("/account/tokens/remove", "id=1").await;
    assert_eq!(asked.status, 409);
    assert!(asked.body.contains("my program"), "{}", asked.body);
    let confirm = &form_fields(&asked.body, "/account/tokens/remove")[0].1;
    let form = format!("id=1&confirm={confirm}");
    assert_eq!(
        first.post("/account/tokens/remove", &form).await.status,
        303
    );
    let user = fixture
        .app
        .store
        .token_user(&secret::hash(&token))
        .expect("it is read");
    assert!(user.is_none());
    assert_eq!(
        first.post("/account/tokens/remove", "id=1").await.status,
        404
    );
    assert_eq!(first.post("/sign-out", "").await.status, 303);
    assert_eq!(first.get("/account").await.status, 303);
}

#[tokio::test]
async fn wrong_passwords_are_limited() {
    let fixture = Fixture::started(HOUR);
    let mut last = 0;
    for _ in 0..11 {
        last = sign_in(&fixture, "wrong", "").await.2;
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn the_board_is_rendered_again_after_a_change() {
    let fixture = Fixture::started(HOUR);
    let browser = fixture.browser("-");
    let board = async || browser.get("/contests/final/scoreboard").await.body;
    let empty = board().await;
    assert!(!empty.contains("✓ 1"), "{empty}");
    fixture.judged("a", true, "WA");
    fixture.judged("a", true, "AC");
    let solved = board().await;
    assert!(
        solved.contains("✓ 2") && solved.contains("★ first"),
        "{solved}"
    );
    let store = &fixture.app.store;
    let mut contest = store.contest(fixture.contest).expect("it is read");
    contest.start_ms = Some(now_ms() - 6 * HOUR);
    store.put_contest(&contest).expect("it is put");
    assert!(!board().await.contains("✓ 2"), "it was after the end");
}
