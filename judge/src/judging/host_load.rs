//! Measures how busy other programs kept the machine during judging.

use std::time::Instant;

/// The counters at the start of judging, for a comparison at the end.
#[derive(Debug)]
pub struct HostLoad {
    start: Instant,
    before: Option<Ticks>,
}

/// CPU time in clock ticks since boot, all cores together.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    busy: u64,
    /// CPU time of this process and its finished children.
    own: u64,
}

impl HostLoad {
    /// Reads the counters.
    pub fn start() -> Self {
        HostLoad {
            start: Instant::now(),
            before: ticks(),
        }
    }

    /// Average number of cores that other programs kept busy since the start; `None` if `/proc` is
    /// not readable or the time was too short.
    pub fn others(&self) -> Option<f64> {
        let elapsed = self.start.elapsed().as_secs_f64();
        let (before, after) = (self.before?, ticks()?);
        if elapsed < 0.5 {
            return None;
        }
        let busy = after.busy.saturating_sub(before.busy);
        let own = after.own.saturating_sub(before.own);
        // Linux reports these ticks at 100 per second on all supported architectures.
        Some(busy.saturating_sub(own) as f64 / 100.0 / elapsed)
    }
}

fn ticks() -> Option<Ticks> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let fields: Vec<u64> = stat
        .lines()
        .next()?
        .split_whitespace()
        .skip(1)
        .filter_map(|field| field.parse().ok())
        .collect();
    // user nice system idle iowait irq softirq steal
    let busy = [0, 1, 2, 5, 6, 7]
        .iter()
        .filter_map(|&k| fields.get(k))
        .sum();
    let own = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may contain blanks: fields are counted after it.
    let own: Vec<u64> = own
        .rsplit_once(')')?
        .1
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    // utime stime cutime cstime
    let own = own.get(11..15)?.iter().sum();
    Some(Ticks { busy, own })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_grow() {
        let before = ticks().expect("/proc is mounted");
        assert!(before.busy > 0);
        assert!(ticks().expect("/proc is mounted").busy >= before.busy);
        assert_eq!(HostLoad::start().others(), None, "too short to say");
    }
}
