//! Version 1 of control groups: one hierarchy per controller; only root may make groups.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Cgroup, MountLine, Reset, Unusable, directory_of, mount_lines};
use crate::linux::host::cpu_meter::CpuMeter;
use crate::linux::sys::{may_write, write_file};

/// This process's own group in each controller's hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Controllers {
    pub memory: PathBuf,
    pub cpuacct: Option<PathBuf>,
    pub pids: Option<PathBuf>,
}

impl Controllers {
    /// All distinct directories: controllers may share a hierarchy.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        let mut all = vec![&self.memory];
        for directory in self.cpuacct.iter().chain(&self.pids) {
            if !all.contains(&directory) {
                all.push(directory);
            }
        }
        all.into_iter()
    }
}

/// Finds the usable groups; `Err(None)` if the memory controller is not in version 1.
pub fn find(mountinfo: &str, own: &str) -> Result<Controllers, Option<Unusable>> {
    let lines = mount_lines(mountinfo);
    let directory = |controller: &str| {
        let line = lines.iter().find(|line| has(line, controller))?;
        Some(directory_of(line, own_path(own, controller)?))
    };
    let usable = |controller: &str| directory(controller).filter(|d| may_write(d));
    let memory = directory("memory").ok_or(None)?;
    if !may_write(&memory) {
        return Err(Some(Unusable {
            why: format!(
                "cgroup version 1 is for root only: cannot write {}",
                memory.display()
            ),
            remedy: "boot with systemd.unified_cgroup_hierarchy=1, or judge as root".into(),
        }));
    }
    Ok(Controllers {
        memory,
        cpuacct: usable("cpuacct"),
        pids: usable("pids"),
    })
}

fn has(line: &MountLine, controller: &str) -> bool {
    line.kind == "cgroup" && line.options.split(',').any(|option| option == controller)
}

/// The path of this process's group, from a line `number:controller,controller:path`.
fn own_path<'a>(own: &'a str, controller: &str) -> Option<&'a str> {
    own.lines().find_map(|line| {
        let (names, path) = line.split_once(':')?.1.split_once(':')?;
        names
            .split(',')
            .any(|name| name == controller)
            .then_some(path)
    })
}

pub fn make(controllers: &Controllers, name: &str) -> io::Result<Cgroup> {
    let directories: Vec<PathBuf> = controllers.all().map(|base| base.join(name)).collect();
    let memory = controllers.memory.join(name);
    for (i, directory) in directories.iter().enumerate() {
        if let Err(e) = fs::create_dir(directory) {
            directories[..i].iter().for_each(|made| super::remove(made));
            return Err(e);
        }
    }
    let made = open(controllers, name, &memory, &directories);
    if made.is_err() {
        directories.iter().for_each(|made| super::remove(made));
    }
    made
}

fn open(
    controllers: &Controllers,
    name: &str,
    memory: &Path,
    directories: &[PathBuf],
) -> io::Result<Cgroup> {
    let read = |file: &str| File::open(memory.join(file));
    let limits = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"].map(|f| memory.join(f));
    if !limits[1].exists() {
        // Without a limit on swap a program could exceed its memory limit by the amount that the
        // kernel swaps out.
        let _ = write_file(&memory.join("memory.swappiness"), "0");
    }
    let cpuacct = controllers
        .cpuacct
        .as_ref()
        .map(|base| base.join(name).join("cpuacct.usage"));
    Ok(Cgroup {
        name: "cgroup-v1",
        unified: false,
        memory_limit: limits.into_iter().filter(|path| path.exists()).collect(),
        processes_limit: controllers
            .pids
            .as_ref()
            .map(|base| base.join(name).join("pids.max")),
        unlimited: "-1",
        peak: Some(
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(memory.join("memory.max_usage_in_bytes"))?,
        ),
        now: Arc::new(read("memory.usage_in_bytes")?),
        events: read("memory.oom_control")?,
        reclaim: memory.join("memory.force_empty"),
        stat: memory.join("memory.stat"),
        cpu: cpuacct.map(File::open).transpose()?.map(CpuMeter::CgroupV1),
        reset: Reset::Write,
        set_memory: None,
        set_processes: None,
        directories: directories.to_vec(),
    })
}
