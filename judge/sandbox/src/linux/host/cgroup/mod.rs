//! Control groups: limits on the memory and the number of processes of a tree, and its usage.
//!
//! Each box has one group: of version 2 if its memory controller is available and writable,
//! otherwise of version 1, which only root may use, otherwise none.

mod scope;
mod v1;
mod v2;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use libc::pid_t;

use crate::linux::host::cpu_meter::{CpuMeter, field};
use crate::linux::sys::{process, read_number, read_start, write_file};

/// Name prefix of the judge's groups; its process id, its start time and a number follow.
const PREFIX: &str = "judge-sandbox.";

/// The hierarchy in which the judge makes its groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hierarchy {
    /// One directory per controller.
    V1(v1::Controllers),
    /// One directory for all controllers.
    V2(PathBuf),
}

/// The reason why there is no usable hierarchy, and the remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unusable {
    pub why: String,
    pub remedy: String,
}

impl Hierarchy {
    /// Returns the hierarchy for this process. It is found, and for version 2 prepared, once.
    pub fn of_this_process() -> Result<&'static Hierarchy, Unusable> {
        static FOUND: OnceLock<Result<Hierarchy, Unusable>> = OnceLock::new();
        FOUND.get_or_init(find).as_ref().map_err(Clone::clone)
    }

    /// Makes a group for one box.
    pub fn make(&self) -> io::Result<Cgroup> {
        with_new_name(|name| match self {
            Hierarchy::V1(controllers) => v1::make(controllers, name),
            Hierarchy::V2(base) => v2::make(base, name),
        })
    }
}

/// Maximum number of names to try for a group; the groups of a few killed judges are far fewer.
const MAX_NAMES: usize = 10_000;

/// Calls `make` with new names until one is free. A name can be taken by a judge with the same
/// process id and start time in another container that shares the hierarchy.
fn with_new_name<T>(mut make: impl FnMut(&str) -> io::Result<T>) -> io::Result<T> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let own = names_of(std::process::id());
    for _ in 0..MAX_NAMES {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        match make(&format!("{own}{number}")) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The start of the names of the groups of the process `pid`. It contains the time at which the
/// process started, because the kernel gives the id of an ended process to another one.
fn names_of(pid: u32) -> String {
    let start = process::start_time(pid).unwrap_or(0);
    format!("{PREFIX}{pid}.{start}.")
}

fn find() -> Result<Hierarchy, Unusable> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let found = match v2::find(&mounts, &own) {
        Ok(base) => Ok(Hierarchy::V2(base)),
        Err(no_v2) => match v1::find(&mounts, &own) {
            Ok(controllers) => Ok(Hierarchy::V1(controllers)),
            // A machine has the memory controller in one version only; report that one.
            Err(Some(no_v1)) => Err(no_v1),
            Err(None) => Err(no_v2),
        },
    };
    if let Ok(hierarchy) = &found {
        sweep(hierarchy);
    }
    found
}

/// The files `cpu.stat` of all groups that contain this process and that it can see. Each of them may
/// have a quota of CPU time.
pub fn cpu_stat_files() -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut files = Vec::new();
    for line in mount_lines(&mounts) {
        let has_cpu = |names: &str| names.split(',').any(|name| name == "cpu");
        let is_v2 = line.kind == "cgroup2";
        if !is_v2 && !has_cpu(&line.options) {
            continue;
        }
        // `hierarchy:controllers:path`; version 2 has no controllers.
        let path = own.lines().find_map(|own| {
            let (controllers, path) = own.split_once(':')?.1.split_once(':')?;
            let is_it = if is_v2 {
                controllers.is_empty()
            } else {
                has_cpu(controllers)
            };
            is_it.then_some(path)
        });
        let Some(path) = path else { continue };
        let group = directory_of(&line, path);
        let groups = group
            .ancestors()
            .take_while(|up| up.starts_with(&line.point));
        files.extend(groups.map(|group| group.join("cpu.stat")));
    }
    files
}

/// Removes the groups of killed judges.
fn sweep(hierarchy: &Hierarchy) {
    let bases: Vec<&PathBuf> = match hierarchy {
        Hierarchy::V1(controllers) => controllers.all().collect(),
        Hierarchy::V2(base) => vec![base],
    };
    for entry in bases.into_iter().flat_map(fs::read_dir).flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split('.').next()?.parse().ok());
        if pid.is_some_and(|pid| !name.starts_with(&names_of(pid))) {
            // Fails for a group that is still in use.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The control group of one box.
pub struct Cgroup {
    /// Name of the method in reports.
    pub name: &'static str,
    /// Whether the group is of version 2 (the unified hierarchy).
    unified: bool,
    /// All directories of this group; removed on drop.
    directories: Vec<PathBuf>,
    /// The files of the limits, and the word that means "unlimited" in them.
    memory_limit: Vec<PathBuf>,
    processes_limit: Option<PathBuf>,
    unlimited: &'static str,
    /// The peak, the current use and the number of OOM kills.
    peak: Option<File>,
    now: Arc<File>,
    events: File,
    /// The file that makes the kernel reclaim memory of the group.
    reclaim: PathBuf,
    /// The file that divides the memory in use by its kinds.
    stat: PathBuf,
    cpu: Option<CpuMeter>,
    reset: Reset,
    /// The limits in force: setting the same limits again needs no system call.
    set_memory: Option<u64>,
    set_processes: Option<u32>,
}

/// A way for a process to enter the group without a delay. Moving another process by PID waits
/// until every core has passed through the kernel, 10 ms and more on an idle machine; a process
/// created in the group, or a thread that moves itself, does not wait.
pub enum Entrance {
    /// Version 1: the `tasks` file of each controller, to which a thread writes 0.
    TasksFiles(Vec<File>),
    /// Version 2: the directory of the group in which a process is created.
    Directory(File),
}

/// The method of resetting the peak before a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reset {
    /// A write to the peak's file.
    Write,
    /// Resetting is not supported: the peak is that of all runs since the group was made.
    Never,
}

impl Cgroup {
    /// Moves a process into this group; processes that it starts later start in this group.
    pub fn adopt(&self, pid: pid_t) -> io::Result<()> {
        let pid = pid.to_string();
        self.directories
            .iter()
            .try_for_each(|d| write_file(&d.join("cgroup.procs"), &pid))
    }

    /// Opens the fast way into the group; [`adopt`](Self::adopt) is the fallback.
    pub fn entrance(&self) -> io::Result<Entrance> {
        let tasks = |d: &PathBuf| File::options().write(true).open(d.join("tasks"));
        match &self.directories[..] {
            [directory] if self.unified => Ok(Entrance::Directory(File::open(directory)?)),
            all => Ok(Entrance::TasksFiles(
                all.iter().map(tasks).collect::<io::Result<_>>()?,
            )),
        }
    }

    /// The file that says for how long processes of the group waited for a core; version 2.
    pub fn cpu_pressure(&self) -> Option<PathBuf> {
        let directory = self.directories.first().filter(|_| self.unified)?;
        Some(directory.join("cpu.pressure"))
    }

    /// Whether the group limits the number of processes.
    pub fn limits_processes(&self) -> bool {
        self.processes_limit.is_some()
    }

    /// Takes the meter of CPU time, if the group has one.
    pub fn take_cpu_meter(&mut self) -> Option<CpuMeter> {
        self.cpu.take()
    }

    /// Sets the limits of the next run.
    pub fn limit(&mut self, memory: Option<u64>, processes: Option<u32>) -> io::Result<()> {
        let text = |n: Option<u64>| n.map_or(self.unlimited.to_owned(), |n| n.to_string());
        if self.set_memory != memory {
            let text = text(memory);
            // Version 1 has two limits, without and with swap. The first must never exceed the
            // second, so the order of the writes depends on whether the limit rises.
            let first = self
                .memory_limit
                .iter()
                .try_for_each(|path| write_file(path, &text));
            first.or_else(|_| {
                self.memory_limit
                    .iter()
                    .rev()
                    .try_for_each(|path| write_file(path, &text))
            })?;
            self.set_memory = memory;
        }
        if let Some(path) = &self.processes_limit
            && self.set_processes != processes
        {
            let text = processes.map_or("max".to_owned(), |n| n.to_string());
            write_file(path, &text)?;
            self.set_processes = processes;
        }
        Ok(())
    }

    /// Resets the peak to the current use, if the kernel supports it.
    pub fn reset_peak(&mut self) {
        if !self.reset_peak_again() {
            self.reset = Reset::Never;
        }
    }

    /// Resets the peak during a run; returns false if the kernel does not support it.
    pub fn reset_peak_again(&self) -> bool {
        use std::os::unix::fs::FileExt;
        let peak = self.peak.as_ref().filter(|_| self.reset == Reset::Write);
        // Version 2 supports it from Linux 6.12 on.
        peak.is_some_and(|peak| peak.write_at(b"0", 0).is_ok())
    }

    /// Whether the group reports a peak; version 2 does from Linux 5.19 on.
    pub fn has_peak(&self) -> bool {
        self.peak.is_some()
    }

    /// Whether the peak is reset before every run; known after the first
    /// [`reset_peak`](Self::reset_peak).
    pub fn resets_peak(&self) -> bool {
        self.reset == Reset::Write
    }

    /// The peak memory since the last reset, in bytes; `None` if the group does not report it. If
    /// the peak is never reset, it is at least that of the last run.
    pub fn peak(&self) -> io::Result<Option<u64>> {
        self.peak.as_ref().map(read_number).transpose()
    }

    /// The file with the bytes in use, for a reader on another thread.
    pub fn current_use(&self) -> Arc<File> {
        Arc::clone(&self.now)
    }

    /// Bytes in use.
    pub fn in_use(&self) -> io::Result<u64> {
        read_number(&self.now)
    }

    /// Makes the kernel release what it has cached for the group: pages of files, names. Version 2
    /// supports it from Linux 5.19 on.
    pub fn reclaim(&self) -> io::Result<()> {
        // Version 2 takes the number of bytes, version 1 ignores it.
        write_file(&self.reclaim, &self.in_use()?.to_string())
    }

    /// Bytes of the cached pages of files on disks that the group is charged for.
    pub fn cached_files(&self) -> io::Result<u64> {
        let text = fs::read_to_string(&self.stat)?;
        // Version 1 calls them `cache`. Both count files in memory, too.
        let all = field(&text, "file").or_else(|_| field(&text, "cache"))?;
        Ok(all.saturating_sub(field(&text, "shmem").unwrap_or(0)))
    }

    /// The number of OOM kills since the group was made.
    pub fn memory_kills(&self) -> io::Result<u64> {
        let mut text = [0; 1024];
        let n = read_start(&self.events, &mut text)?;
        // Version 1 counts them from Linux 4.13 on.
        Ok(field(&String::from_utf8_lossy(&text[..n]), "oom_kill").unwrap_or(0))
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        for directory in &self.directories {
            remove(directory);
        }
    }
}

/// Removes a group, with retries: while its last process is exiting, the group is busy.
fn remove(directory: &Path) {
    let start = Instant::now();
    while let Err(e) = fs::remove_dir(directory) {
        let busy = e.raw_os_error() == Some(libc::EBUSY);
        if !busy || start.elapsed() > Duration::from_secs(2) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A line of `/proc/self/mountinfo`: which part of a hierarchy is mounted where.
#[derive(Clone, PartialEq, Eq, Debug)]
struct MountLine {
    root: String,
    point: PathBuf,
    kind: String,
    options: String,
}

/// The mounts of control groups that this process's cgroup namespace contains. The kernel refuses to
/// move a process into a group of another mount, whose root begins with `/..`.
fn mount_lines(mountinfo: &str) -> Vec<MountLine> {
    let parse = |line: &str| {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (root, point) = (before.next()?.to_owned(), PathBuf::from(before.next()?));
        let mut after = after.split(' ');
        let kind = after.next()?.to_owned();
        let options = after.nth(1)?.to_owned();
        let is_ours = kind.starts_with("cgroup") && !root.starts_with("/..");
        is_ours.then_some(MountLine {
            root,
            point,
            kind,
            options,
        })
    };
    mountinfo.lines().filter_map(parse).collect()
}

/// The directory of the group `path` in the hierarchy mounted at `line`.
fn directory_of(line: &MountLine, path: &str) -> PathBuf {
    let below = Path::new(path)
        .strip_prefix(&line.root)
        .unwrap_or(Path::new(path));
    line.point.join(below.strip_prefix("/").unwrap_or(below))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub use tests::{fake_group, without_reset};
