//! Figures of single processes, from `/proc` and their clocks.

use std::time::Duration;

use libc::pid_t;

use super::Process;
use crate::linux::host::{cpu_clock_of, memory_of, peak_of, threads_sleep};

pub use crate::linux::host::RunDelay;
use crate::linux::sys;
use crate::linux::sys::process::{children, descendants, start_time, text_of};

pub use crate::linux::sys::scheduler::pin;

/// How memory is measured.
pub const MEMORY: &str = "sampled every 10 ms, and by wait (rusage) if the program uses more than the judge: a peak of \
                          the last milliseconds or of several short processes may be missed, and so is shared memory \
                          that is not mapped";
/// How CPU time is measured.
pub const CPU_TIME: &str = "by wait (rusage) and by samples every 10 ms: a child that no process waits for may be missed in \
                            part";

/// How to isolate programs.
pub fn isolation_remedy() -> Option<String> {
    Some("without --sandbox none the program is isolated".into())
}

/// The value of a fixed variable of the environment.
pub fn value<'a>(_: &str, value: &'a str) -> &'a str {
    value
}

/// The number of a signal in results.
pub fn number(signal: i32) -> i32 {
    signal
}

/// The memory of live processes.
pub struct Memory {
    /// Bytes in use.
    pub now: u64,
    /// The peak of the largest process.
    pub peak: u64,
}

/// Closes all inherited descriptors but the standard streams on exec. Async-signal-safe.
pub fn close_on_exec() {
    // SAFETY: no pointers. Before Linux 5.11 this fails, and the program sees what the judge inherited.
    unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
}

/// All processes of a group.
fn group(leader: pid_t) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    // SAFETY: no pointers.
    ids.filter(|&pid| unsafe { libc::getpgid(pid as pid_t) } == leader)
        .collect()
}

/// The live processes below the main process and below all `known` ones, and with `whole_group` those
/// of its group.
pub fn members(main: pid_t, known: Vec<pid_t>, whole_group: bool) -> Vec<pid_t> {
    let mut all: Vec<u32> = vec![main as u32];
    all.extend(descendants(main as u32));
    // Orphans, and their children.
    let mut next: Vec<u32> = known.into_iter().map(|pid| pid as u32).collect();
    if whole_group {
        next.extend(group(main));
    }
    while let Some(pid) = next.pop() {
        if !all.contains(&pid) {
            all.push(pid);
            next.extend(children(pid));
        }
    }
    all.retain(|&pid| is_running(pid));
    all.into_iter().map(|pid| pid as pid_t).collect()
}

/// Whether a process exists and is no zombie.
fn is_running(pid: u32) -> bool {
    let Some(stat) = text_of(pid, "stat") else {
        return false;
    };
    let state = stat.rsplit_once(") ").map(|(_, rest)| &rest[..1]);
    !matches!(state, None | Some("Z" | "X"))
}

/// Whether the process still runs, and not another one of the same id.
pub fn is_alive((pid, start): Process) -> bool {
    is_running(pid as u32) && start_time(pid as u32) == Some(start)
}

/// The CPU time that a process has used, without that of its children.
pub fn cpu_time(pid: pid_t) -> Option<(Process, Duration)> {
    let start = start_time(pid as u32)?;
    Some(((pid, start), sys::clock(cpu_clock_of(pid as u32))))
}

/// Whether no thread of the process is ready to run or waits for a disk.
pub fn sleeps(pid: pid_t) -> bool {
    threads_sleep(pid as u32)
}

/// The memory of these processes. Shared pages are counted exactly only if the sum exceeds the limit.
pub fn memory(pids: &[pid_t], limit: Option<u64>) -> Memory {
    let sum = |exact| {
        let each = |&pid: &pid_t| memory_of(pid as u32, exact).unwrap_or(0);
        pids.iter().map(each).sum::<u64>()
    };
    let mut now = sum(false);
    if limit.is_some_and(|limit| now > limit) && pids.len() > 1 {
        now = sum(true).min(now);
    }
    let peaks = pids.iter().filter_map(|&pid| peak_of(pid as u32));
    Memory {
        now,
        peak: peaks.max().unwrap_or(0),
    }
}

/// The judge's own memory in bytes.
pub fn own_memory() -> u64 {
    memory_of(std::process::id(), false).unwrap_or(0)
}

/// The peak of the largest process that was waited for. It starts at the memory of the process that
/// forked it, so a figure below that says nothing.
pub fn largest_process(used: &libc::rusage, judge: u64) -> Option<u64> {
    /// Other threads of the judge may have used more for a moment.
    const SLACK: u64 = 4 << 20;
    let peak = u64::try_from(used.ru_maxrss).unwrap_or(0) * 1024;
    (peak > judge + SLACK).then_some(peak)
}
