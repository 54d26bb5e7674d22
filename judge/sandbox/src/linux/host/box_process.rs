//! A running zygote and the resources it owns.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use libc::pid_t;

use crate::api::{BoxSpec, Fault, Mount, interrupt};
use crate::linux::host::cgroup::{Cgroup, Hierarchy, Unusable};
use crate::linux::host::cpu_meter::CpuMeter;
use crate::linux::host::memory_meter::{BoxTmpfs, MemoryMeter, MemorySampler};
use crate::linux::host::mounts::Mounts;
use crate::linux::host::sent_request::SentRequest;
use crate::linux::host::spawn::{self, Spawned};
use crate::linux::host::watchdog::failed;
use crate::linux::protocol::layout::{self, NOBODY};
use crate::linux::protocol::{Entry, ForkRequest, Isolation, MAX_REPLY, Reply, Setup, ipc};
use crate::linux::sys::{self, scheduler};
use judge_tempdir::TempDirectory;

/// The namespaces in which the template forks the zygote; the zygote creates the others itself, so that
/// several boxes do so at the same time.
const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWNS;

/// A reading of the CPU meter between two runs.
#[derive(Clone, Copy, Default)]
pub struct CpuReading {
    /// CPU time of all processes of the box so far.
    pub all: Duration,
    /// The zygote's own share since its setup was complete.
    pub own: Duration,
}

/// Threshold for replacing a box: bytes beyond the memory of the idle zygote that its control group
/// is charged for, or has in a peak that cannot be reset.
const CACHE_SLACK: u64 = 4 << 20;

/// A running zygote and the resources it owns. Fields drop in order: the processes before their
/// group.
pub struct BoxProcess {
    pub spawned: Spawned,
    pub cpu: CpuMeter,
    /// The reading after the last run.
    pub cpu_reading: CpuReading,
    pub group: Result<Cgroup, Unusable>,
    /// The zygote's own memory, which every figure of the group includes.
    pub idle_memory: u64,
    /// OOM kills in the group so far.
    pub memory_kills: u64,
    /// The peak at the end of the last run, if the group reports it: the group is charged for no more.
    pub last_peak: Option<u64>,
    pub isolation: Isolation,
    /// Whether `setrlimit` limits the number of processes.
    pub rlimit_processes: bool,
    /// The work directory as the program sees it.
    pub work: PathBuf,
    /// The zygote's descriptor of the work directory.
    pub work_fd: i32,
    /// Bytes of the files that are staged for the next run.
    pub staged_bytes: u64,
    /// Whether files are staged for the next run.
    pub has_staged_files: bool,
    pub last_request: Option<SentRequest>,
    /// The meter of the memory in use; a display on another thread reads it, too.
    pub memory: Arc<MemoryMeter>,
    /// The number of cores that the program can use at once.
    pub cores: u32,
    /// Directories of the host that the program may write to.
    pub writable: Vec<PathBuf>,
    /// Layers that the zygote could not set up, each as `name: why`.
    pub missing_layers: Vec<String>,
    /// The mounts of the box, from its specification.
    mounts: Vec<Mount>,
    _host_work: Option<TempDirectory>,
}

impl BoxProcess {
    /// Starts a zygote, lets it set up its box, and opens the meters.
    pub fn new(spec: &BoxSpec, isolation: Isolation) -> Result<Self, Fault> {
        require_proc()?;
        unless_replaced(|| Self::start(spec, isolation))
    }

    fn start(spec: &BoxSpec, isolation: Isolation) -> Result<Self, Fault> {
        let host_work = host_work(isolation)?;
        let work = host_work
            .as_ref()
            .map_or(Path::new(layout::WORK), TempDirectory::path);
        let work = work.to_path_buf();
        let mounts = mounts(spec, isolation)?;
        let mut group = make_group()?;

        let spawned = spawn_in(&group, isolation)?;
        let sources = mounts.open(spawned.pid)?;
        let setup = setup(spec, isolation, &work, mounts.entries, group.is_ok())?;
        let (missing_layers, work_fd) = set_up(&spawned, &setup, &sources)?;
        drop(sources);

        let group_cpu = group.as_mut().ok().and_then(Cgroup::take_cpu_meter);
        let cpu = group_cpu.unwrap_or_else(|| CpuMeter::without_cgroup(spawned.pid));
        let all = cpu.read().map_err(|e| Fault::os("read the CPU time", e))?;
        let os = |e| Fault::os("read the memory in use", e);
        let idle_memory = group.as_ref().map_or(Ok(0), Cgroup::in_use).map_err(os)?;
        let memory = match &group {
            Ok(group) => MemoryMeter::Group {
                now: group.current_use(),
                idle: idle_memory,
            },
            Err(_) => MemoryMeter::Processes(memory_sampler(spawned.pid, isolation, work_fd)),
        };
        if let Ok(group) = &mut group {
            // The first reset shows whether the kernel supports resetting; `layers` reports it.
            group.reset_peak();
        }
        let all_cores = scheduler::allowed_cores().len().max(1) as u32;
        Ok(BoxProcess {
            spawned,
            cpu,
            cpu_reading: CpuReading {
                all,
                own: Duration::ZERO,
            },
            group,
            idle_memory,
            memory_kills: 0,
            last_peak: None,
            isolation,
            rlimit_processes: isolation == Isolation::Namespaces
                && sys::kernel_version() >= (5, 14),
            work,
            staged_bytes: 0,
            has_staged_files: false,
            last_request: None,
            memory: Arc::new(memory),
            cores: spec.core.map_or(all_cores, |_| 1),
            writable: writable(spec),
            missing_layers,
            work_fd,
            mounts: spec.mounts.clone(),
            _host_work: host_work,
        })
    }

    /// Maps a path of the host to the path in the box.
    pub fn inside(&self, host: &Path) -> PathBuf {
        if self.isolation != Isolation::Namespaces {
            return host.to_path_buf();
        }
        let mounts = self.mounts.iter();
        let nearest = mounts
            .filter_map(|mount| Some((mount, host.strip_prefix(&mount.host).ok()?)))
            .max_by_key(|(mount, _)| mount.host.as_os_str().len());
        match nearest {
            Some((mount, rest)) if rest.as_os_str().is_empty() => mount.inside.clone(),
            Some((mount, rest)) => mount.inside.join(rest),
            None => host.to_path_buf(),
        }
    }

    /// Ends the processes and returns the control group, which is still charged for what they have
    /// brought into the kernel's caches.
    pub fn into_group(self) -> Option<Cgroup> {
        self.group.ok()
    }

    /// Evicts what the programs brought into the kernel's caches.
    pub fn evict_caches(&mut self) {
        let Ok(group) = &self.group else {
            return;
        };
        if group.in_use().is_ok_and(|now| now > self.idle_memory) {
            // Best effort: the kernel may not support it, and it gives up before it reaches zero.
            let _ = group.reclaim();
            if let Ok(now) = group.in_use() {
                self.idle_memory = now;
            }
        }
    }

    /// Whether the control group would distort the memory figure of the next run: it is charged for
    /// more than the zygote while no program runs, or an earlier run raised a peak that cannot be
    /// reset.
    pub fn distorts_memory(&self) -> Result<bool, Fault> {
        let Ok(group) = &self.group else {
            return Ok(false);
        };
        let most = self.idle_memory.saturating_add(CACHE_SLACK);
        if self.last_peak.is_some_and(|peak| peak <= most) {
            return Ok(false);
        }
        let in_use = group
            .in_use()
            .map_err(|e| Fault::os("read the memory in use", e))?;
        if in_use > most {
            return Ok(true);
        }
        if group.resets_peak() {
            return Ok(false);
        }
        let peak = group
            .peak()
            .map_err(|e| Fault::os("read the memory peak", e))?;
        Ok(peak.is_some_and(|peak| peak > most))
    }
}

/// Maximum number of attempts to start a box from files of the host that are not found.
const ATTEMPTS: usize = 5;

/// Starts a box again if a file of the host is replaced between being opened and being mounted, as a package
/// manager replaces `/etc/ld.so.cache`: the kernel does not mount a file that no longer has its name.
fn unless_replaced<T>(mut start: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    for _ in 1..ATTEMPTS {
        match start() {
            Err(fault) if is_not_found(&fault) => {}
            result => return result,
        }
    }
    start()
}

fn is_not_found(fault: &Fault) -> bool {
    let kind = fault.source.as_ref().map(io::Error::kind);
    kind == Some(io::ErrorKind::NotFound)
}

fn writable(spec: &BoxSpec) -> Vec<PathBuf> {
    let mounts = spec.mounts.iter().filter(|mount| mount.writable);
    mounts.map(|mount| mount.host.clone()).collect()
}

/// Checks that there is a `/proc`. Through it the judge accesses user maps, mounts and the
/// template's executable.
fn require_proc() -> Result<(), Fault> {
    if Path::new("/proc/self/exe").exists() {
        return Ok(());
    }
    Err(Fault {
        remedy: Some("mount -t proc proc /proc".into()),
        ..Fault::os("find /proc", io::ErrorKind::NotFound.into())
    })
}

fn memory_sampler(zygote: pid_t, isolation: Isolation, work_fd: i32) -> MemorySampler {
    let files = match isolation {
        Isolation::Namespaces => BoxTmpfs::of(zygote, work_fd).ok(),
        // The files are on the host's file systems.
        Isolation::None | Isolation::Landlock => None,
    };
    MemorySampler { zygote, files }
}

/// Makes a control group, or returns the reason why control groups are unusable. An error in a
/// usable hierarchy is a fault.
fn make_group() -> Result<Result<Cgroup, Unusable>, Fault> {
    match Hierarchy::of_this_process() {
        Ok(hierarchy) => {
            let group = hierarchy
                .make()
                .map_err(|e| Fault::os("make a control group", e))?;
            Ok(Ok(group))
        }
        Err(unusable) => Ok(Err(unusable)),
    }
}

fn request(isolation: Isolation) -> ForkRequest {
    let isolated = isolation == Isolation::Namespaces;
    ForkRequest {
        namespaces: if isolated { NAMESPACES } else { 0 },
        root_uid: isolated.then(spawn::box_root_uid),
        drop_groups: isolated && sys::is_root(),
        in_cgroup: false,
    }
}

/// Forks the zygote in its namespaces and in its control group.
fn spawn_in(group: &Result<Cgroup, Unusable>, isolation: Isolation) -> Result<Spawned, Fault> {
    let Ok(group) = group else {
        return Spawned::new(request(isolation), None);
    };
    let spawned = Spawned::new(request(isolation), group.entrance().ok().as_ref())?;
    if !spawned.entered {
        // Falls back to moving the process by PID.
        group
            .adopt(spawned.pid)
            .map_err(|e| Fault::os("enter the control group", e))?;
    }
    Ok(spawned)
}

/// The mounts that show parts of the host in the box.
fn mounts(spec: &BoxSpec, isolation: Isolation) -> Result<Mounts, Fault> {
    match isolation {
        Isolation::Namespaces => Mounts::new(&spec.mounts, spec.finite_devices),
        // Landlock rules cannot replace a file.
        Isolation::Landlock => Mounts::new(&spec.mounts, false),
        // Neither a root of its own nor Landlock rules.
        Isolation::None => Ok(Mounts::default()),
    }
}

fn setup(
    spec: &BoxSpec,
    isolation: Isolation,
    work: &Path,
    entries: Vec<Entry>,
    grouped: bool,
) -> Result<Setup, Fault> {
    let writes_mounts = spec.mounts.iter().any(|mount| mount.writable);
    Ok(Setup {
        isolation,
        core: spec.core,
        work: work.to_path_buf(),
        work_bytes: spec.work_bytes.max(64 * 1024),
        work_read_only: spec.work_read_only,
        entries,
        // Only compilers write to mounts, and they must start processes. Without a PID namespace
        // other programs may not, because their children could not be found reliably.
        fork: isolation != Isolation::Landlock || writes_mounts,
        uncounted: !grouped && !writes_mounts,
        token: sys::random().map_err(|e| Fault::os("draw a random number", e))?,
    })
}

/// Sends `setup` and waits until the zygote is ready. Returns the missing layers and the zygote's
/// descriptor of the work directory.
fn set_up(spawned: &Spawned, setup: &Setup, fds: &[OwnedFd]) -> Result<(Vec<String>, i32), Fault> {
    let os = |e| Fault::os("set up the box", e);
    let socket = &spawned.socket;
    let fds: Vec<BorrowedFd<'_>> = fds.iter().map(AsFd::as_fd).collect();
    ipc::send(socket, setup.encode().as_slice(), &fds).map_err(os)?;
    await_reply(socket.as_fd())?;
    let mut buffer = [0; MAX_REPLY];
    let (n, _) = ipc::receive(socket, &mut buffer).map_err(os)?;
    if n == 0 {
        return Err(os(io::Error::other("the zygote died")));
    }
    match Reply::decode(&buffer[..n]).map_err(os)? {
        Reply::Ready {
            missing_layers,
            work,
        } => Ok((missing_layers, work)),
        Reply::Failed { stage, errno } => Err(failed(stage, errno)),
        Reply::RunResult(_) => Err(os(io::ErrorKind::InvalidData.into())),
    }
}

/// Timeout for a zygote to set up its box. The setup takes milliseconds; after a minute the zygote
/// is blocked in the kernel.
const SETUP_TIMEOUT: Duration = Duration::from_secs(60);
/// The same timeout after an interrupt.
const INTERRUPTED_SETUP_TIMEOUT: Duration = Duration::from_secs(1);

/// Waits until the zygote replies or dies.
fn await_reply(socket: BorrowedFd<'_>) -> Result<(), Fault> {
    let os = |e| Fault::os("wait for the box", e);
    let interrupt = interrupt::event()?.as_fd();
    let mut until = Instant::now() + SETUP_TIMEOUT;
    let mut interrupted = false;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let has_replied = if interrupted {
            sys::poll([socket], left).map_err(os)?[0]
        } else {
            sys::poll([socket, interrupt], left).map_err(os)?[0]
        };
        if has_replied {
            return Ok(());
        }
        if !interrupted && interrupt::interrupted() {
            interrupted = true;
            until = until.min(Instant::now() + INTERRUPTED_SETUP_TIMEOUT);
        }
        if Instant::now() >= until {
            return Err(if interrupted {
                interrupt::fault()
            } else {
                held_by_kernel()
            });
        }
    }
}

fn held_by_kernel() -> Fault {
    Fault {
        remedy: Some(
            "look with `ps -eo pid,stat,wchan:32,comm` for processes in state D: if many wait in the \
             same place, restart the machine"
                .into(),
        ),
        ..Fault::os("wait for the box", io::ErrorKind::TimedOut.into())
    }
}

/// The work directory on the host of a box without its own root. With Landlock, root becomes
/// `nobody` in the box, so `nobody` must own the directory; without such a user, root keeps it.
fn host_work(isolation: Isolation) -> Result<Option<TempDirectory>, Fault> {
    if isolation == Isolation::Namespaces {
        return Ok(None);
    }
    let own = TempDirectory::private("work")?;
    if isolation == Isolation::Landlock && sys::is_root() {
        let _ = chown(own.path(), Some(NOBODY), Some(NOBODY));
    }
    Ok(Some(own))
}
