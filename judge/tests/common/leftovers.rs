//! Finds processes, control groups and files that a judge left behind when it exited.

use std::path::Path;
use walkdir::WalkDir;

/// Makes this process the subreaper of the judges that it starts: their orphans become its
/// children.
pub fn become_subreaper() {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .expect("become a subreaper");
}

/// Processes, control groups and temporary files of the judge that still exist after its exit.
pub fn leftovers(judge: u32, temporary: &Path) -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(temporary)
        .expect("read the temporary directory")
        .flatten()
        .map(|entry| entry.path().display().to_string())
        .collect();
    for task in std::fs::read_dir("/proc/self/task")
        .expect("read /proc/self/task")
        .flatten()
    {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(
            children
                .split_whitespace()
                .map(|pid| format!("process {pid}")),
        );
    }
    let own = format!("judge-sandbox.{judge}.");
    for entry in WalkDir::new("/sys/fs/cgroup").into_iter().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&own) {
            found.push(entry.path().display().to_string());
        }
    }
    found
}
