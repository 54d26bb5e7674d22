//! Workers and nats-server are killed at random while units are worked through.
//!
//! A short form runs with the other tests. `make faults` sets SECONDS, for which units are added;
//! UNITS, their number, is used instead if it is set.

use crate::common::NatsServer;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::Config;
use judge_server::nats::{Connection, NatsQueue, Options};
use judge_server::queue::{Counts, Queue, Unit};
use judge_server::store::Priority;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Names the server in the environment of a worker process.
const URL: &str = "FAULTS_NATS_URL";
const LEASE: Duration = Duration::from_secs(3);
const WORKERS: usize = 3;
/// Units that wait at most.
const WAITING: usize = 2000;

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

fn connect(url: String) -> Arc<Connection> {
    let options = Options {
        url,
        ..Options::default()
    };
    Arc::new(Connection::open(&options).expect("it connects"))
}

/// Keeps the result of a unit, unless it has one.
async fn record(connection: &Connection, id: &str) -> Result<(), PublishError> {
    let message = PublishMessage::build()
        .payload("AC".into())
        .expected_last_subject_sequence(0);
    let jetstream = connection.jetstream();
    let published = jetstream.send_publish(format!("faults.{id}"), message);
    match published.await?.await {
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(()),
        done => done.map(drop),
    }
}

/// A worker process of the test below. Its work on a unit is to record a result.
#[test]
#[ignore = "started as a process by the test below"]
fn worker_process() {
    let Ok(url) = std::env::var(URL) else { return };
    let connection = connect(url);
    let queue = NatsQueue::join(connection.clone(), "faults").expect("it opens");
    let work = || {
        loop {
            let Ok(Some(lease)) = queue.lease("worker", LEASE) else {
                queue.wait(Duration::from_millis(100));
                continue;
            };
            let record = || connection.request("record", record(&connection, &lease.unit.id));
            while record().is_err() {
                thread::sleep(Duration::from_millis(20));
            }
            // If that fails, the unit is delivered again.
            let _ = queue.finish(&lease);
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
}

/// A worker process; killed on drop.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        // It is there as long as the test holds it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_worker(nats: &NatsServer) -> Worker {
    let started = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "nats::faults::worker_process", "--ignored"])
        .env(URL, nats.url())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Worker(started.expect("it starts"))
}

/// Kills something every two or three seconds until `is_over`; returns how often a worker, and the
/// server.
fn kill(
    nats: &mut NatsServer,
    workers: &mut [Worker],
    is_over: impl Fn() -> bool,
) -> (usize, usize) {
    let mut killed = (0, 0);
    for round in 1_usize.. {
        let pause = Instant::now() + Duration::from_millis(1700 + 311 * (round % 5) as u64);
        while Instant::now() < pause {
            if is_over() {
                return killed;
            }
            thread::sleep(Duration::from_millis(20));
        }
        if round % 3 == 0 {
            nats.kill();
            thread::sleep(Duration::from_millis(37 * (round % 11) as u64));
            nats.restart();
            killed.1 += 1;
        } else {
            // Dropping the old one kills it.
            workers[round % WORKERS] = start_worker(nats);
            killed.0 += 1;
        }
    }
    unreachable!("the rounds do not end")
}

#[test]
fn every_unit_has_one_result_while_processes_are_killed() {
    let Some(mut nats) = NatsServer::start() else {
        return;
    };
    let most = number("UNITS").unwrap_or(usize::MAX);
    let seconds = match number("UNITS") {
        Some(_) => Duration::MAX,
        None => Duration::from_secs(number("SECONDS").unwrap_or(8) as u64),
    };
    let connection = nats.connect();
    let queue = NatsQueue::create(nats.connect(), "faults", 1).expect("it opens");
    let results = Config {
        name: "results".to_owned(),
        subjects: vec!["faults.*".to_owned()],
        ..Config::default()
    };
    let created = connection.jetstream().create_stream(results);
    connection
        .request("create", created)
        .expect("it is created");
    let mut workers: Vec<Worker> = (0..WORKERS).map(|_| start_worker(&nats)).collect();
    let start = Instant::now();
    let (added, killed) = thread::scope(|scope| {
        let adding = scope.spawn(|| {
            let mut added = 0;
            while added < most && start.elapsed() < seconds {
                if queue.counts().expect("the queue works").waiting > WAITING {
                    thread::sleep(Duration::from_millis(10));
                    continue;
                }
                let numbers = added..most.min(added + 500);
                added = numbers.end;
                let units: Vec<Unit> = numbers.map(unit).collect();
                queue.enqueue(&units).expect("the server returns in time");
            }
            while queue.counts().expect("the queue works") != Counts::default() {
                thread::sleep(Duration::from_millis(20));
            }
            added
        });
        let killed = kill(&mut nats, &mut workers, || adding.is_finished());
        (adding.join().expect("no panic"), killed)
    });
    let elapsed = start.elapsed();
    drop(workers);
    connection.wait_connected(LEASE);
    let most = Duration::from_secs(300);
    let subjects = connection.request_within(most, "count", async {
        let stream = connection.jetstream().get_stream("results").await?;
        let messages = stream.cached_info().state.messages;
        let info = stream.info_with_subjects("faults.*").await?;
        let counts: Vec<usize> = {
            use futures_util::TryStreamExt;
            info.map_ok(|(_, count)| count).try_collect().await?
        };
        Ok::<_, async_nats::Error>((messages, counts))
    });
    let (messages, counts) = subjects.expect("an answer");
    println!(
        "{added} units in {:.0} s, {} workers and {} servers killed: {} have a result, {} results",
        elapsed.as_secs_f64(),
        killed.0,
        killed.1,
        counts.len(),
        messages
    );
    assert_eq!(counts.len(), added);
    assert!(counts.iter().all(|count| *count == 1));
    assert!(killed.0 > 0 && killed.1 > 0);
}

fn unit(k: usize) -> Unit {
    Unit {
        id: format!("unit-{k}"),
        priority: Priority::ALL[k % Priority::ALL.len()],
        share: format!("team {}", k % 50),
        payload: String::new(),
    }
}
