//! One run: what is asked for, limits set, figures read, facts put together.

use std::ffi::{CString, NulError, OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use crate::measure::{Counter, MemoryWatch};
use crate::plan::{Ended, Isolation, Request, ResourceLimits};
use crate::pool::{CpuMark, Live};
use crate::run::{Seen, Watched, watch};
use crate::wire::Encoder;
use crate::{Canceller, Execution, Exit, Fault, Job, Limit, Limits, Measured, Usage, sys, wire};

/// The stack of a program whose memory is not limited.
const DEFAULT_STACK: u64 = 1 << 30;
/// The kernel charges memory in batches, per core: below the limit by this much nobody was killed.
const CHARGE_SLACK: u64 = 1 << 20;
/// More output than this in memory files is not allowed for beyond the memory limit. It is taken off
/// the figure that is judged; this bounds what a program can take of the machine.
const MOST_OUTPUT: u64 = 2 << 30;
/// The same where the output goes elsewhere: temporary files may lie in memory.
const MOST_ELSEWHERE: u64 = 64 << 20;
/// More than the zygote's own memory plus this, and a run before left something in the caches.
const CACHE_SLACK: u64 = 4 << 20;

/// The environment every program starts with. `HOME` is added: the work directory.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("LANG", "C.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("ONLINE_JUDGE", "1"),
];

/// Runs one program, `program` in the box; says whether the box can be used again.
pub fn run(
    live: &mut Live,
    job: &Job<'_>,
    program: &Path,
    canceller: Option<&Canceller>,
) -> Result<(Execution, bool), Fault> {
    let order = request(job, program, live)?.encode();
    let furnished = std::mem::take(&mut live.furnished);
    let instructions = count_instructions(live, job)?;
    let group = GroupRun::start(live, job)?;
    let read_cpu = |live: &Live| {
        live.cpu
            .read()
            .map_err(|e| Fault::os("read the CPU time", e))
    };
    let before = if live.cpu.sees_all() {
        live.cpu_mark
    } else {
        CpuMark {
            all: read_cpu(live)?,
            ..CpuMark::default()
        }
    };
    send(live, job, order, canceller).map_err(|e| Fault::os("send the program to its box", e))?;
    let watched_memory = live.group.is_err() && job.limits.memory.is_some();
    let seen = watch(&Watched {
        spawned: &live.spawned,
        limits: job.limits,
        cpu: &live.cpu,
        cpu_before: before.all,
        memory: watched_memory.then_some(MemoryWatch(live.spawned.pid)),
        instructions: instructions.as_ref(),
        cores: live.cores,
        canceller,
    })?;
    let written = written(job);
    let (group_peak, out_of_memory) = group.finish(live, written.in_memory)?;
    let Some(ended) = seen
        .ended
        .or_else(|| out_of_memory.then(killed_with_its_box))
    else {
        return Err(Fault {
            stage: "keep the box alive: something killed its zygote".into(),
            source: None,
            remedy: None,
            interrupted: false,
        });
    };
    let cpu = if live.cpu.sees_all() {
        live.cpu_mark = CpuMark {
            all: read_cpu(live)?,
            own: ended.own_cpu,
        };
        let zygote = ended.own_cpu.saturating_sub(before.own);
        live.cpu_mark
            .all
            .saturating_sub(before.all)
            .saturating_sub(zygote)
    } else {
        ended.cpu
    };
    let count = instructions.map(|counter| counter.read()).transpose();
    let count = count.map_err(|e| Fault::os("read the instruction counter", e))?;
    let exit = if out_of_memory {
        Exit::Killed(Limit::Memory)
    } else if seen.cancelled && killed(&ended) {
        Exit::Cancelled
    } else {
        exit(
            &ended,
            seen.killed,
            written.total + ended.left_bytes.saturating_sub(furnished),
            job.limits,
        )
    };
    let resident = Measured {
        value: ended.resident.max(seen.memory),
        by: "rusage",
    };
    let usage = Usage {
        cpu: Measured {
            value: cpu,
            by: live.cpu.by(),
        },
        wall: Measured {
            value: wall(&seen, &ended, exit),
            by: "monotonic",
        },
        memory: Some(group_peak.unwrap_or(resident)),
        instructions: count.map(|value| Measured { value, by: "perf" }),
    };
    Ok((
        Execution { exit, usage },
        seen.ended.is_some() && !ended.spoilt,
    ))
}

/// Orders the run. From case to case mostly only the streams change: then it is told in a word.
fn send(
    live: &mut Live,
    job: &Job<'_>,
    order: Encoder,
    canceller: Option<&Canceller>,
) -> io::Result<()> {
    // Closed at the end of this function: then only the program has it.
    let own = canceller.and_then(Canceller::take_output);
    let stdout = own.as_ref().map_or(job.stdout, AsFd::as_fd);
    let stdio = [job.stdin, stdout, job.stderr];
    let socket = live.spawned.socket.as_raw_fd();
    if live.ordered.as_slice() == order.as_slice() {
        wire::send(socket, Request::AGAIN, &stdio)?;
    } else {
        wire::send(socket, order.as_slice(), &stdio)?;
        live.ordered = order;
    }
    Ok(())
}

/// What the control group knows of one run.
struct GroupRun {
    memory_limit: Option<u64>,
    /// What of the peak is not the program's.
    idle: u64,
}

impl GroupRun {
    fn start(live: &mut Live, job: &Job<'_>) -> Result<Self, Fault> {
        let Ok(group) = &mut live.group else {
            return Ok(GroupRun {
                memory_limit: None,
                idle: 0,
            });
        };
        let output = job.limits.output.unwrap_or(0);
        let in_memory = || {
            [job.stdout, job.stderr]
                .into_iter()
                .filter_map(sys::regular_file)
                .any(|file| libc::major(file.device) == 0)
        };
        let most = if output > MOST_ELSEWHERE && in_memory() {
            MOST_OUTPUT
        } else {
            MOST_ELSEWHERE
        };
        let output = output.min(most);
        // What goes into memory files is charged to the program that writes it; it is taken off
        // the figure afterwards, so it must fit in before.
        let memory_limit = job.limits.memory.map(|limit| {
            limit
                .saturating_add(live.idle_memory)
                .saturating_add(output)
                .next_multiple_of(4096)
        });
        let processes = job.limits.processes.map(|n| n.saturating_add(1));
        let os = |stage: &str| {
            let stage = stage.to_owned();
            move |e| Fault::os(stage, e)
        };
        group
            .limit(memory_limit, processes)
            .map_err(os("set the limits of the control group"))?;
        group.start_peak().map_err(os("reset the memory peak"))?;
        let in_use = group.in_use().map_err(os("read the memory in use"))?;
        let cached = in_use > live.idle_memory + CACHE_SLACK;
        let idle = if cached { in_use } else { live.idle_memory };
        Ok(GroupRun { memory_limit, idle })
    }

    /// The program's own peak, and whether the kernel killed for want of memory.
    fn finish(
        &self,
        live: &mut Live,
        output_in_memory: u64,
    ) -> Result<(Option<Measured<u64>>, bool), Fault> {
        let Ok(group) = &live.group else {
            return Ok((None, false));
        };
        let peak = group
            .peak()
            .map_err(|e| Fault::os("read the memory peak", e))?;
        let far_below = match (peak, self.memory_limit) {
            (Some(peak), Some(limit)) => peak.saturating_add(CHARGE_SLACK) < limit,
            (_, None) => true,
            (None, _) => false,
        };
        let mut killed = false;
        if !far_below {
            let kills = group
                .memory_kills()
                .map_err(|e| Fault::os("read the memory events", e))?;
            killed = kills > live.memory_kills;
            live.memory_kills = kills;
        }
        let own = |peak: u64| {
            peak.saturating_sub(self.idle)
                .saturating_sub(output_in_memory)
        };
        Ok((
            peak.map(|peak| Measured {
                value: own(peak),
                by: group.name,
            }),
            killed,
        ))
    }
}

/// A program so small and files so large that the kernel chose the zygote to kill.
fn killed_with_its_box() -> Ended {
    Ended {
        status: libc::SIGKILL,
        ..Ended::default()
    }
}

fn count_instructions(live: &Live, job: &Job<'_>) -> Result<Option<Counter>, Fault> {
    if !job.count_instructions && job.limits.instructions.is_none() {
        return Ok(None);
    }
    match Counter::from_exec(live.spawned.pid, live.counts) {
        Ok(counter) => Ok(Some(counter)),
        Err(_) if job.limits.instructions.is_none() => Ok(None),
        Err(e) => Err(Fault {
            remedy: Some("limit the CPU time instead".into()),
            ..Fault::os("count instructions", e)
        }),
    }
}

fn request(job: &Job<'_>, program: &Path, live: &Live) -> Result<Request, Fault> {
    let refused = |_| {
        Fault::os(
            "pass an argument with a NUL byte",
            io::ErrorKind::InvalidInput.into(),
        )
    };
    let program = CString::new(program.as_os_str().as_bytes()).map_err(refused)?;
    let mut args = vec![program.clone()];
    for arg in job.args {
        args.push(CString::new(arg.as_bytes()).map_err(refused)?);
    }
    let has_tmp = live.isolation == Isolation::Namespaces;
    Ok(Request {
        program,
        args,
        env: environment(job.env, &live.work, has_tmp).map_err(refused)?,
        limits: resource_limits(job.limits, live.counts_by_user),
    })
}

/// `NAME=value` of the fixed environment, overridden and added to by `extra`. Who has no `/tmp` of
/// his own (compilers cannot do without) is told to use the work directory.
fn environment(
    extra: &[(OsString, OsString)],
    work: &Path,
    has_tmp: bool,
) -> Result<Vec<CString>, NulError> {
    let mut all: Vec<(&OsStr, &OsStr)> = Vec::new();
    all.extend(ENVIRONMENT.map(|(name, value)| (name.as_ref(), value.as_ref())));
    all.push(("HOME".as_ref(), work.as_ref()));
    if !has_tmp {
        all.push(("TMPDIR".as_ref(), work.as_ref()));
    }
    for (name, value) in extra {
        all.retain(|(other, _)| other != name);
        all.push((name, value));
    }
    all.into_iter()
        .map(|(name, value)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect()
}

fn resource_limits(limits: &Limits, counts_by_user: bool) -> ResourceLimits {
    let processes = limits.processes.filter(|_| counts_by_user);
    ResourceLimits {
        // Two seconds late: it must never be what ends a program while the judge is awake.
        cpu_seconds: limits.cpu.map_or(u64::MAX, |cpu| cpu.as_secs() + 2),
        // One more than allowed, so that a file at the limit is told from one beyond it.
        file: limits
            .output
            .map_or(u64::MAX, |bytes| bytes.saturating_add(1)),
        stack: limits.stack.or(limits.memory).unwrap_or(DEFAULT_STACK),
        // The zygote is one more.
        processes: processes.map_or(u64::MAX, |n| u64::from(n) + 1),
    }
}

/// Bytes in the files behind standard output and error.
struct Written {
    total: u64,
    in_memory: u64,
}

fn written(job: &Job<'_>) -> Written {
    let (out, err) = (sys::regular_file(job.stdout), sys::regular_file(job.stderr));
    // Both may be the same file.
    let same = match (&out, &err) {
        (Some(a), Some(b)) => (a.device, a.inode) == (b.device, b.inode),
        _ => false,
    };
    let mut written = Written {
        total: 0,
        in_memory: 0,
    };
    for file in out.iter().chain(err.iter().filter(|_| !same)) {
        written.total += file.bytes;
        // A file on a disk has a device with a major number; one in memory has none.
        if libc::major(file.device) == 0 {
            written.in_memory += file.allocated;
        }
    }
    written
}

fn killed(ended: &Ended) -> bool {
    libc::WIFSIGNALED(ended.status) && libc::WTERMSIG(ended.status) == libc::SIGKILL
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
fn wall(seen: &Seen, ended: &Ended, exit: Exit) -> Duration {
    if exit == Exit::Killed(Limit::Wall) || ended.wall.is_zero() {
        seen.wall
    } else {
        ended.wall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILLED: i32 = libc::SIGKILL;

    fn ended(status: i32) -> Ended {
        Ended {
            status,
            cpu: Duration::from_secs(1),
            ..Ended::default()
        }
    }

    #[test]
    fn how_it_ended_is_told_apart() {
        let limits = Limits {
            cpu: Some(Duration::from_millis(500)),
            output: Some(10),
            ..Limits::default()
        };
        let none = Limits::default();
        let cases = [
            (3 << 8, None, 0, &limits, Exit::Code(3)),
            (libc::SIGSEGV, None, 0, &limits, Exit::Signal(libc::SIGSEGV)),
            (KILLED, None, 0, &limits, Exit::Signal(KILLED)),
            (
                KILLED,
                Some(Limit::Wall),
                0,
                &limits,
                Exit::Killed(Limit::Wall),
            ),
            // It ended just before it was killed.
            (0, Some(Limit::Wall), 0, &limits, Exit::Code(0)),
            (libc::SIGXFSZ, None, 0, &limits, Exit::Killed(Limit::Output)),
            (libc::SIGXFSZ, None, 0, &none, Exit::Signal(libc::SIGXFSZ)),
            (libc::SIGXCPU, None, 0, &limits, Exit::Killed(Limit::Cpu)),
            (libc::SIGXCPU, None, 0, &none, Exit::Signal(libc::SIGXCPU)),
            (0, None, 10, &limits, Exit::Code(0)),
            (0, None, 11, &limits, Exit::Killed(Limit::Output)),
            (0, None, 11, &none, Exit::Code(0)),
        ];
        for (status, killed, written, limits, expected) in cases {
            assert_eq!(
                exit(&ended(status), killed, written, limits),
                expected,
                "status {status}"
            );
        }
    }

    /// The whole way of a limit on instructions, with the kernel's clock in the counter's place.
    #[test]
    fn a_limit_on_what_is_counted_ends_a_run() {
        use crate::measure::Event;
        use std::os::fd::AsFd;
        let spec = crate::BoxSpec::default();
        let mut live = Live::new(&spec, Isolation::None).unwrap();
        live.counts = Event::TaskClock;
        if let Err(e) = Counter::from_exec(live.spawned.pid, live.counts) {
            eprintln!("skipped: no performance events: {e}");
            return;
        }
        let null = std::fs::File::open("/dev/null").unwrap();
        let out = crate::scratch_file().unwrap();
        let most = 50_000_000;
        for (script, expected) in [
            (
                "while :; do :; done & wait",
                Exit::Killed(Limit::Instructions),
            ),
            ("exit 3", Exit::Code(3)),
        ] {
            let limits = Limits {
                instructions: Some(most),
                wall: Duration::from_secs(60),
                ..Limits::default()
            };
            let args = ["-c".into(), script.into()];
            let job = Job {
                program: Path::new("/bin/sh"),
                args: &args,
                env: &[],
                stdin: null.as_fd(),
                stdout: out.as_fd(),
                stderr: out.as_fd(),
                limits: &limits,
                count_instructions: true,
            };
            let (execution, _) = run(&mut live, &job, job.program, None).unwrap();
            assert_eq!(execution.exit, expected, "{execution:?}");
            let counted = execution.usage.instructions.unwrap().value;
            assert_eq!(counted > most, expected != Exit::Code(3), "{execution:?}");
            assert!(counted > 0);
        }
    }

    #[test]
    fn the_environment_is_fixed_but_for_what_is_added() {
        let extra = [("LANG".into(), "C".into()), ("X".into(), "1".into())];
        let all = environment(&extra, Path::new("/work"), false).unwrap();
        let languages = all.iter().filter(|v| v.to_bytes().starts_with(b"LANG="));
        assert_eq!(languages.count(), 1);
        for expected in [
            "HOME=/work",
            "TMPDIR=/work",
            "LANG=C",
            "X=1",
            "ONLINE_JUDGE=1",
        ] {
            let there = all.iter().any(|v| v.to_bytes() == expected.as_bytes());
            assert!(there, "{expected}");
        }
    }
}
