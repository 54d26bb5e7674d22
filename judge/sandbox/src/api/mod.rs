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
use std::path::{Path, PathBuf};

use judge_os::Stream;

/// How much isolation is requested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Mode {
    /// Every layer that this machine supports; [`Sandbox::layers`] names the missing ones.
    #[default]
    Auto,
    /// Every layer, or a [`Fault`] that names the missing layers and the remedies.
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

/// The specification of a box. A box is made once and used for many runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BoxSpec {
    /// How much isolation is requested.
    pub mode: Mode,
    /// Files that the program can see in addition to the system's libraries and runtimes. The
    /// latter are read-only.
    pub mounts: Vec<Mount>,
    /// Size of the writable work directory, in bytes. It is emptied after every run.
    pub work_bytes: u64,
    /// Whether the work directory, which holds the staged files, is read-only for the program.
    /// `/tmp` and `/dev/shm` stay writable, because runtimes need them. Without a root of its own
    /// ([`Mode::None`] or no namespaces) this holds only as far as Landlock enforces it.
    pub work_read_only: bool,
    /// Whether devices that can be read without end are replaced: by a few kilobytes of random
    /// characters, or by nothing. A compiler reads a file to its end, and the source names it.
    pub finite_devices: bool,
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
    /// The arguments after the program's name, passed unchanged.
    pub args: &'a [OsString],
    /// Variables added to the fixed environment.
    pub env: &'a [(OsString, OsString)],
    /// Standard input: an [`Input`](crate::Input) of this run alone, or a pipe.
    pub stdin: Stream<'a>,
    /// Standard output: a [`scratch_file`](crate::scratch_file) of this run alone, or a pipe.
    pub stdout: Stream<'a>,
    /// Standard error, like standard output; it may be the same file.
    pub stderr: Stream<'a>,
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
    /// A symbolic link; a mount must make its target visible to the program.
    Link(&'a Path),
    /// An empty file for the program to write; the judge can read it after the run.
    Kept,
}

/// The state of a layer of isolation or of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// The layer is complete.
    Present,
    /// A weaker mechanism replaces the layer.
    Degraded,
    /// The layer is missing.
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
    /// The exact command or setting that enables the layer, if it is missing.
    pub remedy: Option<String>,
}

/// The layers of a box, or a layer that says why there is none.
pub(crate) fn layers_of(opened: Result<Box<dyn Sandbox>, Fault>) -> Vec<Layer> {
    match opened {
        Ok(sandbox) => sandbox.layers().to_vec(),
        Err(fault) => vec![Layer {
            name: "sandbox",
            state: State::Absent,
            why: fault.to_string(),
            remedy: fault.remedy,
        }],
    }
}

/// A box that runs programs, one at a time.
pub trait Sandbox: Send {
    /// Runs `job` to its end and cleans up after it. A [`Fault`] says that the sandbox itself
    /// failed; an error of the program is never a fault.
    fn run(&mut self, job: &Job<'_>) -> Result<Execution, Fault> {
        self.run_until(job, None)
    }

    /// As [`run`](Self::run); `canceller`, used on another thread, ends the run early with
    /// [`Exit::Cancelled`].
    fn run_until(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Execution, Fault>;

    /// Repeats a run that ended at an invalid memory access, to find the address. A thread of the
    /// judge traces the program, so the repeated run is not measured. Returns `None` if this
    /// machine forbids tracing, or no invalid access ended the repeated run. `canceller` is used as
    /// in [`run_until`](Self::run_until).
    fn find_memory_fault(
        &mut self,
        job: &Job<'_>,
        canceller: Option<&Canceller>,
    ) -> Result<Option<MemoryFault>, Fault> {
        // A sandbox that cannot trace does not run the job.
        let _ = (job, canceller);
        Ok(None)
    }

    /// Stages files into the work directory for the next run, and removes them after it. They count
    /// neither as the program's output nor as its memory. Returns the [`Content::Kept`] files, in
    /// order. Fails if a file cannot be read, or does not fit into the work directory.
    fn stage_files(&mut self, files: &[StagedFile<'_>]) -> Result<Vec<File>, Fault> {
        // A sandbox without a work directory ignores them.
        let _ = files;
        Ok(Vec::new())
    }

    /// Evicts the pages of files and the names that programs in this box brought into the kernel's
    /// caches, because they would carry messages to other programs. Best effort; requires a control
    /// group.
    fn evict_caches(&mut self) {
        // A sandbox without a control group does not know them.
    }

    /// The layers of isolation and measurement of this box.
    fn layers(&self) -> &[Layer];
}
