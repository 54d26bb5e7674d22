//! One run: starts the program, watches it, kills it at its limits, and builds the [`Execution`].

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use judge_os::{AsStream, Stream, is_same_stream};

use super::launch::{Ended, Launch, NotStarted, Sample, Status};
use super::tree::{Guardian, KNOWS_DELAY, Tree};
use crate::api::{
    Canceller, CurrentMemory, Execution, Exit, Fault, Limit, Limits, Measured, Usage, interrupt,
};
use crate::disk_usage;
use crate::numbers::signal::SIGKILL;

/// The first intervals between two samples double up to the last one, because most programs end
/// after a few milliseconds.
const FIRST_INTERVAL: Duration = Duration::from_millis(1);
const INTERVAL: Duration = Duration::from_millis(10);
/// Sampling interval of the size of the directories that a program may write to.
const DISK_INTERVAL: Duration = Duration::from_millis(250);
/// A tree that uses less CPU time than this within the time for idleness makes no progress.
const PROGRESS: Duration = Duration::from_millis(1);
/// How many times its wall-clock limit a program may take that the machine does not run.
const MAX_EXTENSION: u32 = 10;
/// Time after which a program that does not die is given up.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// Shows the last sample of the memory to other threads.
#[derive(Default)]
pub struct MemoryMeter(AtomicU64);

impl CurrentMemory for MemoryMeter {
    fn current(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed))
    }
}

pub struct Run<'a> {
    pub launch: Launch<'a>,
    pub canceller: Option<&'a Canceller>,
    pub meter: &'a MemoryMeter,
    pub guardian: &'a mut Guardian,
    /// Directories that the program may write to, besides its work directory.
    pub writable: &'a [PathBuf],
}

/// Runs a program to its end. `None` if the program was not started, with the error number.
pub fn run(run: Run<'_>) -> Result<Result<Execution, i32>, Fault> {
    let Run {
        launch,
        canceller,
        meter,
        guardian,
        writable,
    } = run;
    let limits = launch.limits;
    let interrupted = interrupt::event()?;
    // Closed as soon as the program has started, so that only the program holds it.
    let own = canceller.and_then(Canceller::take_output);
    let [stdin, stdout, stderr] = launch.streams;
    let written = Written::of(own.is_none().then_some(stdout), stderr)?;
    let start = Instant::now();
    let started = {
        let stdout = own.as_ref().map_or(stdout, AsStream::as_stream);
        let streams = [stdin, stdout, stderr];
        Tree::start(&Launch { streams, ..launch }, guardian)
    };
    drop(own);
    let mut tree = match started {
        Ok(tree) => tree,
        Err(NotStarted::Refused(errno)) => return Ok(Err(errno)),
        Err(NotStarted::Failed(e)) => return Err(Fault::os("start the program", e)),
    };
    let mut watch = Watch {
        limits,
        start,
        written: &written,
        writable,
        progress: (Duration::ZERO, start),
        next_disk: start + DISK_INTERVAL,
    };
    let (mut killed, mut cancelled, mut killing) = (None, false, None);
    let (mut interval, mut sample) = (FIRST_INTERVAL, Sample::default());
    loop {
        let ended = tree
            .wait(watch.timeout(interval, &sample))
            .map_err(|e| Fault::os("wait for the program", e))?;
        if ended {
            break;
        }
        interval = (interval * 2).min(INTERVAL);
        if killing.is_some_and(|since: Instant| since.elapsed() > KILL_TIMEOUT) {
            return Err(Fault::os("end the program", io::ErrorKind::TimedOut.into()));
        }
        cancelled |= killed.is_none() && canceller.is_some_and(|c| c.event().is_signalled());
        if killing.is_none() && !cancelled && !interrupted.is_signalled() {
            sample = tree.sample(start.elapsed() > limits.wall);
            meter.0.store(sample.memory, Ordering::Relaxed);
            killed = watch.reached(&sample, || tree.sleeps());
        }
        let too_many = limits
            .processes
            .is_some_and(|most| sample.processes > most as usize);
        if killed.is_some() || cancelled || too_many || interrupted.is_signalled() {
            killing.get_or_insert_with(Instant::now);
            tree.kill();
        }
    }
    let wall = start.elapsed();
    let ended = tree
        .end(guardian)
        .map_err(|e| Fault::os("end the program", e))?;
    meter.0.store(0, Ordering::Relaxed);
    if interrupted.is_signalled() {
        return Err(interrupt::fault());
    }
    Ok(Ok(Execution {
        exit: classify_exit(&ended, killed, cancelled, written.bytes(), limits),
        usage: Usage {
            cpu: ended.cpu,
            wall: Measured {
                value: wall,
                by: "monotonic",
            },
            memory: Some(ended.memory),
            instructions: None,
            // A program that sleeps must not count as one that the machine did not run.
            run_delay: if KNOWS_DELAY {
                sample.delay
            } else {
                Duration::ZERO
            },
        },
    }))
}

/// How a run ended.
fn classify_exit(
    ended: &Ended,
    killed: Option<Limit>,
    cancelled: bool,
    written: u64,
    limits: &Limits,
) -> Exit {
    if ended.out_of_memory {
        return Exit::Killed(Limit::Memory);
    }
    match (ended.status, killed) {
        (Status::Killed, Some(limit)) => Exit::Killed(limit),
        (Status::Killed, None) if cancelled => Exit::Cancelled,
        _ if limits.output.is_some_and(|limit| written > limit) => Exit::Killed(Limit::Output),
        (Status::Killed, None) => Exit::Signal(SIGKILL),
        (Status::Code(code), _) => Exit::Code(code),
        (Status::Signal(signal), _) => Exit::Signal(signal),
    }
}

/// The files of standard output and error; pipes do not count.
struct Written(Vec<File>);

impl Written {
    fn of(stdout: Option<Stream<'_>>, stderr: Stream<'_>) -> Result<Self, Fault> {
        let separate = stdout.filter(|stdout| !is_same_stream(*stdout, stderr));
        let files = separate.into_iter().chain([stderr]).map(|stream| {
            let file = stream.try_clone_to_owned().map(File::from);
            file.map_err(|e| Fault::os("measure the output", e))
        });
        Ok(Written(files.collect::<Result<_, _>>()?))
    }

    fn bytes(&self) -> u64 {
        let metadata = self.0.iter().filter_map(|file| file.metadata().ok());
        let files = metadata.filter(std::fs::Metadata::is_file);
        files.map(|file| file.len()).sum()
    }
}

/// The limits of a run, and when to look at them.
struct Watch<'a> {
    limits: &'a Limits,
    start: Instant,
    written: &'a Written,
    writable: &'a [PathBuf],
    /// The CPU time and the moment at which the tree last made progress.
    progress: (Duration, Instant),
    next_disk: Instant,
}

impl Watch<'_> {
    /// The time until the next sample: earlier if a limit of time could be reached before.
    fn timeout(&self, interval: Duration, last: &Sample) -> Duration {
        let wall = self.limits.wall.checked_sub(self.start.elapsed());
        let cpu = self.limits.cpu.map(|cpu| cpu.saturating_sub(last.cpu));
        // The wall clock may be over, but extended.
        let next = wall.into_iter().chain(cpu).min();
        next.map_or(interval, |next| interval.min(next + FIRST_INTERVAL))
    }

    /// The limit that is exceeded, if any. `sleeps` says whether no process of the tree is ready to run.
    fn reached(&mut self, sample: &Sample, sleeps: impl FnOnce() -> bool) -> Option<Limit> {
        let (limits, now) = (self.limits, Instant::now());
        if limits.memory.is_some_and(|limit| sample.memory > limit) {
            return Some(Limit::Memory);
        }
        if limits.cpu.is_some_and(|limit| sample.cpu > limit) {
            return Some(Limit::Cpu);
        }
        // The limit is extended by the time for which the machine did not run the program.
        let wall = limits.wall.saturating_add(sample.delay);
        if now - self.start > wall.min(limits.wall.saturating_mul(MAX_EXTENSION)) {
            return Some(Limit::Wall);
        }
        if limits
            .output
            .is_some_and(|limit| self.written.bytes() > limit)
        {
            return Some(Limit::Output);
        }
        if let Some(limit) = limits.disk.filter(|_| now >= self.next_disk) {
            let used = disk_usage::total_bytes(self.writable, limit);
            // A large tree takes long to read, so it is read less often.
            self.next_disk = now + DISK_INTERVAL.max(now.elapsed() * 10);
            if used > limit {
                return Some(Limit::Disk);
            }
        }
        if sample.cpu > self.progress.0 + PROGRESS {
            self.progress = (sample.cpu, now);
        }
        if limits.idle.is_none_or(|idle| now - self.progress.1 <= idle) {
            return None;
        }
        if sleeps() {
            return Some(Limit::Idle);
        }
        // Other programs have the cores.
        self.progress.1 = now;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_exit_is_classified() {
        let measured = |value| Measured { value, by: "test" };
        let limits = Limits {
            output: Some(10),
            ..Limits::default()
        };
        let exit = |status, killed, cancelled, written, out_of_memory| {
            let ended = Ended {
                status,
                cpu: Measured {
                    value: Duration::ZERO,
                    by: "test",
                },
                memory: measured(0),
                out_of_memory,
            };
            classify_exit(&ended, killed, cancelled, written, &limits)
        };
        let wall = Some(Limit::Wall);
        let (code, signal) = (Status::Code(3), Status::Signal(11));
        assert_eq!(exit(code, None, false, 10, false), Exit::Code(3));
        assert_eq!(exit(signal, None, false, 0, false), Exit::Signal(11));
        let killed = Status::Killed;
        let by = Exit::Killed;
        assert_eq!(exit(killed, wall, false, 0, false), by(Limit::Wall));
        assert_eq!(exit(killed, wall, true, 99, false), by(Limit::Wall));
        assert_eq!(exit(killed, None, true, 99, false), Exit::Cancelled);
        assert_eq!(exit(killed, None, false, 0, false), Exit::Signal(SIGKILL));
        // The program ended just before the kill.
        assert_eq!(exit(code, wall, false, 0, false), Exit::Code(3));
        assert_eq!(exit(code, None, true, 0, false), Exit::Code(3));
        for status in [code, signal, killed] {
            assert_eq!(exit(status, None, false, 11, false), by(Limit::Output));
            assert_eq!(exit(status, wall, true, 11, true), by(Limit::Memory));
        }
    }
}
