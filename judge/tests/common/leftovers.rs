//! Finds processes, control groups and files that a judge left behind when it exited.

use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The control groups of judges that existed before a judge started. A judge that a test killed
/// leaves groups, and a later judge can have its process id.
pub struct Before(Vec<PathBuf>);

impl Before {
    /// Call before the judge starts. Makes this process the subreaper of the judges that it starts:
    /// their orphans become its children.
    pub fn new() -> Self {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .expect("become a subreaper");
        Before(groups("judge-sandbox."))
    }

    /// Processes, control groups and temporary files of the judge that still exist after its exit.
    pub fn leftovers(&self, judge: u32, temporary: &Path) -> Vec<String> {
        let mut found: Vec<String> = std::fs::read_dir(temporary)
            .expect("read the temporary directory")
            .flatten()
            .map(|entry| entry.path().display().to_string())
            .collect();
        for task in std::fs::read_dir("/proc/self/task")
            .expect("read /proc/self/task")
            .flatten()
        {
            let children =
                std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            found.extend(
                children
                    .split_whitespace()
                    .map(|pid| format!("process {pid}")),
            );
        }
        let own = groups(&format!("judge-sandbox.{judge}."));
        let own = own.into_iter().filter(|group| !self.0.contains(group));
        found.extend(own.map(|group| group.display().to_string()));
        found
    }
}

/// The control groups whose names begin with `prefix`.
fn groups(prefix: &str) -> Vec<PathBuf> {
    WalkDir::new("/sys/fs/cgroup")
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(walkdir::DirEntry::into_path)
        .collect()
}
