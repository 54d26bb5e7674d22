//! Tests on ordinary files and made-up lists of mounts, because a machine has one version only.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Cgroup, Hierarchy, PREFIX, mount_lines, names_of, sweep, v1, v2, with_new_name};
use v2::Movable;

/// Makes a version 2 group of ordinary files.
pub fn fake_group(directory: &Path) -> Cgroup {
    let files = [
        ("memory.max", "max\n"),
        ("memory.swap.max", "max\n"),
        ("memory.peak", "1048576\n"),
        ("memory.current", "524288\n"),
        (
            "memory.events",
            "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 0\n",
        ),
        ("pids.max", "max\n"),
        (
            "cpu.stat",
            "usage_usec 2500\nuser_usec 2000\nsystem_usec 500\n",
        ),
        ("cgroup.procs", ""),
    ];
    for (name, text) in files {
        fs::write(directory.join(name), text).unwrap();
    }
    v2::open(directory).unwrap()
}

/// Gives the group a read-only peak, as before Linux 6.12.
pub fn without_reset(group: &mut Cgroup, directory: &Path) {
    group.peak = Some(fs::File::open(directory.join("memory.peak")).unwrap());
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn version_2_sets_limits_and_reads_figures() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mut group = fake_group(path);
    assert_eq!(text(&path.join("memory.swap.max")), "0ax\n", "swap is off");

    group.adopt(4711).unwrap();
    assert_eq!(text(&path.join("cgroup.procs")), "4711");
    group.limit(Some(67108864), Some(65)).unwrap();
    assert_eq!(text(&path.join("memory.max")), "67108864");
    assert!(text(&path.join("pids.max")).starts_with("65"));

    assert_eq!(group.memory_kills().unwrap(), 2);
    assert_eq!(group.in_use().unwrap(), 524_288);
    assert_eq!(group.peak().unwrap(), Some(1_048_576));
    let cpu = group.take_cpu_meter().unwrap();
    assert_eq!(cpu.read().unwrap(), Duration::from_micros(2500));
    assert_eq!(cpu.by(), "cgroup-v2");
}

#[test]
fn a_peak_that_cannot_be_reset_is_that_of_all_runs() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mut group = fake_group(path);
    without_reset(&mut group, path);
    group.reset_peak();
    assert!(group.has_peak() && !group.resets_peak() && !group.reset_peak_again());
    assert_eq!(group.peak().unwrap(), Some(1_048_576));
    fs::write(path.join("memory.peak"), "2097152\n").unwrap();
    assert_eq!(group.peak().unwrap(), Some(2_097_152));
}

#[test]
fn limits_are_written_only_when_they_change() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mut group = fake_group(path);
    group.limit(Some(1000), None).unwrap();
    fs::write(path.join("memory.max"), "untouched").unwrap();
    group.limit(Some(1000), None).unwrap();
    assert_eq!(text(&path.join("memory.max")), "untouched");
    group.limit(None, None).unwrap();
    assert!(text(&path.join("memory.max")).starts_with("max"));
}

/// Makes a delegated group like systemd's, with the processes `procs`.
fn fake_scope(directory: &Path, procs: &str) -> PathBuf {
    let scope = directory.join("judge.scope");
    // The kernel creates the files of a new group; here they must exist.
    fs::create_dir_all(scope.join("supervisor")).unwrap();
    let files = [
        ("cgroup.type", "domain\n"),
        ("cgroup.subtree_control", ""),
        ("cgroup.procs", procs),
        ("supervisor/cgroup.procs", ""),
    ];
    for (name, text) in files {
        fs::write(scope.join(name), text).unwrap();
    }
    scope
}

#[test]
fn a_delegated_group_of_version_2_is_prepared() {
    let directory = tempfile::tempdir().unwrap();
    let pid = std::process::id().to_string();
    let scope = fake_scope(directory.path(), &pid);
    assert_eq!(v2::prepare(&scope, Movable::Own).unwrap(), scope);
    assert_eq!(text(&scope.join("supervisor/cgroup.procs")), pid);
    assert!(text(&scope.join("cgroup.subtree_control")).contains("+pids"));
    // Prepares again, from the group into which the judge has moved.
    fs::write(scope.join("cgroup.subtree_control"), "memory pids\n").unwrap();
    assert_eq!(
        v2::prepare(&scope.join("supervisor"), Movable::Own).unwrap(),
        scope
    );
}

/// A server queries its compilers while it judges its first submission.
#[test]
fn processes_that_the_judge_started_move_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh")
        .args(["-c", "sleep 60 & echo $!; wait"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut grandchild = String::new();
    BufReader::new(shell.stdout.take().unwrap())
        .read_line(&mut grandchild)
        .unwrap();
    let (own, child) = (std::process::id(), shell.id());
    let prepare = |procs: &str| {
        let scope = fake_scope(directory.path(), procs);
        v2::prepare(&scope, Movable::Own).map(|_| text(&scope.join("supervisor/cgroup.procs")))
    };
    // The file contains the last process that was written.
    let moved = [child.to_string(), grandchild.trim().to_owned()];
    for last in &moved {
        let entered = prepare(&format!("{own}\n{last}\n"));
        assert!(entered.unwrap().starts_with(last));
    }
    let refused = prepare(&format!("{own}\n{child}\n1\n")).unwrap_err();
    assert!(refused.to_string().contains("other processes"), "{refused}");
    for pid in moved {
        Command::new("kill").arg(pid).status().unwrap();
    }
    shell.wait().unwrap();
}

#[test]
fn a_group_with_other_processes_is_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    let scope = fake_scope(directory.path(), "1\n");
    let refused = v2::prepare(&scope, Movable::Own).unwrap_err();
    assert!(refused.to_string().contains("other processes"), "{refused}");
    assert_eq!(text(&scope.join("supervisor/cgroup.procs")), "");
}

#[test]
fn other_processes_move_with_the_judge_where_it_may_move_them() {
    let directory = tempfile::tempdir().unwrap();
    let scope = fake_scope(directory.path(), "1\n");
    assert_eq!(v2::prepare(&scope, Movable::All).unwrap(), scope);
    // The file contains the last process that was written.
    assert!(text(&scope.join("supervisor/cgroup.procs")).starts_with('1'));
    // A process of another PID namespace cannot be moved.
    let scope = fake_scope(directory.path(), "1\n0\n");
    let refused = v2::prepare(&scope, Movable::All).unwrap_err();
    assert!(refused.to_string().contains("other processes"), "{refused}");
}

/// The environment variable with the group of [`processes_move_back_when_the_judge_ends`]'s second
/// process.
const REAL_GROUP: &str = "JUDGE_SANDBOX_TEST_GROUP";

/// Runs on a real group, in a process of its own, because the judge moves as well.
#[test]
fn processes_move_back_when_the_judge_ends() {
    if let Some(base) = std::env::var_os(REAL_GROUP) {
        return move_there_and_back(Path::new(&base));
    }
    let mounts = text(Path::new("/proc/self/mountinfo"));
    let own = text(Path::new("/proc/self/cgroup"));
    let lines = mount_lines(&mounts);
    let line = lines.iter().find(|line| line.kind == "cgroup2");
    let here = line.and_then(|line| v2::own_directory(line, &own));
    let base = here.map(|here| here.join(format!("test.{}", std::process::id())));
    let Some(base) = base.filter(|base| fs::create_dir(base).is_ok()) else {
        eprintln!("skipped: this process cannot make a group of version 2");
        return;
    };
    let done = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "host::cgroup::tests::processes_move_back_when_the_judge_ends",
        ])
        .env(REAL_GROUP, &base)
        .output()
        .unwrap();
    super::remove(&base);
    assert!(done.status.success(), "{done:?}");
    assert!(!base.exists());
}

fn move_there_and_back(base: &Path) {
    let mut sleep = Command::new("sleep").arg("60").spawn().unwrap();
    // Not below this process: a sleeper of its own would be movable anyway.
    let mut shell = Command::new("sh")
        .args(["-c", "sleep 60 & echo $!"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut other = String::new();
    BufReader::new(shell.stdout.take().unwrap())
        .read_line(&mut other)
        .unwrap();
    shell.wait().unwrap();
    let mut all = [
        std::process::id(),
        sleep.id(),
        other.trim().parse().unwrap(),
    ];
    for pid in all {
        crate::linux::sys::write_file(&base.join("cgroup.procs"), &pid.to_string()).unwrap();
    }
    let supervisor = base.join("supervisor");
    let refused = v2::prepare(base, Movable::Own).unwrap_err();
    assert!(refused.to_string().contains("other processes"), "{refused}");
    assert!(!supervisor.exists());
    // Fails where version 2 has no memory controller; then everything is as before, too.
    if v2::prepare(base, Movable::All).is_ok() {
        assert!(v2::has(base, "cgroup.subtree_control", "memory"));
        assert_eq!(v2::members(base).unwrap(), []);
        v2::restore_at_exit();
    }
    let mut there = v2::members(base).unwrap();
    all.sort_unstable();
    there.sort_unstable();
    assert_eq!(there, all);
    assert!(!supervisor.exists());
    assert!(!v2::has(base, "cgroup.subtree_control", "memory"));
    sleep.kill().unwrap();
    sleep.wait().unwrap();
    Command::new("kill").arg(other.trim()).status().unwrap();
}

#[test]
fn a_group_without_the_memory_controller_is_explained() {
    let directory = tempfile::tempdir().unwrap();
    let scope = fake_scope(directory.path(), "");
    for (controllers, word) in [
        ("", "because"),
        ("cpu memory pids\n", "because"),
        ("pids\n", "the memory controller is not delegated"),
    ] {
        fs::write(scope.join("cgroup.controllers"), controllers).unwrap();
        let explained = v2::unprepared(&scope, "because");
        assert!(explained.why.contains(word), "{explained:?}");
    }
}

const MOUNTS: &str = "\
25 1 0:22 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
26 25 0:23 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
27 25 0:24 /docker /sys/fs/cgroup/memory rw,relatime shared:3 - cgroup cgroup rw,memory
28 25 0:25 / /nowhere/unified rw - cgroup2 cgroup2 rw
";

#[test]
fn mounts_and_own_groups_are_parsed() {
    let lines = mount_lines(MOUNTS);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1].root, "/docker");
    let own = super::directory_of(&lines[1], "/docker/abc");
    assert_eq!(own, Path::new("/sys/fs/cgroup/memory/abc"));

    let outside = "25 1 0:22 /../.. /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    let no = v2::find(outside, "0::/\n").unwrap_err();
    assert!(no.why.contains("no control groups are mounted"), "{no:?}");

    let no = v2::find(MOUNTS, "0::/\n").unwrap_err();
    assert!(no.why.contains("memory controller"), "{no:?}");
    let no = v2::no_memory_controller("root=/dev/sda1 cgroup_disable=memory quiet");
    assert!(no.remedy.contains("without cgroup_disable"), "{no:?}");
    let no = v2::find("", "").unwrap_err();
    assert!(no.why.contains("no control groups"), "{no:?}");
    assert!(v1::find("", "").unwrap_err().is_none());
    let no = v1::find(MOUNTS, "4:memory:/docker/no-such-group\n")
        .unwrap_err()
        .unwrap();
    assert!(no.why.contains("no-such-group"), "{no:?}");
}

#[test]
fn groups_of_killed_judges_are_removed() {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path();
    let own = std::process::id();
    let ours = base.join(format!("{}7", names_of(own)));
    // No process has this id: it is above every limit.
    let theirs = base.join(format!("{PREFIX}99999999.1.0"));
    // Of a process that had this process's id earlier.
    let earlier = base.join(format!("{PREFIX}{own}.1.7"));
    let other = base.join("something");
    for path in [&ours, &theirs, &earlier, &other] {
        fs::create_dir(path).unwrap();
    }
    sweep(&Hierarchy::V2(base.to_path_buf()));
    assert!(ours.exists() && other.exists());
    assert!(!theirs.exists() && !earlier.exists());
}

#[test]
fn a_taken_name_is_skipped() {
    let directory = tempfile::tempdir().unwrap();
    let mut taken = Vec::new();
    let made = with_new_name(|name| {
        let path = directory.path().join(name);
        if taken.is_empty() {
            fs::create_dir(&path).unwrap();
        }
        taken.push(path.clone());
        fs::create_dir(&path).map(|()| path)
    });
    assert_eq!(taken.len(), 2);
    assert_eq!(made.unwrap(), taken[1]);
}

#[test]
fn names_that_are_all_taken_are_an_error() {
    let made: io::Result<()> = with_new_name(|_| Err(io::ErrorKind::AlreadyExists.into()));
    assert_eq!(made.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
}

#[test]
fn a_shared_hierarchy_of_version_1_is_listed_once() {
    let [shared, own] = ["/sys/fs/cgroup/memory,pids", "/sys/fs/cgroup/cpuacct"].map(PathBuf::from);
    let controllers = v1::Controllers {
        memory: shared.clone(),
        cpuacct: Some(own.clone()),
        pids: Some(shared.clone()),
    };
    let all: Vec<&PathBuf> = controllers.all().collect();
    assert_eq!(all, [&shared, &own]);
}
