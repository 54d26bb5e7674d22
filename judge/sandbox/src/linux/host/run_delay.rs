//! The time for which a program was ready to run and the machine did not run it: other programs had
//! its core, or a quota of CPU time was used up. The wall-clock limit is extended by it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::linux::host::cgroup;
use crate::linux::host::cpu_meter::field;
use crate::linux::sys::process::{descendants, text_of};

/// The interval between two samples. A run that ends before the first one has no delay.
const INTERVAL: Duration = Duration::from_millis(500);

/// Samples the delay of one run. Each source misses something, so the largest figure counts:
///
/// - `schedstat` of the threads misses those that end between two samples. Threads of the program
///   that wait for each other count, too; but meanwhile they use the CPU time that is limited.
/// - `cpu.stat` of the judge's groups has only the time for which a quota stopped them.
/// - `cpu.pressure` of the box is there only in version 2.
pub struct RunDelay {
    start: Instant,
    next: Instant,
    /// The delay of each live thread at the last sample.
    threads: HashMap<(u32, u32), Duration>,
    of_threads: Duration,
    groups: Growth,
    pressure: Growth,
    pressure_file: Option<PathBuf>,
}

/// The growth of a counter since its first reading.
#[derive(Default)]
struct Growth {
    first: Option<Duration>,
    last: Duration,
}

impl Growth {
    fn read(&mut self, value: Option<Duration>) {
        if let Some(value) = value {
            self.first.get_or_insert(value);
            self.last = value;
        }
    }

    fn value(&self) -> Duration {
        self.last.saturating_sub(self.first.unwrap_or_default())
    }
}

impl RunDelay {
    /// For a run that starts at `now` in a box whose group has this file `cpu.pressure`.
    pub fn new(now: Instant, pressure_file: Option<PathBuf>) -> Self {
        RunDelay {
            start: now,
            next: now + INTERVAL,
            threads: HashMap::new(),
            of_threads: Duration::ZERO,
            groups: Growth::default(),
            pressure: Growth::default(),
            pressure_file,
        }
    }

    /// The time of the next sample.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Samples the processes below `zygote` if that is due.
    pub fn sample_if_due(&mut self, zygote: u32, now: Instant) {
        if self.next <= now {
            self.sample(zygote);
        }
    }

    /// Samples the processes below `zygote`, and returns the delay so far.
    pub fn sample(&mut self, zygote: u32) -> Duration {
        self.sample_processes(descendants(zygote))
    }

    /// Samples these processes, and returns the delay so far.
    pub fn sample_processes(&mut self, pids: impl IntoIterator<Item = u32>) -> Duration {
        self.next = Instant::now() + INTERVAL;
        let mut threads = HashMap::new();
        let mut most = Duration::ZERO;
        for pid in pids {
            for (thread, delay) in threads_of(pid) {
                let before = self.threads.get(&(pid, thread)).copied();
                most = most.max(delay.saturating_sub(before.unwrap_or_default()));
                threads.insert((pid, thread), delay);
            }
        }
        self.threads = threads;
        self.of_threads += most;
        self.groups.read(stopped_by_quota());
        let pressure = self.pressure_file.as_deref().and_then(pressure);
        self.pressure.read(pressure);
        self.value()
    }

    /// The delay until the last sample.
    pub fn value(&self) -> Duration {
        let delay = self.of_threads.max(self.groups.value());
        delay.max(self.pressure.value()).min(self.start.elapsed())
    }
}

/// The threads of a process, each with its delay.
fn threads_of(pid: u32) -> Vec<(u32, Duration)> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"));
    let of_thread = |task: fs::DirEntry| {
        let thread = task.file_name().to_str()?.parse().ok()?;
        let text = text_of(pid, &format!("task/{thread}/schedstat"))?;
        Some((thread, delay_of(&text)?))
    };
    let tasks = tasks.into_iter().flatten().flatten();
    tasks.filter_map(of_thread).collect()
}

/// The second number of `schedstat`: nanoseconds in the queue of a core.
fn delay_of(schedstat: &str) -> Option<Duration> {
    let nanoseconds = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The longest time for which a quota stopped one of the groups that contain the judge.
fn stopped_by_quota() -> Option<Duration> {
    static FILES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let files = FILES.get_or_init(cgroup::cpu_stat_files);
    let read = |file: &PathBuf| throttled(&fs::read_to_string(file).ok()?);
    files.iter().filter_map(read).max()
}

/// The throttled time in `cpu.stat`: `throttled_usec` of version 2, `throttled_time`, in
/// nanoseconds, of version 1.
fn throttled(stat: &str) -> Option<Duration> {
    let microseconds = field(stat, "throttled_usec").map(Duration::from_micros);
    let time = microseconds.or_else(|_| field(stat, "throttled_time").map(Duration::from_nanos));
    time.ok()
}

/// The time in which some process of a group waited for a core.
fn pressure(file: &Path) -> Option<Duration> {
    let text = fs::read_to_string(file).ok()?;
    let some = text.lines().find(|line| line.starts_with("some "))?;
    let total = some
        .split_whitespace()
        .find_map(|word| word.strip_prefix("total="))?;
    Some(Duration::from_micros(total.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_files_are_read() {
        let ms = Duration::from_millis;
        assert_eq!(delay_of("7000000 250000000 12\n"), Some(ms(250)));
        assert_eq!(delay_of("7000000\n"), None);
        let v1 = "nr_periods 9\nnr_throttled 3\nthrottled_time 5000000\n";
        let v2 = "usage_usec 8\nnr_throttled 3\nthrottled_usec 5000\n";
        assert_eq!([v1, v2].map(throttled), [Some(ms(5)); 2]);
        assert_eq!(throttled("usage_usec 8\n"), None);
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=9000\nfull avg10=0.00 total=1\n";
        fs::write(file.path(), text).unwrap();
        assert_eq!(pressure(file.path()), Some(ms(9)));
    }

    #[test]
    fn a_process_that_competes_for_a_core_is_delayed() {
        let core = crate::linux::sys::scheduler::allowed_cores()[0].to_string();
        let spin = || {
            let mut command = std::process::Command::new("taskset");
            command.args(["-c", &core, "sh", "-c", "while :; do :; done"]);
            command.spawn()
        };
        let Ok(mut first) = spin() else {
            eprintln!("skipped: no taskset command");
            return;
        };
        let mut second = spin().unwrap();
        let mut delay = RunDelay::new(Instant::now(), None);
        let deadline = Instant::now() + Duration::from_secs(60);
        while delay.sample(std::process::id()) < Duration::from_millis(100) {
            assert!(Instant::now() < deadline, "no delay");
            std::thread::sleep(Duration::from_millis(10));
        }
        for child in [&mut first, &mut second] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
