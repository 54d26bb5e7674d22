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

mod api;
mod guest;
mod hook;
mod host;
mod protocol;
mod sys;

pub use api::fake;
pub use api::{
    BoxSpec, Canceller, Content, Execution, Exit, Fault, Job, Layer, Limit, Limits, Measured, Mode,
    Mount, Sandbox, StagedFile, State, Usage, interrupt, interrupted,
};
pub use hook::init;
pub use host::{
    Input, InputCopier, TempDirectory, give_to_boxes, open, probe, scratch_file, tree_bytes,
    unlocked_tree_bytes,
};
pub use sys::remove_tree::{empty_directory, remove_tree};
pub use sys::scheduler::{allowed_cores as cores, pin};
