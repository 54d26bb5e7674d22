//! CPU time of processes.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;

/// The parent of a process, and the ticks in these fields of `/proc/PID/stat`, counted after the name.
fn ticks(pid: u32, fields: Range<usize>) -> Option<(u32, u64)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may contain blanks.
    let all: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: &&str| field.parse::<u64>().ok();
    let sum = all.get(fields)?.iter().filter_map(number).sum();
    Some((all.get(1)?.parse().ok()?, sum))
}

/// Linux reports them at 100 per second on all supported architectures.
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / 100.0
}

/// CPU seconds so far of the processes that this one waited for, with those that they waited for.
pub fn of_ended_children() -> f64 {
    let own = ticks(std::process::id(), 13..15);
    own.map_or(f64::NAN, |(_, sum)| seconds(sum))
}

/// CPU seconds so far of a process, the processes below it, and those that they waited for.
pub fn of_tree(root: u32) -> f64 {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: HashMap<u32, (u32, u64)> = pids
        .filter_map(|pid| Some((pid, ticks(pid, 11..15)?)))
        .collect();
    let is_below = |pid: u32| {
        let mut at = Some(pid);
        while at.is_some_and(|at| at != root) {
            at = at.and_then(|at| all.get(&at)).map(|(parent, _)| *parent);
        }
        at.is_some()
    };
    let own = all.iter().filter(|(pid, _)| is_below(**pid));
    own.map(|(_, (_, sum))| seconds(*sum)).sum()
}
