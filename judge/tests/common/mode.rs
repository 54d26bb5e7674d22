//! The user as which a test runs the judge, and the directory in which it runs.
#![allow(dead_code)] // each test binary uses a part of it

use std::fs::{self, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::search_path::search_path;
use tempfile::TempDir;

/// The user and the isolation with which the judge runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The user that runs the tests.
    AsIs,
    /// An ordinary user, if root runs the tests.
    User,
    /// An ordinary user without the right to create namespaces, so that boxes use Landlock alone.
    Landlock,
}

impl Mode {
    const ALL: [Mode; 3] = [Mode::AsIs, Mode::User, Mode::Landlock];

    /// The name in the variable `MODE`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::AsIs => "as-is",
            Mode::User => "user",
            Mode::Landlock => "landlock",
        }
    }
}

/// The modes in the variable `MODE`, or all modes that differ for this user.
pub fn asked_for() -> Vec<Mode> {
    match std::env::var("MODE") {
        Ok(names) => names
            .split(',')
            .map(|name| {
                let mut all = Mode::ALL.into_iter();
                all.find(|mode| mode.name() == name)
                    .unwrap_or_else(|| panic!("MODE={name}: choose as-is, user or landlock"))
            })
            .collect(),
        Err(_) if is_root() => Mode::ALL.to_vec(),
        Err(_) => vec![Mode::AsIs, Mode::Landlock],
    }
}

fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

/// Puts the judge at `to`, as a link if possible: without optimisation it has 60 MB.
pub fn place_judge(to: &Path) {
    let judge = assert_cmd::cargo::cargo_bin("judge");
    if fs::hard_link(&judge, to).is_err() {
        fs::copy(&judge, to).expect("copy the judge");
    }
}

/// A random number that differs between runs.
pub fn entropy() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 32
}

/// A directory with a copy of the judge, accessible to the mode's user.
pub struct Place {
    mode: Mode,
    directory: TempDir,
}

impl Place {
    /// Makes the directory; returns the reason if this machine does not support the mode.
    pub fn new(mode: Mode) -> Result<Self, String> {
        let directory = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o755))
            // Not in `/tmp`, where a box has mount points for the program's path.
            .tempdir_in("/var/tmp")
            .expect("make a temporary directory");
        let place = Place { mode, directory };
        for name in ["home", "temporary", "package"] {
            fs::create_dir(place.path(name)).expect("a directory");
            fs::set_permissions(place.path(name), Permissions::from_mode(0o777)).expect("a mode");
        }
        // The user may not have access to cargo's target directory.
        place_judge(&place.path("judge"));
        match place.command("true".as_ref()).output() {
            Ok(output) if output.status.success() => Ok(place),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(e) => Err(e.to_string()),
        }
    }

    /// A path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A command that runs `program` as this mode's user.
    pub fn command(&self, program: &Path) -> Command {
        let mut line: Vec<String> = Vec::new();
        if self.mode != Mode::AsIs && is_root() {
            let user = self.user();
            line.extend(["setpriv", "--clear-groups"].map(String::from));
            line.extend([format!("--reuid={user}"), format!("--regid={user}")]);
        }
        if self.mode == Mode::Landlock {
            // Inside a user namespace, further user namespaces can be forbidden.
            let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"";
            line.extend(
                ["unshare", "--user", "--map-root-user", "sh", "-c", script].map(String::from),
            );
        }
        line.push(program.display().to_string());
        let mut command = Command::new(&line[0]);
        command
            .args(&line[1..])
            .current_dir(self.directory.path())
            .env("PATH", search_path())
            .env("HOME", self.path("home"))
            .env("XDG_CACHE_HOME", self.path("home"))
            .env("TMPDIR", self.path("temporary"));
        command
    }

    /// A user id that only this test uses, so that leftover files and processes can be attributed
    /// to it.
    fn user(&self) -> u32 {
        100_000 + std::process::id()
    }

    /// Processes, and files in world-writable directories, that belong to this test's own user.
    pub fn left_by_user(&self) -> Vec<String> {
        use std::os::unix::fs::MetadataExt;
        if self.mode == Mode::AsIs || !is_root() {
            return Vec::new();
        }
        let places = ["/proc", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"];
        places
            .iter()
            .filter_map(|place| fs::read_dir(place).ok())
            .flatten()
            .flatten()
            .filter(|entry| entry.metadata().is_ok_and(|m| m.uid() == self.user()))
            .map(|entry| entry.path().display().to_string())
            .collect()
    }
}
