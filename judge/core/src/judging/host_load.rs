//! Measures how busy other programs kept the machine during judging.

use crate::proc_stat::{self, TICKS_PER_SECOND};
use std::fs;
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
        Some(busy.saturating_sub(own) as f64 / TICKS_PER_SECOND / elapsed)
    }
}

fn ticks() -> Option<Ticks> {
    let busy = proc_stat::busy(&fs::read_to_string("/proc/stat").ok()?)?;
    let own = proc_stat::process(&fs::read_to_string("/proc/self/stat").ok()?)?.ticks;
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
