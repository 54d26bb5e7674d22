//! Rejudgings while a contest goes on.

use super::site::{Site, Who};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_server::store::{FeedRow, Role, SubmissionId, UserId};

struct Setting {
    site: Site,
    jury: Who,
    team: UserId,
    judged: Vec<SubmissionId>,
}

/// Three submissions with the verdict WA.
fn setting() -> Setting {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let team = site.user("team", Role::Team);
    let judged: Vec<SubmissionId> = (0..3).map(|_| site.submit(team, true, "x")).collect();
    while site.judge_next("WA").is_some() {}
    Setting {
        site,
        jury,
        team,
        judged,
    }
}

impl Setting {
    /// Starts a rejudging; returns its address.
    async fn start(&self, fields: &[(&str, &str)]) -> String {
        let all = [&[("reason", "new data")], fields].concat();
        let answer = self.site.post(&self.jury, "/jury/rejudgings", &all).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        answer.location
    }

    async fn end(&self, rejudging: &str, how: &str) -> StatusCode {
        let path = format!("{rejudging}/{how}");
        self.site.confirmed(&self.jury, &path, &[]).await.status
    }

    fn feed(&self) -> Vec<FeedRow> {
        let feed = self
            .site
            .app
            .store
            .feed_after(self.site.contest, 0, usize::MAX);
        let mut rows = feed.expect("the feed");
        rows.retain(|row| row.kind == "judgements");
        rows
    }
}

#[tokio::test]
async fn changes_are_shown_and_applied_as_a_whole() {
    let s = setting();
    let rejudging = s.start(&[("contest", "1"), ("verdict", "WA")]).await;
    assert_eq!(s.end(&rejudging, "apply").await, StatusCode::CONFLICT);
    s.site.judge_next("AC");
    s.site.judge_next("AC");
    let page = s.site.page(&s.jury, &rejudging).await;
    assert!(page.contains("2 of 3 judged"), "{page}");
    assert!(!page.contains("Apply all changes"), "{page}");
    assert_eq!(s.site.verdicts(&s.judged), ["WA", "WA", "WA"]);
    s.site.judge_next("WA");
    let page = s.site.page(&s.jury, &rejudging).await;
    assert!(page.contains("Apply all changes"), "{page}");
    assert!(page.contains("<strong>2</strong>"), "{page}");
    let changed = page
        .split("Submissions whose result changes")
        .nth(2)
        .expect("the list");
    assert_eq!(changed.matches("?judging=").count(), 2, "{page}");

    let before = s.feed();
    assert_eq!(s.end(&rejudging, "apply").await, StatusCode::SEE_OTHER);
    assert_eq!(s.site.verdicts(&s.judged), ["AC", "AC", "WA"]);
    let after = s.feed();
    let added = &after[before.len()..];
    let data = |row: &FeedRow| row.data.clone().unwrap_or_default();
    let current = |value: &str| {
        let sign = format!("\"current\":{value}");
        added.iter().filter(|row| data(row).contains(&sign)).count()
    };
    assert_eq!((current("false"), current("true")), (3, 3), "{added:?}");
    // The page of a closed rejudging still shows what it changed.
    let page = s.site.page(&s.jury, &rejudging).await;
    assert!(
        page.contains("applied") && page.contains("<strong>2</strong>"),
        "{page}"
    );
    assert_eq!(s.end(&rejudging, "drop").await, StatusCode::CONFLICT);
}

#[tokio::test]
async fn dropping_changes_nothing() {
    let s = setting();
    let rejudging = s.start(&[]).await;
    s.site.judge_next("AC");
    let before = s.feed();
    assert_eq!(s.end(&rejudging, "drop").await, StatusCode::SEE_OTHER);
    assert_eq!(s.site.verdicts(&s.judged), ["WA", "WA", "WA"]);
    assert_eq!(s.feed(), before);
    assert!(
        s.site.lease().is_none(),
        "units of a dropped rejudging are left"
    );
}

#[tokio::test]
async fn a_judging_that_runs_while_its_rejudging_is_dropped_changes_nothing() {
    let s = setting();
    let rejudging = s.start(&[]).await;
    let lease = s.site.lease().expect("a unit");
    assert_eq!(s.end(&rejudging, "drop").await, StatusCode::SEE_OTHER);
    assert_eq!(s.site.judge(&lease, "AC"), None);
    assert_eq!(s.site.verdicts(&s.judged), ["WA", "WA", "WA"]);
}

#[tokio::test]
async fn a_new_submission_is_judged_before_a_rejudging() {
    let s = setting();
    s.start(&[]).await;
    let new = s.site.submit(s.team, true, "y");
    assert_eq!(s.site.judge_next("AC"), Some(new));
    assert_eq!(s.site.judge_next("AC"), Some(s.judged[0]));
}

#[tokio::test]
async fn applying_while_submissions_arrive_loses_nothing() {
    let s = setting();
    let rejudging = s.start(&[]).await;
    while s.site.judge_next("AC").is_some() {}
    let submitted = std::thread::scope(|scope| {
        let site = &s.site;
        let team = s.team;
        let arriving = scope.spawn(move || {
            let submitted: Vec<SubmissionId> =
                (0..20).map(|_| site.submit(team, true, "z")).collect();
            while site.judge_next("RTE").is_some() {}
            submitted
        });
        site.app
            .store
            .apply_rejudging(
                rejudging
                    .rsplit('/')
                    .next()
                    .and_then(|id| id.parse().ok())
                    .expect("an id"),
            )
            .expect("it is applied");
        arriving.join().expect("they arrive")
    });
    assert_eq!(s.site.verdicts(&s.judged), ["AC", "AC", "AC"]);
    assert_eq!(s.site.verdicts(&submitted), vec!["RTE"; 20]);
    let seqs: Vec<i64> = s.feed().iter().map(|row| row.seq).collect();
    assert!(seqs.is_sorted(), "{seqs:?}");
    let finished = |id: &SubmissionId| {
        let sign = format!("\"submission_id\":\"{id}\"");
        s.feed().iter().any(|row| {
            let data = row.data.as_deref().unwrap_or_default();
            data.contains(&sign) && data.contains("\"judgement_type_id\":\"RTE\"")
        })
    };
    assert!(submitted.iter().all(finished));
}

#[tokio::test]
async fn two_rejudgings_of_one_submission_follow_each_other() {
    let s = setting();
    let id = s.judged[0].to_string();
    let single = [("submission", id.as_str())];
    let first = s.start(&single).await;
    // While one is open, another with the same submission is refused, and adds nothing.
    let all = [("reason", "again")];
    let refused = s.site.post(&s.jury, "/jury/rejudgings", &all).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(
        refused.body.contains("apply or drop that first"),
        "{}",
        refused.body
    );
    s.site.judge_next("TLE");
    assert!(s.site.lease().is_none());
    assert_eq!(s.end(&first, "drop").await, StatusCode::SEE_OTHER);

    let second = s.start(&single).await;
    s.site.judge_next("AC");
    assert_eq!(s.end(&second, "apply").await, StatusCode::SEE_OTHER);
    let third = s.start(&single).await;
    s.site.judge_next("RTE");
    assert_eq!(s.end(&third, "apply").await, StatusCode::SEE_OTHER);
    assert_eq!(s.site.verdicts(&s.judged), ["RTE", "WA", "WA"]);
    let judgings = s.site.app.store.judgings_of(s.judged[0]).expect("judgings");
    assert_eq!(judgings.iter().filter(|judging| judging.valid).count(), 1);
    // Each compares with what counted before it: not with the dropped one, not with a later one.
    for (rejudging, before, after) in [
        (first, "WA", "TLE"),
        (second, "WA", "AC"),
        (third, "AC", "RTE"),
    ] {
        let id = rejudging
            .rsplit('/')
            .next()
            .and_then(|id| id.parse().ok())
            .expect("an id");
        let changes = s.site.app.store.rejudging_changes(id).expect("changes");
        assert_eq!(changes.len(), 1);
        assert_eq!(
            changes[0].before.map(Verdict::code),
            Some(before),
            "{rejudging}"
        );
        assert_eq!(
            changes[0].after.map(Verdict::code),
            Some(after),
            "{rejudging}"
        );
    }
}

#[tokio::test]
async fn an_empty_selection_is_refused() {
    let s = setting();
    let fields = [("reason", "x"), ("verdict", "AC")];
    let answer = s.site.post(&s.jury, "/jury/rejudgings", &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let form = s
        .site
        .page(&s.jury, "/jury/rejudgings/new?verdict=WA")
        .await;
    assert!(form.contains("Selected: 3 judged submissions"), "{form}");
    let form = s
        .site
        .page(&s.jury, "/jury/rejudgings/new?submission=1")
        .await;
    assert!(form.contains("Judge 1 submission again"), "{form}");
}
