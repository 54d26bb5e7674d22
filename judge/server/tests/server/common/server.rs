//! Starts and stops `judge-server`.

use super::client::Client;
use super::command::judge_server;
use super::package::Package;
use super::rows::new_user;
use judge_server::packages::Packages;
use judge_server::secret;
use judge_server::store::{
    Judging, JudgingState, NewUser, Role, Store, SubmissionId, TeamId, UserId,
};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A data directory, which may have several servers one after the other.
pub struct Data {
    dir: TempDir,
    /// Packages of the servers that are started.
    packages: Vec<PathBuf>,
}

impl Data {
    /// A directory whose servers have these packages.
    pub fn new(packages: &[Package]) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let packages = packages
            .iter()
            .map(|package| package.write(&dir.path().join("given")))
            .collect();
        Data { dir, packages }
    }

    /// The server's own directory.
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// The directory of a package, for changes between two servers.
    pub fn package(&self, id: &str) -> PathBuf {
        self.dir.path().join("given").join(id)
    }

    /// The store. A running server uses the same file; it announces only its own changes.
    pub fn store(&self) -> Store {
        fs::create_dir_all(self.path()).expect("a directory");
        Store::open(&self.path().join("judge.sqlite")).expect("the store opens")
    }

    /// Adds the packages as a server does when it starts, which takes longer.
    pub fn add_packages(&self) {
        let store = self.store();
        let packages = Packages::open(&self.path().join("packages")).expect("it opens");
        for package in &self.packages {
            let version = packages.add(package).expect("it is added");
            let (problem, _) = store.put_version(&version).expect("it is added");
            store.set_practice(problem, true).expect("it is set");
        }
    }

    /// Adds a user with the password `password of NAME`.
    pub fn user(&self, name: &str, role: Role, team: Option<TeamId>) -> UserId {
        let hash = secret::hash_password(&format!("password of {name}")).expect("a hash");
        let new = NewUser {
            password_hash: Some(hash),
            ..new_user(name, role, team)
        };
        self.store().put_user(&new).expect("a user")
    }

    /// Adds a user whose token is its name.
    pub fn user_with_token(&self, name: &str, role: Role, team: Option<TeamId>) {
        let store = self.store();
        let user = store.put_user(&new_user(name, role, team));
        let added = store.add_token(&secret::hash(name), user.expect("a user"), "test");
        added.expect("a token");
    }

    /// A command that serves this directory on a free port.
    pub fn command(&self) -> Command {
        let mut command = judge_server();
        command
            .arg("serve")
            .args(&self.packages)
            .arg("--data")
            .arg(self.path())
            .args(["--listen", "127.0.0.1:0"])
            .current_dir(self.dir.path());
        command
    }

    /// The log of the servers.
    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    /// Starts a server.
    pub fn serve(&self) -> Server<'_> {
        self.serve_by(self.command())
    }

    /// Starts a server with more arguments.
    pub fn serve_with(&self, args: &[&str]) -> Server<'_> {
        let mut command = self.command();
        command.args(args);
        self.serve_by(command)
    }

    /// Starts a server by [`Data::command`] with more arguments or another environment.
    pub fn serve_by(&self, mut command: Command) -> Server<'_> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.dir.path().join("log"))
            .expect("a log");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("judge-server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut line = || lines.next().and_then(Result::ok).unwrap_or_default();
        let (first, second) = (line(), line());
        let address = first.strip_prefix("judge-server: listening on ");
        let address = address
            .unwrap_or_else(|| panic!("{first:?}: {}", self.log()))
            .to_owned();
        let link = second
            .strip_prefix("sign in as admin, once: ")
            .unwrap_or_default();
        Server {
            data: self,
            link: link.trim_start_matches(&address).to_owned(),
            address,
            child,
        }
    }
}

/// A running server; killed when it is dropped.
pub struct Server<'d> {
    /// Its directory.
    pub data: &'d Data,
    /// Its URL, without a final slash.
    pub address: String,
    /// The path of the link that signs in as admin, once; empty if none was printed.
    pub link: String,
    child: Child,
}

impl Server<'_> {
    /// Somebody who is not signed in.
    pub fn client(&self) -> Client {
        Client::new(&self.address)
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Uses the link that the server printed.
    pub fn admin(&self) -> Client {
        let client = self.client();
        client.use_link(&self.link);
        client
    }

    /// Signs in a user of [`Data::user`].
    pub fn sign_in(&self, name: &str) -> Client {
        let client = self.client();
        client.sign_in(name, &format!("password of {name}"));
        client
    }

    /// Waits until the judging of a submission that counts is done.
    pub fn judged(&self, id: SubmissionId) -> Judging {
        self.until(id, |judging| judging.state == JudgingState::Done)
    }

    /// Waits until the judging of a submission that counts fulfils a condition.
    pub fn until(&self, id: SubmissionId, condition: impl Fn(&Judging) -> bool) -> Judging {
        let store = self.data.store();
        // Long, for busy machines: only a failing test waits for its end.
        for _ in 0..6000 {
            let judging = store.valid_judging(id).expect("a judging");
            if condition(&judging) {
                return judging;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let judging = store.valid_judging(id);
        panic!("still waiting: {judging:?}\n{}", self.data.log());
    }

    /// Stops it by SIGTERM; waits until it ended.
    pub fn stop(mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.child.wait().expect("it ends")
    }

    /// Kills it by SIGKILL.
    pub fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().expect("it ends");
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("the signal is sent");
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a file and the directories that it needs.
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a directory")).expect("it is created");
    fs::write(path, content).expect("it is written");
}
