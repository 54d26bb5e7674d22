//! Version 2 of control groups: one hierarchy, parts of which systemd delegates to ordinary users.
//!
//! A group with processes of its own cannot enable controllers for its children. So the judge moves
//! into a child group:
//! ```text
//! user@1000.service/app.slice/judge-123.scope     ours (delegated)
//!   supervisor/                                   the judge
//!   judge-sandbox.123.4567.0/ ...                 the boxes
//! ```
//! Where no systemd manages the group, or systemd has delegated it, other processes of the group, such as the shell
//! of a container, move with it, and the last judge that ends moves them back. From any other group the judge
//! moves into a scope that it asks systemd for.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{FlockOperation, XattrFlags, flock, getxattr, setxattr};

use super::{Cgroup, MountLine, Reset, Unusable, directory_of, mount_lines, scope};
use crate::linux::host::cpu_meter::CpuMeter;
use crate::linux::sys::process::is_below;
use crate::linux::sys::{self, may_write, write_file};

/// Name of the child group for the judge itself.
const SUPERVISOR: &str = "supervisor";
/// Attribute of a child group that a judge has made and that the last judge removes.
const MADE_BY_JUDGE: &str = "user.judge-sandbox";

/// The processes of its group that the judge may move into the child group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Movable {
    /// Itself and those that it started.
    Own,
    All,
}

/// Whether the group is the judge's to use: no systemd manages it, or systemd has delegated it. If the
/// kernel kills a program for lack of memory, systemd stops the unit whose group it was in, and the judge with
/// it, unless the group is delegated.
fn is_delegated(group: &Path) -> bool {
    // systemd marks what it has delegated; `trusted` attributes are visible to root only.
    let names = ["trusted.delegate", "user.delegate"];
    !scope::has_systemd() || names.iter().any(|name| has_attribute(group, name))
}

fn has_attribute(directory: &Path, name: &str) -> bool {
    getxattr(directory, name, &mut [0_u8; 8]).is_ok()
}

/// The group that this process has prepared, to be restored when it ends.
static PREPARED: Mutex<Option<Prepared>> = Mutex::new(None);

struct Prepared {
    base: PathBuf,
    /// The group's directory, which every judge that uses the group has locked.
    lock: File,
}

/// Finds a group of this process that can hold the boxes' groups, and prepares it.
pub fn find(mountinfo: &str, own: &str) -> Result<PathBuf, Unusable> {
    let lines = mount_lines(mountinfo);
    let Some(line) = lines.iter().find(|line| line.kind == "cgroup2") else {
        return Err(Unusable {
            why: "no control groups are mounted".into(),
            remedy: "sudo mount -t cgroup2 none /sys/fs/cgroup".into(),
        });
    };
    if !has(&line.point, "cgroup.controllers", "memory") {
        let booted = fs::read_to_string("/proc/cmdline").unwrap_or_default();
        return Err(no_memory_controller(&booted));
    }
    let here = own_directory(line, own).ok_or_else(|| no_delegation("unknown own group"))?;
    let movable = match is_delegated(base_of(&here)) {
        true => Movable::All,
        false => Movable::Own,
    };
    if movable == Movable::All
        && let Ok(base) = prepare(&here, movable)
    {
        return Ok(base);
    }
    match scope::enter() {
        Ok(()) => {
            let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
            let here =
                own_directory(line, &own).ok_or_else(|| no_delegation("unknown own group"))?;
            prepare(&here, Movable::Own).map_err(|e| unprepared(&here, &e.to_string()))
        }
        // Before version 251 only root can see what systemd has delegated.
        Err(systemd) => prepare(&here, movable)
            .map_err(|e| unprepared(&here, &format!("{e}; systemd: {systemd}"))),
    }
}

/// Explains why version 2 has no memory controller, from the kernel's command line.
pub fn no_memory_controller(booted: &str) -> Unusable {
    let disabled = booted.contains("cgroup_disable=memory");
    Unusable {
        why: "the memory controller is not in cgroup version 2".into(),
        remedy: if disabled {
            "boot without cgroup_disable=memory (a Raspberry Pi: with cgroup_enable=memory)"
        } else {
            "boot with systemd.unified_cgroup_hierarchy=1"
        }
        .into(),
    }
}

/// Explains why the group `here` could not be prepared.
pub fn unprepared(here: &Path, error: &str) -> Unusable {
    let here_has = |word| has(here, "cgroup.controllers", word);
    // A group whose controllers cannot be read says nothing about delegation.
    if here_has("memory") || !here_has("pids") {
        return no_delegation(&format!("{}: {error}", here.display()));
    }
    Unusable {
        why: format!(
            "the memory controller is not delegated to {}",
            here.display()
        ),
        remedy: "sudo systemctl edit user@.service (for a service: its unit): [Service], \
                 Delegate=cpu memory pids; then log in again"
            .into(),
    }
}

fn no_delegation(why: &str) -> Unusable {
    let remedy = match (scope::has_systemd(), sys::is_root()) {
        (true, true) => "systemd-run --scope -p Delegate=yes judge ...",
        (true, false) => {
            "sudo loginctl enable-linger $USER (starts your systemd, which gives the judge a group)"
        }
        // A group that enables controllers may hold no processes.
        (false, true) => {
            "in a container that may write there: cd /sys/fs/cgroup; mkdir supervisor; \
             for p in $(cat cgroup.procs); do echo $p > supervisor/cgroup.procs; done"
        }
        (false, false) => "judge as root, or on a machine with systemd",
    };
    Unusable {
        why: format!("no group for the judge ({why})"),
        remedy: remedy.into(),
    }
}

/// The directory of this process's own group, from the line `0::path`.
pub fn own_directory(line: &MountLine, own: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(directory_of(line, path))
}

/// The group that holds the boxes' groups: `here`, or its parent if the judge is already in the child group.
fn base_of(here: &Path) -> &Path {
    match here.parent() {
        Some(parent) if here.ends_with(SUPERVISOR) => parent,
        _ => here,
    }
}

/// Prepares the base of `here` to hold boxes.
pub fn prepare(here: &Path, movable: Movable) -> io::Result<PathBuf> {
    let base = base_of(here);
    if !may_write(base) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // No other judge restores the group from here on.
    let lock = File::open(base)?;
    flock(&lock, FlockOperation::LockShared)?;
    if !has(base, "cgroup.subtree_control", "memory") {
        enable_controllers(base, movable).inspect_err(|_| restore(base, &lock))?;
    }
    if has_attribute(&base.join(SUPERVISOR), MADE_BY_JUDGE) {
        let base = base.to_path_buf();
        *PREPARED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Prepared { base, lock });
        sys::at_exit(restore_at_exit);
    }
    Ok(base.to_path_buf())
}

fn enable_controllers(base: &Path, movable: Movable) -> io::Result<()> {
    // Only the root of the hierarchy may both hold processes and enable controllers.
    let is_root = !base.join("cgroup.type").exists();
    let control = base.join("cgroup.subtree_control");
    for attempt in 1.. {
        if !is_root {
            move_to_child_group(base, movable)?;
        }
        match write_file(&control, "+memory") {
            // A process that was started before the move is still in the group.
            Err(e) if e.raw_os_error() == Some(libc::EBUSY) && attempt < MAX_MOVES => {}
            done => {
                done?;
                break;
            }
        }
    }
    // Optional: without it, resource limits bound the number of processes.
    let _ = write_file(&control, "+pids");
    Ok(())
}

/// Maximum number of attempts to move all processes: during each, one of them may start another
/// process.
const MAX_MOVES: u32 = 100;

/// Moves this process into a child group, with the processes that it has started, such as a
/// compiler that prints its version. Other processes, such as a shell or the `make` that started the
/// judge, would block enabling controllers: fails if there are some and they are not movable.
fn move_to_child_group(base: &Path, movable: Movable) -> io::Result<()> {
    let own = std::process::id();
    let members = members(base)?;
    let is_other = |&pid: &u32| pid != own && !is_below(pid, own);
    // Processes of other PID namespaces have the number 0.
    let others = members.iter().any(is_other);
    if members.contains(&0) || (others && movable == Movable::Own) {
        return Err(io::Error::other("it contains other processes"));
    }
    let supervisor = base.join(SUPERVISOR);
    match fs::create_dir(&supervisor) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        // Best effort: without the attribute, the processes stay in the child group.
        Ok(()) if others => {
            let _ = setxattr(&supervisor, MADE_BY_JUDGE, b"1", XattrFlags::empty());
        }
        _ => {}
    }
    let entry = supervisor.join("cgroup.procs");
    write_file(&entry, &own.to_string())?;
    for pid in members.into_iter().filter(|&pid| pid != own) {
        match write_file(&entry, &pid.to_string()) {
            // The process has ended.
            Err(e) if e.raw_os_error() == Some(libc::ESRCH) => {}
            Err(e) if is_other(&pid) => {
                let what = format!("it contains other processes; cannot move process {pid}: {e}");
                return Err(io::Error::other(what));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The processes of a group.
pub fn members(group: &Path) -> io::Result<Vec<u32>> {
    let all = fs::read_to_string(group.join("cgroup.procs"))?;
    Ok(all
        .split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect())
}

pub extern "C" fn restore_at_exit() {
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Prepared { base, lock }) = prepared.take() {
        restore(&base, &lock);
    }
}

/// Moves the processes of the child group back and removes it, if a judge has made it and no other
/// judge or box uses the group. Best effort: the next judge finds the group prepared.
fn restore(base: &Path, lock: &File) {
    let supervisor = base.join(SUPERVISOR);
    let is_ours = has_attribute(&supervisor, MADE_BY_JUDGE);
    if !is_ours || flock(lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    let has_boxes = fs::read_dir(base).is_ok_and(|entries| {
        let groups = entries.flatten().filter(|entry| entry.path().is_dir());
        groups.count() > 1
    });
    if has_boxes {
        return;
    }
    let control = base.join("cgroup.subtree_control");
    // A group with controllers for its children holds no processes.
    for controller in ["-pids", "-memory"] {
        let _ = write_file(&control, controller);
    }
    let entry = base.join("cgroup.procs");
    for _ in 0..MAX_MOVES {
        let Ok(left) = members(&supervisor) else {
            return;
        };
        if left.is_empty() {
            break;
        }
        for pid in left {
            let _ = write_file(&entry, &pid.to_string());
        }
    }
    let _ = fs::remove_dir(&supervisor);
}

/// Whether the file contains the word.
pub fn has(directory: &Path, file: &str, word: &str) -> bool {
    let text = fs::read_to_string(directory.join(file)).unwrap_or_default();
    text.split_whitespace().any(|w| w == word)
}

pub fn make(base: &Path, name: &str) -> io::Result<Cgroup> {
    let directory = base.join(name);
    fs::create_dir(&directory)?;
    let made = open(&directory);
    if made.is_err() {
        super::remove(&directory);
    }
    made
}

/// Opens the files of an existing group.
pub fn open(directory: &Path) -> io::Result<Cgroup> {
    let read = |file: &str| File::open(directory.join(file));
    // `memory.peak` exists from Linux 5.19 on; from 6.12 on it can be reset and is writable.
    let peak = directory.join("memory.peak");
    let writable = OpenOptions::new().read(true).write(true).open(&peak);
    let reset = if writable.is_ok() {
        Reset::Write
    } else {
        Reset::Never
    };
    let pids = directory.join("pids.max");
    let swap = directory.join("memory.swap.max");
    if swap.exists() {
        write_file(&swap, "0")?;
    }
    Ok(Cgroup {
        name: "cgroup-v2",
        unified: true,
        directories: vec![directory.to_path_buf()],
        memory_limit: vec![directory.join("memory.max")],
        processes_limit: pids.exists().then_some(pids),
        unlimited: "max",
        peak: writable.or_else(|_| File::open(&peak)).ok(),
        now: Arc::new(read("memory.current")?),
        events: read("memory.events")?,
        reclaim: directory.join("memory.reclaim"),
        stat: directory.join("memory.stat"),
        cpu: Some(CpuMeter::CgroupV2(read("cpu.stat")?)),
        reset,
        set_memory: None,
        set_processes: None,
    })
}
