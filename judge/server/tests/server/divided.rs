//! Submissions that a server on NATS divides between workers, a part of the cases to each.

use crate::common::{
    Client, Data, Entry, Package, Server, Worker, echo, start_nats, until, until_empty,
};
use judge_core::verdict::Verdict;
use judge_server::nats::{Cache, Remote};
use judge_server::queue::Leases;
use judge_server::store::{CaseRow, Judging, JudgingState, Role, Store, SubmissionId};
use std::thread::sleep;
use std::time::Duration;

/// A program in Python that takes this time for each case, and ends with these statements.
fn slow(seconds: f64, end: &str) -> String {
    format!("import time\ntime.sleep({seconds})\nn = int(input())\n{end}\n")
}

/// Waits until the server has heard of these workers.
fn heard(admin: &Client, names: &[&str]) {
    until("workers", || {
        let metrics = admin.page("/metrics");
        let is_there =
            |name: &&str| metrics.contains(&format!("judge_worker_units{{name=\"{name}\""));
        names.iter().all(is_there)
    });
}

fn rows(store: &Store, judging: &Judging) -> Vec<CaseRow> {
    store.case_results(judging.id).expect("results")
}

/// The results that do not differ between two judgings of one program.
fn comparable(store: &Store, judging: &Judging) -> (Verdict, Option<f64>, Vec<CaseRow>) {
    let rows = rows(store, judging).into_iter().map(|row| CaseRow {
        cpu_s: None,
        wall_s: None,
        memory: None,
        ..row
    });
    let verdict = judging.verdict.expect("it is judged");
    (verdict, judging.score, rows.collect())
}

fn by_both(judging: &Judging) {
    assert_eq!(judging.machine.as_deref(), Some("w1, w2"), "{judging:?}");
}

/// Submits a program in the contest `c` as the user `t`.
fn enter(server: &Server<'_>, source: &str) -> SubmissionId {
    let entry = Entry {
        user: "t",
        problem: "echo",
        language: "python3",
        file: "a.py",
        source,
    };
    let agent = ureq::agent();
    SubmissionId(entry.submit(&agent, &server.address).expect("acknowledged"))
}

#[test]
fn the_result_is_that_of_one_worker() {
    let Some(nats) = start_nats() else { return };
    let points = Package::new("points")
        .scoring()
        .derived_limit()
        .limit("time_limit: 60");
    let points = (0..2).fold(points, |package, group| {
        let dir = format!("secret/{group}");
        let cases = (1..=6).fold(package, |package, k| {
            let text = format!("{}\n", 10 * group + k);
            package.case(&format!("{dir}/{k}"), &text, &text)
        });
        cases.file(&format!("data/{dir}/test_group.yaml"), "max_score: 50\n")
    });
    let points = points.case("sample/1", "0\n", "0\n");
    let data = Data::new(&[echo(12), points]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let some = "print(1 // 0 if n == 5 else -1 if n == 7 else n)";
    let sent = [
        ("echo", "a.py", slow(0.25, some), "RTE"),
        ("echo", "a.c", "int main() { return x; }".to_owned(), "CE"),
        (
            "points",
            "a.py",
            slow(0.25, "print(n if n < 15 else 0)"),
            "PAC",
        ),
    ];
    let _first = Worker::start(&data, &nats, "w1");
    heard(&admin, &["w1"]);
    let whole: Vec<Judging> = sent
        .iter()
        .map(|(problem, file, source, verdict)| {
            let judging = server.judged(admin.submit(problem, file, source));
            assert_eq!(judging.machine.as_deref(), Some("w1"));
            assert_eq!(
                judging.verdict.map(Verdict::code),
                Some(*verdict),
                "{judging:?}"
            );
            judging
        })
        .collect();
    let _second = Worker::start(&data, &nats, "w2");
    heard(&admin, &["w1", "w2"]);
    let store = data.store();
    for ((problem, file, source, verdict), whole) in sent.iter().zip(&whole) {
        // On a busy machine the second worker may still prepare the package while the first one judges.
        let judged = |_| server.judged(admin.submit(problem, file, source));
        let is_divided =
            |judging: &Judging| *verdict == "CE" || judging.machine.as_deref() == Some("w1, w2");
        let divided = (0..5).map(judged).find(is_divided);
        let divided = divided.expect("both workers take part in one of five judgings");
        assert_eq!(divided.attempt, 1);
        assert_eq!(divided.machine_class.as_deref(), Some("default"));
        assert_eq!(
            divided.compile_message.is_some(),
            whole.compile_message.is_some()
        );
        assert_eq!(comparable(&store, &divided), comparable(&store, whole));
        assert!(
            divided.max_cpu_s.is_some() || *verdict == "CE",
            "{divided:?}"
        );
    }
    assert_eq!(whole[2].score, Some(50.0), "{:?}", whole[2]);
    // So is a rejudging of one submission, on machines of the class of before.
    let id = whole[0].submission;
    admin.post(
        "/jury/rejudgings",
        &[("submission", &id.to_string()), ("reason", "again")],
    );
    let last = || store.judgings_of(id).expect("judgings").pop().expect("one");
    until("it is judged again", || {
        last().rejudging.is_some() && last().state == JudgingState::Done
    });
    by_both(&last());
    assert_eq!(comparable(&store, &last()), comparable(&store, &whole[0]));
    let page = admin.page(&format!("/jury/submissions/{id}"));
    assert!(page.contains("w1, w2 (default)"), "{page}");
    until_empty(&server);
}

#[test]
fn a_case_that_decides_ends_the_others_on_all_machines() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(9)]);
    let (_, team) = data.contest();
    data.user_with_token("t", Role::Team, Some(team));
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let _workers = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    heard(&admin, &["w1", "w2"]);
    let endless =
        "import time\nif input() == '1': print('no')\nelse:\n    while True: time.sleep(1)\n";
    let judging = server.judged(enter(&server, endless));
    assert_eq!(judging.verdict, Some(Verdict::WrongAnswer), "{judging:?}");
    let rows = rows(&data.store(), &judging);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0].case, 0);
    // The workers are free for the next one before the endless cases reach their limits.
    let right = server.judged(enter(&server, "print(input())\n"));
    assert_eq!(right.verdict, Some(Verdict::Accepted), "{right:?}");
    let (end, finished) = (judging.started_ms, right.finished_ms);
    let passed = finished.zip(end).map(|(end, start)| end - start);
    assert!(passed.is_some_and(|ms| ms < 8 * 60_000), "{passed:?}");
    until_empty(&server);
}

/// Each of the 12 cases has one result, and it is right.
fn all_once(store: &Store, judging: &Judging) {
    assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
    let cases: Vec<usize> = rows(store, judging).iter().map(|row| row.case).collect();
    assert_eq!(cases, Vec::from_iter(0..12), "each case has one result");
}

#[test]
fn a_killed_worker_loses_nothing() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(12)]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let [first, _second] = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    heard(&admin, &["w1", "w2"]);
    let id = admin.submit("echo", "a.py", &slow(0.2, "print(n)"));
    let begun = |judging: &Judging| judging.machine.as_deref() == Some("w1, w2");
    server.until(id, begun);
    first.kill();
    let judging = server.judged(id);
    all_once(&data.store(), &judging);
    assert_eq!(judging.attempt, 1, "the worker had only a part of it");
}

#[test]
fn a_killed_server_and_a_stopped_server_lose_nothing() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(12)]);
    let mut server = data.serve_on(&nats);
    let mut admin = server.admin();
    let _workers = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    let store = data.store();
    for is_killed in [true, false] {
        heard(&admin, &["w1", "w2"]);
        let id = admin.submit("echo", "a.py", &slow(0.2, "print(n)"));
        let judging = server.until(id, |judging| {
            judging.machine.as_deref() == Some("w1, w2") && !rows(&store, judging).is_empty()
        });
        assert_eq!(judging.verdict, None, "{judging:?}");
        match is_killed {
            true => server.kill(),
            false => assert!(server.stop().success()),
        }
        // What the workers send now is of an attempt that is over.
        sleep(Duration::from_millis(500));
        server = data.serve_on(&nats);
        admin = server.admin();
        let judging = server.judged(id);
        all_once(&store, &judging);
        assert_eq!(judging.attempt, 2);
        assert_eq!(store.judgings_of(id).expect("judgings").len(), 1);
        until_empty(&server);
        assert_eq!(store.valid_judging(id).expect("one"), judging);
    }
}

#[test]
fn a_batch_that_no_worker_can_judge_is_a_judge_error() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(12)]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let workers = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    heard(&admin, &["w1", "w2"]);
    let id = admin.submit("echo", "a.py", &slow(0.4, "print(n)"));
    server.until(id, |judging| judging.machine.as_deref() == Some("w1, w2"));
    workers.into_iter().for_each(Worker::kill);
    // As a worker that fails parks it, when its lease is over.
    let cache = Cache::open(&data.path().with_file_name("cache-of-w3"), 0).expect("it opens");
    let failing = Remote::start(nats.connect(), "w3", "default", cache).expect("it starts");
    let lease = (0..1000).find_map(|_| {
        failing.wait(Duration::from_millis(20));
        let lease = failing.lease("w3/0", Duration::from_secs(60));
        lease.expect("it works")
    });
    let lease = lease.expect("a batch");
    assert!(lease.unit.id.contains("batch-"), "{lease:?}");
    assert!(failing.park(&lease, "the disk is full").expect("it works"));
    drop(failing);
    let _third = Worker::start(&data, &nats, "w3");
    let judging = server.judged(id);
    assert_eq!(judging.verdict, Some(Verdict::JudgeError));
    assert_eq!(judging.reason.as_deref(), Some("the disk is full"));
    let page = admin.page(&format!("/jury/submissions/{id}"));
    assert!(page.contains("the disk is full"), "{page}");
}

#[test]
fn more_urgent_work_and_other_shares_do_not_wait_for_all_batches() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(40)]);
    let (_, team) = data.contest();
    data.user_with_token("t", Role::Team, Some(team));
    data.user("other", Role::Jury, None);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let _workers = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    heard(&admin, &["w1", "w2"]);
    // More than two seconds of work for each worker, so that batches wait.
    let large = admin.submit("echo", "a.py", &slow(0.2, "print(n)"));
    server.until(large, |judging| {
        judging.machine.as_deref() == Some("w1, w2")
    });
    let page = admin.page("/jury/queue");
    let part = format!("a part of <a href=\"/jury/submissions/{large}\">");
    assert!(page.contains(&part), "{page}");
    let quick = "print(input())\n";
    let of_contest = enter(&server, quick);
    let of_other = server.sign_in("other").submit("echo", "a.py", quick);
    let end = |id| {
        let judging = server.judged(id);
        assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
        // One worker judged what is small.
        judging.finished_ms.expect("it is judged")
    };
    let (of_contest, of_other, large) = (end(of_contest), end(of_other), end(large));
    assert!(of_contest < large && of_other < large);
}
