//! Workers and servers that end, hang or are not those that began.

use super::{RIGHT, WRONG, begun, is, units};
use crate::common::{Data, Worker, patient, slow, start_nats, until};
use crate::jury::packages::package;
use judge_core::verdict::Verdict;
use judge_server::nats::{Results, encode, results_subject, server_name};
use judge_server::store::{Finished, JudgingState, Recorded, UploadId};
use judge_server::work_protocol::{AttemptId, JudgingAttempt, Report};
use rustix::process::Signal;
use std::thread::{self, sleep};
use std::time::{Duration, Instant, UNIX_EPOCH};

#[test]
fn a_worker_that_is_to_end_finishes_first_or_gives_back() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let first = Worker::start(&data, &nats, "first");
    let id = admin.submit("patient", "a.py", &slow(2.0));
    begun(&server, id, "first");
    let waiting = admin.submit("patient", "a.py", RIGHT);
    first.signal(Signal::TERM);
    assert!(first.ended().success());
    is(&server.judged(id), "AC", "first", 1);
    let untouched = data.store().valid_judging(waiting).expect("a judging");
    assert_eq!(untouched.state, JudgingState::Queued);

    let second = Worker::start(&data, &nats, "second");
    is(&server.judged(waiting), "AC", "second", 1);
    let id = admin.submit("patient", "a.py", &slow(3.0));
    begun(&server, id, "second");
    second.signal(Signal::TERM);
    sleep(Duration::from_millis(300));
    second.signal(Signal::TERM);
    assert!(second.ended().success());
    let open = data.store().valid_judging(id).expect("a judging");
    assert_eq!(open.verdict, None, "it ended before the program did");
    let _third = Worker::start(&data, &nats, "third");
    is(&server.judged(id), "AC", "third", 2);
}

/// Stops a server whose nats-server was killed or hangs. A browser follows the submission; the next server
/// judges the unit.
fn stops_quickly(hangs: bool) {
    let Some(mut nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let on_nats = ["--nats", &nats.url(), "--jobs", "1", "--lease", "2"];
    let server = data.serve_with(&on_nats);
    let admin = server.admin();
    // The next server does not wait again.
    let until = UNIX_EPOCH.elapsed().expect("a time").as_secs_f64() + 4.0;
    let source = format!(
        "import time\ntime.sleep(max(0, {until} - time.time()))\nprint(sum(map(int, input().split())))\n"
    );
    let id = admin.submit("patient", "a.py", &source);
    server.until(id, |judging| judging.state == JudgingState::Running);
    let events = admin.events(&format!("/submissions/{id}/live"));
    let browser = thread::spawn(move || events.count());
    match hangs {
        true => nats.signal(Signal::STOP),
        false => nats.kill(),
    }
    let start = Instant::now();
    assert!(server.stop().success());
    let took = start.elapsed();
    assert!(took < Duration::from_secs(15), "it took {took:?}");
    browser.join().expect("the events end");
    match hangs {
        true => nats.signal(Signal::CONT),
        false => nats.restart(),
    }
    let open = data.store().valid_judging(id).expect("a judging");
    assert_eq!(open.verdict, None, "it stopped before the program did");
    let next = data.serve_with(&on_nats);
    assert_eq!(next.judged(id).verdict, Some(Verdict::Accepted));
}

#[test]
fn a_server_stops_quickly_without_nats() {
    stops_quickly(false);
}

#[test]
fn a_server_stops_quickly_while_nats_hangs() {
    stops_quickly(true);
}

#[test]
fn a_worker_that_hangs_loses_its_unit_and_its_late_results_are_refused() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let hangs = Worker::start(&data, &nats, "hangs");
    let id = server.admin().submit("patient", "a.py", &slow(1.0));
    begun(&server, id, "hangs");
    hangs.signal(Signal::STOP);
    let _other = Worker::start(&data, &nats, "other");
    let judging = server.judged(id);
    is(&judging, "AC", "other", 2);
    hangs.signal(Signal::CONT);
    // It ends its attempt, and works on.
    until("its results are refused", || {
        data.log().contains("late results are refused")
    });
    assert_eq!(data.store().valid_judging(id).expect("a judging"), judging);
    assert_eq!(units(&data.store(), id), 1);
}

#[test]
fn a_server_that_is_down_loses_nothing_and_no_delivery_counts() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let worker = Worker::start(&data, &nats, "w1");
    let begun_before = admin.submit("patient", "a.py", &slow(1.0));
    begun(&server, begun_before, "w1");
    let waiting = admin.submit("patient", "a.py", WRONG);
    server.kill();
    until("the worker waits for a server", || {
        worker
            .log()
            .contains("no judge serve or judge run uses NATS")
    });
    let server = data.serve_on(&nats);
    is(&server.judged(begun_before), "AC", "w1", 1);
    is(&server.judged(waiting), "WA", "w1", 1);
}

#[test]
fn a_package_uploaded_while_nats_is_down_is_verified_afterwards() {
    let Some(mut nats) = start_nats() else { return };
    let data = Data::new(&[]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    nats.kill();
    let archive = package("8\n");
    let files = [("file", "echo.zip", archive.as_slice())];
    let answer = admin.upload("/jury/packages", &[], &files);
    assert_eq!(answer.status, 303, "{}", answer.body);
    nats.restart();
    let _worker = Worker::start(&data, &nats, "w1");
    let store = data.store();
    until("it is verified", || {
        store.upload_reports(UploadId(1)).expect("reports").len() == 3
    });
    until("no step is left", || {
        admin.page("/jury/queue").contains("0 wait, 0 are being")
    });
}

#[test]
fn a_unit_that_ends_its_worker_each_time_becomes_je() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let id = admin.submit("patient", "a.py", &slow(15.0));
    for attempt in 1..=4 {
        let worker = Worker::start(&data, &nats, "w");
        server.until(id, |judging| judging.attempt == attempt);
        worker.kill();
    }
    let _last = Worker::start(&data, &nats, "w");
    // It does not wait for the other one.
    let other = admin.submit("patient", "a.py", RIGHT);
    let judging = server.judged(id);
    assert_eq!(judging.verdict, Some(Verdict::JudgeError));
    let reason = judging.reason.expect("a reason");
    assert!(reason.contains("stopped 4 times"), "{reason}");
    until("the queue shows why", || {
        admin.page("/jury/queue").contains(&reason)
    });
    assert_eq!(server.judged(other).verdict, Some(Verdict::Accepted));
}

#[test]
fn results_of_a_worker_that_did_not_start_the_attempt_are_refused() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let _worker = Worker::start(&data, &nats, "w1");
    let id = server.admin().submit("patient", "a.py", &slow(3.0));
    begun(&server, id, "w1");
    let store = data.store();
    let judging = store.valid_judging(id).expect("a judging");
    let finished = Finished::new(Verdict::WrongAnswer);
    let forged = encode(&Results {
        target: AttemptId::Judging(JudgingAttempt {
            judging: judging.id,
            attempt: judging.attempt,
            submission: id,
            version: judging.version,
        }),
        reports: vec![Report::Result(Recorded::Finished(finished))],
    })
    .expect("it is written");
    let newer = br#"{"version":999,"message":{}}"#.to_vec();
    let name = server_name(&store).expect("it has a name");
    let connection = nats.connect();
    for message in [forged, newer] {
        let publish = connection
            .jetstream()
            .publish(results_subject("w2", &name), message.into());
        let sent = connection.request("send", async { publish.await?.await });
        sent.expect("the stream keeps it");
    }
    is(&server.judged(id), "AC", "w1", 1);
    let log = data.log();
    assert!(log.contains("\"w1\" started this attempt"), "{log}");
    assert!(log.contains("the message has version 999"), "{log}");
}
