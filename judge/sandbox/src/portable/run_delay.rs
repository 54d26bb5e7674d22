//! The time for which the machine did not run a program, on a system that counts only what cores do.

use std::time::{Duration, Instant};

/// The shortest interval that is added up: the system's clocks have steps of about 16 ms.
const INTERVAL: Duration = Duration::from_millis(500);

/// Sums the time in which neither the program ran nor a core was idle: a program that was ready in
/// that time waited for a core.
pub struct RunDelay {
    /// When the last interval ended, with the idle time of all cores and the program's CPU time then.
    last: (Instant, Duration, Duration),
    delay: Duration,
}

impl RunDelay {
    /// For a program that starts at `now`, when the cores have this idle time.
    pub fn new(now: Instant, idle: Duration) -> Self {
        RunDelay {
            last: (now, idle, Duration::ZERO),
            delay: Duration::ZERO,
        }
    }

    /// The delay until `now`, by the idle time of all cores and the CPU time of the program.
    pub fn sample(&mut self, now: Instant, idle: Duration, cpu: Duration) -> Duration {
        let (then, idle_then, cpu_then) = self.last;
        let interval = now - then;
        let used = idle.saturating_sub(idle_then) + cpu.saturating_sub(cpu_then);
        let delay = self.delay + interval.saturating_sub(used);
        if interval >= INTERVAL {
            self.last = (now, idle, cpu);
            self.delay = delay;
        }
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_delayed_while_no_core_is_idle() {
        let (start, ms) = (Instant::now(), Duration::from_millis);
        let mut delay = RunDelay::new(start, ms(7000));
        let mut sample =
            |now, idle: u64, cpu| delay.sample(start + ms(now), ms(7000 + idle), ms(cpu));
        // It runs, then waits while two cores are idle.
        assert_eq!(sample(500, 0, 500), ms(0));
        assert_eq!(sample(1000, 1000, 500), ms(0));
        // It has half of a core that others use too.
        assert_eq!(sample(1600, 1000, 800), ms(300));
        // A short interval counts once, together with what follows.
        assert_eq!(sample(1610, 1000, 800), ms(310));
        assert_eq!(sample(2200, 1590, 810), ms(300));
    }
}
