//! Disks that are full: of nats-server, of the server, of a worker.

use crate::common::{
    Client, Data, NatsServer, Server, SmallDisk, Worker, patient, slow, start_nats, sum,
};
use async_nats::jetstream::stream::Config;
use judge_core::verdict::Verdict;
use judge_server::store::SubmissionId;
use std::ops::Range;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

const RIGHT: &str = "print(sum(map(int, input().split())))\n";

fn accepted(server: &Server<'_>, all: &[SubmissionId]) {
    for id in all {
        let judging = server.judged(*id);
        assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
    }
}

/// A submission each; sources differ.
fn submit(admin: &Client, numbers: Range<usize>) -> Vec<SubmissionId> {
    let one = |k: usize| admin.submit("sum", "a.py", &format!("# {k}\n{RIGHT}"));
    numbers.map(one).collect()
}

fn until_logged(log: impl Fn() -> String, text: &str) {
    for _ in 0..3000 {
        if log().contains(text) {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("{text:?} is not in {}", log());
}

/// JetStream stops when its disk is full. The server keeps what is submitted meanwhile.
#[test]
fn a_full_disk_of_nats_server_loses_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let store = dir.path().join("jetstream");
    std::fs::create_dir(&store).expect("a directory");
    let Some(disk) = SmallDisk::at(&store, 8).map(Arc::new) else {
        return;
    };
    let inside = disk.clone();
    let inside = Box::new(move |command: &_| inside.inside(command));
    let Some(mut nats) = NatsServer::start_in(dir, &[], Some(inside)) else {
        return;
    };
    let data = Data::new(&[sum("sum")]);
    let server = data.serve_on(&nats);
    let admin = server.admin();
    let mut all = submit(&admin, 0..3);
    disk.fill();
    let _worker = Worker::start(&data, &nats, "w");
    all.extend(submit(&admin, 3..6));
    sleep(Duration::from_secs(3));
    disk.free();
    // JetStream does not start again by itself.
    nats.kill();
    nats.restart();
    all.extend(submit(&admin, 6..7));
    accepted(&server, &all);
}

/// JetStream has a limit of its own below the size of the disk, and goes on when there is room.
#[test]
#[ignore = "takes minutes: `make faults` runs it"]
fn a_limit_of_the_stores_size_loses_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let (config, store) = (dir.path().join("nats.conf"), dir.path().join("jetstream"));
    let text = format!("jetstream {{ store_dir: {store:?}, max_file: 2M }}\n");
    std::fs::write(&config, text).expect("it is written");
    let args = ["--config", &config.to_string_lossy()];
    let Some(nats) = NatsServer::start_in(dir, &args, None) else {
        return;
    };
    let data = Data::new(&[sum("sum")]);
    let server = data.serve_on(&nats);
    let connection = nats.connect();
    let ballast = Config {
        name: "ballast".to_owned(),
        ..Config::default()
    };
    let jetstream = connection.jetstream();
    let created = connection.request("create", jetstream.create_stream(ballast));
    created.expect("it is created");
    for size in [100_000, 1000, 1] {
        let put = || {
            let message = jetstream.publish("ballast", vec![0; size].into());
            connection.request("fill", async { message.await?.await })
        };
        while put().is_ok() {}
    }
    let worker = Worker::start(&data, &nats, "w");
    let all = submit(&server.admin(), 0..5);
    until_logged(|| worker.log(), "resource");
    let emptied = connection.request("make room", async {
        let stream = jetstream.get_stream("ballast").await?;
        stream.purge().await?;
        Ok::<_, async_nats::Error>(())
    });
    emptied.expect("there is room");
    accepted(&server, &all);
}

/// Results wait in NATS while the server cannot keep them.
#[test]
fn a_full_disk_of_the_server_loses_no_result() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[patient()]);
    // Creates the store.
    assert!(data.serve_on(&nats).stop().success());
    let Some(disk) = SmallDisk::at(&data.path(), 8) else {
        return;
    };
    let server = data.serve_by(disk.inside(&data.command_on(&nats)));
    let admin = server.admin();
    let id = admin.submit("patient", "a.py", &slow(4.0));
    let _worker = Worker::start(&data, &nats, "w");
    // The worker announces its unit within two seconds.
    while !admin.page("/jury/queue").contains("judging-1") {
        sleep(Duration::from_millis(20));
    }
    disk.fill();
    until_logged(|| data.log(), "results wait");
    disk.free();
    for _ in 0..3000 {
        if admin.page(&format!("/submissions/{id}")).contains("AC") {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("{}", data.log());
}

/// A worker without room for a package leaves its units to others, and its failures do not count.
#[test]
fn a_worker_with_a_full_disk_spoils_nothing() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[sum("sum")]);
    // That of both workers; only one has it on the small disk.
    let cache = data.path().with_file_name("cache");
    std::fs::create_dir(&cache).expect("a directory");
    let Some(disk) = SmallDisk::at(&cache, 1) else {
        return;
    };
    let server = data.serve_on(&nats);
    disk.fill();
    let command = Worker::command(&data, &nats.url(), "full");
    let full = Worker::start_by(&data, "full", disk.inside(&command));
    let all = submit(&server.admin(), 0..12);
    until_logged(|| full.log(), "left to other machines");
    let _able = Worker::start(&data, &nats, "able");
    accepted(&server, &all);
    assert!(full.log().contains("No space left"), "{}", full.log());
}
