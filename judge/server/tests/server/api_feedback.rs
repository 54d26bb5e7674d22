//! Feedback to teams about their results while a contest runs, for each setting.

use crate::api_fixture::{Fixture, When};
use crate::api_roles::seen;
use crate::in_process::eventually;
use axum::http::StatusCode;
use judge_server::store::{Feedback, now_ms};
use serde_json::Value;

/// The team of submission 2 (AC), other teams and the jury see what each feedback allows while the
/// contest runs: in the Contest API, the own API, pages and the feed.
#[tokio::test]
async fn feedback_decides_what_is_shown_while_the_contest_runs() {
    // Judgements in the Contest API; then for the team itself: verdict, cases, marks of pages.
    for (feedback, others, verdict, cases) in [
        (Feedback::Full, "1,2,3", true, 1),
        (Feedback::Score, "1,2,3", true, 0),
        (Feedback::Samples, "-", false, 0),
    ] {
        let fixture = Fixture::new(When::Running);
        let store = &fixture.app.store;
        let mut contest = store.contest(fixture.contest).expect("a contest");
        contest.feedback = Some(feedback);
        store.put_contest(&contest).expect("it is set");
        let what = feedback.word();
        for role in ["nobody", "a", "b"] {
            assert_eq!(
                seen(&fixture, role, "judgements").await,
                others,
                "{what} {role}"
            );
            let board = fixture.get(role, "/scoreboard").await.1;
            assert_eq!(
                board.contains("\"solved\":true"),
                verdict,
                "{what} {role}: {board}"
            );
        }
        assert_eq!(
            seen(&fixture, "jury", "judgements").await,
            "1,2,3,4",
            "{what}"
        );
        let page = async |role: &str, path: &str| {
            let (status, text) = fixture.send(role, "GET", path, "").await;
            assert_eq!(status, StatusCode::OK, "{what} {role} {path}");
            text
        };
        let own: Value =
            serde_json::from_str(&page("a", "/api/practice/submissions/2").await).expect("JSON");
        assert_eq!(
            own["verdict"],
            if verdict { "AC".into() } else { Value::Null }
        );
        assert_eq!(own["max_cpu_s"].is_null(), !verdict, "{what}");
        assert_eq!(own["cases"].as_array().map(Vec::len), Some(cases), "{what}");
        assert_eq!(own["case_count"].is_null(), cases == 0, "{what}");
        for (path, mark) in [
            ("/submissions/2", "Accepted"),
            ("/submissions?verdict=AC", "/submissions/2"),
            ("/contests/c", "✓ solved"),
        ] {
            let text = page("a", path).await;
            assert_eq!(text.contains(mark), verdict, "{what} {path}");
        }
        let jury = page("jury", "/submissions/2").await;
        assert!(jury.contains("Accepted"), "{what}");
        let is_judged = |event: &Value| {
            event["type"] == "judgements" && !event["data"]["judgement_type_id"].is_null()
        };
        eventually(500, async || {
            let has_verdict = fixture.feed("a", "").await.iter().any(is_judged);
            (has_verdict != verdict).then(|| format!("{what}: the feed"))
        })
        .await;
        // Awards that were announced before are of the past.
        for event in fixture.feed("b", "").await {
            let winners = event["data"]["team_ids"].as_array().map_or(0, Vec::len);
            let is_award = event["type"] == "awards";
            assert!(verdict || !is_award || winners == 0, "{what}: {event}");
        }
        // At the end, everybody learns all.
        contest.start_ms = contest.start_ms.map(|start| start - 5 * 3_600_000);
        contest.freeze_ms = None;
        store.put_contest(&contest).expect("it is over");
        for role in ["nobody", "a"] {
            assert_eq!(
                seen(&fixture, role, "judgements").await,
                "1,2,3",
                "{what} {role}"
            );
        }
        assert!(
            page("a", "/submissions/2").await.contains("Accepted"),
            "{what}"
        );
    }
}

/// A contest that withholds results announces them when its time is over.
#[tokio::test]
async fn withheld_results_are_announced_at_the_end() {
    let fixture = Fixture::new(When::Running);
    let store = &fixture.app.store;
    let mut contest = store.contest(fixture.contest).expect("a contest");
    contest.feedback = Some(Feedback::Samples);
    contest.freeze_ms = None;
    store.put_contest(&contest).expect("it is set");
    let verdicts = async || {
        let feed = fixture.feed("nobody", "").await;
        let last = feed.last().map(|event| event["token"].to_string());
        let judged = feed
            .iter()
            .filter(|event| event["data"]["judgement_type_id"].is_string());
        (judged.count(), last.unwrap_or_default())
    };
    let (before, token) = verdicts().await;
    assert_eq!(before, 0);
    let since_start = now_ms() - contest.start_ms.expect("it is set");
    contest.duration_ms = since_start + 1000;
    store.put_contest(&contest).expect("it is set");
    let since = format!("&since_token={}", token.trim_matches('"'));
    eventually(1000, async || {
        let feed = fixture.feed("nobody", &since).await;
        let ids: std::collections::BTreeSet<_> = feed
            .iter()
            .filter(|event| event["data"]["judgement_type_id"].is_string())
            .map(|event| event["id"].to_string())
            .collect();
        (ids.len() != 3).then(|| format!("{ids:?}"))
    })
    .await;
}
