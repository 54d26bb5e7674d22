//! The load of this machine by programs that are not the judge's: of all cores' time, what the
//! processes of the judge did not use.

use judge_core::proc_stat::{self, Process, TICKS_PER_SECOND};
use std::collections::HashMap;
use std::fs;
use std::time::Instant;

/// CPU time so far, of all cores together.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Instant,
    /// Clock ticks since the machine started.
    busy: u64,
    /// Clock ticks used by the judge's processes.
    own: u64,
}

/// Measures the load between two calls.
#[derive(Debug, Default)]
pub struct Load {
    last: Option<Sample>,
}

impl Load {
    /// Average number of cores that others kept busy since the last call; `None` the first time, and
    /// where `/proc` cannot be read.
    pub fn others(&mut self) -> Option<f64> {
        let now = sample()?;
        let before = self.last.replace(now)?;
        let elapsed = now.at.duration_since(before.at).as_secs_f64();
        let busy = now.busy.saturating_sub(before.busy);
        let own = now.own.saturating_sub(before.own);
        let others = busy.saturating_sub(own) as f64 / TICKS_PER_SECOND / elapsed;
        others.is_finite().then_some(others)
    }
}

/// The number of cores whose time [`Load`] measures: all of the machine, although this process may be
/// bound to some of them.
pub fn cores() -> Option<usize> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let cores = proc_stat::cores(&stat);
    (cores > 0).then_some(cores)
}

fn sample() -> Option<Sample> {
    let at = Instant::now();
    let busy = proc_stat::busy(&fs::read_to_string("/proc/stat").ok()?)?;
    let entries = fs::read_dir("/proc").ok()?.flatten();
    let processes: HashMap<u32, Process> = entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            // It may have ended by now.
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            Some((pid, proc_stat::process(&stat)?))
        })
        .collect();
    let own = of_the_judge(&processes, std::process::id());
    Some(Sample { at, busy, own })
}

/// The ticks of all processes with the name of process `own`, and of all their descendants: servers and
/// workers on this machine do not count as other programs.
fn of_the_judge(processes: &HashMap<u32, Process>, own: u32) -> u64 {
    let Some(Process { name, .. }) = processes.get(&own) else {
        return 0;
    };
    let is_own = |pid: &u32| {
        let mut at = Some(pid);
        // No chain of parents is longer than all processes.
        for _ in 0..processes.len() {
            let Some(process) = at.and_then(|pid| processes.get(pid)) else {
                return false;
            };
            if process.name == *name {
                return true;
            }
            at = Some(&process.parent);
        }
        false
    };
    let own = processes.iter().filter(|(pid, _)| is_own(pid));
    own.map(|(_, process)| process.ticks).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processes_of_the_judge_are_its_own_work() {
        let process = |name: &str, parent, ticks| Process {
            name: name.to_owned(),
            parent,
            ticks,
        };
        let processes = HashMap::from([
            (1, process("init", 0, 1)),
            (10, process("judge-server", 1, 2)),
            (11, process("box", 10, 4)),
            (12, process("submission", 11, 8)),
            (20, process("judge-server", 1, 16)),
            (21, process("submission", 20, 32)),
            (30, process("browser", 1, 64)),
            // Its parent ended while the list was read.
            (31, process("tab", 29, 128)),
            (32, process("loop", 32, 256)),
        ]);
        assert_eq!(of_the_judge(&processes, 10), 62);
        assert_eq!(of_the_judge(&processes, 99), 0);
    }

    #[test]
    fn the_load_of_this_machine_is_read() {
        let mut load = Load::default();
        assert_eq!(load.others(), None, "there is nothing to compare with");
        std::thread::sleep(std::time::Duration::from_millis(50));
        let others = load.others().expect("/proc is mounted");
        assert!(others >= 0.0, "{others}");
    }
}
