//! Version 2 of control groups: one hierarchy, parts of which systemd delegates to ordinary users.
//!
//! A group with processes of its own cannot enable controllers for its children. So the judge moves
//! into a child group:
//! ```text
//! user@1000.service/app.slice/judge-123.scope     ours (delegated)
//!   supervisor/                                   the judge
//!   judge-sandbox.123.4567.0/ ...                 the boxes
//! ```

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Cgroup, MountLine, Reset, Unusable, directory_of, mount_lines, scope};
use crate::host::cpu_meter::CpuMeter;
use crate::sys::process::is_below;
use crate::sys::{may_write, write_file};

/// Name of the child group for the judge itself.
const SUPERVISOR: &str = "supervisor";

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
    match prepare(&here) {
        Ok(base) => Ok(base),
        Err(first) => match scope::enter() {
            Ok(()) => {
                let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
                let here =
                    own_directory(line, &own).ok_or_else(|| no_delegation("unknown own group"))?;
                prepare(&here).map_err(|e| unprepared(&here, &e.to_string()))
            }
            Err(second) => Err(unprepared(&here, &format!("{first}; systemd: {second}"))),
        },
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
    let remedy = match (scope::has_systemd(), crate::sys::is_root()) {
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
fn own_directory(line: &MountLine, own: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(directory_of(line, path))
}

/// Prepares `here` (or its parent, if the judge is already in the child group) to hold boxes.
pub fn prepare(here: &Path) -> io::Result<PathBuf> {
    let stepped_aside = here.file_name().is_some_and(|name| name == SUPERVISOR);
    let base = if stepped_aside {
        here.parent().unwrap_or(here)
    } else {
        here
    };
    if !may_write(base) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if has(base, "cgroup.subtree_control", "memory") {
        return Ok(base.to_path_buf());
    }
    // Only the root of the hierarchy may both hold processes and enable controllers.
    let is_root = !base.join("cgroup.type").exists();
    let control = base.join("cgroup.subtree_control");
    for attempt in 1.. {
        if !is_root {
            move_to_child_group(base)?;
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
    Ok(base.to_path_buf())
}

/// Maximum number of attempts to move all processes: during each, other threads may start another
/// process.
const MAX_MOVES: u32 = 100;

/// Moves this process into a child group, with the processes that it has started, such as a
/// compiler that prints its version. Fails if other processes are in `base`, such as a shell or the
/// `make` that started the judge: they would block enabling controllers and must not be moved.
fn move_to_child_group(base: &Path) -> io::Result<()> {
    let own = std::process::id();
    let all = fs::read_to_string(base.join("cgroup.procs"))?;
    let members = all.split_whitespace().filter_map(|pid| pid.parse().ok());
    let started: Vec<u32> = members.filter(|&pid| pid != own).collect();
    if !started.iter().all(|&pid| is_below(pid, own)) {
        return Err(io::Error::other("it contains other processes"));
    }
    let supervisor = base.join(SUPERVISOR);
    match fs::create_dir(&supervisor) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    let entry = supervisor.join("cgroup.procs");
    write_file(&entry, &own.to_string())?;
    for pid in started {
        // Fails for a process that has ended.
        let _ = write_file(&entry, &pid.to_string());
    }
    Ok(())
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
        cpu: Some(CpuMeter::CgroupV2(read("cpu.stat")?)),
        reset,
        set_memory: None,
        set_processes: None,
    })
}
