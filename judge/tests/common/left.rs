//! What a judge may have left behind when it ended.

use std::path::Path;
use walkdir::WalkDir;

/// Makes orphans of the judges that this process starts children of this process.
pub fn adopt_orphans() {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .expect("every process may be a subreaper");
}

/// Processes, control groups and temporary files of the judge that are still there after its end.
pub fn left_behind(judge: u32, temporary: &Path) -> Vec<String> {
    let mut left: Vec<String> = std::fs::read_dir(temporary)
        .expect("the directory is there")
        .flatten()
        .map(|entry| entry.path().display().to_string())
        .collect();
    for task in std::fs::read_dir("/proc/self/task")
        .expect("/proc is there")
        .flatten()
    {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        left.extend(
            children
                .split_whitespace()
                .map(|pid| format!("process {pid}")),
        );
    }
    let own = format!("judge-sandbox.{judge}.");
    for entry in WalkDir::new("/sys/fs/cgroup").into_iter().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&own) {
            left.push(entry.path().display().to_string());
        }
    }
    left
}
