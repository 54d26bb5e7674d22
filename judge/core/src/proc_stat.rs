//! CPU time of the machine and of its processes, from `/proc/stat` and `/proc/PID/stat`.

/// Clock ticks per second: Linux reports 100 on all supported architectures.
pub const TICKS_PER_SECOND: f64 = 100.0;

/// A process in `/proc/PID/stat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// The name of its executable, which the kernel shortens to 15 bytes.
    pub name: String,
    /// The PID of its parent.
    pub parent: u32,
    /// Clock ticks used, with those of the processes that it waited for.
    pub ticks: u64,
}

/// Clock ticks since boot in which cores were busy, all cores together, from the text of `/proc/stat`.
/// Ticks that a hypervisor took count too.
pub fn busy(stat: &str) -> Option<u64> {
    let first = stat.lines().next()?.strip_prefix("cpu ")?;
    let fields: Vec<u64> = first
        .split_whitespace()
        .map_while(|field| field.parse().ok())
        .collect();
    // user nice system idle iowait irq softirq steal
    let busy = [0, 1, 2, 5, 6, 7].iter().filter_map(|&k| fields.get(k));
    Some(busy.sum())
}

/// Number of cores in the text of `/proc/stat`.
pub fn cores(stat: &str) -> usize {
    let is_core = |line: &&str| {
        let rest = line.strip_prefix("cpu");
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    stat.lines().filter(is_core).count()
}

/// Reads the text of `/proc/PID/stat`.
pub fn process(stat: &str) -> Option<Process> {
    // The name, in parentheses, may contain blanks and parentheses.
    let (before, after) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    // utime stime cutime cstime
    let ticks = fields
        .get(11..15)?
        .iter()
        .filter_map(|field| field.parse::<u64>().ok());
    Some(Process {
        name: before.split_once('(')?.1.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        ticks: ticks.sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_others_or_the_hypervisor_took_is_busy() {
        let stat = "cpu  10 20 30 4000 50 6 7 8 0 0\ncpu0 10 20 30 4000 50 6 7 8 0 0\n";
        assert_eq!(busy(stat), Some(81));
        assert_eq!(cores(stat), 1);
        assert_eq!(busy("intr 1 2\n"), None);
    }

    #[test]
    fn a_process_may_have_any_name() {
        let stat = "7 (a) (b c) S 5 7 7 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 99\n";
        let expected = Process {
            name: "a) (b c".to_owned(),
            parent: 5,
            ticks: 100,
        };
        assert_eq!(process(stat), Some(expected));
    }
}
