//! Runs one untrusted program: isolated, limited and measured.
//!
//! The interface is *plan, run, facts*: [`open()`] makes a box from a [`BoxSpec`] once per worker,
//! [`Sandbox::run`] runs a [`Job`] in it and gives an [`Execution`]: facts, never a verdict. What
//! the program does wrong is data in the `Execution`; what the sandbox cannot do is a [`Fault`].
//!
//! ```no_run
//! use std::os::fd::AsFd;
//! use judge_sandbox::{BoxSpec, Input, Job, Limits, open, scratch_file};
//!
//! let mut sandbox = open(&BoxSpec { work_bytes: 16 << 20, ..BoxSpec::default() })?;
//! let input = Input::from_bytes(b"2 3\n")?;
//! let (stdout, stderr) = (scratch_file()?, scratch_file()?);
//! let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
//! let execution = sandbox.run(&Job {
//!     program: "/usr/bin/wc".as_ref(),
//!     args: &[],
//!     env: &[],
//!     stdin: input.as_fd(),
//!     stdout: stdout.as_fd(),
//!     stderr: stderr.as_fd(),
//!     limits: &limits,
//!     count_instructions: false,
//! })?;
//! println!("{:?} after {:?}", execution.exit, execution.usage.cpu.value);
//! # Ok::<(), judge_sandbox::Fault>(())
//! ```
//!
//! # Theory of operation
//!
//! ```text
//! judge ── fork, exec of /proc/self/exe, once ──> the template             (spawn, template)
//!   │                                                  │ fork, for each box
//!   │                       a process that waits <─────┘   in new namespaces, in its cgroup
//!   │ maps, descriptors     │
//!   ├─ of what to show ────>│ the zygote: own root, no privileges, seccomp (live, view, zygote,
//!   │ one packet: program,  │                                               root, privileges,
//!   ├─ arguments, limits, ─>├─ vfork + exec ──> the program                 landlock, seccomp,
//!   │  three descriptors    │                                               order, child)
//!   │ polls: answer,        │ waits, reaps orphans
//!   │ interrupt, deadlines  │ kills what is left, empties the box          (run, reap, clean)
//!   │<──── one packet ──────┤
//!   │ reads the meters      └─ waits for the next                          (measure, memory,
//!                                                                           execute)
//! ```
//!
//! **One zygote per box.** Namespaces, mounts, filter and control group cost milliseconds; they are
//! made once, and every run inherits them by `vfork` + `exec`. Zygotes are forked by the template, the
//! judge's own executable, run again: a hook before `main` ([`init`]) finds out that it is to be one.
//! So they are small and have one thread, however large the judge is. That matters: a program's
//! `ru_maxrss` begins at the size of what forked it, and forking a large process is slow. To run the
//! executable takes longer than all of the box's making besides; so it is done once. A zygote is a
//! child of the judge (`CLONE_PARENT`), which waits for it.
//!
//! **Into the control group** it goes by itself: born there (version 2, Linux 5.7), or by writing
//! itself into the group's `tasks` (version 1). To move another process the kernel waits until every
//! core has passed through it, 10 to 20 ms on an idle machine: half of what a cold start took.
//!
//! **In the box** the program is process 2 or later of a PID namespace whose process 1 is the
//! zygote. Its root is a read-only tmpfs with the system's `/usr` and libraries, a handful of files
//! in `/etc`, five devices, a `/proc` of its own, and what [`BoxSpec::mounts`] adds. `/work`, `/tmp`
//! and `/dev/shm` share one tmpfs of limited size. There is no network device but a loopback that
//! is down. It has user id 0 there, which outside is nobody (or the ordinary user who judges), no
//! capabilities and no way to get any. Landlock is a second lock on files: a descriptor of a file
//! outside the box, such as standard input, cannot be opened anew through `/proc/self/fd`. The
//! system-call filter refuses what no submission needs.
//!
//! **Between runs** every process in the namespace is killed at once (`kill(-1)` from process 1) and
//! reaped; whatever was written is removed. A box that cannot be emptied, or not soon, is thrown away.
//!
//! **Limits.** CPU time and wall time are watched from outside by one `ppoll` over the zygote's
//! answer, the interrupt and the next moment at which a limit could be reached; nothing sleeps and
//! looks. A program is killed a millisecond *after* its limit, so that its measured figure is above
//! it; whoever judges compares figures, not signals. Memory and processes are limited by the control
//! group, output by `RLIMIT_FSIZE` at one byte more than allowed.
//!
//! **Memory.** The group's peak, less what the idle zygote uses, less what the program had written into
//! memory files ([`scratch_file`]) before the peak: the kernel charges those to the writer. The sign
//! of a memory limit is that the group's count of kills rose. Without a group the sizes of the
//! processes and of the box's files are read every 10 ms, and `wait` gives the largest.
//!
//! **Nothing is shared by two runs.** Every run has its own inodes and open file descriptions for
//! standard input, output and error; docs/isolation.md lists every object that outlives a run.
//!
//! **CPU time.** Of everything below the zygote, waited for or not: from the control group, or from
//! an inherited software clock (`perf_event_open`), or at worst from `wait`. What the zygote itself
//! used is taken off. The software clock loses a process that executes a file which it may not read:
//! so where it is used, `wait` overrules it, and programs cannot execute what they wrote.
//!
//! **When the judge dies** the zygote gets SIGKILL (`PR_SET_PDEATHSIG`), and with process 1 its
//! namespace ends. That signal is tied to the *thread* that is the parent, so one thread that lives
//! as long as the process forks the template, whose parent is that of all zygotes.
//!
//! **Where user namespaces are forbidden** Landlock, the filter (no new processes, no sockets) and
//! resource limits stand in, and [`Sandbox::layers`] says what is weaker. [`Mode::None`] uses the
//! same zygote without any fence.
//!
//! Every figure says how it was measured, every missing layer is named, and a fault never becomes a
//! verdict: out of descriptors, processes or space, [`Sandbox::run`] fails with a [`Fault`].
#![deny(unsafe_code)]

mod cgroup;
mod child;
mod clean;
mod execute;
mod facts;
pub mod fake;
mod furnish;
mod interrupt;
mod landlock;
mod layers;
mod live;
mod measure;
mod memory;
mod open;
mod order;
mod own_directory;
mod plan;
mod pool;
mod privileges;
mod progress;
mod reap;
mod root;
mod run;
mod scratch;
mod seccomp;
mod spawn;
mod sys;
mod template;
mod tree;
mod view;
mod wire;
mod zygote;

pub use clean::{empty_directory, remove_tree};
pub use facts::{Execution, Exit, Limit, Limits, Measured, Usage};
pub use interrupt::{Canceller, interrupt, interrupted};
pub use open::{open, probe};
pub use own_directory::{OwnDirectory, give_to_boxes};
pub use scratch::{Input, InputCopier, scratch_file};
pub use sys::{allowed_cores as cores, pin};
pub use template::init;
pub use tree::{bytes as tree_bytes, unlocked_bytes as unlocked_tree_bytes};

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
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
pub struct Furnishing<'a> {
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
    fn furnish(&mut self, files: &[Furnishing<'_>]) -> Result<Vec<File>, Fault> {
        // A sandbox that has no work directory has nothing to put.
        let _ = files;
        Ok(Vec::new())
    }

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
    /// Whether the run was ended on request, see [`interrupt()`].
    pub interrupted: bool,
}

impl Fault {
    /// A failure of the operating system at `stage`; where it ran out of something, the remedy says
    /// of what.
    pub fn os(stage: impl Into<String>, source: io::Error) -> Self {
        Fault {
            stage: stage.into(),
            remedy: what_helps(&source).map(str::to_owned),
            source: Some(source),
            interrupted: false,
        }
    }
}

/// What helps against an error that means the same wherever it happens.
fn what_helps(error: &io::Error) -> Option<&'static str> {
    Some(match error.raw_os_error()? {
        libc::EAGAIN => "too many processes or threads: raise ulimit -u, or end some",
        libc::EMFILE => "raise the number of files that may be open: ulimit -n",
        libc::ENFILE => "the whole machine has too many files open: raise sysctl fs.file-max",
        libc::ENOSPC | libc::EDQUOT => "make room, or set TMPDIR; or too many namespaces exist",
        libc::EROFS => "set TMPDIR to a directory that can be written",
        libc::ENOMEM => "the machine has too little memory left",
        _ => return None,
    })
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
