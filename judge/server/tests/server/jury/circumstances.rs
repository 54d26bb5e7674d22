//! Exceptional circumstances: pauses, ignored submissions, verdicts by hand, removed time, added penalty; and final results.

use super::site::{Site, Who};
use crate::common::{STARTER, new_team, new_user};
use crate::in_process::{form_fields, record_judging};
use axum::http::StatusCode;
use judge_core::verdict::Verdict;
use judge_server::store::{
    Contest, Finished, JudgingState, NewClarification, Role, Scoring, SubmissionId, now_ms,
};
use judge_server::units::start_attempt;
use serde_json::Value;

const PASSWORD: &str = "a long password";

/// The only row of the scoreboard as this viewer sees it.
async fn row(site: &Site, who: &Who) -> Value {
    let board = site.page(who, "/api/contests/c1/scoreboard").await;
    let board: Value = serde_json::from_str(&board).expect("JSON");
    board["rows"][0].clone()
}

async fn collection(site: &Site, who: &Who, kind: &str) -> Vec<Value> {
    let objects = site.page(who, &format!("/api/contests/c1/{kind}")).await;
    serde_json::from_str(&objects).expect("JSON")
}

fn see_other(answer: &crate::in_process::Answer) {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

/// Ends the contest now.
fn end(site: &Site, freeze_ms: Option<i64>) {
    let store = &site.app.store;
    let contest = store.contest(site.contest).expect("a contest");
    let over = Contest {
        duration_ms: now_ms() - contest.start_ms.expect("a start"),
        freeze_ms,
        ..contest
    };
    store.put_contest(&over).expect("it is over");
}

#[tokio::test]
async fn submissions_of_a_paused_problem_or_language_wait_until_it_is_resumed() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let member = site.user("team", Role::Team);
    for what in ["problem sum", "language python3"] {
        let pause = [("what", what)];
        see_other(&site.post(&jury, "/jury/queue/pause", &pause).await);
        let id = site.submit(member, true, "x");
        // A worker gets no work, and the unit leaves the queue.
        let lease = site.lease().expect("a unit");
        let started = start_attempt(&site.app.store, &lease.unit.id, &STARTER);
        assert!(started.is_err(), "{what}: {started:?}");
        let state = || site.app.store.valid_judging(id).expect("a judging").state;
        assert_eq!(state(), JudgingState::Queued);
        assert_eq!(
            row(&site, &jury).await["problems"][0]["num_pending"],
            1,
            "{what}"
        );
        let page = site.page(&jury, "/jury/queue").await;
        assert!(page.contains(what) && page.contains("by jury"), "{page}");

        see_other(&site.post(&jury, "/jury/queue/resume", &pause).await);
        assert_eq!(site.judge_next("WA"), Some(id), "{what}");
        assert!(site.lease().is_none(), "it is enqueued once");
    }
    for wrong in ["", "problem nothing", "team t1"] {
        let refused = site
            .post(&jury, "/jury/queue/pause", &[("what", wrong)])
            .await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong:?}");
    }
}

#[tokio::test]
async fn an_ignored_submission_is_on_no_scoreboard_and_comes_back() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let spectator = Who::default();
    let id = site.submit(site.user("team", Role::Team), true, "x");
    site.judge_next("AC");
    let path = format!("/jury/submissions/{id}/ignored");
    for who in [&jury, &spectator] {
        assert_eq!(row(&site, who).await["score"]["num_solved"], 1);
    }
    see_other(&site.post(&jury, &path, &[("ignored", "1")]).await);
    for who in [&jury, &spectator] {
        assert_eq!(row(&site, who).await["score"]["num_solved"], 0);
        for kind in ["submissions", "judgements"] {
            assert_eq!(
                collection(&site, who, kind).await,
                [Value::Null; 0],
                "{kind}"
            );
        }
    }
    assert_eq!(collection(&site, &jury, "runs").await, [Value::Null; 0]);
    let page = site.page(&jury, &format!("/jury/submissions/{id}")).await;
    assert!(page.contains("This submission is ignored"), "{page}");
    see_other(&site.post(&jury, &path, &[("ignored", "")]).await);
    assert_eq!(row(&site, &spectator).await["score"]["num_solved"], 1);
    assert_eq!(collection(&site, &spectator, "judgements").await.len(), 1);
    // A listener of the feed saw it go and come back.
    let feed = site
        .page(&jury, "/api/contests/c1/event-feed?stream=false")
        .await;
    let events = feed.lines().filter(|line| line.contains("\"judgements\""));
    let events: Vec<Value> = events
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let data: Vec<bool> = events.iter().map(|event| event["data"].is_null()).collect();
    assert_eq!(data, [true, false], "{events:?}");
}

#[tokio::test]
async fn a_verdict_by_hand_needs_the_password_and_a_comment() {
    let site = Site::new();
    let member = site.user("team", Role::Team);
    let id = site.submit(member, true, "x");
    site.judge_next("WA");
    let path = format!("/jury/submissions/{id}/verdict");
    let fields = |verdict, comment, password| {
        [
            ("verdict", verdict),
            ("comment", comment),
            ("password", password),
        ]
    };
    let jury = site.sign_in("jury", Role::Jury);
    let without = site
        .post(&jury, &path, &fields("AC", "a wrong test", PASSWORD))
        .await;
    assert_eq!(without.status, StatusCode::FORBIDDEN, "no password is set");
    let user = site
        .app
        .store
        .user_named("jury")
        .expect("it is read")
        .expect("a user");
    let hash = judge_server::secret::hash_password(PASSWORD).expect("a hash");
    site.app
        .store
        .set_password(user.id, Some(&hash))
        .expect("it is set");
    let jury = site.sign_in("jury", Role::Jury);
    for (wrong, status) in [
        (fields("AC", "why", "another one"), StatusCode::FORBIDDEN),
        (fields("AC", "", PASSWORD), StatusCode::BAD_REQUEST),
        (fields("XX", "why", PASSWORD), StatusCode::BAD_REQUEST),
    ] {
        let refused = site.post(&jury, &path, &wrong).await;
        assert_eq!(refused.status, status, "{wrong:?}: {}", refused.body);
    }
    assert_eq!(site.verdicts(&[id]), ["WA"]);
    see_other(
        &site
            .post(&jury, &path, &fields("AC", "a wrong test", PASSWORD))
            .await,
    );
    assert_eq!(site.verdicts(&[id]), ["AC"]);
    assert_eq!(row(&site, &Who::default()).await["score"]["num_solved"], 1);
    let log = site.page(&jury, "/jury/rejudgings").await;
    assert!(
        log.contains(&format!("verdict of submission {id} by jury: a wrong test")),
        "{log}"
    );
    let attack = fields("SV", "it attacks the judge", PASSWORD);
    see_other(&site.post(&jury, &path, &attack).await);
    assert_eq!(site.verdicts(&[id]), ["SV"]);
    assert_eq!(row(&site, &Who::default()).await["score"]["num_solved"], 0);
    // One that is being judged gets no other verdict later.
    let open = site.submit(member, true, "y");
    let lease = site.lease().expect("a unit");
    let path = format!("/jury/submissions/{open}/verdict");
    see_other(
        &site
            .post(&jury, &path, &fields("CE", "by hand", PASSWORD))
            .await,
    );
    assert_eq!(site.judge(&lease, "AC"), None);
    assert_eq!(site.verdicts(&[open]), ["CE"]);
}

#[tokio::test]
async fn removed_time_does_not_count_and_can_be_restored() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let store = &site.app.store;
    let contest = || store.contest(site.contest).expect("a contest");
    let (start, end) = (contest().start_ms.expect("a start"), contest().duration_ms);
    site.submit(site.user("team", Role::Team), true, "x");
    site.judge_next("AC");
    let time = async || row(&site, &admin).await["score"]["total_time"].clone();
    let before = time().await;
    let field = |ms: i64| {
        let time = chrono::DateTime::from_timestamp_millis(ms).expect("a time");
        time.format("%Y-%m-%dT%H:%M:%S").to_string()
    };
    let whole = start - start.rem_euclid(1000);
    let (from, until) = (field(whole + 600_000), field(whole + 1_800_000));
    let path = "/jury/contests/c1/removed-time";
    let removed = [("from", from.as_str()), ("until", until.as_str())];
    see_other(&site.post(&admin, path, &removed).await);
    // Twenty minutes of the hour before the submission.
    let minutes = |time: &Value| {
        let text = time.as_str().expect("a time");
        let (hours, rest) = text.split_once(':').expect("h:mm:ss");
        hours.parse::<i64>().expect("hours") * 60 + rest[..2].parse::<i64>().expect("minutes")
    };
    assert_eq!(minutes(&before) - minutes(&time().await), 20, "{before}");
    let state = site.page(&admin, "/jury/contests/c1").await;
    assert!(state.contains("Restore"), "{state}");
    // The contest ends later: it runs when it would be over otherwise.
    assert!(contest().is_running(start + end + 1_000_000));
    let submissions = collection(&site, &admin, "submissions").await;
    let in_contest = submissions[0]["contest_time"]
        .as_str()
        .expect("a time")
        .to_owned();
    assert!(
        in_contest.starts_with("0:4") || in_contest.starts_with("0:39"),
        "{in_contest}"
    );
    for wrong in [
        [("from", until.as_str()), ("until", from.as_str())],
        [("from", from.as_str()), ("until", from.as_str())],
        [("from", from.as_str()), ("until", until.as_str())],
    ] {
        let refused = site.post(&admin, path, &wrong).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{wrong:?}");
    }
    let restore = (whole + 600_000).to_string();
    see_other(&site.post(&admin, path, &[("restore", &restore)]).await);
    assert_eq!(time().await, before);
    assert!(!contest().is_running(start + end + 1_000_000));
}

#[tokio::test]
async fn penalty_is_added_to_a_team() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    site.submit(site.user("team", Role::Team), true, "x");
    site.judge_next("AC");
    let path = "/jury/contests/c1/penalty";
    let team = site.team.to_string();
    let time = async || {
        let csv = site
            .page(&Who::default(), "/contests/c1/scoreboard.csv")
            .await;
        let line = csv.lines().nth(1).expect("a row").to_owned();
        let minutes = line.rsplit(',').nth(2).expect("the time").to_owned();
        minutes.parse::<i64>().expect("minutes")
    };
    let before = time().await;
    for (minutes, shown) in [("15", 15), ("-10", -10), ("0", 0)] {
        let fields = [("team", team.as_str()), ("minutes", minutes)];
        see_other(&site.post(&admin, path, &fields).await);
        assert_eq!(time().await - before, shown, "{minutes}");
        // Choosing the teams again keeps it.
        let teams = [("team", team.as_str()), ("was-team", team.as_str())];
        see_other(&site.post(&admin, "/jury/contests/c1/teams", &teams).await);
        assert_eq!(time().await - before, shown, "{minutes}");
    }
    let none = site
        .post(&admin, path, &[("team", "99"), ("minutes", "1")])
        .await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn results_become_final_only_when_everything_is_decided() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    site.submit(member, true, "x");
    let lease = site.lease().expect("a unit");
    let judging = lease
        .unit
        .id
        .trim_start_matches("judging-")
        .parse()
        .expect("a number");
    let failed = Finished::new(Verdict::JudgeError);
    let id: Option<SubmissionId> = record_judging(
        &site.app.store,
        judge_server::store::JudgingId(judging),
        None,
        [],
        failed,
    );
    let id = id.expect("it is judged");
    let question = NewClarification {
        contest: site.contest,
        problem: None,
        category: None,
        from_team: Some(site.team),
        to_team: None,
        reply_to: None,
        text: "Why?".to_owned(),
        author: Some(member),
        ..Default::default()
    };
    let question = site
        .app
        .store
        .add_clarification(&question)
        .expect("a question");
    end(&site, None);
    let page = site.page(&Who::default(), "/contests/c1/scoreboard").await;
    assert!(page.contains("The results are not final."), "{page}");
    let finalize = async || {
        let path = "/jury/contests/c1/clock";
        site.confirmed(&admin, path, &[("do", "finalize")]).await
    };
    let refused = finalize().await;
    assert!(
        refused
            .body
            .contains("1 submission has the verdict JE; judge it again"),
        "{}",
        refused.body
    );
    see_other(
        &site
            .post(
                &admin,
                &format!("/jury/submissions/{id}/ignored"),
                &[("ignored", "1")],
            )
            .await,
    );
    let refused = finalize().await;
    assert!(
        refused
            .body
            .contains("1 question has no answer; answer it first"),
        "{}",
        refused.body
    );
    let path = format!("/jury/clarifications/c1/{question}/answer");
    see_other(
        &site
            .post(&admin, &path, &[("text", "Because."), ("to", "team")])
            .await,
    );
    see_other(&finalize().await);
    let page = site.page(&Who::default(), "/contests/c1/scoreboard").await;
    assert!(!page.contains("The results are not final."), "{page}");
}

#[tokio::test]
async fn the_jury_sees_the_frozen_board_too_and_files_follow_the_viewer() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let spectator = Who::default();
    site.submit(site.user("team", Role::Team), true, "x");
    site.judge_next("AC");
    let store = &site.app.store;
    let contest = store.contest(site.contest).expect("a contest");
    let frozen = Contest {
        freeze_ms: Some(contest.duration_ms),
        ..contest
    };
    store.put_contest(&frozen).expect("it is frozen");
    let board = "/contests/c1/scoreboard";
    let sentence = "The scoreboard was frozen with 300 minutes remaining - submissions in the last 300 minutes of the \
                    contest are still shown as pending.";
    for (who, path, solved, says) in [
        (&jury, board.to_owned(), true, "You see all results."),
        (&jury, format!("{board}?view=public"), false, sentence),
        (&spectator, board.to_owned(), false, sentence),
        (&spectator, format!("{board}?view=public"), false, sentence),
    ] {
        let page = site.page(who, &path).await;
        assert_eq!(page.contains("✓ 1"), solved, "{path}: {page}");
        assert!(page.contains(says), "{path}: {page}");
    }
    let csv = |who| site.page(who, "/contests/c1/scoreboard.csv");
    assert!(csv(&jury).await.contains("1,t1,"), "{}", csv(&jury).await);
    let line = |text: &str| text.lines().nth(1).expect("a row").to_owned();
    assert_ne!(line(&csv(&jury).await), line(&csv(&spectator).await));
    assert!(
        line(&csv(&spectator).await).ends_with(",0,0,,1"),
        "{}",
        csv(&spectator).await
    );

    // The file of final results appears when the viewer sees them.
    let (results, standings) = ("/contests/c1/results.tsv", "/contests/c1/standings.csv");
    assert_eq!(site.get(&jury, results).await.status, StatusCode::CONFLICT);
    let length = now_ms() - frozen.start_ms.expect("a start");
    end(&site, Some(length.min(1_000_000)));
    let file = site.page(&jury, results).await;
    let (head, row) = file.split_once('\n').expect("lines");
    assert_eq!(head, "results\t1");
    assert!(row.starts_with("t1\t1\tGold Medal\t1\t"), "{file}");
    for path in [results, standings] {
        assert_eq!(
            site.get(&spectator, path).await.status,
            StatusCode::CONFLICT,
            "{path}"
        );
    }
    let awards = collection(&site, &jury, "awards").await;
    let gold = awards
        .iter()
        .find(|award| award["id"] == "gold-medal")
        .expect("an award");
    assert_eq!(gold["team_ids"][0], "t1");
    assert!(
        !collection(&site, &spectator, "awards")
            .await
            .iter()
            .any(|award| award["id"] == "gold-medal")
    );
    store.thaw(site.contest, now_ms()).expect("it is thawed");
    assert_eq!(site.page(&spectator, results).await, file);
    let form = site.page(&spectator, standings).await;
    let (head, row) = form.split_once("\r\n").expect("lines");
    assert_eq!(
        head,
        "teamId,rank,medalCitation,problemsSolved,totalTime,lastProblemTime,siteCitation,citation"
    );
    assert!(row.starts_with("t1,1,Gold Medal,1,"), "{form}");
    let board = site.page(&spectator, board).await;
    assert!(board.contains(&format!("href=\"{standings}\"")), "{board}");
}

#[tokio::test]
async fn submissions_are_selected_by_rejection_and_machine() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let member = site.user("team", Role::Team);
    let ids: Vec<_> = (0..3).map(|_| site.submit(member, true, "x")).collect();
    for verdict in ["WA", "AC", "TLE"] {
        site.judge_next(verdict);
    }
    let shown = async |query: &str| {
        let page = site
            .page(&jury, &format!("/jury/submissions?{query}"))
            .await;
        let is_shown = |id: &&SubmissionId| page.contains(&format!("/jury/submissions/{id}\""));
        ids.iter().filter(is_shown).copied().collect::<Vec<_>>()
    };
    assert_eq!(shown("verdict=rejected").await, [ids[0], ids[2]]);
    assert_eq!(shown("machine=machine").await, ids);
    assert_eq!(shown("machine=other").await, []);
    for (query, text) in [
        ("", "3 submissions"),
        ("verdict=rejected", "2 submissions"),
        ("machine=machine", "3 submissions"),
        ("machine=other", "0 submissions"),
        ("", "<option value=\"machine\">machine</option>"),
    ] {
        let page = format!("/jury/submissions?{query}");
        let page = site.page(&jury, &page).await;
        assert!(page.contains(text), "{query}: {page}");
    }
    let form = site
        .page(&jury, "/jury/rejudgings/new?verdict=rejected")
        .await;
    assert!(form.contains("Selected: 2 judged submissions"), "{form}");
}

#[tokio::test]
async fn submissions_of_several_teams_are_judged_again() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let store = &site.app.store;
    let mut teams = vec![site.team];
    for ext in ["t2", "t3"] {
        teams.push(store.put_team(&new_team(ext, ext)).expect("a team"));
    }
    store.set_contest_teams(site.contest, &teams).expect("set");
    for (k, team) in teams.iter().enumerate() {
        let member = new_user(&format!("member-{k}"), Role::Team, Some(*team));
        let member = store.put_user(&member).expect("a user");
        site.submit(member, true, "x");
        site.judge_next("WA");
    }
    let query = format!("team={}&team={}", teams[0], teams[2]);
    let list = site
        .page(&jury, &format!("/jury/submissions?{query}"))
        .await;
    assert!(list.contains("2 submissions"), "{list}");
    // The link to the rejudging has both teams, and so has its form.
    let again = format!("/jury/rejudgings/new?{query}");
    assert!(list.contains(&again.replace('&', "&amp;")), "{list}");
    let form = site.page(&jury, &again).await;
    assert!(form.contains("Selected: 2 judged submissions"), "{form}");
    let mut fields = form_fields(&form, "/jury/rejudgings");
    fields.retain(|(name, _)| name != "reason");
    fields.push(("reason".to_owned(), "two teams".to_owned()));
    let fields: Vec<_> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let started = site.post(&jury, "/jury/rejudgings", &fields).await;
    assert_eq!(started.location, "/jury/rejudgings/1");
    let shown = site.page(&jury, "/jury/rejudgings/1").await;
    assert!(shown.contains("0 of 2 judged"), "{shown}");
    let wrong = site.get(&jury, "/jury/submissions?team=1&team=x").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_contest_may_have_the_verdicts_of_the_icpc_only() {
    let site = Site::new();
    let jury = site.sign_in("jury", Role::Jury);
    let member = site.user("team", Role::Team);
    let store = &site.app.store;
    let own = site.submit(member, true, "a");
    site.judge_next("MLE");
    assert_eq!(site.verdicts(&[own]), ["MLE"]);
    let contest = store.contest(site.contest).expect("a contest");
    let only = Contest {
        icpc_verdicts: true,
        ..contest
    };
    store.put_contest(&only).expect("it is set");
    for (verdict, expected) in [
        ("MLE", "RTE"),
        ("OLE", "WA"),
        ("PE", "WA"),
        ("PAC", "WA"),
        ("TLE", "TLE"),
        ("SV", "SV"),
        ("JE", "JE"),
        ("CE", "CE"),
        ("AC", "AC"),
    ] {
        let id = site.submit(member, true, verdict);
        site.judge_next(verdict);
        assert_eq!(site.verdicts(&[id]), [expected], "{verdict}");
        let judging = store.valid_judging(id).expect("a judging").id;
        let cases = store.case_results(judging).expect("results");
        assert_eq!(cases[0].verdict.code(), expected, "{verdict}");
    }
    let types = collection(&site, &jury, "judgement-types").await;
    let types: Vec<_> = types.iter().map(|own| own["id"].as_str()).collect();
    let table = ["AC", "WA", "TLE", "RTE", "SV", "CE", "JE"].map(Some);
    assert_eq!(types, table);
    // By hand, too, and not where points count.
    let user = store
        .user_named("jury")
        .expect("it is read")
        .expect("a user");
    store
        .set_password(
            user.id,
            Some(&judge_server::secret::hash_password(PASSWORD).expect("a hash")),
        )
        .expect("it is set");
    let jury = site.sign_in("jury", Role::Jury);
    let fields = [
        ("verdict", "OLE"),
        ("comment", "why"),
        ("password", PASSWORD),
    ];
    see_other(
        &site
            .post(&jury, &format!("/jury/submissions/{own}/verdict"), &fields)
            .await,
    );
    assert_eq!(site.verdicts(&[own]), ["WA"]);
    let points = Contest {
        scoring: Scoring::Points,
        ..only
    };
    store.put_contest(&points).expect("it is set");
    let id = site.submit(member, true, "p");
    site.judge_next("PAC");
    assert_eq!(site.verdicts(&[id]), ["PAC"]);
}
