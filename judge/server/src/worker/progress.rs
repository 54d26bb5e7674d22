//! Progress of a worker: a unit whose worker is silent for too long is given to another.

use judge::package::Package;
use judge::parallel::unpoisoned;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// When a worker was last heard of, and how long it may be silent.
#[derive(Debug)]
pub struct Progress(Mutex<(Instant, Duration)>);

/// Before it is known what is judged.
const AT_START: Duration = Duration::from_secs(600);

impl Progress {
    /// Starts now.
    pub fn start() -> Self {
        Progress(Mutex::new((Instant::now(), AT_START)))
    }

    /// The worker is alive.
    pub fn touch(&self) {
        unpoisoned(self.0.lock()).0 = Instant::now();
    }

    /// Sets how long it may be silent.
    pub fn expect(&self, silence: Duration) {
        *unpoisoned(self.0.lock()) = (Instant::now(), silence);
    }

    /// Whether it is silent for no longer than it may be.
    pub fn is_alive(&self) -> bool {
        let (heard, silence) = *unpoisoned(self.0.lock());
        heard.elapsed() <= silence
    }
}

/// The longest time without an event that judging a submission may take: a compilation, or a case
/// with its check, and waiting until it can run alone. Deriving a time limit reports nothing until it
/// is done.
pub fn longest_silence(package: &Package) -> Duration {
    let limits = &package.limits;
    let Some(time) = limits.time.fixed() else {
        return Duration::from_secs(3600);
    };
    let passes = limits.validation_passes.max(1);
    let case = (5 * time + limits.validation_time) * passes;
    Duration::from_secs(120) + 3 * (limits.compilation_time + case)
}
