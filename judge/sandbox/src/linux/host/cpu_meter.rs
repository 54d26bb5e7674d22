//! Reads the CPU time of the process tree below a zygote.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::time::Duration;

use libc::pid_t;

use crate::linux::host::counter::PerfCounter;
use crate::linux::sys::process::{children, descendants, text_of};
use crate::linux::sys::{clock, read_number, read_start};

/// Meter of the CPU time, user + system, of a zygote and everything that it started.
pub enum CpuMeter {
    /// `cpuacct.usage` of version 1, in nanoseconds.
    CgroupV1(File),
    /// `cpu.stat` of version 2, whose `usage_usec` is in microseconds.
    CgroupV2(File),
    /// The kernel's software clock, inherited by children and threads. It includes the zygote, and
    /// loses a process that executes a file without read permission.
    TaskClock { counter: PerfCounter, zygote: pid_t },
    /// The CPU clocks of live processes and their times in `/proc`. A lower bound while a program
    /// runs; afterwards the figure comes from `wait`.
    Walk(pid_t),
}

impl CpuMeter {
    /// The best meter that works without a control group.
    pub fn without_cgroup(zygote: pid_t) -> Self {
        match PerfCounter::task_clock(zygote) {
            Ok(counter) => CpuMeter::TaskClock { counter, zygote },
            Err(_) => CpuMeter::Walk(zygote),
        }
    }

    /// Name of the method in reports.
    pub fn by(&self) -> &'static str {
        match self {
            CpuMeter::CgroupV1(_) => "cgroup-v1",
            CpuMeter::CgroupV2(_) => "cgroup-v2",
            CpuMeter::TaskClock { .. } => "task-clock",
            CpuMeter::Walk(_) => "rusage",
        }
    }

    /// Whether the meter covers the whole tree, including processes that are never reaped.
    pub fn covers_tree(&self) -> bool {
        !matches!(self, CpuMeter::Walk(_))
    }

    /// A lower bound from a second source, where this meter may miss time: the time of the live
    /// processes and their reaped children in this run.
    pub fn used_by_live_processes(&self) -> Duration {
        match self {
            CpuMeter::TaskClock { zygote, .. } => {
                children(*zygote as u32).into_iter().map(walk).sum()
            }
            _ => Duration::ZERO,
        }
    }

    /// Whether the time of some processes may show in no other source than samples.
    pub fn needs_samples(&self) -> bool {
        matches!(self, CpuMeter::TaskClock { .. } | CpuMeter::Walk(_))
    }

    /// Whether `wait` may report more than this meter.
    pub fn may_miss_time(&self) -> bool {
        matches!(self, CpuMeter::TaskClock { .. })
    }

    /// The current value; only differences are meaningful.
    pub fn read(&self) -> io::Result<Duration> {
        match self {
            CpuMeter::CgroupV1(file) => read_number(file).map(Duration::from_nanos),
            CpuMeter::CgroupV2(file) => {
                let mut text = [0; 512];
                let n = read_start(file, &mut text)?;
                let text = String::from_utf8_lossy(&text[..n]);
                field(&text, "usage_usec").map(Duration::from_micros)
            }
            CpuMeter::TaskClock { counter, .. } => counter.read().map(Duration::from_nanos),
            CpuMeter::Walk(zygote) => Ok(walk(*zygote as u32)),
        }
    }
}

/// The number after `name` in a file of lines `name number`.
pub fn field(text: &str, name: &str) -> io::Result<u64> {
    text.lines()
        .find_map(|line| {
            line.strip_prefix(name)?
                .strip_prefix(' ')?
                .trim()
                .parse()
                .ok()
        })
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, format!("no {name}: {text:?}")))
}

/// CPU time of a process, its reaped children and its live descendants.
fn walk(pid: u32) -> Duration {
    let own = |pid| clock(cpu_clock_of(pid)) + waited_for(pid);
    own(pid) + descendants(pid).into_iter().map(own).sum::<Duration>()
}

/// The id of the CPU clock of another process, as the kernel encodes it.
pub fn cpu_clock_of(pid: u32) -> libc::clockid_t {
    const PROCESS_SCHED: libc::clockid_t = 2;
    (!(pid as libc::clockid_t) << 3) | PROCESS_SCHED
}

/// `cutime + cstime` of a process.
fn waited_for(pid: u32) -> Duration {
    let stat = text_of(pid, "stat").unwrap_or_default();
    // The name in parentheses may contain any character, so the fields are counted from the last
    // parenthesis: field 3 comes first, `cutime` is field 16.
    let Some((_, numbers)) = stat.rsplit_once(") ") else {
        return Duration::ZERO;
    };
    let ticks: u64 = numbers
        .split(' ')
        .skip(13)
        .take(2)
        .filter_map(|n| n.parse::<u64>().ok())
        .sum();
    // SAFETY: no pointers.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
    Duration::from_millis(ticks * 1000 / per_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_full_name() {
        let text = "usage_usec_x 1\nuser_usec 2\nusage_usec 345\n";
        assert_eq!(field(text, "usage_usec").unwrap(), 345);
        assert!(field(text, "usage").is_err());
    }

    #[test]
    fn the_clock_of_another_process_advances() {
        let mut child = std::process::Command::new("sh")
            .args([
                "-c",
                "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; read x",
            ])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(200));
        let seen = walk(child.id());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(seen > Duration::from_millis(1), "{seen:?}");
    }
}
