//! One run: sends the request, watches the program, reads the figures (`accounting`) and builds the
//! [`Execution`].

use std::cell::RefCell;
use std::time::Duration;

use crate::api::{Canceller, Execution, Exit, Fault, Job, Limit, Limits, Measured, Usage};
use crate::linux::host::accounting::{
    all_written, count_instructions, cpu_before, measure_cpu, whole_count, with_hidden, written,
};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::host::cgroup::Cgroup;
use crate::linux::host::counter::Event;
use crate::linux::host::exec_request;
use crate::linux::host::memory_accounting::GroupRun;
use crate::linux::host::watchdog::{Observed, Watch, watch};
use crate::linux::protocol::RunResult;

/// The errors of `execve` that the machine causes, or the limits of the box's user. No content of
/// an executable does: the kernel allocates memory for its segments when it can no longer refuse
/// it, and then kills the process.
const OUT_OF_RESOURCES: [i32; 4] = [libc::EAGAIN, libc::EMFILE, libc::ENFILE, libc::ENOMEM];

/// Runs one program. Also returns whether the box can be used again.
pub fn run_program(
    process: &mut BoxProcess,
    job: &Job<'_>,
    canceller: Option<&Canceller>,
) -> Result<(Execution, bool), Fault> {
    run_counting(Event::Instructions, process, job, canceller)
}

/// As [`run_program`], with this event as the counter of instructions.
fn run_counting(
    event: Event,
    process: &mut BoxProcess,
    job: &Job<'_>,
    canceller: Option<&Canceller>,
) -> Result<(Execution, bool), Fault> {
    // Neither a NUL byte nor arguments that are longer than a request are sent. The box, which may have staged files, is
    // not used again.
    let Ok(request) = exec_request::prepare(process, job) else {
        return Ok((Execution::not_started(libc::EINVAL), false));
    };
    let staged_bytes = std::mem::take(&mut process.staged_bytes);
    let instructions = count_instructions(event, process, job)?;
    let group = RefCell::new(GroupRun::start(process, job)?);
    let cpu_before = cpu_before(process)?;
    match exec_request::send(process, job, &request, canceller) {
        Ok(()) => {}
        Err(e) if e.raw_os_error() == Some(libc::E2BIG) => {
            return Ok((Execution::not_started(libc::E2BIG), false));
        }
        Err(e) => return Err(Fault::os("send the program to its box", e)),
    }
    let is_sampled = group.borrow().must_be_sampled(job);
    let sample = || group.borrow_mut().sample(process, written(job).in_memory);
    let mut seen = watch(&Watch {
        spawned: &process.spawned,
        limits: job.limits,
        cpu: &process.cpu,
        cpu_before: cpu_before.all,
        memory: job.limits.memory.and(process.memory.sampler()),
        output: is_sampled.then_some(&sample),
        instructions: instructions.as_ref(),
        cores: process.cores,
        writable: &process.writable,
        pressure: process.group.as_ref().ok().and_then(Cgroup::cpu_pressure),
        canceller,
    })?;
    let written = written(job);
    let by_sigkill = seen.ended.is_some_and(|e| e.was_ended_by(libc::SIGKILL));
    let group = group.into_inner();
    let resident = seen.ended.map_or(0, |ended| ended.resident);
    let (group_peak, out_of_memory) =
        group.finish(process, written.in_memory, by_sigkill, resident)?;
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

/// The result of a run in which the kernel's OOM killer chose the zygote, because the program was
/// small and its files were large.
fn killed_with_box() -> RunResult {
    RunResult {
        status: libc::SIGKILL,
        ..RunResult::default()
    }
}

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
    use crate::linux::host::accounting::Written;
    use crate::linux::host::box_process::CpuReading;
    use crate::linux::host::counter::PerfCounter;
    use crate::linux::protocol::Isolation;
    use crate::linux::sys;
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
            run_program(process, &job, None).unwrap().0.usage.cpu
        };
        let burning = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let tool = "/tool/burn";
        let hidden = format!(
            "trap '' CHLD; k=0; while [ $k -lt 40 ]; do {tool} -c '{burning}'; k=$((k+1)); done"
        );
        let open = hidden.replace("trap '' CHLD; ", "");
        process.cpu = crate::linux::host::cpu_meter::CpuMeter::without_cgroup(process.spawned.pid);
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
