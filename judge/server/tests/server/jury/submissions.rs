//! The list of submissions, and a submission.

use super::site::{HOSTILE, Site};
use axum::http::StatusCode;
use judge_server::store::Role;

#[tokio::test]
async fn the_list_is_filtered() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let (team, other) = (
        site.user("team", Role::Team),
        site.user("other", Role::Public),
    );
    let (first, second) = (site.submit(team, true, "1"), site.submit(team, true, "2"));
    site.judge_next("AC");
    site.judge_next("WA");
    let waiting = site.submit(team, true, "3");
    let link = |id| format!("href=\"/jury/submissions/{id}\"");
    for (query, shown, hidden) in [
        ("verdict=AC", vec![first], vec![second, waiting]),
        ("state=judged", vec![first, second], vec![waiting]),
        ("state=open", vec![waiting], vec![first, second]),
        (
            "contest=1&problem=1&team=1&language=python3",
            vec![first, second, waiting],
            vec![],
        ),
        ("contest=practice", vec![], vec![first, second, waiting]),
        ("language=cpp", vec![], vec![first, second, waiting]),
        (
            &format!("user={other}"),
            vec![],
            vec![first, second, waiting],
        ),
        (
            "until=2001-01-01T00:00",
            vec![],
            vec![first, second, waiting],
        ),
        (
            "from=2001-01-01T00:00",
            vec![first, second, waiting],
            vec![],
        ),
    ] {
        let page = site
            .page(&jury, &format!("/jury/submissions?{query}"))
            .await;
        assert!(
            shown.iter().all(|id| page.contains(&link(*id))),
            "{query}: {page}"
        );
        assert!(
            !hidden.iter().any(|id| page.contains(&link(*id))),
            "{query}: {page}"
        );
    }
    let wrong = site.get(&jury, "/jury/submissions?from=yesterday").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_list_has_pages() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    for k in 0..3 {
        let user = site.user(&format!("user-{k}"), Role::Jury);
        for _ in 0..20 {
            site.submit(user, true, "x");
        }
    }
    let first = site.page(&jury, "/jury/submissions?contest=1").await;
    assert!(
        first.contains("Page 1 of 2") && first.contains("/jury/submissions/60\""),
        "{first}"
    );
    let second = site.page(&jury, "/jury/submissions?contest=1&page=2").await;
    assert!(second.contains("/jury/submissions/10\""), "{second}");
    assert!(!second.contains("/jury/submissions/11\""), "{second}");
}

#[tokio::test]
async fn a_submission_shows_cases_source_and_changes() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let team = site.user("team", Role::Team);
    site.submit(team, true, "a = 1\nprint(a)\n");
    let second = site.submit(team, true, "a = 2\nprint(a)\n");
    site.judge_next("WA");
    site.judge_next("AC");
    let page = site
        .page(&jury, &format!("/jury/submissions/{second}"))
        .await;
    for text in [
        "0.125 s",
        "12 %",
        "3.0 MiB",
        "- a = 1</del>",
        "+ a = 2</ins>",
        "number 1 of 1",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(
        page.contains("Python 3") || page.contains("python3"),
        "{page}"
    );
}

#[tokio::test]
async fn hostile_names_and_messages_are_escaped() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let team = site.user(HOSTILE, Role::Team);
    let id = site.submit(team, true, HOSTILE);
    site.judge_next("WA");
    for path in [
        "/jury/submissions",
        &format!("/jury/submissions/{id}"),
        "/jury/queue",
    ] {
        let page = site.page(&jury, path).await;
        assert!(!page.contains("<script>alert"), "{path}: {page}");
    }
    let page = site.page(&jury, "/jury/submissions").await;
    assert!(page.contains("&lt;script&gt;alert"), "{page}");
}
