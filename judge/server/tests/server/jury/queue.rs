//! The queue's page.

use super::site::{HOSTILE, Site};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_server::queue::Leases;
use judge_server::store::{Role, UnitId};

#[tokio::test]
async fn waiting_leased_and_parked_units_are_shown() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let team = site.user("team", Role::Team);
    for _ in 0..3 {
        site.submit(team, true, "x");
    }
    let parked = site.lease().expect("a unit");
    let unit: UnitId = parked.unit.id.parse().expect("an id");
    let judging = unit.judging().expect("a judging");
    site.queue.park(&parked, HOSTILE).expect("it is parked");
    site.app
        .store
        .give_up_judging(judging, "no compiler")
        .expect("it ends");
    site.lease().expect("a unit");
    let page = site.page(&jury, "/jury/queue").await;
    assert!(
        page.contains("1 wait, 1 are being judged, 1 are parked"),
        "{page}"
    );
    assert!(
        page.contains("&lt;script&gt;") && !page.contains("<script>alert"),
        "{page}"
    );
    assert!(
        page.contains("team t1") && page.contains(">worker<"),
        "{page}"
    );

    let retried = site
        .post(&jury, "/jury/queue/retry", &[("unit", &parked.unit.id)])
        .await;
    assert_eq!(retried.status, StatusCode::SEE_OTHER, "{}", retried.body);
    let page = site.page(&jury, "/jury/queue").await;
    assert!(
        page.contains("2 wait, 1 are being judged, 0 are parked"),
        "{page}"
    );
    site.judge_next("AC");
    site.judge_next("AC");
    let judging = site.app.store.judging(judging).expect("a judging");
    assert_eq!(judging.verdict, Some(Verdict::Accepted));
    let again = site
        .post(&jury, "/jury/queue/retry", &[("unit", &parked.unit.id)])
        .await;
    assert_eq!(again.status, StatusCode::CONFLICT);
}
