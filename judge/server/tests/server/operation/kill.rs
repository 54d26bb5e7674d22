//! SIGKILL at random moments: no submission and no announcement is lost, none has two results, the feed has no gap, and
//! no process of the sandbox stays.
//!
//! `JUDGE_KILL_SECONDS=600` makes it longer.

use super::{RIGHT, WRONG, agent};
use crate::common::{Data, Entry, Server, repeats, sum};
use judge_core::verdict::Verdict;
use judge_server::store::{ContestId, JudgingState, Role, Submission, SubmissionFilter};
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::{Duration, Instant};

const USERS: usize = 20;
/// Time between two submissions: some wait at each kill, and all are judged in a few seconds at the end.
const PAUSE: Duration = Duration::from_millis(60);

/// Submits to the contest; the number if the server acknowledged it.
fn submit(address: &str, user: usize, program: &str) -> Option<i64> {
    let entry = Entry {
        user: &format!("user{user}"),
        problem: "sum",
        language: "python3",
        file: "a.py",
        source: program,
    };
    entry.submit(&agent(), address)
}

/// Announces a text; returns whether the server acknowledged it.
fn announce(address: &str, text: &str) -> bool {
    let request = agent().post(format!("{address}/api/contests/c/clarifications"));
    let request = request.header("Authorization", "Bearer boss");
    let body = serde_json::json!({ "text": text }).to_string();
    let sent = request.content_type("application/json").send(body);
    sent.is_ok_and(|answer| answer.status().as_u16() == 201)
}

/// The process and its descendants.
fn processes(root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(task.path().join("children"));
            let children = children.unwrap_or_default();
            found.extend(
                children
                    .split_whitespace()
                    .filter_map(|pid| pid.parse::<u32>().ok()),
            );
        }
        next += 1;
    }
    found
}

/// Whether the process runs: neither gone nor a zombie.
fn runs(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = status
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    state.is_some_and(|state| !"ZX".contains(state))
}

#[test]
fn killed_at_any_moment_it_loses_nothing() {
    let seconds = std::env::var("JUDGE_KILL_SECONDS").ok();
    let seconds = seconds.map_or(repeats(2, 4) as u64, |text| text.parse().expect("seconds"));
    let until = Instant::now() + Duration::from_secs(seconds);
    let data = Data::new(&[sum("sum")]);
    let (contest, team) = data.contest();
    for k in 0..USERS {
        data.user_with_token(&format!("user{k}"), Role::Team, Some(team));
    }
    data.user_with_token("boss", Role::Admin, None);
    let mut expected: BTreeMap<i64, &str> = BTreeMap::new();
    let mut announced: Vec<String> = Vec::new();
    let mut rounds = 0;
    while rounds < 3 || Instant::now() < until {
        rounds += 1;
        let server = data.serve();
        let random = RandomState::new().hash_one(rounds);
        let rest = Duration::from_millis(100 + random % 1500);
        println!("round {rounds}: killed after {rest:?}");
        let address = server.address.clone();
        let announcer = std::thread::spawn({
            let address = address.clone();
            move || {
                let mut sent = Vec::new();
                for k in 0.. {
                    let text = format!("announcement {k} of round {rounds}");
                    if !announce(&address, &text) {
                        break;
                    }
                    sent.push(text);
                    std::thread::sleep(PAUSE);
                }
                sent
            }
        });
        let submitter = std::thread::spawn(move || {
            let mut sent = Vec::new();
            for k in 0.. {
                let (program, verdict) = [(RIGHT, "AC"), (WRONG, "WA")][k % 2];
                match submit(&address, k % USERS, &format!("# {k}\n{program}")) {
                    Some(id) => sent.push((id, verdict)),
                    None => break,
                }
                std::thread::sleep(PAUSE);
            }
            sent
        });
        std::thread::sleep(rest);
        let family = processes(server.pid());
        server.kill();
        expected.extend(submitter.join().expect("it ends"));
        announced.extend(announcer.join().expect("it ends"));
        let gone = Instant::now() + Duration::from_secs(20);
        while family.iter().any(|pid| runs(*pid)) {
            assert!(Instant::now() < gone, "processes stay: {family:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    let server = data.serve();
    let all = all_judged(&server);
    let found = server.client().json("/api/contests/c/clarifications");
    for text in &announced {
        let same = found.as_array().expect("a list").iter();
        let same = same.filter(|own| own["text"] == text.as_str());
        assert_eq!(same.count(), 1, "{text}");
    }
    assert!(server.stop().success());
    check(&data, contest, &all, &expected);
}

/// All submissions, when each has its verdict.
fn all_judged(server: &Server<'_>) -> Vec<Submission> {
    let all = server.data.store();
    let all = all.submissions(&SubmissionFilter::default(), 1_000_000);
    let all = all.expect("read");
    for submission in &all {
        server.judged(submission.id);
    }
    all
}

/// Checks that none is lost and that each has one verdict, the expected one, in store and feed.
fn check(data: &Data, contest: ContestId, all: &[Submission], expected: &BTreeMap<i64, &str>) {
    println!("{} submissions acknowledged", expected.len());
    assert!(!expected.is_empty());
    let store = data.store();
    for id in expected.keys() {
        assert!(all.iter().any(|s| s.id.0 == *id), "submission {id} is lost");
    }
    for submission in all {
        let judgings = store.judgings_of(submission.id).expect("read");
        let [judging] = &judgings[..] else {
            panic!("{judgings:?}");
        };
        assert_eq!(judging.state, JudgingState::Done);
        let verdict = judging.verdict.map(Verdict::code);
        if let Some(expected) = expected.get(&submission.id.0) {
            assert_eq!(verdict, Some(*expected), "{judging:?}");
        }
        let cases = store.case_results(judging.id).expect("read");
        // In a contest the first failure decides.
        assert_eq!(cases.len(), if verdict == Some("AC") { 3 } else { 1 });
    }
    let feed = store.feed_after(contest, 0, usize::MAX).expect("read");
    let mut submitted: BTreeMap<String, usize> = BTreeMap::new();
    let mut judged: BTreeMap<String, usize> = BTreeMap::new();
    for pair in feed.windows(2) {
        assert_eq!(pair[0].seq + 1, pair[1].seq, "a gap");
    }
    for row in &feed {
        let object: serde_json::Value =
            serde_json::from_str(row.data.as_deref().unwrap_or("null")).expect("JSON");
        let id = |key: &str| object[key].as_str().expect("an id").to_owned();
        match row.kind.as_str() {
            "submissions" => *submitted.entry(id("id")).or_default() += 1,
            "judgements" if !object["judgement_type_id"].is_null() => {
                *judged.entry(id("submission_id")).or_default() += 1;
            }
            _ => {}
        }
    }
    let once: BTreeMap<String, usize> = all.iter().map(|s| (s.id.to_string(), 1)).collect();
    assert_eq!(submitted, once);
    assert_eq!(judged, once, "each has one verdict");
}
