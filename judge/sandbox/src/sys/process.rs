//! Reads the process tree from `/proc`.

/// Maximum number of processes to visit: a program may start processes faster than this code finds
/// them.
const MAX_PROCESSES: usize = 1 << 16;

/// All processes below `pid`, at any depth.
pub fn descendants(pid: u32) -> Vec<u32> {
    let mut all = children(pid);
    let mut next = 0;
    while let Some(&pid) = all.get(next).filter(|_| next < MAX_PROCESSES) {
        all.extend(children(pid));
        next += 1;
    }
    all
}

/// Whether the process `pid` was started by the process `above` or by one below it, or has ended.
pub fn is_below(pid: u32, above: u32) -> bool {
    let mut pid = pid;
    for _ in 0..MAX_PROCESSES {
        let Some(parent) = parent(pid) else {
            return true;
        };
        match parent {
            0 | 1 => return false,
            parent if parent == above => return true,
            parent => pid = parent,
        }
    }
    false
}

/// The parent of a process; `None` if the process has ended.
fn parent(pid: u32) -> Option<u32> {
    let status = text_of(pid, "status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    line?.trim().parse().ok()
}

/// Reads a file of a process in `/proc`. It may contain the process name, which need not be UTF-8.
pub fn text_of(pid: u32, file: &str) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/{file}")).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The children of all threads of `pid`.
pub fn children(pid: u32) -> Vec<u32> {
    let mut all = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return all;
    };
    for thread in threads.flatten() {
        let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        all.extend(
            list.split_whitespace()
                .filter_map(|pid| pid.parse::<u32>().ok()),
        );
    }
    all
}
