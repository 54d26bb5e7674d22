//! Runs one untrusted program: limited and measured, on Linux also isolated.
//!
//! [`open()`] makes a box from a [`BoxSpec`], once per worker. [`Sandbox::run`] runs a [`Job`] in
//! it and returns an [`Execution`]: facts, never a verdict. What the program does wrong is data in
//! the `Execution`; what the sandbox itself cannot do is a [`Fault`].
//!
//! ```no_run
//! use judge_sandbox::{AsStream, BoxSpec, Input, Job, Limits, open, scratch_file};
//!
//! let mut sandbox = open(&BoxSpec { work_bytes: 16 << 20, ..BoxSpec::default() })?;
//! let input = Input::from_bytes(b"2 3\n")?;
//! let (stdout, stderr) = (scratch_file()?, scratch_file()?);
//! let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
//! let execution = sandbox.run(&Job {
//!     program: "/usr/bin/wc".as_ref(),
//!     args: &[],
//!     env: &[],
//!     stdin: input.as_stream(),
//!     stdout: stdout.as_stream(),
//!     stderr: stderr.as_stream(),
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
//! judge ── fork, exec of /proc/self/exe, once ──> template       (host/spawn, guest/template)
//!   │                                               │ forks one zygote per box
//!   │                    the new process waits <────┘ in its namespaces and cgroup
//!   │ user maps, mount      │
//!   ├─ setup, sources ─────>│ zygote: builds the root, drops     (host/box_process, host/mounts,
//!   │      of the mounts    │ privileges, installs filters        guest/set_up_box, which lists the
//!   │                       │                                     calls in order)
//!   │ exec request: path,   │
//!   ├─ args, limits, fds ──>├─ clone + exec ──> program          (host/exec_request, guest/child)
//!   │                       │
//!   │ polls: reply,         │ reaps orphans, kills the rest,     (host/watchdog,
//!   │ interrupt, deadlines  │ empties the box                     guest/{init, cleanup})
//!   │<──── reply ───────────┤
//!   │ reads the meters      └─ waits for the next request        (host/{run, accounting, cpu_meter})
//! ```
//!
//! The code of this, `linux`, has three parts: `host` runs in the judge, `guest` in the template, the
//! zygotes and the programs' start, and both know only `protocol` (messages and shared constants)
//! and `sys` (system calls). Paths such as `host/run` are below it.
//!
//! **One zygote per box.** Creating namespaces, mounts, filters and a control group takes
//! milliseconds, so it is done once per box; every run inherits them by `clone` + `exec`. The
//! template forks the zygotes. It is the judge's own executable, started a second time; a hook
//! before `main` ([`init`]) recognises this. The template is therefore small and single-threaded,
//! no matter how large the judge is. This matters because a program's `ru_maxrss` starts at the
//! size of the process that forked it, and because forking a large process is slow. Starting the
//! executable takes longer than everything else in making a box, so it happens once. A zygote is a
//! child of the judge (`CLONE_PARENT`), which waits for it.
//!
//! **Control group.** The zygote enters its group by itself: it is created there (version 2, Linux
//! 5.7) or writes itself into the group's `tasks` file (version 1). When another process moves it,
//! the kernel waits until every core has passed through it: 10 to 20 ms on an idle machine, half of
//! a cold start.
//!
//! **Inside the box** the program is process 2 or later of a PID namespace; process 1 is the
//! zygote. The root is a read-only tmpfs with the system's `/usr` and libraries, a few files in
//! `/etc`, five devices, a private `/proc`, and what [`BoxSpec::mounts`] adds. `/work`, `/tmp` and
//! `/dev/shm` share one tmpfs of limited size. The only network device is a loopback that is down.
//! The program has user id 0 in the box, which maps to `nobody` outside (or to the user of the
//! judge, if that is not root), no capabilities and no way to gain any. Landlock is a second
//! barrier for files: without it a descriptor of a file outside the box, such as standard input,
//! could be reopened for writing through `/proc/self/fd`. The seccomp filter refuses the system
//! calls that no submission needs.
//!
//! **Between runs** the zygote kills every process in the namespace at once (`kill(-1)` from
//! process 1), reaps them and removes every file that they wrote. If the box cannot be emptied, or
//! not quickly, it is discarded.
//!
//! **Limits.** The watchdog checks CPU time and wall time from outside. It waits in one `ppoll` for
//! the zygote's reply, the interrupt and the earliest moment at which a limit could be reached; it
//! does not sample at fixed intervals. A program is killed 1 ms *after* its limit, so that its
//! measured figure exceeds the limit: verdicts compare figures, not signals. The control group
//! limits memory and processes; `RLIMIT_FSIZE` limits output, at one byte more than allowed.
//!
//! **Memory** is the group's peak minus what the idle zygote uses minus what the program had
//! written to memory files ([`scratch_file`]) before the peak, because the kernel charges those
//! pages to the writer. A memory limit was reached if the group's count of OOM kills rose. Without
//! a group, the sizes of the processes and of the box's files are sampled every 10 ms, and `wait`
//! reports the largest process. While a program runs, a [`MemoryGauge`] shows its present use to
//! other threads, which read it themselves: runs cost nothing more.
//!
//! **CPU time** covers every process below the zygote, reaped or not. It comes from the control
//! group, otherwise from an inherited software clock (`perf_event_open`), otherwise from `wait`.
//! The zygote's own share is subtracted. The software clock loses a process that executes a file
//! without read permission, and `wait` misses a child that its parent ignores; without a control
//! group a clearly larger figure from `wait` or from random samples takes precedence
//! (`host/cpu_sampler`), and programs cannot execute files that they wrote.
//!
//! **No two runs share a file.** Every run has its own inodes and open file descriptions for
//! standard input, output and error. docs/isolation.md lists every object that outlives a run.
//!
//! **The address of an invalid memory access** is not part of what `wait` reports.
//! [`Sandbox::find_memory_fault`] repeats such a run in the same box, whose zygote is discarded
//! afterwards, while a thread of the judge traces it (`PTRACE_SEIZE` from outside; the filters in
//! the box stay). Other runs are not traced.
//!
//! **When the judge dies** the kernel sends the zygote SIGKILL (`PR_SET_PDEATHSIG`), and the
//! namespace ends with its process 1. The signal depends on the parent *thread*, so a thread that
//! lives as long as the judge forks the template and is the parent of all zygotes.
//!
//! **Where user namespaces are forbidden** Landlock, the filter (no new processes, no sockets) and
//! resource limits are the fallback, and [`Sandbox::layers`] names what is weaker.
//!
//! **Without isolation** ([`Mode::None`], and on macOS and Windows always) the back end `portable`
//! limits and measures: with a process group, `setrlimit`, `wait4` and samples of every process, or
//! with a job object.
//!
//! Every figure says how it was measured, every missing layer is named, and a fault never becomes a
//! verdict: if descriptors, processes or space run out, [`Sandbox::run`] returns a [`Fault`].
#![deny(unsafe_code)]

mod api;
mod disk_usage;
mod environment;
#[cfg(target_os = "linux")]
mod linux;
mod numbers;
mod portable;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable::system;

pub use api::fake;
pub use api::{
    BoxSpec, Canceller, Content, Execution, Exit, Fault, Job, Layer, Limit, Limits, Measured,
    MemoryFault, MemoryGauge, Mode, Mount, Sandbox, StagedFile, State, Usage, interrupt,
    interrupted,
};
pub use disk_usage::{tree_bytes, unlocked_tree_bytes};
pub use judge_os::{AsStream, OwnedStream, Stream};
pub use numbers::{errno, signal};
pub use system::{
    Input, InputCopier, SYSTEM_DIRECTORIES, cores, hide, init, make_plain, make_resident, open,
    pin, probe, required_profile, scratch_file, unpin,
};
