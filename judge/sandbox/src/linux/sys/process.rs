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

/// The time at which a process started, in clock ticks since boot; `None` if the process has ended.
pub fn start_time(pid: u32) -> Option<u64> {
    let stat = text_of(pid, "stat")?;
    // The name, in parentheses, may contain blanks and parentheses.
    let (_, fields) = stat.rsplit_once(')')?;
    // `starttime` is field 22; the state after the name is field 3.
    fields.split_whitespace().nth(22 - 3)?.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Clock ticks since boot.
    fn now() -> u64 {
        let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
        let (seconds, hundredths) = uptime.split(' ').next().unwrap().split_once('.').unwrap();
        seconds.parse::<u64>().unwrap() * 100 + hundredths.parse::<u64>().unwrap()
    }

    #[test]
    fn a_process_has_its_start_time_until_it_ends() {
        let before = now();
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let start = start_time(child.id()).unwrap();
        // Both figures are rounded down.
        assert!((before..=now() + 1).contains(&start), "{before} {start}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(start_time(child.id()), None);
    }
}
