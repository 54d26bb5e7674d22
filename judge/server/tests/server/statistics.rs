//! The page of statistics.

use crate::page_fixture::{Fixture, HOUR};
use judge_server::store::Contest;

#[tokio::test]
async fn statistics_are_for_the_jury_until_the_results_are_shown() {
    let fixture = Fixture::started(HOUR);
    for (user, verdict) in [("a", "AC"), ("a", "WA"), ("b", "TLE"), ("b", "WA")] {
        fixture.judged(user, true, verdict);
    }
    fixture.waiting("b", true);
    // Of the jury, and for practice.
    fixture.judged("jury", true, "AC");
    fixture.judged("a", false, "AC");
    let page = "/contests/final/statistics";
    let (jury, team) = (fixture.browser("jury"), fixture.browser("a"));
    assert_eq!(team.get(page).await.status, 404);
    assert!(!team.get("/contests/final").await.body.contains(page));
    let shown = jury.get(page).await.body;
    for text in [
        "5 submissions: 1 accepted, 3 not accepted, 1 pending",
        "<svg class=\"chart\" role=\"img\"",
        "C++",
        "A Sum of &lt;two&gt;",
        "Teams that solved it",
    ] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    // Verdicts with their numbers.
    let (_, verdicts) = shown.split_once("By verdict").expect("verdicts");
    let (verdicts, _) = verdicts.split_once("By language").expect("languages");
    let numbers: Vec<&str> = verdicts
        .split("<tr>")
        .skip(2)
        .filter_map(|row| row.rsplit("<td>").next()?.split('<').next())
        .collect();
    assert_eq!(numbers, ["1", "2", "1"], "AC, WA, TLE: {verdicts}");

    let store = &fixture.app.store;
    let contest = store.contest(fixture.contest).expect("a contest");
    let end = |freeze_ms| Contest {
        duration_ms: HOUR - 1,
        freeze_ms,
        ..contest.clone()
    };
    store.put_contest(&end(Some(HOUR / 2))).expect("it is over");
    assert_eq!(team.get(page).await.status, 404, "the results are frozen");
    store.put_contest(&end(None)).expect("nothing is frozen");
    let answer = team.get(page).await;
    assert_eq!(answer.status, 200);
    assert!(team.get("/contests/final").await.body.contains(page));
}
