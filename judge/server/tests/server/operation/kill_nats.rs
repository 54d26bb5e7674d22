//! A server, two workers and nats-server, of which one is killed or stopped every second: each
//! submission gets one verdict, the right one.
//!
//! `JUDGE_KILL_SECONDS=600` makes it longer, `JUDGE_KILL_SEED=7` chooses other victims.

use super::kill::{USERS, all_judged, check, submit};
use super::{RIGHT, WRONG};
use crate::common::{Data, NatsServer, Worker, sum};
use judge_server::store::Role;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

/// Submits twice a second to the present address until `ends` is set.
fn submit_all(address: &Mutex<String>, ends: &AtomicBool) -> Vec<(i64, &'static str)> {
    let mut sent = Vec::new();
    for k in 0.. {
        if ends.load(Ordering::SeqCst) {
            break;
        }
        let (program, verdict) = [(RIGHT, "AC"), (WRONG, "WA")][k % 2];
        let to = address.lock().expect("no panic").clone();
        let id = submit(&to, k % USERS, &format!("# {k}\n{program}"));
        sent.extend(id.map(|id| (id, verdict)));
        sleep(Duration::from_millis(500));
    }
    sent
}

#[test]
fn killed_and_stopped_on_nats_nothing_is_lost_or_judged_twice() {
    let Some(mut nats) = NatsServer::start() else {
        return;
    };
    let data = Data::new(&[sum("sum")]);
    let (contest, team) = data.contest();
    for k in 0..USERS {
        data.user_with_token(&format!("user{k}"), Role::Team, Some(team));
    }
    let mut random = number("JUDGE_KILL_SEED", 1);
    let mut below = |most: u64| {
        // A linear congruential generator: its upper bits are random enough to choose victims.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) % most
    };
    let mut server = data.serve_on(&nats);
    let mut workers: Vec<Option<Worker>> = ["w0", "w1"]
        .map(|name| Some(Worker::start(&data, &nats, name)))
        .into();
    let address = Arc::new(Mutex::new(server.address.clone()));
    let ends = Arc::new(AtomicBool::new(false));
    let submitter = {
        let (address, ends) = (address.clone(), ends.clone());
        spawn(move || submit_all(&address, &ends))
    };
    let until = Instant::now() + Duration::from_secs(number("JUDGE_KILL_SECONDS", 20));
    while Instant::now() < until {
        sleep(Duration::from_millis(300 + below(1200)));
        let k = below(2) as usize;
        let own = &mut workers[k];
        let name = format!("w{k}");
        match below(6) {
            0 => {
                println!("the server is killed");
                server.kill();
                sleep(Duration::from_millis(below(1500)));
                server = data.serve_on(&nats);
                server
                    .address
                    .clone_into(&mut address.lock().expect("no panic"));
            }
            1 => {
                println!("nats-server is killed");
                nats.kill();
                sleep(Duration::from_millis(below(1500)));
                nats.restart();
            }
            2 => {
                println!("{name} hangs");
                let worker = own.as_ref().expect("it runs");
                worker.signal(Signal::STOP);
                sleep(Duration::from_millis(2500));
                worker.signal(Signal::CONT);
            }
            3 => {
                println!("{name} is replaced");
                let old = own.take().expect("it runs");
                old.signal(Signal::TERM);
                *own = Some(Worker::start(&data, &nats, &name));
                assert!(old.ended().success());
            }
            _ => {
                println!("{name} is killed");
                own.take().expect("it runs").kill();
                *own = Some(Worker::start(&data, &nats, &name));
            }
        }
    }
    ends.store(true, Ordering::SeqCst);
    let expected: BTreeMap<i64, &str> = submitter.join().expect("it ends").into_iter().collect();
    let all = all_judged(&server);
    assert!(server.stop().success());
    check(&data, contest, &all, &expected);
}
