//! The list of submissions, and a submission.

use super::site::{HOSTILE, Site};
use crate::in_process::record_judging;
use axum::http::StatusCode;
use judge_core::results::{Details, KeptOutput};
use judge_core::verdict::Verdict;
use judge_server::store::{CaseRow, Finished, Role, UnitId};

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
    assert!(page.contains("A contest at 1:0"), "{page}");
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
async fn files_of_a_case_are_downloaded() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let team = site.sign_in("team", Role::Team);
    let member = site.app.store.user_named("team").expect("it is read");
    let member = member.expect("a user").id;
    let id = site.submit(member, true, "print(4)");
    let unit: UnitId = site
        .lease()
        .expect("a unit")
        .unit
        .id
        .parse()
        .expect("an id");
    let judging = unit.judging().expect("a judging");
    let kept = KeptOutput {
        base64: "NP8K".to_owned(),
        bytes: 4096,
    };
    let case = CaseRow {
        message: Some("not 3".to_owned()),
        diagnosis: Some(Box::new(Details {
            output: Some(kept),
            ..Details::default()
        })),
        ..CaseRow::new(0, Verdict::WrongAnswer)
    };
    let finished = Finished::new(Verdict::WrongAnswer);
    record_judging(&site.app.store, judging, None, [case], finished);
    let page = site.page(&jury, &format!("/jury/submissions/{id}")).await;
    assert!(page.contains("cut: 3 of 4096 bytes"), "{page}");
    let base = format!("/jury/submissions/{id}/judgings/{judging}/cases");
    for (file, name, content) in [
        ("input", "1.in", "1 2\n".as_bytes()),
        ("answer", "1.ans", b"3\n"),
        ("output", "1.out", b"4\xff\n"),
        ("feedback", "1.txt", b"not 3"),
    ] {
        let path = format!("{base}/0/{file}");
        assert!(page.contains(&format!("\"{path}\"")), "{path}: {page}");
        let sent = site.get(&jury, &path).await;
        let disposition = format!("attachment; filename=\"{name}\"");
        assert_eq!(sent.headers["content-disposition"], disposition);
        assert_eq!(sent.headers["content-length"], content.len().to_string());
        assert_eq!(sent.body, String::from_utf8_lossy(content));
        assert_eq!(site.get(&team, &path).await.status, StatusCode::FORBIDDEN);
    }
    let path = format!("/jury/submissions/{id}/source");
    let source = site.get(&jury, &path).await;
    assert_eq!(source.headers["content-type"], "application/zip");
    assert!(source.body.contains("main.py"), "{}", source.body);
    let other = site.submit(member, true, "x");
    for path in [
        format!("{base}/1/input"),
        format!("{base}/0/diff"),
        format!("/jury/submissions/{other}/judgings/{judging}/cases/0/input"),
    ] {
        assert_eq!(site.get(&jury, &path).await.status, StatusCode::NOT_FOUND);
    }
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
