//! Contests: adding, editing, the clock, problems, teams, balloons.

use super::site::{HOSTILE, Site, Who};
use crate::common::{labelled, new_team, new_user};
use crate::in_process::{add_submission, form_fields, record_judging};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_server::store::{Contest, Finished, Role, now_ms};

const NEW: [(&str, &str); 6] = [
    ("id", "c2"),
    ("name", HOSTILE),
    ("start", "2030-01-02T10:00"),
    ("duration", "3:00:00"),
    ("freeze", "0:30:00"),
    ("penalty", "10"),
];

fn contest(site: &Site, ext: &str) -> Contest {
    let found = site.app.store.contest_by_ext(ext).expect("the store works");
    found.expect("a contest")
}

#[tokio::test]
async fn a_contest_is_added_and_edited() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let added = site.post(&admin, "/jury/contests", &NEW).await;
    assert_eq!(added.location, "/jury/contests/c2", "{}", added.body);
    let new = contest(&site, "c2");
    assert_eq!(new.start_ms, Some(1_893_578_400_000));
    assert_eq!(
        (new.duration_ms, new.freeze_ms),
        (10_800_000, Some(1_800_000))
    );
    assert_eq!((new.penalty_ms, new.public), (600_000, false));
    let page = site.page(&admin, "/jury/contests/c2").await;
    assert!(
        page.contains("value=\"2030-01-02T10:00:00\"") && page.contains("not started"),
        "{page}"
    );
    assert!(!page.contains("<script>alert"), "{page}");

    let again = site.post(&admin, "/jury/contests", &NEW).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    let mut edited = NEW.to_vec();
    edited[4] = ("freeze", "");
    edited.push(("public", "1"));
    site.post(&admin, "/jury/contests/c2", &edited).await;
    let new = contest(&site, "c2");
    assert_eq!((new.freeze_ms, new.public), (None, true));
    for wrong in [
        // Browsers read a year of two digits so.
        ("start", "0026-11-29T10:00"),
        ("start", "9999-12-31T23:59"),
        ("duration", "9223372036854775807 h"),
        ("scoring", "score"),
        ("duration", "long"),
        ("start", "soon"),
        ("duration", "0:00:00"),
        ("penalty", "-1"),
        ("freeze", "-0:30:00"),
        ("duration", "-1:00:00"),
    ] {
        let mut fields = NEW.to_vec();
        fields.retain(|(name, _)| *name != wrong.0);
        fields.push(wrong);
        let refused = site.post(&admin, "/jury/contests/c2", &fields).await;
        assert!(refused.status.is_client_error(), "{wrong:?}");
        let is_negative = wrong.1.ends_with(":00") && wrong.1.starts_with('-');
        let says_why = refused.body.contains("is no length; write a length like");
        assert!(says_why || !is_negative, "{wrong:?}: {}", refused.body);
    }
    assert_eq!(contest(&site, "c2"), new);
}

#[tokio::test]
async fn times_are_written_in_the_zone_of_the_contest_and_lengths_in_usual_spellings() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let fields = [
        ("id", "c3"),
        ("name", "Winter"),
        ("start", "2030-01-02T10:00:05"),
        ("zone", "Europe/Berlin"),
        ("duration", "4h30"),
        ("freeze", "45 min"),
        ("penalty", "20 min"),
        ("public", "1"),
    ];
    let added = site.post(&admin, "/jury/contests", &fields).await;
    assert_eq!(added.status, StatusCode::SEE_OTHER, "{}", added.body);
    let new = contest(&site, "c3");
    let nine = 1_893_574_800_000;
    assert_eq!(new.start_ms, Some(nine + 5000));
    assert_eq!(
        (new.duration_ms, new.freeze_ms),
        (16_200_000, Some(2_700_000))
    );
    assert_eq!(new.penalty_ms, 1_200_000);
    let path = "/jury/contests/c3";
    let page = site.page(&admin, path).await;
    assert!(page.contains("Start (time in Europe/Berlin)"), "{page}");
    assert!(page.contains("value=\"2030-01-02T10:00:05\""), "{page}");
    let shown = site.page(&Who::default(), "/contests/c3").await;
    assert!(shown.contains("2030-01-02 10:00:05 CET"), "{shown}");
    // A form that is sent as it is changes nothing; another zone moves the start to the same time of day there.
    let form = form_fields(&page, path);
    let same: Vec<_> = form.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    site.post(&admin, path, &same).await;
    assert_eq!(contest(&site, "c3"), new);
    for (name, value, why) in [
        ("zone", "Mars/Base", "is not a time zone"),
        ("start", "tomorrow", "is not a time like"),
        ("duration", "300", "is no length"),
    ] {
        let mut wrong = same.clone();
        wrong.retain(|(own, _)| *own != name);
        wrong.push((name, value));
        let refused = site.post(&admin, path, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
        assert!(refused.body.contains(why), "{}", refused.body);
    }
    let mut moved = same.clone();
    moved.retain(|(name, _)| *name != "zone");
    moved.push(("zone", "UTC"));
    let saved = site.post(&admin, path, &moved).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(contest(&site, "c3").start_ms, Some(nine + 3_605_000));
    // The next contest begins with the zone of the last one.
    let again = [
        ("zone", "Asia/Shanghai"),
        ("id", "c4"),
        ("name", "x"),
        ("duration", "5:00"),
    ];
    site.post(&admin, "/jury/contests", &again).await;
    assert_eq!(contest(&site, "c4").duration_ms, 18_000_000);
    let page = site.page(&admin, "/jury/contests").await;
    assert!(
        page.contains("value=\"Asia/Shanghai\" autocomplete"),
        "{page}"
    );
}

/// Whether results are shown and final, and updates have ended.
fn marks(contest: &Contest) -> [bool; 3] {
    [
        contest.thawed_ms.is_some(),
        contest.finalized_ms.is_some(),
        contest.end_of_updates_ms.is_some(),
    ]
}

#[tokio::test]
async fn a_contest_that_runs_again_after_a_rehearsal_is_frozen_again() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    let start = now_ms() - 1_800_000;
    let time = chrono::DateTime::from_timestamp_millis(start).expect("a time");
    let start = time.format("%Y-%m-%dT%H:%M:%S").to_string();
    let fields = [
        ("name", "A contest"),
        ("start", start.as_str()),
        ("duration", "1:00:00"),
        ("freeze", "0:59:00"),
        ("public", "1"),
    ];
    let package = format!(
        "id: c1\nname: A contest\nstart_time: {start}Z\nduration: 1:00:00\n\
         scoreboard_freeze_duration: 0:59:00\n"
    );
    for by_import in [false, true] {
        let rehearsal = Contest {
            start_ms: Some(now_ms() - 10_800_000),
            duration_ms: 3_600_000,
            freeze_ms: Some(3_600_000),
            ..contest(&site, "c1")
        };
        site.app.store.put_contest(&rehearsal).expect("it is put");
        for what in ["thaw", "finalize"] {
            let path = "/jury/contests/c1/clock";
            let changed = site.confirmed(&admin, path, &[("do", what)]).await;
            assert_eq!(changed.status, StatusCode::SEE_OTHER, "{}", changed.body);
        }
        assert_eq!(
            marks(&contest(&site, "c1")),
            [true; 3],
            "the end is as it was"
        );
        let refused = site.post(&admin, "/jury/contests/c1", &fields).await;
        assert_eq!(
            refused.status,
            StatusCode::CONFLICT,
            "the results are final"
        );
        let reason = [("reason", "it was a rehearsal")];
        let opened = site.post(&admin, "/jury/contests/c1/reopen", &reason).await;
        assert_eq!(opened.status, StatusCode::SEE_OTHER, "{}", opened.body);

        let saved = match by_import {
            false => site.post(&admin, "/jury/contests/c1", &fields).await,
            true => {
                let files = [("contest.yaml", package.as_str())];
                site.import(&admin, &files).await
            }
        };
        assert!(!saved.status.is_client_error(), "{}", saved.body);
        assert_eq!(marks(&contest(&site, "c1")), [false; 3], "{by_import}");
        let page = site.page(&admin, "/jury/contests/c1").await;
        assert!(page.contains("c1: running, frozen"), "{page}");
        site.submit(member, true, "x");
        site.judge_next("AC");
        let results = "/api/contests/c1/judgements";
        assert_eq!(site.page(&Who::default(), results).await, "[]");
        assert!(site.page(&admin, results).await.contains("\"AC\""));
    }
}

#[tokio::test]
async fn a_contest_without_a_start_has_no_final_results() {
    let site = Site::new();
    let over = Contest {
        start_ms: Some(now_ms() - 10_800_000),
        duration_ms: 3_600_000,
        freeze_ms: Some(3_600_000),
        ..contest(&site, "c1")
    };
    site.app.store.put_contest(&over).expect("it is put");
    let id = site.contest;
    site.app.store.thaw(id, now_ms()).expect("it is thawed");
    let paused = Contest {
        start_ms: None,
        ..contest(&site, "c1")
    };
    site.app.store.put_contest(&paused).expect("it is put");
    assert_eq!(marks(&contest(&site, "c1")), [false; 3]);
}

#[tokio::test]
async fn the_clock_moves_in_one_direction() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    site.post(&admin, "/jury/contests", &NEW).await;
    let path = "/jury/contests/c2/clock";
    let change = async |what: &str| site.confirmed(&admin, path, &[("do", what)]).await.status;
    for early in ["freeze", "thaw", "finalize", "explode"] {
        assert!(change(early).await.is_client_error(), "{early}");
    }
    assert_eq!(change("start").await, StatusCode::SEE_OTHER);
    assert_eq!(change("start").await, StatusCode::CONFLICT);
    assert!(contest(&site, "c2").is_running(now_ms()));
    assert_eq!(change("freeze").await, StatusCode::SEE_OTHER);
    assert!(contest(&site, "c2").hides_result_of(now_ms() + 1000));
    assert_eq!(change("thaw").await, StatusCode::CONFLICT);
    // Saving the settings does not move the start.
    let before = contest(&site, "c2");
    let start = before
        .start_ms
        .and_then(chrono::DateTime::from_timestamp_millis)
        .expect("a start");
    let start = start.format("%Y-%m-%dT%H:%M:%S").to_string();
    let mut fields = NEW.to_vec();
    fields[2] = ("start", &start);
    site.post(&admin, "/jury/contests/c2", &fields).await;
    assert_eq!(contest(&site, "c2").start_ms, before.start_ms);

    let over = Contest {
        start_ms: Some(now_ms() - 20_000_000),
        ..contest(&site, "c2")
    };
    site.app.store.put_contest(&over).expect("it is put");
    assert_eq!(change("finalize").await, StatusCode::SEE_OTHER);
    assert_eq!(marks(&contest(&site, "c2")), [false, true, false]);
    assert_eq!(change("finalize").await, StatusCode::CONFLICT);
    assert_eq!(change("thaw").await, StatusCode::SEE_OTHER);
    assert_eq!(marks(&contest(&site, "c2")), [true; 3]);
    let page = site.page(&admin, "/jury/contests/c2").await;
    assert!(page.contains("The results are final."), "{page}");
}

#[tokio::test]
async fn problems_and_teams_are_chosen() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    site.post(&admin, "/jury/contests", &NEW).await;
    let id = contest(&site, "c2").id;
    let path = "/jury/contests/c2/problems";
    let fields = [
        ("problem-0", "sum"),
        ("label-0", "Z"),
        ("rgb-0", "#00ff00"),
        ("color-0", "green"),
        ("problem-1", ""),
    ];
    assert_eq!(
        site.post(&admin, path, &fields).await.status,
        StatusCode::SEE_OTHER
    );
    let own = site.app.store.contest_problems(id).expect("problems");
    assert_eq!(
        (own.len(), own[0].label.as_str(), own[0].rgb.as_deref()),
        (1, "Z", Some("#00ff00"))
    );
    for wrong in [
        vec![("problem-0", "sum"), ("label-0", "")],
        vec![("problem-0", "sum"), ("label-0", "A"), ("rgb-0", "green")],
        vec![
            ("problem-0", "sum"),
            ("label-0", "A"),
            ("problem-1", "sum"),
            ("label-1", "B"),
        ],
        vec![("problem-0", "nothing"), ("label-0", "A")],
    ] {
        assert!(
            site.post(&admin, path, &wrong)
                .await
                .status
                .is_client_error(),
            "{wrong:?}"
        );
    }
    assert_eq!(site.app.store.contest_problems(id).expect("problems"), own);

    let second = site
        .app
        .store
        .put_team(&new_team("t2", "Second"))
        .expect("a team")
        .to_string();
    let path = "/jury/contests/c2/teams";
    assert_eq!(
        site.confirmed(&admin, path, &[("team", &second)])
            .await
            .status,
        StatusCode::SEE_OTHER
    );
    let members = site.app.store.contest_teams(id).expect("teams");
    assert_eq!(
        members
            .iter()
            .map(|team| team.ext.as_str())
            .collect::<Vec<_>>(),
        ["t2"]
    );
    assert_eq!(
        site.post(&admin, path, &[("team", "99")]).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_first_accepted_submission_is_a_balloon() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let member = site.user("team", Role::Team);
    let ids: Vec<_> = (0..3).map(|_| site.submit(member, true, "x")).collect();
    for verdict in ["WA", "AC", "AC"] {
        site.judge_next(verdict);
    }
    let page = site.page(&jury, "/jury/contests/c1/balloons").await;
    let shown: Vec<bool> = ids
        .iter()
        .map(|id| page.contains(&format!("/jury/submissions/{id}\"")))
        .collect();
    assert_eq!(shown, [false, true, false], "{page}");
    assert!(
        page.contains("A first") && page.contains("&lt;script&gt;"),
        "{page}"
    );
}

#[tokio::test]
async fn balloons_to_bring_come_first() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let member = site.user("team", Role::Team);
    let second = site.user("second", Role::Team);
    let own_team = site.app.store.user(member).expect("a user").team;
    let other = site
        .app
        .store
        .put_team(&new_team("t9", "Ninth"))
        .expect("a team");
    let mut teams = vec![own_team.expect("a team"), other];
    let contest = contest(&site, "c1");
    site.app
        .store
        .set_contest_teams(contest.id, &teams)
        .expect("set");
    let user = site.app.store.user(second).expect("a user");
    let new = new_user(&user.name, Role::Team, Some(other));
    site.app.store.put_user(&new).expect("it changes its team");
    let sent = [member, second].map(|who| {
        let id = site.submit(who, true, "x");
        site.judge_next("AC");
        id
    });
    let address = "/jury/contests/c1/balloons";
    let page = site.page(&jury, address).await;
    assert!(page.contains("2 to bring"), "{page}");
    let problem = site
        .app
        .store
        .contest_problems(contest.id)
        .expect("problems")[0]
        .problem;
    let fields = |what: &'static str, team: &str| {
        [
            ("do", what.to_owned()),
            ("team", team.to_owned()),
            ("problem", problem.to_string()),
        ]
    };
    let first = teams.remove(0).to_string();
    let post = async |what: &'static str, team: &str| {
        let fields = fields(what, team);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (*n, v.as_str())).collect();
        site.post(&jury, address, &fields).await.status
    };
    assert_eq!(post("deliver", &first).await, StatusCode::SEE_OTHER);
    let page = site.page(&jury, address).await;
    assert!(
        page.contains("1 to bring") && page.contains("by jury"),
        "{page}"
    );
    let (ninth, done) = (
        page.find("Ninth").expect("open"),
        page.find("by jury").expect("done"),
    );
    assert!(ninth < done, "{page}");
    assert_eq!(post("deliver", "77").await, StatusCode::NOT_FOUND);
    assert_eq!(post("burst", &first).await, StatusCode::BAD_REQUEST);
    // Another process that opens the file finds it: it survives a restart.
    let again = judge_server::store::Store::open(site.app.store.path()).expect("it opens");
    assert_eq!(again.delivered_balloons(contest.id).expect("read").len(), 1);
    assert_eq!(post("undo", &first).await, StatusCode::SEE_OTHER);
    assert!(site.page(&jury, address).await.contains("2 to bring"));
    // A balloon that was brought for a submission that no longer counts is to be taken back.
    assert_eq!(post("deliver", &first).await, StatusCode::SEE_OTHER);
    let ignored = format!("/jury/submissions/{}/ignored", sent[0]);
    site.post(&jury, &ignored, &[("ignored", "1")]).await;
    let page = site.page(&jury, address).await;
    assert!(
        page.contains("1 to bring") && page.contains("no longer accepted"),
        "{page}"
    );
    assert_eq!(post("deliver", &first).await, StatusCode::NOT_FOUND);
    assert_eq!(post("undo", &first).await, StatusCode::SEE_OTHER);
    let page = site.page(&jury, address).await;
    assert!(!page.contains("no longer accepted"), "{page}");
}

/// As many problems as the ICPC demands.
#[tokio::test]
async fn a_contest_has_fifteen_problems() {
    let site = Site::new();
    let store = &site.app.store;
    let labels: Vec<String> = ('A'..='O').map(String::from).collect();
    let mut problems = vec![labelled(site.problem, "A")];
    for label in &labels[1..] {
        let package = site.dir().join(format!("problem-{label}"));
        std::fs::create_dir(&package).expect("it is created");
        for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
            std::fs::write(package.join(name), text).expect("it is written");
        }
        let version = site.app.packages.add(&package).expect("a package");
        let (id, _) = store.put_version(&version).expect("it is added");
        problems.push(labelled(id, label));
    }
    store
        .set_contest_problems(site.contest, &problems)
        .expect("they are set");
    let team = site.sign_in("team", Role::Team);
    let user = store.user_named("team").expect("read").expect("a user");
    for problem in &problems {
        let contest = Some(site.contest);
        let (_, judging) = add_submission(&site.app, &user, contest, problem.problem, "x", None);
        let finished = Finished::new(Verdict::Accepted);
        record_judging(store, judging, None, [], finished).expect("it is judged");
    }
    let board = site.page(&team, "/api/contests/c1/scoreboard").await;
    let board: serde_json::Value = serde_json::from_str(&board).expect("JSON");
    let row = &board["rows"][0];
    assert_eq!(row["score"]["num_solved"], 15);
    assert_eq!(row["problems"].as_array().map(Vec::len), Some(15));
    let listed = site.page(&team, "/api/contests/c1/problems").await;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).expect("JSON");
    let listed = listed
        .iter()
        .map(|own| own["label"].as_str().unwrap_or_default());
    assert_eq!(listed.collect::<Vec<_>>(), labels);
    let csv = site.page(&team, "/contests/c1/scoreboard.csv").await;
    assert!(
        csv.lines()
            .all(|line| line.split(',').count() == 6 + 2 * 15),
        "{csv}"
    );
    let contest = site.page(&team, "/contests/c1").await;
    let scoreboard = site.page(&team, "/contests/c1/scoreboard").await;
    for label in &labels {
        let address = format!("/contests/c1/problems/{label}");
        for (page, text) in [("the contest", &contest), ("the scoreboard", &scoreboard)] {
            assert!(
                text.contains(&address),
                "{page} has no link to {label}: {text}"
            );
        }
        site.page(&team, &address).await;
    }
    let admin = site.sign_in("admin", Role::Admin);
    let settings = site.page(&admin, "/jury/contests/c1").await;
    let fields = labels
        .iter()
        .filter(|label| settings.contains(&format!("value=\"{label}\"")));
    assert_eq!(fields.count(), 15, "{settings}");
}
