//! Counters of the kernel's performance events: CPU time and instructions of a process tree.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{FromRawFd, OwnedFd};
use std::time::Duration;

use libc::pid_t;

use crate::linux::sys::check_long;

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

    /// The count so far, without the times.
    pub fn read(&self) -> io::Result<u64> {
        let mut value = [0; 8];
        (&self.0).read_exact(&mut value)?;
        Ok(u64::from_ne_bytes(value))
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
