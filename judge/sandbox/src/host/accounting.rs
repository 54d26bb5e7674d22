//! Reads CPU time, memory and counters of the process tree below a zygote.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use libc::pid_t;
use rustix::fs::{CWD, OFlags};

use crate::api::CurrentMemory;
use crate::sys::process::{children, descendants, text_of};
use crate::sys::{bytes_in_use, check_long, clock, open_at, read_number, read_start};

/// Meter of the CPU time, user + system, of a zygote and everything that it started.
pub enum CpuMeter {
    /// `cpuacct.usage` of version 1, in nanoseconds.
    CgroupV1(File),
    /// `cpu.stat` of version 2, whose `usage_usec` is in microseconds.
    CgroupV2(File),
    /// The kernel's software clock, inherited by children and threads. It includes the zygote, and
    /// loses a process that executes a file without read permission.
    TaskClock { counter: File, zygote: pid_t },
    /// The CPU clocks of live processes and their times in `/proc`. A lower bound while a program
    /// runs; afterwards the figure comes from `wait`.
    Walk(pid_t),
}

impl CpuMeter {
    /// The best meter that works without a control group.
    pub fn without_cgroup(zygote: pid_t) -> Self {
        match PerfCounter::task_clock(zygote) {
            Ok(counter) => CpuMeter::TaskClock {
                counter: counter.0,
                zygote,
            },
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
            CpuMeter::TaskClock { counter, .. } => read_counter(counter).map(Duration::from_nanos),
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
fn cpu_clock_of(pid: u32) -> libc::clockid_t {
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

/// The event that a [`PerfCounter`] counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Instructions retired in user mode, counted by the hardware.
    Instructions,
    /// Nanoseconds on a core, counted by the kernel's software clock.
    TaskClock,
}

impl Event {
    /// `type` and `config` of `struct perf_event_attr`.
    fn numbers(self) -> (u32, u64) {
        const HARDWARE: u32 = 0;
        const SOFTWARE: u32 = 1;
        match self {
            Event::Instructions => (HARDWARE, 1),
            Event::TaskClock => (SOFTWARE, 1),
        }
    }
}

/// A counter of `perf_event_open`.
pub struct PerfCounter(File);

impl PerfCounter {
    /// Counts the CPU time of `pid` and its future descendants.
    pub fn task_clock(pid: pid_t) -> io::Result<Self> {
        Self::open(pid, Event::TaskClock, 0, 0)
    }

    /// Counts `event` in the next process that `pid` starts and in its descendants, from exec on.
    /// The counter serves one run, because an inherited counter cannot be reset.
    pub fn from_exec(pid: pid_t, event: Event) -> io::Result<RunCounter> {
        let format = TIME_ENABLED | TIME_RUNNING;
        Self::open(pid, event, DISABLED | ENABLE_ON_EXEC, format).map(RunCounter)
    }

    fn open(pid: pid_t, event: Event, flags: u64, read_format: u64) -> io::Result<Self> {
        const CLOEXEC: u64 = 8;
        let (kind, config) = event.numbers();
        let flags = flags | INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR;
        let size = size_of::<Attributes>() as u32;
        let attributes = Attributes {
            kind,
            size,
            config,
            flags,
            read_format,
            ..Attributes::default()
        };
        // SAFETY: the attributes have the size that they state; any core (-1), no group (-1).
        let fd = check_long(unsafe {
            libc::syscall(libc::SYS_perf_event_open, &attributes, pid, -1, -1, CLOEXEC)
        })?;
        // SAFETY: just opened; this is the only owner.
        Ok(PerfCounter(File::from(unsafe {
            OwnedFd::from_raw_fd(fd as i32)
        })))
    }
}

/// A [`PerfCounter`] of one run, counting from exec on.
pub struct RunCounter(PerfCounter);

/// The reading of a [`RunCounter`], over the whole process tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The count, without the time in which the hardware did not count.
    pub value: u64,
    /// The CPU time of the processes that the counter followed.
    pub time: Duration,
    /// Whether the hardware counted during all of `time`. It does not if another user of counters,
    /// such as a profiler, shares the hardware, or on cores of another kind than the counter's (a
    /// processor with fast and efficient cores).
    pub whole: bool,
}

impl RunCounter {
    /// The count so far.
    pub fn read(&self) -> io::Result<Count> {
        let mut bytes = [0; 24];
        let mut file = &self.0.0;
        file.read_exact(&mut bytes)?;
        let (numbers, _) = bytes.as_chunks::<8>();
        let [value, wanted, counted] = [0, 1, 2].map(|i| u64::from_ne_bytes(numbers[i]));
        Ok(Count {
            value,
            time: Duration::from_nanos(wanted),
            // The two clocks differ only around context switches.
            whole: counted >= wanted - wanted / 10_000,
        })
    }
}

fn read_counter(mut file: &File) -> io::Result<u64> {
    let mut value = [0; 8];
    file.read_exact(&mut value)?;
    Ok(u64::from_ne_bytes(value))
}

const TIME_ENABLED: u64 = 1;
const TIME_RUNNING: u64 = 1 << 1;

const DISABLED: u64 = 1;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;

/// `struct perf_event_attr` in its first version (64 bytes), which every kernel accepts.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    config1: u64,
}

/// The tmpfs of a box: `/work`, `/tmp` and `/dev/shm`.
pub struct BoxTmpfs {
    directory: OwnedFd,
    when_empty: u64,
}

impl BoxTmpfs {
    /// The tmpfs of an empty box; `work` is the zygote's descriptor of its work directory.
    pub fn of(zygote: pid_t, work: i32) -> io::Result<Self> {
        let place = format!("/proc/{zygote}/fd/{work}");
        let directory = open_at(CWD, place, OFlags::PATH | OFlags::DIRECTORY)?;
        Ok(BoxTmpfs {
            when_empty: bytes_in_use(directory.as_fd())?,
            directory,
        })
    }

    /// Bytes that programs have written to the tmpfs.
    fn bytes(&self) -> u64 {
        let now = bytes_in_use(self.directory.as_fd()).unwrap_or(0);
        now.saturating_sub(self.when_empty)
    }
}

/// Samples the memory of the live processes below a zygote and of the files in its box, where no
/// control group counts memory.
pub struct MemorySampler {
    pub zygote: pid_t,
    pub files: Option<BoxTmpfs>,
}

impl MemorySampler {
    /// Bytes in use. If `exact`, a lower bound; otherwise pages that two processes share after a
    /// fork count twice, and pages of mapped files count as well.
    pub fn read(&self, exact: bool) -> u64 {
        let pids = descendants(self.zygote as u32);
        let files = self.files.as_ref().map_or(0, BoxTmpfs::bytes);
        let each = |&pid: &u32| memory_of(pid, exact).unwrap_or(0);
        pids.iter().map(each).sum::<u64>() + files
    }
}

/// Meter of the current memory use of the program in a box.
pub enum MemoryMeter {
    /// The file of a control group with the bytes in use, and the zygote's share of them.
    Group { now: Arc<File>, idle: u64 },
    /// Samples of the processes, where there is no control group.
    Processes(MemorySampler),
}

impl MemoryMeter {
    /// The sampler, if there is no control group.
    pub fn sampler(&self) -> Option<&MemorySampler> {
        match self {
            MemoryMeter::Group { .. } => None,
            MemoryMeter::Processes(sampler) => Some(sampler),
        }
    }
}

impl CurrentMemory for MemoryMeter {
    fn current(&self) -> Option<u64> {
        match self {
            MemoryMeter::Group { now, idle } => Some(read_number(now).ok()?.saturating_sub(*idle)),
            MemoryMeter::Processes(sampler) => Some(sampler.read(false)),
        }
    }
}

/// Memory of a process in bytes: its pages, resident or swapped out, and its page tables. A program
/// can have many page tables without a page of its own.
fn memory_of(pid: u32, exact: bool) -> Option<u64> {
    let of_thread = |thread: u32| {
        let status = text_of(thread, "status")?;
        let tables = kibibytes(&status, "VmPTE")?;
        let proportional = || {
            let shares = text_of(thread, "smaps_rollup")?;
            Some(kibibytes(&shares, "Pss")? + kibibytes(&shares, "SwapPss")?)
        };
        let pages = match exact.then(proportional).flatten() {
            Some(pages) => pages,
            None => kibibytes(&status, "VmRSS")? + kibibytes(&status, "VmSwap")?,
        };
        Some((pages + tables) * 1024)
    };
    // If the main thread has ended before the others, it shows no memory.
    let threads = || fs::read_dir(format!("/proc/{pid}/task")).ok();
    let id = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    of_thread(pid).or_else(|| threads()?.flatten().filter_map(id).find_map(of_thread))
}

/// The figure of a line `name:  123 kB`.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let figure = |line: &str| {
        line.strip_prefix(name)?
            .strip_prefix(':')?
            .trim()
            .strip_suffix(" kB")?
            .parse()
            .ok()
    };
    text.lines().find_map(figure)
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

    /// The counter is the kernel's software clock, because many machines cannot count instructions.
    #[test]
    fn a_counter_starts_with_the_exec_of_a_child() {
        use std::io::{BufRead, BufReader, Write};
        use std::process::{Command, Stdio};
        const LOOP: &str = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let script = format!(
            "read x; {LOOP}; echo burned; read x; (exec sh -c '{LOOP}'); echo done; read x"
        );
        let mut shell = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut say = shell.stdin.take().unwrap();
        let mut hear = BufReader::new(shell.stdout.take().unwrap());
        let counter = PerfCounter::from_exec(shell.id() as pid_t, Event::TaskClock);
        let mut until = |word: &str| {
            say.write_all(b"go\n").unwrap();
            let mut line = String::new();
            hear.read_line(&mut line).unwrap();
            assert_eq!(line.trim(), word);
        };
        until("burned");
        let before = counter.as_ref().map(|counter| counter.read().unwrap());
        until("done");
        let after = counter.as_ref().map(|counter| counter.read().unwrap());
        drop(say);
        shell.wait().unwrap();
        match (before, after) {
            (Ok(before), Ok(after)) => {
                assert_eq!(before.value, 0, "the time before exec is not counted");
                assert!(after.value > 1_000_000 && after.whole, "{after:?}");
            }
            (Err(e), _) | (_, Err(e)) => eprintln!("skipped: no performance events: {e}"),
        }
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
        for exact in [false, true] {
            assert!(memory_of(std::process::id(), exact).unwrap() > 100_000);
        }
    }
}
