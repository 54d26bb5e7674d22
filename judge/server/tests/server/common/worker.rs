//! `judge-server worker` as a process.

use super::{Data, NatsServer, Server, judge_server};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

/// Time after which a worker's unit is given to another.
pub const LEASE: Duration = Duration::from_millis(1500);

/// A running worker; killed when it is dropped.
pub struct Worker {
    pub name: String,
    log: PathBuf,
    child: Child,
}

impl Worker {
    /// Starts a worker with one core for the servers on this NATS; its files are beside the data.
    pub fn start(data: &Data, nats: &NatsServer, name: &str) -> Self {
        Self::start_with(data, nats, name, &[])
    }

    /// Starts it with more arguments.
    pub fn start_with(data: &Data, nats: &NatsServer, name: &str, args: &[&str]) -> Self {
        let mut command = Self::command(data, &nats.url(), name);
        command.args(args);
        Self::start_by(data, name, command)
    }

    /// The command that starts it.
    pub fn command(data: &Data, url: &str, name: &str) -> Command {
        Self::command_with_lease(data, url, name, LEASE)
    }

    /// The command that starts it with leases of this length.
    pub fn command_with_lease(data: &Data, url: &str, name: &str, lease: Duration) -> Command {
        let mut command = judge_server();
        command
            .args(["worker", "--nats", url, "--name", name, "--jobs", "1"])
            // Tests run on busy machines.
            .args(["--when-busy", "warn"])
            .args(["--lease", &lease.as_secs_f64().to_string(), "--cache"])
            .arg(data.path().with_file_name("cache"));
        command
    }

    /// Starts it by this command.
    pub fn start_by(data: &Data, name: &str, mut command: Command) -> Self {
        let log = data.path().with_file_name(format!("{name}.log"));
        let file = File::options().create(true).append(true).open(&log);
        let child = command.stderr(file.expect("a log")).spawn();
        Worker {
            name: name.to_owned(),
            log,
            child: child.expect("it starts"),
        }
    }

    /// Its process.
    #[allow(dead_code)] // Only a benchmark asks.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("the signal is sent");
    }

    /// Waits until it ended by itself.
    pub fn ended(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }

    /// Kills it by SIGKILL.
    pub fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().expect("it ends");
    }

    /// Its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Data {
    /// A command that serves this directory without workers of its own.
    pub fn command_on(&self, nats: &NatsServer) -> Command {
        let mut command = self.command();
        command.args(["--nats", &nats.url(), "--jobs", "0"]);
        command
    }

    /// Starts it.
    pub fn serve_on(&self, nats: &NatsServer) -> Server<'_> {
        self.serve_by(self.command_on(nats))
    }
}
