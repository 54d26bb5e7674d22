//! What a user of the crate names: the box, the job, the sandbox, its layers and its errors.

mod execution;
pub mod fake;
mod fault;
pub mod interrupt;

pub use execution::{Execution, Exit, Limit, Limits, Measured, Usage};
pub use fault::Fault;
pub use interrupt::{Canceller, interrupt, interrupted};

use std::ffi::OsString;
use std::fs::File;
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
    /// Whether the program may only read in its work directory, which then holds what was furnished.
    /// `/tmp` and `/dev/shm` can be written: runtimes need them. Without a root of its own
    /// ([`Mode::None`] or no namespaces) a program is kept from it as far as Landlock reaches.
    pub work_read_only: bool,
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
    /// Standard input: an [`Input`] of this run alone, or a pipe.
    pub stdin: BorrowedFd<'a>,
    /// Standard output: a [`scratch_file`] of this run alone, or a pipe.
    pub stdout: BorrowedFd<'a>,
    /// Standard error: as standard output; it may be the same.
    pub stderr: BorrowedFd<'a>,
    /// The limits of this run.
    pub limits: &'a Limits,
    /// Whether to count instructions, which costs time in a virtual machine.
    pub count_instructions: bool,
}

/// A file that is put into the work directory before a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StagedFile<'a> {
    /// Where, relative to the work directory.
    pub name: &'a Path,
    /// What it is.
    pub content: Content<'a>,
}

/// What a file in the work directory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content<'a> {
    /// A copy of this file of the host.
    Copy(&'a Path),
    /// A symbolic link; the program must see the file there by a mount.
    Link(&'a Path),
    /// An empty file, which the judge can still read when the run is over.
    Kept,
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
    fn run(&mut self, job: &Job<'_>) -> Result<Execution, Fault> {
        self.run_until(job, None)
    }

    /// As [`run`](Self::run); `canceller`, used on another thread, ends the run early, with
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

    /// Puts files into the work directory of the next run; with it they go. They are no output of
    /// the program and no memory of it. Gives the files that are [`Content::Kept`], in order.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or there is no room for it.
    fn stage_files(&mut self, files: &[StagedFile<'_>]) -> Result<Vec<File>, Fault> {
        // A sandbox that has no work directory has nothing to put.
        let _ = files;
        Ok(Vec::new())
    }

    /// Where the program sees this path of the host.
    fn inside(&self, host: &Path) -> PathBuf;

    /// What isolates and measures in this box.
    fn layers(&self) -> &[Layer];
}
