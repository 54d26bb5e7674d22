//! isolate (<https://github.com/ioi/isolate>) of version 1, if it is installed: a sandbox that is a command, as CMS and others run
//! it. The box is created once; a case is one command, whose program has the case's files as its streams.

use super::Cost;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A box, until it is dropped.
pub struct Isolate {
    /// The directory in which programs start.
    inside: PathBuf,
    /// Has the files that a judge writes and reads for each case.
    scratch: TempDir,
}

fn isolate() -> Command {
    Command::new("isolate")
}

impl Isolate {
    /// Creates a box; `None` if isolate is not installed or not permitted.
    pub fn open() -> Option<Self> {
        let made = isolate().arg("--init").output().ok()?;
        let path = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        let inside = Path::new(&path).join("box");
        (made.status.success() && inside.is_dir()).then_some(())?;
        let scratch = tempfile::tempdir().ok()?;
        Some(Isolate { inside, scratch })
    }

    /// Runs the program over the cases in this directory, and compares its outputs; returns the mean cost of a case.
    pub fn run(&self, program: &Path, data: &Path, cases: usize) -> io::Result<Cost> {
        let copy = self.inside.join("program");
        fs::copy(program, &copy)?;
        super::timed(cases, || {
            (1..=cases).try_for_each(|k| self.case(&data.join(format!("{k:03}"))))
        })
    }

    fn case(&self, case: &Path) -> io::Result<()> {
        let [meta, output] = ["meta", "output"].map(|name| self.scratch.path().join(name));
        isolate()
            .arg("--meta")
            .arg(&meta)
            .args(["--time=1", "--wall-time=10", "--mem=1048576", "--silent"])
            .args(["--run", "--", "program"])
            .stdin(File::open(case.with_extension("in"))?)
            .stdout(File::create(&output)?)
            .status()?;
        let measured = fs::read_to_string(&meta)?;
        let is_right = fs::read(&output)? == fs::read(case.with_extension("ans"))?;
        match is_right && measured.contains("exitcode:0") {
            true => Ok(()),
            false => Err(io::Error::other(format!("isolate says: {measured}"))),
        }
    }
}

impl Drop for Isolate {
    fn drop(&mut self) {
        let _ = isolate()
            .arg("--cleanup")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}
