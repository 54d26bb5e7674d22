//! A machine whose network is cut: packets are dropped, and connections stay open.

use crate::common::{Data, Namespace, NatsServer, Worker, patient, slow};
use judge_core::verdict::Verdict;
use judge_server::store::JudgingState;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// Runs the test below in a network of its own.
#[test]
fn a_worker_whose_network_is_cut_loses_its_unit_and_returns() {
    let Some(probe) = Namespace::new(
        &["--user", "--net"],
        "ip link add near type veth peer name far",
        &[],
    ) else {
        return;
    };
    drop(probe);
    let status = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net"])
        .arg(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "faults::partition::inside",
            "--ignored",
            "--nocapture",
        ])
        .env("FAULTS_INSIDE", "1")
        .status();
    assert!(status.expect("it starts").success());
}

fn sh(script: &str) {
    let status = Command::new("sh").args(["-ec", script]).status();
    assert!(status.expect("sh starts").success(), "{script}");
}

/// Here are nats-server, the server and a worker; another worker is at the other end of a cable.
#[test]
#[ignore = "started in a network of its own by the test above"]
fn inside() {
    if std::env::var_os("FAULTS_INSIDE").is_none() {
        return;
    }
    let far = Namespace::new(&["--net"], "ip link set lo up", &[]).expect("a network");
    sh(&format!(
        "ip link set lo up
         ip link add near type veth peer name far netns {0}
         ip addr add 10.77.0.1/24 dev near
         ip link set near up
         nsenter --target {0} --net ip addr add 10.77.0.2/24 dev far
         nsenter --target {0} --net ip link set far up",
        far.pid()
    ));
    let Some(nats) = NatsServer::start_with(&["--addr", "0.0.0.0"]) else {
        return;
    };
    let data = Data::new(&[patient()]);
    let server = data.serve_on(&nats);
    let url = format!("nats://10.77.0.1:{}", nats.port());
    let command = Worker::command(&data, &url, "far");
    let cut_off = Worker::start_by(&data, "far", far.inside(&command));
    let admin = server.admin();
    let id = admin.submit("patient", "a.py", &slow(2.0));
    server.until(id, |judging| judging.state == JudgingState::Running);
    sh("ip link set near down");
    let near = Worker::start(&data, &nats, "near");
    let judging = server.judged(id);
    let found = (
        judging.verdict.map(Verdict::code),
        judging.machine.as_deref(),
        judging.attempt,
    );
    assert_eq!(found, (Some("AC"), Some("near"), 2));
    sh("ip link set near up");
    // Its results come late, and it works on.
    while !data.log().contains("late results are refused") {
        sleep(Duration::from_millis(20));
    }
    assert_eq!(data.store().valid_judging(id).expect("a judging"), judging);
    near.kill();
    let next = admin.submit("patient", "a.py", &slow(0.0));
    let judging = server.judged(next);
    assert_eq!(judging.machine.as_deref(), Some("far"), "{}", cut_off.log());
}
