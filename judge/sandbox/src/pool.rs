//! The box: one zygote, used for run after run, and made anew when something broke it.

use std::ffi::{CString, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::measure::{Counter, CpuMeter, MemoryWatch};
use crate::plan::{Ended, Isolation, Reply, Request, ResourceLimits, Setup};
use crate::run::{Seen, Watched, failed, watch};
use crate::spawn::{Nature, Spawned};
use crate::{BoxSpec, Execution, Exit, Fault, Job, Layer, Limit, Limits, Measured, Sandbox, Usage};
use crate::{interrupt, sys, wire};

/// The stack of a program whose memory is not limited.
const DEFAULT_STACK: u64 = 1 << 30;

/// The environment every program starts with. `HOME` is added: the work directory.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("LANG", "C.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("ONLINE_JUDGE", "1"),
];

/// A box and what it is made of.
pub struct Pooled {
    spec: BoxSpec,
    isolation: Isolation,
    layers: Vec<Layer>,
    live: Option<Live>,
}

impl Pooled {
    /// Makes the box, so that what cannot work fails at once.
    pub fn new(spec: &BoxSpec, isolation: Isolation, layers: Vec<Layer>) -> Result<Self, Fault> {
        let live = Live::new(spec, isolation)?;
        Ok(Pooled {
            spec: spec.clone(),
            isolation,
            layers,
            live: Some(live),
        })
    }
}

impl Sandbox for Pooled {
    fn run(&mut self, job: &Job<'_>) -> Result<Execution, Fault> {
        if interrupt::interrupted() {
            return Err(interrupt::fault());
        }
        let mut live = match self.live.take() {
            Some(live) => live,
            None => Live::new(&self.spec, self.isolation)?,
        };
        let program = self.inside(job.program);
        let (execution, reusable) = live.run(job, &program)?;
        if reusable {
            self.live = Some(live);
        }
        Ok(execution)
    }

    fn inside(&self, host: &Path) -> PathBuf {
        if self.isolation != Isolation::Namespaces {
            return host.to_path_buf();
        }
        let mounts = self.spec.mounts.iter();
        let nearest = mounts
            .filter_map(|mount| Some((mount, host.strip_prefix(&mount.host).ok()?)))
            .max_by_key(|(mount, _)| mount.host.as_os_str().len());
        match nearest {
            Some((mount, rest)) if rest.as_os_str().is_empty() => mount.inside.clone(),
            Some((mount, rest)) => mount.inside.join(rest),
            None => host.to_path_buf(),
        }
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}

/// What exists while a box exists.
struct Live {
    // The order is that of dropping: the process first.
    spawned: Spawned,
    cpu: CpuMeter,
    work: WorkDirectory,
    cores: u32,
}

impl Live {
    fn new(spec: &BoxSpec, isolation: Isolation) -> Result<Self, Fault> {
        let work = WorkDirectory::on_host()?;
        let nature = Nature {
            namespaces: 0,
            become_root: false,
            drop_groups: false,
        };
        let spawned = Spawned::new(nature)?;
        let setup = Setup {
            isolation,
            core: spec.core,
            work: work.path.clone(),
            work_bytes: spec.work_bytes,
            entries: Vec::new(),
            proc: false,
            fork: true,
            token: 0,
        };
        spawned.release()?;
        set_up(&spawned, &setup, &[])?;
        let cpu = CpuMeter::without_cgroup(spawned.pid);
        let cores = if spec.core.is_some() {
            1
        } else {
            sys::allowed_cores().len().max(1) as u32
        };
        Ok(Live {
            spawned,
            cpu,
            work,
            cores,
        })
    }

    /// Runs one program; says whether the box can be used again.
    fn run(&mut self, job: &Job<'_>, program: &Path) -> Result<(Execution, bool), Fault> {
        let request = request(job, program, &self.work.path)?;
        let instructions = self.count_instructions(job)?;
        let read_cpu = || {
            self.cpu
                .read()
                .map_err(|e| Fault::os("read the CPU time", e))
        };
        let cpu_before = read_cpu()?;
        let stdio = [job.stdin, job.stdout, job.stderr];
        wire::send(
            self.spawned.socket.as_raw_fd(),
            request.encode().as_slice(),
            &stdio,
        )
        .map_err(|e| Fault::os("send the program to its box", e))?;
        let seen = watch(&Watched {
            spawned: &self.spawned,
            limits: job.limits,
            cpu: &self.cpu,
            cpu_before,
            memory: job.limits.memory.map(|_| MemoryWatch(self.spawned.pid)),
            instructions: instructions.as_ref(),
            cores: self.cores,
        })?;
        let Some(ended) = seen.ended else {
            return Err(Fault {
                stage: "keep the box alive: something killed its zygote".into(),
                source: None,
                remedy: None,
                interrupted: false,
            });
        };
        let cpu = if self.cpu.sees_all() {
            read_cpu()?
                .saturating_sub(cpu_before)
                .saturating_sub(ended.own_cpu)
        } else {
            ended.cpu
        };
        let count = instructions.map(|counter| counter.read()).transpose();
        let count = count.map_err(|e| Fault::os("read the instruction counter", e))?;
        let usage = Usage {
            cpu: Measured {
                value: cpu,
                by: self.cpu.by(),
            },
            wall: Measured {
                value: wall(&seen, &ended),
                by: "monotonic",
            },
            memory: Some(Measured {
                value: ended.resident.max(seen.memory),
                by: "rusage",
            }),
            instructions: count.map(|value| Measured { value, by: "perf" }),
        };
        let exit = exit(&ended, seen.killed, written(job, &ended), job.limits);
        Ok((Execution { exit, usage }, !ended.spoilt))
    }

    fn count_instructions(&self, job: &Job<'_>) -> Result<Option<Counter>, Fault> {
        if !job.count_instructions && job.limits.instructions.is_none() {
            return Ok(None);
        }
        match Counter::instructions(self.spawned.pid) {
            Ok(counter) => Ok(Some(counter)),
            Err(_) if job.limits.instructions.is_none() => Ok(None),
            Err(e) => Err(Fault {
                remedy: Some("limit the CPU time instead".into()),
                ..Fault::os("count instructions", e)
            }),
        }
    }
}

/// Sends `setup` and waits until the zygote stands.
fn set_up(spawned: &Spawned, setup: &Setup, fds: &[BorrowedFd<'_>]) -> Result<(), Fault> {
    let os = |e| Fault::os("set up the box", e);
    let socket = spawned.socket.as_raw_fd();
    wire::send(socket, setup.encode().as_slice(), fds).map_err(os)?;
    let mut buffer = [0; 1024];
    let (n, _) = wire::receive(socket, &mut buffer).map_err(os)?;
    if n == 0 {
        return Err(os(io::Error::other("the zygote died")));
    }
    match Reply::decode(&buffer[..n]).map_err(os)? {
        Reply::Ready => Ok(()),
        Reply::Failed { stage, errno } => Err(failed(stage, errno)),
        Reply::Ended(_) => Err(os(io::ErrorKind::InvalidData.into())),
    }
}

fn request(job: &Job<'_>, program: &Path, work: &Path) -> Result<Request, Fault> {
    let refused = || {
        Fault::os(
            "pass an argument with a NUL byte",
            io::ErrorKind::InvalidInput.into(),
        )
    };
    let c_string = |s: &[u8]| CString::new(s).map_err(|_| refused());
    let mut args = vec![c_string(program.as_os_str().as_bytes())?];
    for arg in job.args {
        args.push(c_string(arg.as_bytes())?);
    }
    Ok(Request {
        program: args[0].clone(),
        args,
        env: environment(job.env, work)
            .iter()
            .map(|s| c_string(s.as_bytes()))
            .collect::<Result<_, _>>()?,
        limits: resource_limits(job.limits),
    })
}

/// `NAME=value` of the fixed environment, overridden and added to by `extra`.
fn environment(extra: &[(OsString, OsString)], work: &Path) -> Vec<OsString> {
    let mut all: Vec<(OsString, OsString)> = ENVIRONMENT
        .iter()
        .map(|&(name, value)| (name.into(), value.into()))
        .collect();
    all.push(("HOME".into(), work.into()));
    for (name, value) in extra {
        all.retain(|(other, _)| other != name);
        all.push((name.clone(), value.clone()));
    }
    let join = |(mut name, value): (OsString, OsString)| {
        name.push("=");
        name.push(value);
        name
    };
    all.into_iter().map(join).collect()
}

fn resource_limits(limits: &Limits) -> ResourceLimits {
    ResourceLimits {
        // Two seconds late: it must never be what ends a program while the judge is awake.
        cpu_seconds: limits.cpu.map_or(u64::MAX, |cpu| cpu.as_secs() + 2),
        // One more than allowed, so that a file at the limit is told from one beyond it.
        file: limits
            .output
            .map_or(u64::MAX, |bytes| bytes.saturating_add(1)),
        stack: limits.stack.or(limits.memory).unwrap_or(DEFAULT_STACK),
        processes: u64::MAX,
    }
}

/// Bytes in the regular files behind standard output and error, and left in the box.
fn written(job: &Job<'_>, ended: &Ended) -> u64 {
    let size = |fd: BorrowedFd<'_>| -> Option<(u64, u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        let meta = fs::File::from(fd.try_clone_to_owned().ok()?)
            .metadata()
            .ok()?;
        meta.is_file().then(|| (meta.dev(), meta.ino(), meta.len()))
    };
    let (out, err) = (size(job.stdout), size(job.stderr));
    let both = if out == err { [out, None] } else { [out, err] };
    both.into_iter()
        .flatten()
        .map(|(_, _, len)| len)
        .sum::<u64>()
        + ended.left_bytes
}

fn exit(ended: &Ended, killed: Option<Limit>, written: u64, limits: &Limits) -> Exit {
    let status = ended.status;
    if libc::WIFSIGNALED(status) {
        match (libc::WTERMSIG(status), killed) {
            (libc::SIGKILL, Some(limit)) => return Exit::Killed(limit),
            (libc::SIGXFSZ, _) if limits.output.is_some() => return Exit::Killed(Limit::Output),
            (libc::SIGXCPU, _) if limits.cpu.is_some_and(|cpu| ended.cpu > cpu) => {
                return Exit::Killed(Limit::Cpu);
            }
            _ => {}
        }
    }
    if limits.output.is_some_and(|limit| written > limit) {
        Exit::Killed(Limit::Output)
    } else if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    }
}

/// The zygote's clock is nearer to the program; but who was killed at the limit of the judge's
/// clock did not stay below it.
fn wall(seen: &Seen, ended: &Ended) -> Duration {
    if seen.killed == Some(Limit::Wall) {
        seen.wall
    } else {
        ended.wall
    }
}

/// A directory of the host for a box that has no root of its own; gone when dropped.
struct WorkDirectory {
    path: PathBuf,
}

impl WorkDirectory {
    fn on_host() -> Result<Self, Fault> {
        use std::os::unix::fs::DirBuilderExt;
        use std::sync::atomic::{AtomicU64, Ordering};
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("judge-sandbox.{}.{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(WorkDirectory { path }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Fault::os(format!("create {}", path.display()), e)),
            }
        }
    }
}

impl Drop for WorkDirectory {
    fn drop(&mut self) {
        // Emptied after every run; what is left after a crash is no reason to fail.
        let _ = fs::remove_dir_all(&self.path);
    }
}
