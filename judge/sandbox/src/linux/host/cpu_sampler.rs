//! Estimates the CPU time of a process tree from samples, where no control group counts it.
//!
//! Both other sources can lose time: a process that executes a file without read permission detaches
//! the inherited clock, for itself and for all that it starts, and `wait` reports nothing of a child
//! whose parent ignores SIGCHLD. Together they hide a program that is divided into children shorter
//! than a sampling interval.
//!
//! The samples are taken at random intervals of an exponential distribution, so that no program can
//! foresee them. Then the rest of a process's time after it was last seen, counted as zero for one
//! that ends without being seen, has the same mean as the interval for each process that was seen:
//! the sum of the last seen times and one interval for each of these processes is an estimate without
//! bias, however short they are.

use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

use libc::pid_t;

use crate::linux::host::cpu_meter::cpu_clock_of;
use crate::linux::sys::process::{descendants, text_of};
use crate::linux::sys::{clock, random};

/// Mean interval between samples while there is one process.
const MEAN_ALONE: Duration = Duration::from_millis(10);
/// Mean interval while there are several.
const MEAN: Duration = Duration::from_millis(2);
/// The share of a core that samples may take, inverted.
const COST: u32 = 20;
/// Maximum number of threads of a process to look at.
const MAX_THREADS: usize = 64;
/// Tolerance between the clocks of two sources.
const TOLERANCE: Duration = Duration::from_millis(20);
/// Standard deviations by which the estimate must exceed other sources to count.
const DEVIATIONS: f64 = 4.0;

/// A process at its last sample.
struct Seen {
    clock: Duration,
    /// The expected rest of its time.
    rest: Duration,
}

/// Sampler of the processes below a zygote during one run.
pub struct CpuSampler {
    zygote: pid_t,
    live: HashMap<u32, Seen>,
    /// Estimated time of the processes that have ended.
    ended: Duration,
    /// Variance of that estimate, in square seconds.
    variance: f64,
    next: Instant,
}

impl CpuSampler {
    /// A sampler of a run that starts now.
    pub fn new(zygote: pid_t, now: Instant) -> io::Result<Self> {
        Ok(CpuSampler {
            zygote,
            live: HashMap::new(),
            ended: Duration::ZERO,
            variance: 0.0,
            next: now + exponential(MEAN_ALONE)?,
        })
    }

    /// The time of the next sample.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Takes a sample if it is due.
    pub fn sample(&mut self, now: Instant) -> io::Result<()> {
        if now < self.next {
            return Ok(());
        }
        let pids = descendants(self.zygote as u32);
        let mean = if pids.len() > 1 { MEAN } else { MEAN_ALONE };
        // An unreadable process has just ended.
        let sight = |pid| Some((pid, see(pid, mean)?));
        let seen: HashMap<u32, Seen> = pids.into_iter().filter_map(sight).collect();
        for (pid, before) in std::mem::take(&mut self.live) {
            // A smaller time is that of another process with the same number.
            if seen.get(&pid).is_none_or(|now| now.clock < before.clock) {
                self.end(&before);
            }
        }
        self.live = seen;
        self.next = Instant::now() + exponential(mean)?.max(now.elapsed() * COST);
        Ok(())
    }

    fn end(&mut self, seen: &Seen) {
        self.ended += seen.clock + seen.rest;
        self.variance += seen.rest.as_secs_f64().powi(2);
    }

    /// The time that the processes used, if it is surely more than `other` sources report.
    pub fn more_than(&self, other: Duration) -> Option<Duration> {
        let live: Duration = self.live.values().map(|seen| seen.clock).sum();
        let used = self.ended + live;
        let noise = Duration::from_secs_f64(DEVIATIONS * self.variance.sqrt());
        (used > other + other / 20 + TOLERANCE + noise).then_some(used)
    }

    /// Takes all processes as ended.
    pub fn finish(&mut self) {
        for seen in std::mem::take(&mut self.live).into_values() {
            self.end(&seen);
        }
    }
}

/// The time of a process, and the part of the next `mean` interval that its threads would use: none
/// while they sleep, less if they often wait for a core.
fn see(pid: u32, mean: Duration) -> Option<Seen> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let names = threads.flatten().take(MAX_THREADS);
    let shares = names.filter_map(|thread| share_of_core(pid, thread.file_name().to_str()?));
    let rest = mean.mul_f64(shares.sum());
    Some(Seen {
        clock: clock(cpu_clock_of(pid)),
        rest,
    })
}

/// The share of a core that a thread has had while it wanted to run; `None` if it sleeps.
fn share_of_core(pid: u32, thread: &str) -> Option<f64> {
    let stat = text_of(pid, &format!("task/{thread}/stat"))?;
    let (_, fields) = stat.rsplit_once(") ")?;
    if !fields.starts_with('R') {
        return None;
    }
    let text = text_of(pid, &format!("task/{thread}/schedstat")).unwrap_or_default();
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(ran)), Some(Ok(waited))) if ran + waited > 0.0 => Some(ran / (ran + waited)),
        _ => Some(1.0),
    }
}

/// A random duration of an exponential distribution.
fn exponential(mean: Duration) -> io::Result<Duration> {
    // In (0, 1], with 53 bits.
    let uniform = ((random()? >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    Ok(mean.mul_f64(-uniform.ln()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_their_mean() {
        let mean = Duration::from_millis(10);
        let sum: Duration = (0..10_000).map(|_| exponential(mean).unwrap()).sum();
        let expected = mean * 10_000;
        assert!(
            sum > expected * 9 / 10 && sum < expected * 11 / 10,
            "{sum:?}"
        );
    }

    #[test]
    fn only_a_clear_difference_counts() {
        let ms = Duration::from_millis;
        let mut sampler = CpuSampler::new(1, Instant::now()).unwrap();
        assert_eq!(sampler.more_than(Duration::ZERO), None);
        let seen = |clock, rest| Seen {
            clock: ms(clock),
            rest: ms(rest),
        };
        sampler.live.insert(2, seen(1000, 10));
        assert_eq!(sampler.more_than(ms(1000)), None);
        assert_eq!(sampler.more_than(ms(500)), Some(ms(1000)));
        sampler.finish();
        assert_eq!(sampler.more_than(ms(500)), Some(ms(1010)));
        // A hundred short processes: 1400 ms, give or take 4 times 20.
        (0..100).for_each(|_| sampler.end(&seen(2, 2)));
        assert_eq!(sampler.more_than(ms(1300)), None);
        assert_eq!(sampler.more_than(ms(1100)), Some(ms(1410)));
    }
}
