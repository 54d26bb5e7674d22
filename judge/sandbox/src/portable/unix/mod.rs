//! The process tree of a run on Linux and macOS: a process group, resource limits, `wait4`, and
//! samples of every process that was seen below the main process or in its group.
#![allow(unsafe_code)]

mod guardian;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;

pub use guardian::Guardian;
use guardian::watch_this_group;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;

use std::collections::BTreeMap;
use std::ffi::{CString, NulError, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use libc::{SIGKILL, c_char, c_int, pid_t, rlim_t};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::launch::{Ended, Launch, NotStarted, Sample, Status};
use crate::api::{Limits, Measured};
use crate::environment::FIXED;

use system::RunDelay;
pub use system::{CPU_TIME, MEMORY, isolation_remedy};

/// How the number of processes is limited.
pub const PROCESSES: &str =
    "counted every 10 ms; the program is killed when there are more than allowed";

/// Whether [`Sample::delay`] counts only time in which the program was ready to run.
pub const KNOWS_DELAY: bool = true;

/// The errors of starting a program that the machine causes.
const OUT_OF_RESOURCES: [c_int; 4] = [libc::EAGAIN, libc::EMFILE, libc::ENFILE, libc::ENOMEM];
/// Distinguishes errors of `execve`, which are facts about the program, from all others.
const OF_EXEC: c_int = 1 << 16;
/// The stack of a program without a memory limit.
const DEFAULT_STACK: u64 = 1 << 30;
/// Attempts to execute a file that another process has open for writing.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(5);
/// How many samples share one look at the whole group, which finds orphans: on Linux that reads the
/// list of all processes of the machine.
const SAMPLES_PER_GROUP: u32 = 4;
/// Time for the processes of a killed tree to end.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The variables that every program has.
pub fn environment(work: &Path) -> Vec<(OsString, OsString)> {
    let fixed = FIXED.map(|(name, value)| (name.into(), system::value(name, value).into()));
    let of_work = ["HOME", "TMPDIR"].map(|name| (name.into(), work.into()));
    fixed.into_iter().chain(of_work).collect()
}

/// A process of the tree: its id, and when it started, because ids are used again.
type Process = (pid_t, u64);

/// The error of a spawn: of the exec, or of a step before it.
fn not_started(e: io::Error) -> NotStarted {
    match e.raw_os_error() {
        Some(errno) if errno & OF_EXEC != 0 => match errno & !OF_EXEC {
            errno if OUT_OF_RESOURCES.contains(&errno) => {
                NotStarted::Failed(io::Error::from_raw_os_error(errno))
            }
            errno => NotStarted::Refused(errno),
        },
        _ => NotStarted::Failed(e),
    }
}

/// A running program and its processes.
pub struct Tree {
    /// The main process, which leads the group. It is reaped last, so that its id stays its own.
    main: pid_t,
    /// Receives when the main process has ended.
    ended: Receiver<()>,
    /// The CPU time of every process that was seen, when it was last seen.
    seen: BTreeMap<Process, Duration>,
    samples: u32,
    delay: RunDelay,
    peak: u64,
    limit: Option<u64>,
    /// The judge's own memory when it started the program.
    judge: u64,
}

impl Tree {
    /// Starts a program as the leader of a process group.
    pub fn start(launch: &Launch<'_>, guardian: &mut Guardian) -> Result<Self, NotStarted> {
        let exec = Exec::of(launch).map_err(|_| NotStarted::Refused(libc::EINVAL))?;
        let limits = resource_limits(launch.limits);
        let core = launch.core;
        let mut command = Command::new(launch.program);
        command.current_dir(launch.directory).process_group(0);
        let [stdin, stdout, stderr] = launch.streams.map(|stream| stream.try_clone_to_owned());
        command.stdin(Stdio::from(stdin.map_err(NotStarted::Failed)?));
        command.stdout(Stdio::from(stdout.map_err(NotStarted::Failed)?));
        command.stderr(Stdio::from(stderr.map_err(NotStarted::Failed)?));
        let pipe = guardian.pipe().map_err(NotStarted::Failed)?;
        let become_program = move || {
            // Without a guardian the pipe has no reader.
            // SAFETY: the action is no function of this program.
            unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
            watch_this_group(&pipe);
            if let Some(core) = core {
                // Best effort, as for a thread of the judge.
                let _ = system::pin(core);
            }
            // Signals that the judge ignores, such as those of nohup, would stay ignored. The numbers that a system
            // does not have are refused.
            for signal in 1..=64 {
                // SAFETY: the default action is no function of this program.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            // SAFETY: no pointers.
            unsafe { libc::umask(0o022) };
            system::close_on_exec();
            for (resource, value) in limits {
                limit(resource, value);
            }
            Err(exec.execute())
        };
        // SAFETY: after the fork the closure makes only system calls, with memory of its own.
        unsafe { command.pre_exec(become_program) };
        let judge = system::own_memory();
        let child = command.spawn().map_err(|e| {
            guardian.watch_none();
            not_started(e)
        })?;
        let main = child.id() as pid_t;
        let (sender, ended) = channel();
        let mut tree = Tree {
            main,
            ended,
            seen: BTreeMap::new(),
            samples: 0,
            delay: RunDelay::new(Instant::now(), None),
            peak: 0,
            limit: launch.limits.memory,
            judge: judge.max(system::own_memory()),
        };
        let wait = move || {
            if let Some(pid) = Pid::from_raw(main) {
                // The process stays a zombie, so that its id is not used again.
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(pid), options));
            }
            let _ = sender.send(());
        };
        let waiter = std::thread::Builder::new()
            .name("waiter".into())
            .spawn(wait);
        if let Err(e) = waiter {
            tree.kill();
            let _ = wait4(main);
            guardian.watch_none();
            return Err(NotStarted::Failed(e));
        }
        Ok(tree)
    }

    /// Waits for the end of the main process. Returns whether it has ended.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        match self.ended.recv_timeout(timeout) {
            Ok(()) => Ok(true),
            Err(RecvTimeoutError::Timeout) => Ok(false),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Measures the live processes. `is_late`: the time of the wall clock is over.
    pub fn sample(&mut self, is_late: bool) -> Sample {
        let whole_group = self.samples.is_multiple_of(SAMPLES_PER_GROUP);
        self.samples += 1;
        let live = system::members(self.main, self.others_alive(), whole_group);
        for &pid in &live {
            if let Some((process, cpu)) = system::cpu_time(pid) {
                let last = self.seen.entry(process).or_default();
                *last = cpu.max(*last);
            }
        }
        let memory = system::memory(&live, self.limit);
        self.peak = self.peak.max(memory.now).max(memory.peak);
        if is_late || self.delay.next() <= Instant::now() {
            self.delay
                .sample_processes(live.iter().map(|&pid| pid as u32));
        }
        Sample {
            delay: self.delay.value(),
            cpu: self.seen.values().sum(),
            memory: memory.now,
            processes: live.len(),
        }
    }

    /// Whether no process of the tree is ready to run.
    pub fn sleeps(&self) -> bool {
        let live = system::members(self.main, self.others_alive(), false);
        live.into_iter().all(system::sleeps)
    }

    /// Kills the group, and the processes that have left it.
    pub fn kill(&mut self) {
        // SAFETY: no pointers. The group is that of the main process, which is not reaped yet.
        unsafe { libc::kill(-self.main, SIGKILL) };
        for process in self.others_alive() {
            // SAFETY: no pointers; a process that this tree started.
            unsafe { libc::kill(process, SIGKILL) };
        }
    }

    /// The live processes of the tree besides the main one.
    fn others_alive(&self) -> Vec<pid_t> {
        let others = self.seen.keys().filter(|(pid, _)| *pid != self.main);
        let alive = others.filter(|process| system::is_alive(**process));
        alive.map(|(pid, _)| *pid).collect()
    }

    /// Kills what is left of the tree after the end of the main process, and returns its figures.
    pub fn end(mut self, guardian: &mut Guardian) -> io::Result<Ended> {
        let until = Instant::now() + END_TIMEOUT;
        self.samples = 0;
        let sampled = loop {
            let sample = self.sample(false);
            self.kill();
            if self.others_alive().is_empty() || Instant::now() > until {
                break sample.cpu;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        guardian.watch_none();
        let (status, used) = wait4(self.main)?;
        let waited = duration(used.ru_utime) + duration(used.ru_stime);
        // Each source can only miss time: `wait4` that of processes without a waiting parent, samples
        // that of short processes.
        let cpu = match sampled > waited {
            true => Measured {
                value: sampled,
                by: "samples",
            },
            false => Measured {
                value: waited,
                by: "rusage",
            },
        };
        let largest = system::largest_process(&used, self.judge).unwrap_or(0);
        let memory = match self.peak >= largest {
            true => Measured {
                value: self.peak,
                by: "samples",
            },
            false => Measured {
                value: largest,
                by: "rusage",
            },
        };
        Ok(Ended {
            status: match libc::WIFSIGNALED(status) {
                true if libc::WTERMSIG(status) == SIGKILL => Status::Killed,
                true => Status::Signal(system::number(libc::WTERMSIG(status))),
                false => Status::Code(libc::WEXITSTATUS(status)),
            },
            cpu,
            memory,
            out_of_memory: false,
        })
    }
}

/// Reaps a process.
fn wait4(pid: pid_t) -> io::Result<(c_int, libc::rusage)> {
    let mut status = 0;
    // SAFETY: all zeroes is valid.
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both are writable.
        if unsafe { libc::wait4(pid, &mut status, 0, &mut used) } >= 0 {
            return Ok((status, used));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

fn resource_limits(limits: &Limits) -> [(Resource, rlim_t); 4] {
    // A backstop that is two seconds late, so that it never acts while the judge is running.
    let seconds = limits.cpu.map(|cpu| cpu.as_secs().saturating_add(2));
    // One byte more than allowed distinguishes a file at the limit from one beyond it.
    let file = limits.output.map(|bytes| bytes.saturating_add(1));
    let stack = limits.stack.or(limits.memory).unwrap_or(DEFAULT_STACK);
    let bounded = |limit: Option<u64>, max: u64| {
        let limit = limit.filter(|&limit| limit < max);
        limit.unwrap_or(libc::RLIM_INFINITY)
    };
    // The kernel counts seconds as nanoseconds in 64 bits.
    const MAX_SECONDS: u64 = i64::MAX as u64 / 1_000_000_000;
    [
        (libc::RLIMIT_CPU, bounded(seconds, MAX_SECONDS)),
        (libc::RLIMIT_FSIZE, bounded(file, i64::MAX as u64)),
        (libc::RLIMIT_STACK, stack),
        // A limit of 0 does not keep the kernel from piping a core dump to a program.
        (libc::RLIMIT_CORE, 1),
    ]
}

/// Sets a limit, or the highest one that this process may set. Async-signal-safe.
fn limit(resource: Resource, value: rlim_t) {
    let mut old = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `old` is writable and `new` readable.
    unsafe {
        if libc::getrlimit(resource, &mut old) == 0 {
            let value = value.min(old.rlim_max);
            let new = libc::rlimit {
                rlim_cur: value,
                rlim_max: value,
            };
            libc::setrlimit(resource, &new);
        }
    }
}

/// The arguments of `execve`.
struct Exec {
    program: CString,
    _strings: [Vec<CString>; 2],
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
}

// SAFETY: the pointers lead to the strings beside them, which nothing changes.
unsafe impl Send for Exec {}
// SAFETY: as above.
unsafe impl Sync for Exec {}

impl Exec {
    fn of(launch: &Launch<'_>) -> Result<Self, NulError> {
        let program = CString::new(launch.program.as_os_str().as_bytes())?;
        let mut args = vec![program.clone()];
        for arg in launch.args {
            args.push(CString::new(arg.as_bytes())?);
        }
        let variable = |(name, value): &(&std::ffi::OsStr, &std::ffi::OsStr)| {
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat())
        };
        let env = launch
            .env
            .iter()
            .map(variable)
            .collect::<Result<Vec<_>, _>>()?;
        let pointers = |strings: &[CString]| {
            let pointers = strings.iter().map(|string| string.as_ptr());
            pointers.chain([std::ptr::null()]).collect()
        };
        Ok(Exec {
            program,
            argv: pointers(&args),
            envp: pointers(&env),
            _strings: [args, env],
        })
    }

    /// Executes the program; returns only on failure. The search of `execvp` and its fallback to a
    /// shell are not wanted, so `std` must not execute the program. Async-signal-safe.
    fn execute(&self) -> io::Error {
        let pause = libc::timespec {
            tv_sec: 0,
            tv_nsec: BUSY_PAUSE.subsec_nanos().into(),
        };
        let mut tries = 0;
        loop {
            // SAFETY: the strings and the lists, which end with null, live as long as this.
            unsafe {
                libc::execve(
                    self.program.as_ptr(),
                    self.argv.as_ptr(),
                    self.envp.as_ptr(),
                )
            };
            let error = io::Error::last_os_error();
            tries += 1;
            if error.raw_os_error() != Some(libc::ETXTBSY) || tries == BUSY_TRIES {
                return io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(0) | OF_EXEC);
            }
            // SAFETY: `pause` is readable.
            unsafe { libc::nanosleep(&pause, std::ptr::null_mut()) };
        }
    }
}
