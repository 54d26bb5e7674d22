//! Progress of a worker: a unit whose worker is silent for too long is given to another.

use judge_core::parallel::unpoisoned;
use judge_package::PackageLimits;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Last sign of life of a worker, and its permitted silence from then on.
#[derive(Debug)]
pub struct Progress(Mutex<(Instant, Duration)>);

/// Permitted silence before the limits of the package are known.
const AT_START: Duration = Duration::from_secs(600);

impl Progress {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Progress(Mutex::new((Instant::now(), AT_START)))
    }

    /// The worker is alive.
    pub(crate) fn touch(&self) {
        unpoisoned(self.0.lock()).0 = Instant::now();
    }

    /// Sets the permitted silence, which begins now.
    pub fn expect(&self, silence: Duration) {
        *unpoisoned(self.0.lock()) = (Instant::now(), silence);
    }

    /// Whether the silence is still within the permitted time.
    pub(crate) fn is_alive(&self) -> bool {
        let (heard, silence) = *unpoisoned(self.0.lock());
        heard.elapsed() <= silence
    }
}

/// How fast the cases of a judging are done.
#[derive(Debug)]
pub struct Pace {
    start: Instant,
    done: u32,
}

impl Pace {
    /// The first case starts now.
    pub fn start() -> Self {
        Pace {
            start: Instant::now(),
            done: 0,
        }
    }

    /// Another one of `all` cases is done; returns the time that the others will take, if they take
    /// as long as those before.
    pub fn one_of(&mut self, all: usize) -> Duration {
        self.done += 1;
        let left = u32::try_from(all)
            .unwrap_or(u32::MAX)
            .saturating_sub(self.done);
        self.start.elapsed().saturating_mul(left) / self.done
    }
}

/// The longest time without an event that judging a submission may take: a compilation, or a case
/// with its check, and waiting until it can run alone. Deriving a time limit reports nothing until it
/// is done.
pub fn longest_silence(limits: &PackageLimits) -> Duration {
    let Some(time) = limits.time.fixed() else {
        return Duration::from_secs(3600);
    };
    let passes = limits.validation_passes.max(1);
    let case = (5 * time + limits.validation_time) * passes;
    Duration::from_secs(120) + 3 * (limits.compilation_time + case)
}
