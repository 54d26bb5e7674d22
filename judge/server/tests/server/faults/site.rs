//! All processes of a site, and what is done to them.

use super::clocks::Clock;
use super::submitter::Target;
use super::{Random, Sandbox, Trial, fake_worker, number};
use crate::common::{Data, LEASE, NatsServer, Server, SmallDisk, Worker, repeats};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A fault that is injected into a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strike {
    KillServer,
    KillNats,
    KillWorker,
    /// It hangs for longer than a lease.
    StopWorker,
    /// It ends after SIGTERM, while another one with its name has started.
    ReplaceWorker,
    /// The server's clock is set: forward, the next time back.
    SetClock,
    /// The server's disk is full for as long as a lease.
    FillDisk,
}

/// Seconds by which a clock is set.
const JUMP_S: i64 = 300;

/// All processes.
pub struct Site<'d> {
    sandbox: Sandbox,
    /// For logs.
    pub dir: &'d Path,
    pub random: Random,
    pub data: &'d Data,
    server: Option<Server<'d>>,
    workers: Vec<Option<Worker>>,
    nats: NatsServer,
    /// The server's clock, if it is set now and then.
    clock: Option<Clock>,
    /// The server's disk, if it is filled now and then.
    disk: Option<&'d SmallDisk>,
    /// Time that an attempt takes in a fake sandbox.
    takes: Duration,
    /// The next faults, in reverse order.
    pub next: Vec<Strike>,
    pub struck: BTreeMap<Strike, usize>,
}

impl<'d> Site<'d> {
    /// Starts the server and this number of workers.
    pub fn start(
        trial: &Trial,
        (data, disk): (&'d Data, Option<&'d SmallDisk>),
        nats: NatsServer,
        workers: usize,
        dir: &'d Path,
        random: Random,
    ) -> Self {
        let mut site = Site {
            sandbox: trial.sandbox,
            dir,
            random,
            data,
            server: None,
            workers: Vec::new(),
            nats,
            clock: trial.rate.map(|_| Clock::new(dir, "server")),
            disk,
            takes: trial.takes,
            next: Vec::new(),
            struck: BTreeMap::new(),
        };
        site.server = Some(site.start_server());
        for k in 0..workers {
            let worker = site.start_worker(k);
            site.workers.push(Some(worker));
        }
        site
    }

    /// The server that runs now.
    pub fn server(&self) -> &Server<'d> {
        self.server.as_ref().expect("it runs")
    }

    fn start_server(&self) -> Server<'d> {
        let mut command = self.data.command_on(&self.nats);
        if let Some(clock) = &self.clock {
            clock.install(&mut command);
        }
        if let Some(disk) = self.disk {
            command = disk.inside(&command);
        }
        self.data.serve_by(command)
    }

    fn start_worker(&self, k: usize) -> Worker {
        let name = format!("w{k}");
        match self.sandbox {
            Sandbox::Fake => fake_worker::start(self.data, &self.nats, &name, self.dir, self.takes),
            Sandbox::Real => Worker::start(self.data, &self.nats, &name),
        }
    }

    /// Chooses the next fault: in random order, each as often as any other.
    fn choose(&mut self) -> Strike {
        if self.next.is_empty() {
            use Strike::*;
            self.next = vec![KillServer, KillNats, KillWorker, KillWorker, StopWorker];
            if self.sandbox == Sandbox::Real {
                self.next.push(ReplaceWorker);
            }
            if self.clock.is_some() {
                self.next.push(SetClock);
            }
            if self.disk.is_some() {
                self.next.push(FillDisk);
            }
            for k in (1..self.next.len()).rev() {
                let other = self.random.below(k as u64 + 1) as usize;
                self.next.swap(k, other);
            }
        }
        self.next.pop().expect("it was filled")
    }

    /// Kills a process, or lets one hang, and starts it again.
    pub fn strike(&mut self, target: &Target) {
        let k = self.random.below(self.workers.len() as u64) as usize;
        let most_ms = match self.sandbox {
            Sandbox::Fake if number("RUNS").is_none() => repeats(500, 1500) as u64,
            _ => 1500,
        };
        let rest = Duration::from_millis(self.random.below(most_ms));
        let strike = self.choose();
        *self.struck.entry(strike).or_default() += 1;
        match strike {
            Strike::KillServer => {
                self.server.take().expect("it runs").kill();
                thread::sleep(rest);
                self.server = Some(self.start_server());
                target.set_address(&self.server().address);
            }
            Strike::KillNats => {
                self.nats.kill();
                thread::sleep(rest);
                self.nats.restart();
            }
            Strike::KillWorker => {
                self.workers[k].take().expect("it runs").kill();
                self.workers[k] = Some(self.start_worker(k));
            }
            Strike::StopWorker => {
                let worker = self.workers[k].as_ref().expect("it runs");
                worker.signal(Signal::STOP);
                thread::sleep(LEASE + rest);
                worker.signal(Signal::CONT);
            }
            Strike::ReplaceWorker => {
                let old = self.workers[k].take().expect("it runs");
                old.signal(Signal::TERM);
                self.workers[k] = Some(self.start_worker(k));
                let status = old.ended();
                // It may not have listened to signals yet.
                let is_early = status.signal() == Some(Signal::TERM.as_raw());
                assert!(status.success() || is_early, "{status}");
            }
            Strike::SetClock => {
                let clock = self.clock.as_mut().expect("it has one");
                clock.set(JUMP_S - clock.ahead_s);
            }
            Strike::FillDisk => {
                let disk = self.disk.expect("it has one");
                disk.fill();
                thread::sleep(LEASE + rest);
                disk.free();
            }
        }
    }
}
