//! Figures of single processes, from `proc_pid_rusage`.

use std::io;
use std::mem::size_of;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use libc::{c_int, pid_t};

use super::Process;

/// How memory is measured.
pub const MEMORY: &str = "the physical footprint (`proc_pid_rusage`), sampled every 10 ms with the peak of each process, and \
                          the largest process by wait (rusage): a peak of several short processes may be missed";
/// How CPU time is measured.
pub const CPU_TIME: &str = "by wait (rusage) and by samples every 10 ms: a child that no process waits for may be missed in \
                            part";

/// How to isolate programs.
pub fn isolation_remedy() -> Option<String> {
    Some("judge in a virtual machine with Linux".into())
}

/// The value of a fixed variable of the environment: Homebrew is not below `/usr` on ARM.
pub fn value<'a>(name: &str, value: &'a str) -> &'a str {
    match name {
        "PATH" => "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin",
        "LANG" | "LC_ALL" => "en_US.UTF-8",
        _ => value,
    }
}

/// Threads of this system cannot be pinned.
pub fn pin(_: usize) -> io::Result<()> {
    Ok(())
}

/// The number of a signal in results, which is that of Linux.
pub fn number(signal: i32) -> i32 {
    match signal {
        libc::SIGBUS => crate::numbers::signal::SIGBUS,
        libc::SIGUSR1 => 10,
        libc::SIGUSR2 => 12,
        libc::SIGSYS => 31,
        other => other,
    }
}

/// The time for which the machine did not run the program, which this system does not report.
pub struct RunDelay(Instant);

impl RunDelay {
    pub fn new(now: Instant, _pressure: Option<PathBuf>) -> Self {
        RunDelay(now + Duration::from_secs(1 << 30))
    }

    pub fn next(&self) -> Instant {
        self.0
    }

    pub fn sample_processes(&mut self, _pids: impl IntoIterator<Item = u32>) -> Duration {
        Duration::ZERO
    }

    pub fn value(&self) -> Duration {
        Duration::ZERO
    }
}

/// The memory of live processes.
pub struct Memory {
    /// Bytes in use.
    pub now: u64,
    /// The peak of the largest process.
    pub peak: u64,
}

/// The figures of a process; `None` if it has ended.
fn usage(pid: pid_t) -> Option<libc::rusage_info_v4> {
    // SAFETY: all zeroes is valid.
    let mut usage: libc::rusage_info_v4 = unsafe { std::mem::zeroed() };
    // SAFETY: the buffer has the type of this flavour.
    let failed =
        unsafe { libc::proc_pid_rusage(pid, libc::RUSAGE_INFO_V4, (&raw mut usage).cast()) };
    (failed == 0 && usage.ri_proc_exit_abstime == 0).then_some(usage)
}

/// The ids that `list` writes into a buffer of this many bytes; it returns their number.
fn ids(list: impl Fn(*mut libc::c_void, c_int) -> c_int) -> Vec<pid_t> {
    let mut ids = vec![0; 1 << 12];
    let bytes = ids.len() * size_of::<pid_t>();
    let count = list(ids.as_mut_ptr().cast(), bytes as c_int);
    ids.truncate(usize::try_from(count).unwrap_or(0));
    ids.retain(|&pid| pid > 0);
    ids
}

/// Closes all inherited descriptors but the standard streams on exec. Async-signal-safe.
pub fn close_on_exec() {
    /// The table may have room for a million descriptors, of which the judge inherits few.
    const MOST: c_int = 4096;
    // SAFETY: no pointers.
    let end = unsafe { libc::getdtablesize() }.min(MOST);
    for fd in 3..end {
        // SAFETY: no pointers; fails for a number without descriptor.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// The live processes of the group of the main process, and below all `known` ones.
pub fn members(main: pid_t, known: Vec<pid_t>, _whole_group: bool) -> Vec<pid_t> {
    // SAFETY: the buffer has this size.
    let mut all = ids(|buffer, size| unsafe { libc::proc_listpgrppids(main, buffer, size) });
    let mut next = known;
    next.push(main);
    next.extend(&all);
    let mut visited = Vec::new();
    while let Some(pid) = next.pop() {
        if visited.contains(&pid) {
            continue;
        }
        visited.push(pid);
        if !all.contains(&pid) {
            all.push(pid);
        }
        // SAFETY: the buffer has this size.
        next.extend(ids(|buffer, size| unsafe {
            libc::proc_listchildpids(pid, buffer, size)
        }));
    }
    all.retain(|&pid| usage(pid).is_some());
    all
}

/// Whether the process still runs, and not another one of the same id.
pub fn is_alive((pid, start): Process) -> bool {
    usage(pid).is_some_and(|usage| usage.ri_proc_start_abstime == start)
}

/// The CPU time that a process has used, without that of its children.
pub fn cpu_time(pid: pid_t) -> Option<(Process, Duration)> {
    let usage = usage(pid)?;
    let ticks = usage.ri_user_time + usage.ri_system_time;
    Some(((pid, usage.ri_proc_start_abstime), absolute_time(ticks)))
}

/// Whether no thread of the process is ready to run.
pub fn sleeps(pid: pid_t) -> bool {
    // SAFETY: all zeroes is valid.
    let mut task: libc::proc_taskinfo = unsafe { std::mem::zeroed() };
    let size = size_of::<libc::proc_taskinfo>() as c_int;
    // SAFETY: the buffer has the type of this flavour and this size.
    let written =
        unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, (&raw mut task).cast(), size) };
    written < size || task.pti_numrunning == 0
}

/// Converts a time in units of the processor's timer, which are nanoseconds only on Intel.
// The crate that replaces the bindings is not needed for one call.
#[allow(deprecated)]
fn absolute_time(ticks: u64) -> Duration {
    let mut base = libc::mach_timebase_info { numer: 0, denom: 0 };
    // SAFETY: `base` is writable.
    let failed = unsafe { libc::mach_timebase_info(&mut base) };
    if failed != 0 || base.denom == 0 {
        return Duration::from_nanos(ticks);
    }
    let nanos = u128::from(ticks) * u128::from(base.numer) / u128::from(base.denom);
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// The memory of these processes.
pub fn memory(pids: &[pid_t], _limit: Option<u64>) -> Memory {
    let mut memory = Memory { now: 0, peak: 0 };
    for usage in pids.iter().filter_map(|&pid| usage(pid)) {
        memory.now += usage.ri_phys_footprint;
        memory.peak = memory.peak.max(usage.ri_lifetime_max_phys_footprint);
    }
    memory
}

/// Not needed: the figures of a program start at zero.
pub fn own_memory() -> u64 {
    0
}

/// The peak of the largest process that was waited for.
pub fn largest_process(used: &libc::rusage, _judge: u64) -> Option<u64> {
    // Bytes, not kibibytes.
    u64::try_from(used.ru_maxrss).ok()
}
