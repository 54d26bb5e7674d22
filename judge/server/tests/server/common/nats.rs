//! A real nats-server on a free port of this machine.

use judge_server::nats::{Connection, Options};
use rustix::process::{Pid, Signal, kill_process};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use tempfile::TempDir;

/// Longer than a busy machine takes to start it.
const START: Duration = Duration::from_secs(60);

/// A running nats-server with JetStream in a directory of its own; killed on drop.
pub struct NatsServer {
    dir: TempDir,
    process: Child,
    port: u16,
    /// Arguments beside address and directory.
    args: Vec<String>,
    /// How it is started, if not as usual.
    inside: Option<Box<Inside>>,
}

/// Makes a command one that runs elsewhere, as in a namespace.
pub type Inside = dyn Fn(&Command) -> Command + Send;

/// The program, which is in a directory that only root has in its path.
fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from);
    env::split_paths(&path)
        .chain(usual)
        .map(|dir| dir.join("nats-server"))
        .find(|file| file.is_file())
}

fn spawn(dir: &Path, port: &str, args: &[String], inside: Option<&Inside>) -> Child {
    let log = fs::File::create(dir.join("log")).expect("a file");
    let mut command = Command::new(program().expect("it was found before"));
    // A configuration has a directory of its own.
    if !args.iter().any(|arg| arg == "--config") {
        command.arg("--jetstream").arg("--store_dir");
        command.arg(dir.join("jetstream"));
    }
    command
        .args(["--addr", "127.0.0.1", "--port", port])
        .arg("--ports_file_dir")
        .arg(dir)
        .args(args);
    if let Some(inside) = inside {
        command = inside(&command);
    }
    let started = command.stdout(Stdio::null()).stderr(log).spawn();
    started.expect("nats-server starts")
}

/// [`NatsServer::start`], so short that a test skips itself in one line.
#[allow(dead_code)] // Not every benchmark has one.
pub fn start_nats() -> Option<NatsServer> {
    NatsServer::start()
}

impl NatsServer {
    /// Starts one; without nats-server it says that the test is skipped.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// Starts one with further arguments, such as `--config FILE`.
    pub fn start_with(args: &[&str]) -> Option<Self> {
        let dir = tempfile::tempdir().expect("a directory");
        Self::start_in(dir, args, None)
    }

    /// Starts one with its files in this directory; `inside` changes the command.
    pub fn start_in(dir: TempDir, args: &[&str], inside: Option<Box<Inside>>) -> Option<Self> {
        if program().is_none() {
            eprintln!("skipped: nats-server is not installed");
            return None;
        }
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        // It chooses the port, and writes it into a file.
        let process = spawn(dir.path(), "-1", &args, inside.as_deref());
        let ports = dir
            .path()
            .join(format!("nats-server_{}.ports", process.id()));
        let mut server = NatsServer {
            dir,
            process,
            port: 0,
            args,
            inside,
        };
        let start = Instant::now();
        while server.port == 0 {
            server.check_start(start);
            let text = fs::read_to_string(&ports).unwrap_or_default();
            let ports: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let address = ports["nats"][0].as_str().unwrap_or_default();
            let port = address.rsplit(':').next().unwrap_or_default();
            server.port = port.parse().unwrap_or(0);
        }
        Some(server)
    }

    fn check_start(&mut self, start: Instant) {
        let ended = self.process.try_wait().expect("it can be asked");
        let log = fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
        assert!(ended.is_none() && start.elapsed() < START, "{log}");
        thread::sleep(Duration::from_millis(5));
    }

    /// Its port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its process.
    #[allow(dead_code)] // Only a benchmark asks.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// A new connection to it.
    pub fn connect(&self) -> Arc<Connection> {
        Self::connect_to(&self.url())
    }

    /// A new connection to this address.
    pub fn connect_to(url: &str) -> Arc<Connection> {
        let options = Options {
            url: url.to_owned(),
            ..Options::default()
        };
        Arc::new(Connection::open(&options).expect("it connects"))
    }

    /// Whether it was not killed.
    pub fn runs(&mut self) -> bool {
        self.process.try_wait().expect("it can be asked").is_none()
    }

    /// Its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.process);
        kill_process(pid, signal).expect("the signal is sent");
    }

    /// Kills it with SIGKILL.
    pub fn kill(&mut self) {
        self.process.kill().expect("it was alive");
        self.process.wait().expect("it ends");
    }

    /// Starts it again after [`NatsServer::kill`], at the same port with the same files.
    pub fn restart(&mut self) {
        let port = self.port.to_string();
        self.process = spawn(self.dir.path(), &port, &self.args, self.inside.as_deref());
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            self.check_start(start);
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // It may have been killed by the test.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
