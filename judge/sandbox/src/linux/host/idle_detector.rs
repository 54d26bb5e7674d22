//! Detects a run without progress: a deadlocked process uses no CPU time, so only the wall-time
//! limit would end it.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use crate::api::Fault;
use crate::linux::host::cpu_meter::CpuMeter;
use crate::linux::sys::process::descendants;

/// The interval between two checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// CPU time per check below which a run is idle: 1 % of a core. It is above 0 because an idle
/// runtime has a few threads that wake up.
const IDLE_CPU: Duration = Duration::from_millis(10);

/// Counts consecutive checks without progress. It counts checks, not time, so that a judge that was
/// stopped for an hour does not end a run.
pub struct IdleDetector {
    next: Instant,
    /// The CPU time at the last check.
    before: Duration,
    idle_checks: u64,
    allowed: u64,
}

impl IdleDetector {
    /// Starts the detection for a run that starts at `now` and may be idle for `allowed`.
    pub fn new(allowed: Duration, now: Instant) -> Self {
        IdleDetector {
            next: now + CHECK_INTERVAL,
            before: Duration::ZERO,
            idle_checks: 0,
            allowed: allowed.as_secs().max(1),
        }
    }

    /// The time of the next check.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// If a check is due, returns whether the processes below `zygote` have been idle for too long.
    pub fn is_idle(&mut self, zygote: i32, cpu: &CpuMeter, now: Instant) -> Result<bool, Fault> {
        if now < self.next {
            return Ok(false);
        }
        self.next = now + CHECK_INTERVAL;
        let failed = |e: io::Error| Fault::os("read the CPU time", e);
        let used = cpu.read().map_err(failed)?;
        let idle = used.saturating_sub(self.before) < IDLE_CPU && all_sleep(zygote as u32);
        self.before = used;
        self.idle_checks = if idle { self.idle_checks + 1 } else { 0 };
        Ok(self.idle_checks >= self.allowed)
    }
}

/// Whether every thread of the descendants sleeps or is stopped. A thread in state `R` waits for a
/// core and one in `D` waits for a disk: neither is the program's fault.
fn all_sleep(zygote: u32) -> bool {
    descendants(zygote).into_iter().all(threads_sleep)
}

/// Whether every thread of a process sleeps or is stopped.
pub fn threads_sleep(pid: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return true;
    };
    threads.flatten().all(|thread| {
        let stat = fs::read(thread.path().join("stat")).unwrap_or_default();
        // The process name in parentheses may contain any character.
        let name_end = stat.windows(2).rposition(|two| two == b") ");
        let state = name_end.and_then(|end| stat.get(end + 2));
        !matches!(state, Some(b'R' | b'D'))
    })
}
