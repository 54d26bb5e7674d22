//! Namespaces of Linux for faults that need none of the user's rights: small disks, cut networks.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Namespaces with a process that keeps them; gone when it is dropped.
pub struct Namespace {
    holder: Child,
    /// The new namespaces, as options of `unshare` and `nsenter`.
    kinds: Vec<&'static str>,
}

impl Namespace {
    /// Makes them, and runs a shell script in them with these arguments. Where that is not possible, it
    /// says that the test is skipped.
    pub fn new(kinds: &[&'static str], script: &str, args: &[&Path]) -> Option<Self> {
        let is_user = kinds.contains(&"--user");
        let mut command = Command::new("unshare");
        command
            .args(kinds)
            .args(is_user.then_some("--map-root-user"));
        command
            .args(["sh", "-ec"])
            .arg(format!("{script}\necho ready\nexec sleep infinity"));
        command.arg("sh").args(args).stdout(Stdio::piped());
        let holder = command.spawn().ok();
        let ready = holder.and_then(|mut holder| {
            let mut line = String::new();
            let output = holder.stdout.take().expect("piped");
            let read = BufReader::new(output).read_line(&mut line);
            let namespace = Namespace {
                holder,
                kinds: kinds.to_vec(),
            };
            (read.is_ok() && line == "ready\n").then_some(namespace)
        });
        if ready.is_none() {
            eprintln!(
                "skipped: this machine allows no namespaces with {}",
                kinds.join(" ")
            );
        }
        ready
    }

    /// The process in them.
    pub fn pid(&self) -> u32 {
        self.holder.id()
    }

    /// The command, run in them.
    pub fn inside(&self, command: &Command) -> Command {
        let mut inside = Command::new("nsenter");
        inside
            .arg("--target")
            .arg(self.pid().to_string())
            .args(&self.kinds);
        if self.kinds.contains(&"--user") {
            inside.arg("--preserve-credentials");
        }
        inside
            .arg("--")
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                inside.env(name, value);
            }
        }
        if let Some(dir) = command.get_current_dir() {
            inside.current_dir(dir);
        }
        inside
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

/// A file system of a few MiB in place of a directory, for the processes inside. It begins with the
/// directory's content.
pub struct SmallDisk {
    namespace: Namespace,
    place: PathBuf,
    mib: usize,
}

impl SmallDisk {
    /// Replaces this directory.
    pub fn at(place: &Path, mib: usize) -> Option<Self> {
        let script = format!(
            "mkdir \"$1.small\"; mount -t tmpfs -o size={mib}m tmpfs \"$1.small\"\n\
             cp -a \"$1/.\" \"$1.small\"; mount --bind \"$1.small\" \"$1\""
        );
        let namespace = Namespace::new(&["--user", "--mount"], &script, &[place])?;
        Some(SmallDisk {
            namespace,
            place: place.to_owned(),
            mib,
        })
    }

    /// The command, run with this disk.
    pub fn inside(&self, command: &Command) -> Command {
        self.namespace.inside(command)
    }

    fn ballast(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.namespace.pid()));
        let place = self.place.strip_prefix("/").expect("absolute");
        root.join(place).join("ballast")
    }

    /// Writes until there is no room.
    pub fn fill(&self) {
        let mut file = File::create(self.ballast()).expect("a file");
        // Never more than the small disk has.
        let mut left = (self.mib + 1) << 20;
        for size in [1 << 16, 1 << 10, 1] {
            while file.write_all(&vec![b'x'; size]).is_ok() {
                left -= size;
                assert!(left > 1 << 16, "this is not the small disk");
            }
        }
    }

    /// Makes room again.
    pub fn free(&self) {
        fs::remove_file(self.ballast()).expect("it was filled");
    }
}
