//! Results of workers are accepted once, from the present attempt only.

use super::common::STARTER;
use super::jury::site::Site;
use judge_core::verdict::Verdict;
use judge_server::queue::{Leases, Priority};
use judge_server::store::{
    CaseRow, Finished, JudgingId, JudgingState, Recorded, Role, Started, Store,
};
use judge_server::units;

fn start(store: &Store, id: JudgingId) -> i64 {
    match store.start_judging(id, &STARTER).expect("it starts") {
        Started::Work { attempt, .. } => attempt,
        Started::Closed => panic!("it is closed"),
    }
}

fn case(verdict: &str) -> Recorded {
    Recorded::Case(CaseRow::new(
        0,
        Verdict::from_code(verdict).expect("a verdict"),
    ))
}

fn finished(verdict: &str) -> Recorded {
    Recorded::Finished(Finished::new(
        Verdict::from_code(verdict).expect("a verdict"),
    ))
}

#[tokio::test]
async fn results_of_a_stale_attempt_are_refused() {
    let site = Site::new();
    let store = &site.app.store;
    let submission = site.submit(site.user("team", Role::Team), true, "x");
    let id = store.valid_judging(submission).expect("a judging").id;
    let old = start(store, id);
    let record = |attempt, results: &[Recorded]| {
        let results: Vec<_> = results.iter().map(|r| (id, attempt, r.clone())).collect();
        store.record(&results).expect("the store works")
    };
    assert_eq!(
        record(old, &[Recorded::Compiled(None), case("WA")]),
        [true, true]
    );
    let new = start(store, id);
    // The new attempt begins without the results of the old one.
    assert_eq!(store.case_results(id).expect("they are read"), []);
    let late = [
        Recorded::Compiled(Some("old".to_owned())),
        case("WA"),
        finished("WA"),
    ];
    assert_eq!(record(old, &late), [false, false, false]);
    assert_eq!(record(new, &[case("AC"), case("WA")]), [true, false]);
    assert_eq!(
        record(new, &[finished("AC"), finished("WA")]),
        [true, false]
    );
    let judging = store.judging(id).expect("a judging");
    assert_eq!(judging.verdict, Some(Verdict::Accepted));
    assert_eq!(judging.compile_message, None);
    let cases = store.case_results(id).expect("they are read");
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0].verdict, Verdict::Accepted);
    let again = store.start_judging(id, &STARTER).expect("the store works");
    assert!(matches!(again, Started::Closed));
    assert!(!store.give_up_judging(id, "late").expect("the store works"));
    let judgements = store
        .feed_after(site.contest, 0, usize::MAX)
        .expect("the feed");
    let with_verdict = judgements.iter().filter(|row| {
        let data = row.data.as_deref().unwrap_or_default();
        row.kind == "judgements" && data.contains("\"AC\"")
    });
    assert_eq!(with_verdict.count(), 1);
}

#[tokio::test]
async fn unfinished_changes_of_the_queue_are_completed_at_the_next_start() {
    let site = Site::new();
    let store = &site.app.store;
    let queue = site.queue.as_ref();
    let user = site.user("team", Role::Team);
    let (lost, parked) = (site.submit(user, true, "x"), site.submit(user, true, "y"));
    let id = |submission| store.valid_judging(submission).expect("a judging").id;
    // Killed before one unit was enqueued, and between parking the other and its JE.
    assert!(
        queue
            .remove(&units::unit_id(id(lost)))
            .expect("the queue works")
    );
    let lease = site.lease().expect("a unit");
    queue
        .park(&lease, "the validator crashes")
        .expect("the queue works");
    units::reconcile(store, queue).expect("it works");
    units::reconcile(store, queue).expect("it works");
    let judging = store.judging(id(parked)).expect("a judging");
    assert_eq!(judging.state, JudgingState::Done);
    assert_eq!(judging.verdict, Some(Verdict::JudgeError));
    assert_eq!(judging.reason.as_deref(), Some("the validator crashes"));
    let unit = site.lease().expect("a unit").unit;
    assert_eq!(
        unit,
        units::unit(id(lost), Priority::Contest, format!("team {}", site.team))
    );
    assert!(site.lease().is_none());
}

#[tokio::test]
async fn results_of_a_contest_are_those_that_count() {
    let site = Site::new();
    let store = &site.app.store;
    let team = site.user("team", Role::Team);
    let jury = site.user("jury", Role::Jury);
    site.submit(jury, false, "practice");
    let ids = [site.submit(team, true, "a"), site.submit(jury, true, "b")];
    while site.judge_next("WA").is_some() {}
    let open = site.submit(team, true, "c");
    let results = store.contest_results(site.contest).expect("they are read");
    let seen: Vec<_> = results
        .iter()
        .map(|own| (own.submission, own.team, own.verdict.map(Verdict::code)))
        .collect();
    let wrong = Some("WA");
    let expected = [
        (ids[0], Some(site.team), wrong),
        (ids[1], None, wrong),
        (open, Some(site.team), None),
    ];
    assert_eq!(seen, expected);
    assert!(results.iter().all(|own| own.problem == site.problem));
    let teams = store.contest_teams(site.contest).expect("they are read");
    assert_eq!(
        teams.iter().map(|team| team.id).collect::<Vec<_>>(),
        [site.team]
    );
}
