//! Workers in processes of their own, which share the work of a server through a real nats-server.

mod languages;
mod lost;

use crate::common::{Data, Server, Worker, start_nats, sum, until};
use crate::jury::packages::package;
use judge_core::verdict::Verdict;
use judge_server::nats::{encode, server_name};
use judge_server::store::{Judging, JudgingState, Store, SubmissionId, UploadId};
use rustix::process::Signal;
use serde_json::json;
use std::thread::sleep;
use std::time::Duration;

const RIGHT: &str = "print(sum(map(int, input().split())))\n";
const WRONG: &str = "print('no')\n";

fn is(judging: &Judging, verdict: &str, worker: &str, attempt: i64) {
    let found = (
        judging.verdict.map(Verdict::code),
        judging.machine.as_deref(),
        judging.attempt,
    );
    assert_eq!(found, (Some(verdict), Some(worker), attempt), "{judging:?}");
}

/// Waits until this worker has begun with the submission.
fn begun(server: &Server<'_>, id: SubmissionId, worker: &str) {
    server.until(id, |judging| {
        judging.state == JudgingState::Running && judging.machine.as_deref() == Some(worker)
    });
}

fn units(store: &Store, id: SubmissionId) -> usize {
    let judging = store.valid_judging(id).expect("a judging");
    store.case_results(judging.id).expect("results").len()
}

#[test]
fn workers_on_other_machines_judge_and_are_shown() {
    let Some(nats) = start_nats() else { return };
    let derived = sum("derived")
        .derived_limit()
        .file("submissions/accepted/a.py", RIGHT);
    let sum = sum("sum").derived_limit().limit("time_limit: 0.5");
    let data = Data::new(&[sum, derived]);
    // A worker waits for the server.
    let first = Worker::start(&data, &nats, "w1");
    until("the worker waits", || first.log().contains("; waiting"));
    let server = data.serve_on(&nats);
    let workers = [first, Worker::start(&data, &nats, "w2")];
    let admin = server.admin();
    // Larger than what is sent with the work: it goes through the object store.
    let large = format!("# {}\n{RIGHT}", "x".repeat(200_000));
    let sent: Vec<(SubmissionId, &str)> = vec![
        (admin.submit("sum", "a.py", RIGHT), "AC"),
        (admin.submit("sum", "a.py", WRONG), "WA"),
        (admin.submit("sum", "a.c", "int main() { return x; }"), "CE"),
        (
            admin.submit("sum", "a.py", "a = input()\nwhile a == '1 2': pass\n"),
            "TLE",
        ),
        (
            admin.submit("sum", "a.py", "import os\nos.abort()\n"),
            "RTE",
        ),
        (admin.submit("sum", "a.py", &large), "AC"),
        (admin.submit("derived", "a.py", RIGHT), "AC"),
    ];
    for (id, verdict) in sent {
        let judging = server.judged(id);
        assert_eq!(
            judging.verdict.map(Verdict::code),
            Some(verdict),
            "{judging:?}"
        );
        let machine = judging.machine.as_deref();
        assert!(
            machine == Some("w1") || machine == Some("w2"),
            "{judging:?}"
        );
        let version = judging.judge_version.as_deref();
        assert_eq!(version, Some(env!("CARGO_PKG_VERSION")));
        let cases = if verdict == "CE" { 0 } else { 3 };
        assert_eq!(units(&data.store(), id), cases, "{judging:?}");
    }
    let problem = data.store().problem_by_ext("derived").expect("read");
    let limit = problem.expect("a problem").version.time_limit_s;
    assert!(limit.is_some(), "the derived limit is kept");

    let shown = |worker: &Worker| admin.page("/jury/queue").contains(&worker.name);
    until("both are shown", || workers.iter().all(shown));
    let page = admin.page("/jury/queue");
    assert!(page.contains(env!("CARGO_PKG_VERSION")), "{page}");
    let measured = "judge_worker_units{name=\"w1\"";
    until("it is measured", || {
        admin.page("/metrics").contains(measured)
    });
    for worker in workers {
        worker.signal(Signal::TERM);
        assert!(worker.ended().success());
    }
    until("it is gone", || !admin.page("/jury/queue").contains("w1"));
}

#[test]
fn a_worker_with_another_version_of_the_judge_is_named_once() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[sum("sum")]);
    let _server = data.serve_on(&nats);
    let name = server_name(&data.store()).expect("a name");
    let connection = nats.connect();
    let start = |worker: &str, version: &str| {
        let subject = format!("judge.ask.{worker}.{name}");
        let start = json!({"lease": {
            "thread": worker, "token": worker, "is_repeated": false, "lease_ms": 1000, "machine_class": "", "judge": version,
        }});
        let message = encode(&start).expect("JSON");
        let asked = connection.client().request(subject, message.into());
        connection.request("ask", asked).expect("an answer");
    };
    let own = env!("CARGO_PKG_VERSION");
    for (worker, version) in [
        ("w1", own),
        ("w2", "0.0.1"),
        ("w2", "0.0.1"),
        ("w3", "0.0.2"),
    ] {
        start(worker, version);
    }
    let log = data.log();
    let lines = log.lines().filter(|line| line.contains("another version"));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(
        lines[0].contains("w2") && lines[0].contains("0.0.1"),
        "{log}"
    );
    assert!(
        lines[1].contains("w3") && lines[1].contains("0.0.2"),
        "{log}"
    );
}

/// Submissions to judge again.
const SENT: i64 = 4;

#[test]
fn the_class_of_the_server_judges_and_a_rejudging_takes_the_class_of_before() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[sum("sum")]);
    let start = |name, class| Worker::start_with(&data, &nats, name, &["--class", class]);
    {
        let server = data.serve_with(&["--nats", &nats.url(), "--jobs", "0", "--class", "fast"]);
        let admin = server.admin();
        let _slow = start("w1", "slow");
        let id = admin.submit("sum", "a.py", RIGHT);
        // It waits for a worker of that class.
        until("the queue shows it", || {
            admin.page("/jury/queue").contains("slow")
        });
        assert_eq!(data.store().valid_judging(id).expect("one").attempt, 0);
        let _fast = start("w2", "fast");
        is(&server.judged(id), "AC", "w2", 1);
        for _ in 1..SENT {
            server.judged(admin.submit("sum", "a.py", RIGHT));
        }
        let page = admin.page(&format!("/jury/submissions/{id}"));
        assert!(page.contains("w2 (fast)"), "{page}");
    }
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let (_slow, _fast) = (start("w3", "slow"), start("w4", "fast"));
    until("both workers are shown", || {
        let page = admin.page("/jury/queue");
        page.contains("w3") && page.contains("w4")
    });
    admin.post(
        "/jury/rejudgings",
        &[("verdict", "AC"), ("reason", "again")],
    );
    for id in (1..=SENT).map(SubmissionId) {
        let judged = || {
            let judgings = data.store().judgings_of(id).expect("judgings");
            let last = judgings.last().filter(|_| judgings.len() == 2).cloned();
            last.filter(|judging| judging.state == JudgingState::Done)
        };
        until("it is judged", || judged().is_some());
        let judging = judged().expect("it is judged");
        is(&judging, "AC", "w4", 1);
        assert_eq!(judging.machine_class.as_deref(), Some("fast"));
    }
}

#[test]
fn an_uploaded_package_is_verified_by_workers() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[]);
    let server = data.serve_on(&nats);
    let _worker = Worker::start(&data, &nats, "w1");
    // The wrong answer makes the program that is right fail.
    let archive = package("8\n");
    let files = [("file", "echo.zip", archive.as_slice())];
    let answer = server.admin().upload("/jury/packages", &[], &files);
    assert_eq!(answer.status, 303, "{}", answer.body);
    let store = data.store();
    let reports = (0..3000).find_map(|_| {
        sleep(Duration::from_millis(20));
        let reports = store.upload_reports(UploadId(1)).expect("reports");
        (reports.len() == 3).then_some(reports)
    });
    let found: Vec<(Option<Verdict>, bool)> = reports
        .unwrap_or_else(|| panic!("{}", data.log()))
        .into_iter()
        .filter_map(|report| report.submission)
        .map(|own| (own.verdict, own.as_expected))
        .collect();
    let wrong = |as_expected| (Some(Verdict::WrongAnswer), as_expected);
    assert_eq!(found, [wrong(false), wrong(true)]);
}

#[test]
fn a_server_on_nats_may_have_workers_of_its_own() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[sum("sum")]);
    let server = data.serve_with(&["--nats", &nats.url(), "--jobs", "1"]);
    let admin = server.admin();
    let id = admin.submit("sum", "a.py", RIGHT);
    assert_eq!(server.judged(id).verdict, Some(Verdict::Accepted));
    assert!(server.stop().success());

    // The copy of a server's data has its name.
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let id = admin.submit("sum", "a.py", RIGHT);
    let page = format!("/submissions/{id}");
    until("the page says so", || {
        admin.page(&page).contains("No worker takes submissions")
    });
    assert!(admin.page("/jury/queue").contains("judge worker --nats"));
    let worker = Worker::start(&data, &nats, "w");
    assert_eq!(server.judged(id).verdict, Some(Verdict::Accepted));
    // The verdict is stored before the unit leaves the queue.
    until("all workers are idle", || {
        admin.page("/jury/queue").contains("All workers are idle")
    });
    drop(worker);
    let copy = Data::new(&[]);
    let name = server_name(&data.store()).expect("a name");
    copy.store().set_setting("coordinator", &name).expect("set");
    let output = copy.command_on(&nats).output().expect("it runs");
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && error.contains(&name), "{error}");
    assert!(server.stop().success());
}
