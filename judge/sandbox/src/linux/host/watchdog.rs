//! Watches one run from the judge: one `ppoll` over the zygote's reply, the interrupt and the next
//! moment at which a limit could be reached.

use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::api::{Canceller, Fault, Limit, Limits, interrupt};
use crate::disk_usage;
use crate::linux::host::counter::RunCounter;
use crate::linux::host::cpu_meter::CpuMeter;
use crate::linux::host::cpu_sampler::CpuSampler;
use crate::linux::host::idle_detector::IdleDetector;
use crate::linux::host::memory_meter::MemorySampler;
use crate::linux::host::run_delay::RunDelay;
use crate::linux::host::spawn::Spawned;
use crate::linux::protocol::{MAX_REPLY, Reply, RunResult, ipc, layout};
use crate::linux::sys::{self, scheduler};

/// The shortest interval between two readings of a meter.
const MIN_INTERVAL: Duration = Duration::from_millis(1);
/// Delay between a limit and the kill, so that the measured figure exceeds the limit.
const KILL_DELAY: Duration = Duration::from_millis(1);
/// Sampling interval of memory where no control group limits it.
const MEMORY_INTERVAL: Duration = Duration::from_millis(10);
/// Sampling interval of the size of the directories that a program may write to.
const DISK_INTERVAL: Duration = Duration::from_millis(250);
/// Upper bound of the instructions that a core retires in a second.
pub const MAX_INSTRUCTIONS_PER_SECOND: f64 = 1e10;
/// Upper bound of all deadlines, so that adding them to the current time cannot overflow.
const MAX_DEADLINE: Duration = Duration::from_secs(1 << 40);
/// How many times its wall-clock limit a program may take that the machine does not run.
const MAX_EXTENSION: u32 = 10;
/// Interval between two kill attempts: at the first one the program may not exist yet.
const KILL_INTERVAL: Duration = Duration::from_millis(20);
/// Time after which a box that has not ended its program is given up.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// A run to watch: its limits and meters.
pub struct Watch<'a> {
    pub spawned: &'a Spawned,
    pub limits: &'a Limits,
    pub cpu: &'a CpuMeter,
    pub cpu_before: Duration,
    /// Present if no control group limits the memory.
    pub memory: Option<&'a MemorySampler>,
    /// Samples the output in memory and the group's memory, if the memory figure depends on samples.
    pub output: Option<&'a dyn Fn() -> Result<(), Fault>>,
    pub instructions: Option<&'a RunCounter>,
    /// The number of cores that the program can use at once.
    pub cores: u32,
    /// Directories of the host that the program may write to.
    pub writable: &'a [PathBuf],
    /// The file of the box's group with its waiting times.
    pub pressure: Option<PathBuf>,
    /// May end the run early.
    pub canceller: Option<&'a Canceller>,
}

/// The end of a run, as seen by the judge.
pub struct Observed {
    /// `None` if the zygote died.
    pub ended: Option<RunResult>,
    /// The limit at which the program was killed.
    pub killed: Option<Limit>,
    /// Whether a canceller ended the run.
    pub cancelled: bool,
    /// Time from sending the request to receiving the reply.
    pub wall: Duration,
    /// The largest memory sample.
    pub memory: u64,
    /// The samples of the CPU time, where other meters may miss some of it.
    pub cpu_samples: Option<CpuSampler>,
    /// The time for which the machine did not run the program although it was ready.
    pub run_delay: Duration,
}

thread_local! {
    /// Set when the thread first watches a run, so that a busy machine does not delay kills.
    static PROMPT: () = scheduler::wake_promptly();
}

/// Waits for the end of the run that was just requested, and kills the program at its limits.
pub fn watch(w: &Watch<'_>) -> Result<Observed, Fault> {
    PROMPT.with(|()| ());
    let start = Instant::now();
    let event = interrupt::event()?.as_fd();
    let mut deadlines = Deadlines::new(w, start)?;
    let mut seen = Observed {
        ended: None,
        killed: None,
        cancelled: false,
        wall: Duration::ZERO,
        memory: 0,
        cpu_samples: None,
        run_delay: Duration::ZERO,
    };
    let (mut interrupted, mut cancelled) = (false, false);
    let mut killing: Option<Instant> = None;
    loop {
        let timeout = match killing {
            None => deadlines.next().saturating_duration_since(Instant::now()),
            Some(_) => KILL_INTERVAL,
        };
        let socket = w.spawned.socket.as_fd();
        let ready = match w.canceller {
            // The events stay readable, so polling them again would return immediately.
            _ if interrupted || cancelled => {
                sys::poll([socket], timeout).map(|[reply]| [reply, false, false])
            }
            None => sys::poll([socket, event], timeout).map(|[reply, event]| [reply, event, false]),
            Some(canceller) => sys::poll([socket, event, canceller.event().as_fd()], timeout),
        };
        let [reply_ready, interrupt_ready, cancel_ready] =
            ready.map_err(|e| Fault::os("wait for the program", e))?;
        if reply_ready {
            seen.wall = start.elapsed();
            seen.run_delay = deadlines.run_delay.value();
            seen.ended = read_reply(w.spawned)?;
            seen.cpu_samples = deadlines.cpu_samples;
            return if interrupted {
                Err(interrupt::fault())
            } else {
                Ok(seen)
            };
        }
        interrupted |= interrupt_ready;
        cancelled |= cancel_ready;
        // When a limit ends a run, its peer often cancels the run before this loop sees the reply.
        seen.cancelled |= cancel_ready && seen.killed.is_none();
        let requested = interrupted || cancelled;
        if killing.is_none() && !requested {
            seen.killed = deadlines.reached(w, &mut seen.memory)?;
        }
        if requested || seen.killed.is_some() {
            let since = *killing.get_or_insert_with(Instant::now);
            if since.elapsed() > KILL_TIMEOUT {
                return Err(Fault::os("end the program", io::ErrorKind::TimedOut.into()));
            }
            sys::kill(w.spawned.pid, layout::END_SIGNAL);
        }
    }
}

/// Reads the zygote's reply; `None` if the zygote died first.
fn read_reply(spawned: &Spawned) -> Result<Option<RunResult>, Fault> {
    let mut buffer = [0; MAX_REPLY];
    let n = match ipc::receive(&spawned.socket, &mut buffer) {
        Ok((n, _)) => n,
        Err(e) if e.kind() == io::ErrorKind::ConnectionReset => 0,
        Err(e) => return Err(Fault::os("read the zygote's reply", e)),
    };
    if n == 0 {
        return Ok(None);
    }
    match Reply::decode(&buffer[..n]).map_err(|e| Fault::os("read the zygote's reply", e))? {
        Reply::RunResult(ended) => Ok(Some(ended)),
        Reply::Failed { stage, errno } => Err(failed(stage, errno)),
        Reply::Ready { .. } => Err(Fault::os(
            "read the zygote's reply",
            io::ErrorKind::InvalidData.into(),
        )),
    }
}

/// Turns a failure that the zygote reports into a fault.
pub fn failed(stage: String, errno: i32) -> Fault {
    let fault = Fault::os(stage, io::Error::from_raw_os_error(errno));
    Fault {
        source: fault.source.filter(|_| errno != 0),
        ..fault
    }
}

/// The times of the next checks.
struct Deadlines {
    start: Instant,
    wall: Instant,
    run_delay: RunDelay,
    cpu: Option<Instant>,
    memory: Option<Instant>,
    output: Option<Instant>,
    instructions: Option<Instant>,
    disk: Option<Instant>,
    idle: Option<IdleDetector>,
    cpu_samples: Option<CpuSampler>,
}

impl Deadlines {
    fn new(w: &Watch<'_>, now: Instant) -> Result<Self, Fault> {
        let limited = |there: bool, first: Duration| there.then_some(now + first);
        let instructions = w.instructions.and(w.limits.instructions);
        let sampler = || CpuSampler::new(w.spawned.pid, now).map_err(no_sample);
        Ok(Deadlines {
            cpu_samples: w.cpu.needs_samples().then(sampler).transpose()?,
            start: now,
            run_delay: RunDelay::new(now, w.pressure.clone()),
            wall: now + w.limits.wall.min(MAX_DEADLINE) + KILL_DELAY,
            cpu: w
                .limits
                .cpu
                .map(|cpu| now + (cpu / w.cores).min(MAX_DEADLINE) + KILL_DELAY),
            memory: limited(w.memory.is_some(), MEMORY_INTERVAL),
            output: limited(w.output.is_some(), MEMORY_INTERVAL),
            instructions: limited(instructions.is_some(), MIN_INTERVAL),
            disk: limited(w.limits.disk.is_some(), DISK_INTERVAL),
            idle: w.limits.idle.map(|allowed| IdleDetector::new(allowed, now)),
        })
    }

    fn next(&self) -> Instant {
        let idle = self.idle.as_ref().map(IdleDetector::next);
        [
            self.cpu,
            self.memory,
            self.output,
            self.instructions,
            self.disk,
            idle,
            self.cpu_samples.as_ref().map(CpuSampler::next),
        ]
        .into_iter()
        .flatten()
        .fold(self.wall.min(self.run_delay.next()), Instant::min)
    }

    /// Runs the checks that are due. Returns the limit that was exceeded, if any.
    fn reached(&mut self, w: &Watch<'_>, peak: &mut u64) -> Result<Option<Limit>, Fault> {
        let now = Instant::now();
        if self.memory_reached(w, now, peak) {
            return Ok(Some(Limit::Memory));
        }
        self.sample_output(w, now)?;
        if let Some(sampler) = &mut self.cpu_samples {
            sampler.sample(now).map_err(no_sample)?;
        }
        if self.cpu_reached(w, now)? {
            return Ok(Some(Limit::Cpu));
        }
        if self.instructions_reached(w, now)? {
            return Ok(Some(Limit::Instructions));
        }
        if self.disk_reached(w, now) {
            return Ok(Some(Limit::Disk));
        }
        if let Some(detector) = &mut self.idle
            && detector.is_idle(w.spawned.pid, w.cpu, now)?
        {
            return Ok(Some(Limit::Idle));
        }
        self.run_delay.sample_if_due(w.spawned.pid as u32, now);
        Ok(self.wall_reached(w, now).then_some(Limit::Wall))
    }

    /// Extends the limit by the time for which the machine did not run the program.
    fn wall_reached(&mut self, w: &Watch<'_>, now: Instant) -> bool {
        if now < self.wall {
            return false;
        }
        let limit = w.limits.wall.min(MAX_DEADLINE);
        let delay = self.run_delay.sample(w.spawned.pid as u32);
        let allowed = limit.saturating_add(delay).min(limit * MAX_EXTENSION);
        self.wall = self.start + allowed + KILL_DELAY;
        now >= self.wall
    }

    fn memory_reached(&mut self, w: &Watch<'_>, now: Instant, peak: &mut u64) -> bool {
        let Some(sampler) = w.memory.filter(|_| is_due(self.memory, now)) else {
            return false;
        };
        self.memory = Some(now + MEMORY_INTERVAL);
        memory_exceeds(sampler, w.limits.memory, peak)
    }

    fn sample_output(&mut self, w: &Watch<'_>, now: Instant) -> Result<(), Fault> {
        let Some(sample) = w.output.filter(|_| is_due(self.output, now)) else {
            return Ok(());
        };
        self.output = Some(now + MEMORY_INTERVAL);
        sample()
    }

    fn cpu_reached(&mut self, w: &Watch<'_>, now: Instant) -> Result<bool, Fault> {
        let Some(limit) = w.limits.cpu.filter(|_| is_due(self.cpu, now)) else {
            return Ok(false);
        };
        let used = w
            .cpu
            .read()
            .map_err(|e| Fault::os("read the CPU time", e))?;
        let used = used
            .saturating_sub(w.cpu_before)
            .max(w.cpu.used_by_live_processes());
        let sampled = self.cpu_samples.as_ref().and_then(|s| s.more_than(used));
        let used = sampled.unwrap_or(used);
        let limit = limit.saturating_add(KILL_DELAY);
        // The earliest moment at which the program could reach the limit on all its cores.
        let rest = limit.saturating_sub(used) / w.cores;
        self.cpu = Some(now + rest.clamp(MIN_INTERVAL, MAX_DEADLINE));
        Ok(used > limit)
    }

    fn instructions_reached(&mut self, w: &Watch<'_>, now: Instant) -> Result<bool, Fault> {
        let (Some(counter), Some(limit)) = (w.instructions, w.limits.instructions) else {
            return Ok(false);
        };
        if !is_due(self.instructions, now) {
            return Ok(false);
        }
        let used = counter
            .read()
            .map_err(|e| Fault::os("read the instruction counter", e))?
            .value;
        let rest = limit.saturating_sub(used) as f64;
        let seconds = rest / MAX_INSTRUCTIONS_PER_SECOND / f64::from(w.cores);
        let rest = Duration::from_secs_f64(seconds.min(3600.0));
        self.instructions = Some(now + rest.max(MIN_INTERVAL));
        Ok(used > limit)
    }

    fn disk_reached(&mut self, w: &Watch<'_>, now: Instant) -> bool {
        let Some(limit) = w.limits.disk.filter(|_| is_due(self.disk, now)) else {
            return false;
        };
        let used = disk_usage::total_bytes(w.writable, limit);
        // A large tree takes long to read, so it is read less often.
        self.disk = Some(now + DISK_INTERVAL.max(now.elapsed() * 10));
        used > limit
    }
}

fn no_sample(e: io::Error) -> Fault {
    Fault::os("sample the CPU time", e)
}

fn is_due(deadline: Option<Instant>, now: Instant) -> bool {
    deadline.is_some_and(|at| at <= now)
}

/// Whether the memory limit is exceeded. Samples precisely only if the fast sample exceeds the
/// limit.
fn memory_exceeds(sampler: &MemorySampler, limit: Option<u64>, peak: &mut u64) -> bool {
    let over = |used: u64| limit.is_some_and(|limit| used > limit);
    let mut used = sampler.read(false);
    if over(used) {
        used = sampler.read(true).min(used);
    }
    *peak = (*peak).max(used);
    over(used)
}
