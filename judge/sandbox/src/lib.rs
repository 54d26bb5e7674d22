//! Runs one untrusted program: isolated, limited and measured.
//!
//! The interface is *plan, run, facts*: [`open`] makes a box from a [`BoxSpec`] once per worker,
//! [`Sandbox::run`] runs a [`Job`] in it and gives an [`Execution`]: facts, never a verdict. What
//! the program does wrong is data in the `Execution`; what the sandbox cannot do is a [`Fault`].
#![deny(unsafe_code)]

mod cgroup;
mod child;
mod clean;
mod execute;
mod facts;
pub mod fake;
mod interrupt;
mod landlock;
mod layers;
mod measure;
mod open;
mod plan;
mod pool;
mod privileges;
mod root;
mod run;
mod scratch;
mod seccomp;
mod spawn;
mod sys;
mod view;
mod wire;
mod zygote;

pub use facts::{Execution, Exit, Limit, Limits, Measured, Usage};
pub use interrupt::{interrupt, interrupted};
pub use open::{open, probe};
pub use scratch::{Input, scratch_file};
pub use sys::{allowed_cores as cores, pin};
pub use zygote::init;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

/// How much isolation is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Mode {
    /// All that this machine offers; what it lacks is named in [`Sandbox::layers`].
    #[default]
    Auto,
    /// Every layer, or a [`Fault`] that says what is missing and how to get it.
    Strict,
    /// Limits and measurement only. The program runs as the user who judges.
    None,
}

/// A file or directory of the host that the program may see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mount {
    /// Where it is on the host; absolute.
    pub host: PathBuf,
    /// Where the program sees it; absolute.
    pub inside: PathBuf,
    /// Whether the program may write there (compilers; never submissions).
    pub writable: bool,
}

/// What a box is made of. It is made once and used for many runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BoxSpec {
    /// How much isolation.
    pub mode: Mode,
    /// What the program may see besides the system's own libraries and runtimes, which it always
    /// sees read-only.
    pub mounts: Vec<Mount>,
    /// Size of the empty writable work directory, in bytes. It is emptied after every run.
    pub work_bytes: u64,
    /// The core to run on, where the caller pins its workers.
    pub core: Option<usize>,
}

/// One program to run in a box.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The executable, as a path of the host; it must lie in a mount or belong to the system.
    pub program: &'a Path,
    /// The arguments after the program's name. Paths in them are the program's business: see
    /// [`Sandbox::inside`].
    pub args: &'a [OsString],
    /// Variables added to the clean, fixed environment.
    pub env: &'a [(OsString, OsString)],
    /// Standard input.
    pub stdin: BorrowedFd<'a>,
    /// Standard output.
    pub stdout: BorrowedFd<'a>,
    /// Standard error.
    pub stderr: BorrowedFd<'a>,
    /// The limits of this run.
    pub limits: &'a Limits,
    /// Whether to count instructions, which costs time in a virtual machine.
    pub count_instructions: bool,
}

/// Whether a layer of isolation or a measurement is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// It is there, whole.
    Present,
    /// A weaker means stands in for it.
    Degraded,
    /// It is not there.
    Absent,
}

/// A layer of isolation or a measurement, and what this machine has of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// A short, stable name: `user-namespace`, `cgroup`, `instructions`, ...
    pub name: &'static str,
    /// Whether it is there.
    pub state: State,
    /// Why, in a few words.
    pub why: String,
    /// The exact command or setting that would bring it, where it lacks.
    pub remedy: Option<String>,
}

/// A box that runs programs, one at a time.
pub trait Sandbox: Send {
    /// Runs `job` to its end and cleans up after it.
    ///
    /// # Errors
    ///
    /// A [`Fault`] when the sandbox itself failed; never for what the program did.
    fn run(&mut self, job: &Job<'_>) -> Result<Execution, Fault>;

    /// Where the program sees this path of the host.
    fn inside(&self, host: &Path) -> PathBuf;

    /// What isolates and measures in this box.
    fn layers(&self) -> &[Layer];
}

/// A failure of the sandbox itself.
#[derive(Debug)]
pub struct Fault {
    /// What was being done: `mount /usr`, `create cgroup`, ...
    pub stage: String,
    /// What the system said.
    pub source: Option<io::Error>,
    /// What the user can do about it, where something helps.
    pub remedy: Option<String>,
    /// Whether the run was ended on request, see [`interrupt`].
    pub interrupted: bool,
}

impl Fault {
    /// A failure of the operating system at `stage`.
    pub fn os(stage: impl Into<String>, source: io::Error) -> Self {
        Fault {
            stage: stage.into(),
            source: Some(source),
            remedy: None,
            interrupted: false,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}", self.stage)?;
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        if let Some(remedy) = &self.remedy {
            write!(f, " ({remedy})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|e| e as _)
    }
}
