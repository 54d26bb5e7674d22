//! One run: sends the request, watches the program, reads the figures and builds the [`Execution`].

use std::cell::RefCell;
use std::time::Duration;

use crate::api::{Canceller, Execution, Exit, Fault, Job, Limit, Limits, Measured, Usage};
use crate::host::box_process::{BoxProcess, CpuReading};
use crate::host::cgroup::Cgroup;
use crate::host::counter::{Event, PerfCounter, RunCounter};
use crate::host::cpu_sampler::CpuSampler;
use crate::host::exec_request;
use crate::host::memory::GroupRun;
use crate::host::watchdog::{MAX_INSTRUCTIONS_PER_SECOND, Observed, Watch, watch};
use crate::protocol::RunResult;
use crate::sys;

/// Tolerance between two clocks of the same processes.
const CLOCKS_DIFFER: Duration = Duration::from_millis(2);

/// The errors of `execve` that the machine causes, or the limits of the box's user. No content of
/// an executable does: the kernel allocates memory for its segments when it can no longer refuse
/// it, and then kills the process.
const OUT_OF_RESOURCES: [i32; 4] = [libc::EAGAIN, libc::EMFILE, libc::ENFILE, libc::ENOMEM];

/// Runs one program. Also returns whether the box can be used again.
pub fn run(
    process: &mut BoxProcess,
    job: &Job<'_>,
    canceller: Option<&Canceller>,
) -> Result<(Execution, bool), Fault> {
    run_counting(Event::Instructions, process, job, canceller)
}

/// As [`run`], with this event as the counter of instructions.
fn run_counting(
    event: Event,
    process: &mut BoxProcess,
    job: &Job<'_>,
    canceller: Option<&Canceller>,
) -> Result<(Execution, bool), Fault> {
    let Ok(request) = exec_request::prepare(process, job) else {
        return Ok((refused_arguments(libc::EINVAL), false));
    };
    let staged_bytes = std::mem::take(&mut process.staged_bytes);
    let instructions = count_instructions(event, process, job)?;
    let group = RefCell::new(GroupRun::start(process, job)?);
    let cpu_before = cpu_before(process)?;
    match exec_request::send(process, job, &request, canceller) {
        Ok(()) => {}
        Err(e) if e.raw_os_error() == Some(libc::E2BIG) => {
            return Ok((refused_arguments(libc::E2BIG), false));
        }
        Err(e) => return Err(Fault::os("send the program to its box", e)),
    }
    let samples_output = group.borrow().must_sample_output(job);
    let sample_output = || group.borrow_mut().sample(process, written(job).in_memory);
    let mut seen = watch(&Watch {
        spawned: &process.spawned,
        limits: job.limits,
        cpu: &process.cpu,
        cpu_before: cpu_before.all,
        memory: job.limits.memory.and(process.memory.sampler()),
        output: samples_output.then_some(&sample_output),
        instructions: instructions.as_ref(),
        cores: process.cores,
        writable: &process.writable,
        pressure: process.group.as_ref().ok().and_then(Cgroup::cpu_pressure),
        canceller,
    })?;
    let written = written(job);
    let by_sigkill = seen.ended.is_some_and(|e| ended_by(&e, libc::SIGKILL));
    let group = group.into_inner();
    let (group_peak, out_of_memory) = group.finish(process, written.in_memory, by_sigkill)?;
    let Some(ended) = seen.ended.or_else(|| out_of_memory.then(killed_with_box)) else {
        return Err(Fault {
            stage: "run the program: its zygote was killed".into(),
            source: None,
            remedy: None,
            interrupted: false,
        });
    };
    if OUT_OF_RESOURCES.contains(&ended.exec_error) {
        return Err(Fault::not_executed(job.program, ended.exec_error));
    }
    let cpu = measure_cpu(process, cpu_before, &ended)?;
    let cpu = with_hidden(cpu, seen.cpu_samples.as_mut());
    let count = match instructions.filter(|_| ended.exec_error == 0) {
        Some(counter) => whole_count(&counter, job.limits, cpu.value)?,
        None => None,
    };
    let exit = if out_of_memory {
        Exit::Killed(Limit::Memory)
    } else if seen.cancelled && by_sigkill {
        Exit::Cancelled
    } else if ended.exec_error != 0 {
        Exit::NotExecuted(ended.exec_error)
    } else {
        let written = all_written(&written, &ended, staged_bytes, group_peak);
        classify_exit(&ended, seen.killed, written, job.limits)
    };
    let resident = Measured {
        value: ended.resident.max(seen.memory),
        by: "rusage",
    };
    let usage = Usage {
        cpu,
        wall: Measured {
            value: wall(&seen, &ended, exit),
            by: "monotonic",
        },
        memory: Some(group_peak.unwrap_or(resident)),
        instructions: count.map(|value| Measured { value, by: "perf" }),
        run_delay: seen.run_delay,
    };
    let is_reusable = seen.ended.is_some() && !ended.unclean;
    Ok((Execution { exit, usage }, is_reusable))
}

/// The result of a run whose arguments cannot be sent: they have a NUL byte, or are longer than the
/// request may be. The box, which may have staged files, is not used again.
fn refused_arguments(errno: i32) -> Execution {
    let nothing = Measured {
        value: Duration::ZERO,
        by: "request",
    };
    Execution {
        exit: Exit::NotExecuted(errno),
        usage: Usage {
            cpu: nothing,
            wall: nothing,
            memory: None,
            instructions: None,
            run_delay: Duration::ZERO,
        },
    }
}

/// The reading of the CPU meter before a run. A meter of the whole tree need not be read again:
/// since the last reading only the zygote has used CPU time, and its share is subtracted.
fn cpu_before(process: &BoxProcess) -> Result<CpuReading, Fault> {
    if process.cpu.covers_tree() {
        return Ok(process.cpu_reading);
    }
    Ok(CpuReading {
        all: read_cpu(process)?,
        ..CpuReading::default()
    })
}

fn read_cpu(process: &BoxProcess) -> Result<Duration, Fault> {
    process
        .cpu
        .read()
        .map_err(|e| Fault::os("read the CPU time", e))
}

/// The CPU time of a run, from the meter of the box or from `wait`.
fn measure_cpu(
    process: &mut BoxProcess,
    before: CpuReading,
    ended: &RunResult,
) -> Result<Measured<Duration>, Fault> {
    let metered = if process.cpu.covers_tree() {
        let after = CpuReading {
            all: read_cpu(process)?,
            own: ended.own_cpu,
        };
        process.cpu_reading = after;
        let zygote = after.own.saturating_sub(before.own);
        after.all.saturating_sub(before.all).saturating_sub(zygote)
    } else {
        ended.cpu
    };
    // Each clock can only miss time, so the larger figure is correct.
    let disputed = metered + metered / 20 + CLOCKS_DIFFER;
    let is_missing_time = process.cpu.may_miss_time() && ended.cpu > disputed;
    Ok(if is_missing_time {
        Measured {
            value: ended.cpu,
            by: "rusage",
        }
    } else {
        Measured {
            value: metered,
            by: process.cpu.by(),
        }
    })
}

/// The CPU time of a run, or the sampled time if the run hid much of it from the other meters.
fn with_hidden(cpu: Measured<Duration>, samples: Option<&mut CpuSampler>) -> Measured<Duration> {
    let sampled = samples.and_then(|samples| {
        samples.finish();
        samples.more_than(cpu.value)
    });
    match sampled {
        Some(value) => Measured {
            value,
            by: "samples",
        },
        None => cpu,
    }
}

/// The result of a run in which the kernel's OOM killer chose the zygote, because the program was
/// small and its files were large.
fn killed_with_box() -> RunResult {
    RunResult {
        status: libc::SIGKILL,
        ..RunResult::default()
    }
}

fn count_instructions(
    event: Event,
    process: &BoxProcess,
    job: &Job<'_>,
) -> Result<Option<RunCounter>, Fault> {
    if !job.count_instructions && job.limits.instructions.is_none() {
        return Ok(None);
    }
    match PerfCounter::from_exec(process.spawned.pid, event) {
        Ok(counter) => Ok(Some(counter)),
        Err(_) if job.limits.instructions.is_none() => Ok(None),
        Err(e) => Err(Fault {
            remedy: Some("limit the CPU time instead".into()),
            ..Fault::os("count instructions", e)
        }),
    }
}

/// The instruction count of a run that used `cpu` time. If the counter did not run all the time,
/// returns `None`, or a fault if instructions are limited.
fn whole_count(counter: &RunCounter, limits: &Limits, cpu: Duration) -> Result<Option<u64>, Fault> {
    let count = counter
        .read()
        .map_err(|e| Fault::os("read the instruction counter", e))?;
    if !count.whole && limits.instructions.is_some() {
        return Err(Fault {
            stage: "count all instructions: the counter did not run all the time".into(),
            source: None,
            remedy: Some(
                "stop other users of counters (a profiler), choose one kind of core with `taskset` \
                 if the processor has two, or limit the CPU time instead"
                    .into(),
            ),
            interrupted: false,
        });
    }
    Ok(count
        .whole
        .then(|| count.value.saturating_add(missed(count.time, cpu))))
}

/// Upper bound of the instructions in the part of `cpu` time that the counter missed. A program
/// that executes a file without read permission detaches its counters; it must not evade the limit
/// by that, nor make the judge fail.
fn missed(counted: Duration, cpu: Duration) -> u64 {
    /// The counter starts with exec; `cpu` includes the kernel's work before and after it.
    const SLACK: Duration = Duration::from_millis(20);
    let missed = cpu.saturating_sub(counted);
    if missed <= SLACK + cpu / 20 {
        return 0;
    }
    (missed.as_secs_f64() * MAX_INSTRUCTIONS_PER_SECOND) as u64
}

/// Bytes in the files of standard output and error.
#[cfg_attr(test, derive(Default))]
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
    let files = [(job.stdout, out), (job.stderr, err.filter(|_| !same))];
    for (stream, file) in files {
        let Some(file) = file else { continue };
        written.total = written.total.saturating_add(file.bytes);
        if file.allocated > 0 && sys::is_in_memory(stream) {
            written.in_memory = written.in_memory.saturating_add(file.allocated);
        }
    }
    written
}

fn ended_by(ended: &RunResult, signal: i32) -> bool {
    libc::WIFSIGNALED(ended.status) && libc::WTERMSIG(ended.status) == signal
}

/// Bytes that the program wrote to standard output, standard error and files.
fn all_written(
    streams: &Written,
    ended: &RunResult,
    staged_bytes: u64,
    group_peak: Option<Measured<u64>>,
) -> u64 {
    let left = ended.left_bytes.saturating_sub(staged_bytes);
    let written = streams.total.saturating_add(left);
    if !ended_by(ended, libc::SIGXFSZ) {
        return written;
    }
    // An unlinked file shows only in the memory figure. A program that sent itself the signal has
    // neither a large file nor a large memory figure.
    written.max(group_peak.map_or(0, |peak| peak.value + MEMORY_MARGIN))
}

/// Bytes that a memory figure can be too low by: the memory of the idle zygote is subtracted from
/// it, and the zygote may have released some of that; the kernel charges a group in batches of 64
/// pages for each core.
const MEMORY_MARGIN: u64 = 1 << 20;

/// How a run ended that was neither cancelled nor killed for lack of memory.
fn classify_exit(ended: &RunResult, killed: Option<Limit>, written: u64, limits: &Limits) -> Exit {
    let status = ended.status;
    if libc::WIFSIGNALED(status) {
        match (libc::WTERMSIG(status), killed) {
            (libc::SIGKILL, Some(limit)) => return Exit::Killed(limit),
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

/// The wall time to report. The zygote's clock is closer to the program; but a program that was
/// killed at the limit by the judge's clock must not be reported below the limit.
fn wall(seen: &Observed, ended: &RunResult, exit: Exit) -> Duration {
    if exit == Exit::Killed(Limit::Wall) || ended.wall.is_zero() {
        seen.wall
    } else {
        ended.wall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Isolation;
    use std::ffi::OsString;
    use std::fs::File;
    use std::os::fd::AsFd;

    const KILLED: i32 = libc::SIGKILL;

    fn ended(status: i32) -> RunResult {
        RunResult {
            status,
            cpu: Duration::from_secs(1),
            ..RunResult::default()
        }
    }

    /// A shell with these arguments, whose output and errors go to `out`.
    fn shell<'j>(
        args: &'j [OsString],
        null: &'j File,
        out: &'j File,
        limits: &'j Limits,
    ) -> Job<'j> {
        Job {
            program: "/bin/sh".as_ref(),
            args,
            env: &[],
            stdin: null.as_fd(),
            stdout: out.as_fd(),
            stderr: out.as_fd(),
            limits,
            count_instructions: false,
        }
    }

    #[test]
    fn every_kind_of_exit_is_classified() {
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
            // The program ended just before the kill.
            (0, Some(Limit::Wall), 0, &limits, Exit::Code(0)),
            // A program can send itself this signal; if the kernel sent it, the program has
            // exceeded its output limit.
            (libc::SIGXFSZ, None, 0, &limits, Exit::Signal(libc::SIGXFSZ)),
            (
                libc::SIGXFSZ,
                None,
                11,
                &limits,
                Exit::Killed(Limit::Output),
            ),
            (libc::SIGXFSZ, None, 0, &none, Exit::Signal(libc::SIGXFSZ)),
            (libc::SIGXCPU, None, 0, &limits, Exit::Killed(Limit::Cpu)),
            (libc::SIGXCPU, None, 0, &none, Exit::Signal(libc::SIGXCPU)),
            (0, None, 10, &limits, Exit::Code(0)),
            (0, None, 11, &limits, Exit::Killed(Limit::Output)),
            (0, None, 11, &none, Exit::Code(0)),
        ];
        for (status, killed, written, limits, expected) in cases {
            assert_eq!(
                classify_exit(&ended(status), killed, written, limits),
                expected,
                "status {status}"
            );
        }
    }

    #[test]
    fn an_unlinked_file_shows_in_the_memory_figure() {
        let limit = 16 << 20;
        let limits = Limits {
            output: Some(limit),
            ..Limits::default()
        };
        let memory = |value| {
            Some(Measured {
                value,
                by: "cgroup",
            })
        };
        let exit = |status, peak| {
            let ended = ended(status);
            let written = all_written(&Written::default(), &ended, 0, peak);
            classify_exit(&ended, None, written, &limits)
        };
        let by_output = Exit::Killed(Limit::Output);
        let by_signal = Exit::Signal(libc::SIGXFSZ);
        assert_eq!(exit(libc::SIGXFSZ, memory(limit + 1)), by_output);
        assert_eq!(exit(libc::SIGXFSZ, memory(limit - 36_864)), by_output);
        assert_eq!(exit(libc::SIGXFSZ, memory(3 << 20)), by_signal);
        assert_eq!(exit(libc::SIGXFSZ, None), by_signal);
        assert_eq!(exit(0, memory(limit + 1)), Exit::Code(0));
    }

    #[test]
    fn time_missed_by_the_counter_is_charged() {
        let ms = Duration::from_millis;
        for (counted, cpu, expected) in [
            (1000, 1000, 0),
            (1010, 1000, 0),
            (0, 15, 0),
            (1000, 1060, 0),
            (1, 1001, 10_000_000_000),
            (500, 1000, 5_000_000_000),
        ] {
            assert_eq!(missed(ms(counted), ms(cpu)), expected, "{counted} of {cpu}");
        }
    }

    /// The program ignores SIGCHLD, so that no wait reports its children, and they execute an
    /// unreadable file, which detaches the inherited clock.
    #[test]
    fn short_children_cannot_hide_their_time() {
        use std::os::unix::fs::PermissionsExt;
        let directory = judge_tempdir::TempDirectory::new("test").unwrap();
        let burn = directory.path().join("burn");
        std::fs::copy("/bin/sh", &burn).unwrap();
        std::fs::set_permissions(&burn, std::fs::Permissions::from_mode(0o711)).unwrap();
        if !sys::is_root() {
            std::fs::set_permissions(&burn, std::fs::Permissions::from_mode(0o111)).unwrap();
        }
        let spec = crate::BoxSpec {
            mounts: vec![crate::Mount {
                host: directory.path().into(),
                inside: "/tool".into(),
                writable: false,
            }],
            ..crate::BoxSpec::default()
        };
        let mut process = match BoxProcess::new(&spec, Isolation::Namespaces) {
            Ok(process) => process,
            Err(fault) => {
                eprintln!("skipped: no namespaces: {fault}");
                return;
            }
        };
        let null = File::open("/dev/null").unwrap();
        let out = crate::scratch_file().unwrap();
        let limits = Limits {
            wall: Duration::from_secs(120),
            ..Limits::default()
        };
        let measure = |process: &mut BoxProcess, script: &str| {
            let args = ["-c".into(), script.into()];
            let job = shell(&args, &null, &out, &limits);
            run(process, &job, None).unwrap().0.usage.cpu
        };
        let burning = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let tool = "/tool/burn";
        let hidden = format!(
            "trap '' CHLD; k=0; while [ $k -lt 40 ]; do {tool} -c '{burning}'; k=$((k+1)); done"
        );
        let open = hidden.replace("trap '' CHLD; ", "");
        process.cpu = crate::host::accounting::CpuMeter::without_cgroup(process.spawned.pid);
        process.cpu_reading = CpuReading {
            all: process.cpu.read().unwrap(),
            ..CpuReading::default()
        };
        let open = measure(&mut process, &open);
        let hidden = measure(&mut process, &hidden);
        assert!(hidden.value > open.value / 2, "{hidden:?} of {open:?}");
    }

    /// Tests an instruction limit from request to exit, with the kernel's software clock as the
    /// counter.
    #[test]
    fn a_run_ends_at_the_limit_on_counted_events() {
        let spec = crate::BoxSpec::default();
        let mut process = BoxProcess::new(&spec, Isolation::None).unwrap();
        let event = Event::TaskClock;
        if let Err(e) = PerfCounter::from_exec(process.spawned.pid, event) {
            eprintln!("skipped: no performance events: {e}");
            return;
        }
        let null = File::open("/dev/null").unwrap();
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
                count_instructions: true,
                ..shell(&args, &null, &out, &limits)
            };
            let (execution, _) = run_counting(event, &mut process, &job, None).unwrap();
            assert_eq!(execution.exit, expected, "{execution:?}");
            let counted = execution.usage.instructions.unwrap().value;
            assert_eq!(counted > most, expected != Exit::Code(3), "{execution:?}");
            assert!(counted > 0);
        }
    }
}
