//! The public types: box, job, sandbox, layers and errors.

mod execution;
pub mod fake;
mod fault;
pub mod interrupt;
mod memory_gauge;

pub use execution::{Execution, Exit, Limit, Limits, Measured, MemoryFault, Usage};
pub use fault::Fault;
pub use interrupt::{Canceller, interrupt, interrupted};
pub use memory_gauge::{CurrentMemory, MemoryGauge};

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

/// How much isolation is requested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Mode {
    /// Everything that this machine offers; [`Sandbox::layers`] names what it lacks.
    #[default]
    Auto,
    /// Every layer, or a [`Fault`] that says what is missing and how to get it.
    Strict,
    /// Limits and measurement only. The program runs as the user of the judge.
    None,
}

/// A file or directory of the host that the program can see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mount {
    /// Absolute path on the host.
    pub host: PathBuf,
    /// Absolute path in the box.
    pub inside: PathBuf,
    /// Whether the program may write there (compilers; never submissions).
    pub writable: bool,
}

/// The specification of a box, which is made once and used for many runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BoxSpec {
    /// How much isolation is requested.
    pub mode: Mode,
    /// What the program can see in addition to the system's libraries and runtimes, all of which
    /// are read-only.
    pub mounts: Vec<Mount>,
    /// Size of the writable work directory, in bytes. It is emptied after every run.
    pub work_bytes: u64,
    /// Whether the program may only read in its work directory, which holds the staged files.
    /// `/tmp` and `/dev/shm` stay writable, because runtimes need them. Without a root of its own
    /// ([`Mode::None`] or no namespaces) this holds only as far as Landlock enforces it.
    pub work_read_only: bool,
    /// The core to run on, if the caller pins its workers.
    pub core: Option<usize>,
    /// Shows the memory of the running program to other threads.
    pub gauge: Option<MemoryGauge>,
}

/// One program to run in a box.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The executable, as a path of the host; it must be in a mount or belong to the system.
    pub program: &'a Path,
    /// The arguments after the program's name. They are passed unchanged; [`Sandbox::inside`] maps
    /// paths.
    pub args: &'a [OsString],
    /// Variables added to the fixed environment.
    pub env: &'a [(OsString, OsString)],
    /// Standard input: an [`Input`](crate::Input) of this run alone, or a pipe.
    pub stdin: BorrowedFd<'a>,
    /// Standard output: a [`scratch_file`](crate::scratch_file) of this run alone, or a pipe.
    pub stdout: BorrowedFd<'a>,
    /// Standard error, like standard output; it may be the same file.
    pub stderr: BorrowedFd<'a>,
    /// The limits of this run.
    pub limits: &'a Limits,
    /// Whether to count instructions, which costs time in a virtual machine.
    pub count_instructions: bool,
}

/// A file that is staged into the work directory before a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StagedFile<'a> {
    /// Path relative to the work directory.
    pub name: &'a Path,
    /// Its content.
    pub content: Content<'a>,
}

/// The content of a staged file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content<'a> {
    /// A copy of this file of the host.
    Copy(&'a Path),
    /// A symbolic link, whose target the program must see through a mount.
    Link(&'a Path),
    /// An empty file, which the judge can read after the run.
    Kept,
}

/// The state of a layer of isolation or of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// It is complete.
    Present,
    /// A weaker mechanism replaces it.
    Degraded,
    /// It is missing.
    Absent,
}

/// A layer of isolation or a measurement, and its state on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// A short, stable name: `user-namespace`, `cgroup`, `instructions`, ...
    pub name: &'static str,
    /// Its state.
    pub state: State,
    /// The reason, in a few words.
    pub why: String,
    /// The exact command or setting that would enable it, if it is missing.
    pub remedy: Option<String>,
}

/// A box that runs programs, one at a time.
pub trait Sandbox: Send {
    /// Runs `job` to its end and cleans up after it.
    ///
    /// # Errors
    ///
    /// A [`Fault`] if the sandbox itself failed, never for what the program did.
    fn run(&mut self, job: &Job<'_>) -> Result<Execution, Fault> {
        self.run_until(job, None)
    }

    /// As [`run`](Self::run); `canceller`, used on another thread, ends the run early with
    /// [`Exit::Cancelled`].
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    fn run_until(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault>;

    /// Repeats a run that an invalid memory access ended, to learn its address. A thread of the judge
    /// traces the program, so its figures mean nothing. `None` if this machine forbids tracing, or
    /// no such access ended the run this time. `canceller` is that of
    /// [`run_until`](Self::run_until).
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    fn find_memory_fault(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Option<MemoryFault>, Fault> {
        // A sandbox that cannot trace does not run it.
        let _ = (job, canceller);
        Ok(None)
    }

    /// Stages files into the work directory of the next run, after which they are removed. They
    /// count neither as the program's output nor as its memory. Returns the files that are
    /// [`Content::Kept`], in order.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or there is no room for it.
    fn stage_files(&mut self, files: &[StagedFile<'_>]) -> Result<Vec<File>, Fault> {
        // A sandbox without a work directory ignores them.
        let _ = files;
        Ok(Vec::new())
    }

    /// The path in the box of a path of the host.
    fn inside(&self, host: &Path) -> PathBuf;

    /// The layers of isolation and measurement of this box.
    fn layers(&self) -> &[Layer];
}
