//! The table of layers: the mechanisms that isolate and measure in a box, the missing ones, and the
//! remedies.

use std::fs;
use std::path::Path;

use crate::api::{Fault, Layer, State};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::host::cgroup::Unusable;
use crate::linux::host::counter::{Event, PerfCounter};
use crate::linux::protocol::Isolation;
use crate::linux::sys;

const NAMESPACES: [(&str, &str); 6] = [
    (
        "user-namespace",
        "the program has no rights outside its box",
    ),
    (
        "pid-namespace",
        "the program sees and reaches only its own processes; all die with the box",
    ),
    (
        "mount-namespace",
        "a private root, read-only except for the work directory",
    ),
    ("network-namespace", "no network, not even loopback"),
    (
        "ipc-namespace",
        "no shared memory or queues of other programs",
    ),
    ("uts-namespace", "no host name"),
];

const PERF_REMEDY: &str = "sudo sysctl kernel.perf_event_paranoid=2";

fn present(name: &'static str, why: impl Into<String>) -> Layer {
    Layer {
        name,
        state: State::Present,
        why: why.into(),
        remedy: None,
    }
}

fn absent(name: &'static str, why: impl Into<String>, remedy: Option<String>) -> Layer {
    Layer {
        name,
        state: State::Absent,
        why: why.into(),
        remedy,
    }
}

fn degraded(name: &'static str, why: impl Into<String>, remedy: Option<String>) -> Layer {
    Layer {
        name,
        state: State::Degraded,
        why: why.into(),
        remedy,
    }
}

/// All layers of a box. `refused` is the error because of which the box has no namespaces, if
/// namespaces were requested.
pub fn of(process: &BoxProcess, refused: Option<&Fault>) -> Vec<Layer> {
    let mut layers = isolation(process, refused);
    layers.extend([
        memory(process),
        processes(process),
        cpu_time(process),
        instructions(process),
    ]);
    layers
}

fn isolation(process: &BoxProcess, refused: Option<&Fault>) -> Vec<Layer> {
    let missing = |name: &str| {
        process
            .missing_layers
            .iter()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix(": "))
    };
    let optional = |name, why: &str, remedy: Option<&str>| match missing(name) {
        None => present(name, why),
        Some(error) => absent(name, error, remedy.map(str::to_owned)),
    };
    let why = refused.map_or("not requested".to_owned(), why_forbidden);
    let remedy = refused.map(|_| namespace_remedy());
    let filter = "system calls that no submission needs are refused";
    let files = "a second barrier for files: nothing outside the box can be opened";
    let lsm = Some("boot with lsm=landlock,... (Linux 5.13 or later)");
    let none = |name| absent(name, why.clone(), remedy.clone());
    match process.isolation {
        Isolation::Namespaces => {
            let mut layers: Vec<Layer> = NAMESPACES.map(|(name, why)| present(name, why)).into();
            let in_container = Some("run the container with --security-opt systempaths=unconfined");
            layers.push(optional(
                "cgroup-namespace",
                "names of control groups are hidden",
                None,
            ));
            layers.push(optional(
                "proc",
                "a /proc with only the box's processes",
                in_container,
            ));
            layers.push(optional("landlock", files, lsm));
            layers.push(optional(
                "seccomp",
                filter,
                Some("a kernel with CONFIG_SECCOMP_FILTER"),
            ));
            layers
        }
        Isolation::Landlock => {
            let mut layers: Vec<Layer> = NAMESPACES.map(|(name, _)| none(name)).into();
            layers[2] = degraded("mount-namespace", landlock_alone(), remedy.clone());
            layers[3] = degraded(
                "network-namespace",
                "seccomp refuses sockets",
                remedy.clone(),
            );
            layers.push(present(
                "landlock",
                format!("version {}", sys::landlock_version()),
            ));
            layers.push(present("seccomp", filter));
            layers
        }
        Isolation::None => {
            let mut layers: Vec<Layer> = NAMESPACES.map(|(name, _)| none(name)).into();
            layers.push(absent(
                "isolation",
                "THE PROGRAM RUNS AS THE CURRENT USER",
                remedy.clone(),
            ));
            if refused.is_some() {
                let reason = "missing from this kernel, or not enabled";
                layers.push(absent("landlock", reason, lsm.map(str::to_owned)));
                let alone = "not used without namespaces or Landlock";
                layers.push(absent("seccomp", alone, remedy.clone()));
            } else {
                layers.extend([none("landlock"), none("seccomp")]);
            }
            layers
        }
    }
}

/// The gaps of Landlock alone. Compilers must change modes, and Landlock does not restrict
/// that.
fn landlock_alone() -> String {
    let whose = match sys::is_root() {
        true => "`nobody`",
        false => "yours, also in your home: compile only programs that you trust, or judge as root",
    };
    format!(
        "Landlock alone keeps the program from opening files, and seccomp from sockets and fork; the \
         program can find out which files exist, and their sizes; while compiling, code can change \
         modes, owners, times and attributes of files of the user {whose}"
    )
}

fn memory(process: &BoxProcess) -> Layer {
    match &process.group {
        Ok(group) if group.resets_peak() => {
            present("memory", format!("limited and measured by {}", group.name))
        }
        Ok(group) if group.has_peak() => present(
            "memory",
            format!(
                "limited and measured by {}; before Linux 6.12 its peak cannot be reset, so a box is \
                 replaced after a run that uses more than 4 MiB, and the figure of a smaller run may \
                 be that of an earlier one",
                group.name
            ),
        ),
        Ok(group) => present(
            "memory",
            format!(
                "limited by {}; before Linux 5.19 it reports no peak, so runs are measured by wait (rusage)",
                group.name
            ),
        ),
        Err(Unusable { why, remedy }) => degraded(
            "memory",
            format!(
                "sampled every 10 ms and by wait (rusage): a brief peak of several processes may be \
                 missed, and so is what a program keeps in shared memory without mapping it and in memory of the \
                 kernel (pipes, sockets, file locks, epoll watches); {why}"
            ),
            Some(remedy.clone()),
        ),
    }
}

fn processes(process: &BoxProcess) -> Layer {
    const NAME: &str = "processes";
    match (&process.group, process.rlimit_processes) {
        (Ok(group), _) if group.limits_processes() => {
            present(NAME, format!("limited by {}", group.name))
        }
        (_, true) => present(NAME, "limited by setrlimit in the box's user namespace"),
        (group, false) => {
            let remedy = group.as_ref().err().map(|unusable| unusable.remedy.clone());
            absent(NAME, "nothing limits the number of processes", remedy)
        }
    }
}

fn cpu_time(process: &BoxProcess) -> Layer {
    if process.cpu.covers_tree() {
        present(
            "cpu-time",
            format!("of the whole process tree, by {}", process.cpu.by()),
        )
    } else {
        let why = "by wait (rusage): a child that no process waits for may be missed";
        degraded("cpu-time", why, Some(PERF_REMEDY.to_owned()))
    }
}

fn instructions(process: &BoxProcess) -> Layer {
    const NAME: &str = "instructions";
    match PerfCounter::from_exec(process.spawned.pid, Event::Instructions) {
        Ok(_) => present(NAME, "retired in user mode, by perf_event_open, on request"),
        Err(e) => match e.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => {
                absent(NAME, e.to_string(), Some(PERF_REMEDY.into()))
            }
            _ => absent(NAME, format!("this machine has no such counter: {e}"), None),
        },
    }
}

/// Explains why the machine forbids namespaces.
fn why_forbidden(refused: &Fault) -> String {
    match &refused.source {
        // The kernel returns ENOSPC for a limit of 0.
        Some(e) if e.raw_os_error() == Some(libc::ENOSPC) => {
            "user namespaces are forbidden: user.max_user_namespaces is 0".to_owned()
        }
        Some(e) => format!(
            "user namespaces are forbidden: failed to {}: {e}",
            refused.stage
        ),
        None => refused.to_string(),
    }
}

/// The AppArmor profile that confines this process, from `/proc/PID/attr/apparmor/current`; `None`
/// for a container's profile, which the user cannot change.
fn apparmor_profile(current: &str) -> Option<&str> {
    let name = current.strip_suffix("(enforce)")?.trim_end();
    (!name.starts_with("docker-default") && !name.starts_with("containers-default")).then_some(name)
}

/// The setting with which Ubuntu 23.10 and later lets only programs with a profile create namespaces.
const APPARMOR_RESTRICTS: &str = "kernel.apparmor_restrict_unprivileged_userns";

fn setting(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.trim().to_owned()
}

fn restricts_by_apparmor() -> bool {
    setting(&format!(
        "/proc/sys/{}",
        APPARMOR_RESTRICTS.replace('.', "/")
    )) == "1"
}

/// The AppArmor profile that lets the executable at `program` create namespaces, if this machine
/// requires one. The package of Debian brings it.
pub fn required_profile(program: &Path) -> Option<String> {
    restricts_by_apparmor().then(|| profile(program))
}

/// The profile confines nothing: it only permits what the machine forbids programs without one. It also holds for
/// `judge-server`, which lies beside `judge`.
fn profile(program: &Path) -> String {
    format!(
        "abi <abi/4.0>,\ninclude <tunables/global>\n\nprofile judge \"{}{{,-server}}\" flags=(unconfined) {{\n  \
         userns,\n\n  include if exists <local/judge>\n}}\n",
        program.display()
    )
}

/// The command that lets an ordinary user create namespaces; it depends on the mechanism that
/// forbids them on this machine.
pub fn namespace_remedy() -> String {
    if setting("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
        "sudo sysctl kernel.unprivileged_userns_clone=1".into()
    } else if setting("/proc/sys/user/max_user_namespaces") == "0" {
        "sudo sysctl user.max_user_namespaces=15000".into()
    } else if restricts_by_apparmor() {
        format!(
            "load the AppArmor profile that `judge doctor` prints, or sudo sysctl {APPARMOR_RESTRICTS}=0"
        )
    } else if let Some(profile) = apparmor_profile(&setting("/proc/self/attr/apparmor/current")) {
        format!(
            "allow `userns,` and `capability,` in the AppArmor profile {profile}, which confines the judge"
        )
    } else {
        "in a container: docker run --security-opt seccomp=unconfined \
         --security-opt apparmor=unconfined --security-opt systempaths=unconfined"
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_brings_the_profile_of_its_program() {
        let packaged = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist/deb/apparmor");
        let Ok(packaged) = fs::read_to_string(packaged) else {
            return; // the crate alone
        };
        assert_eq!(profile(Path::new("/usr/bin/judge")), packaged);
    }

    #[test]
    fn only_an_enforced_profile_outside_a_container_is_named() {
        for (current, name) in [
            ("judge (enforce)", Some("judge")),
            ("/usr/bin/judge (enforce)", Some("/usr/bin/judge")),
            ("judge (complain)", None),
            ("unconfined", None),
            ("docker-default (enforce)", None),
            ("", None),
        ] {
            assert_eq!(apparmor_profile(current), name, "{current}");
        }
    }
}
