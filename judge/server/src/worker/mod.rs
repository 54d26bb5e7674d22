//! The workers of this process: threads for each core, which take units from the queue and judge
//! them one after the other, and one that extends their leases while they make progress.

mod backoff;
mod control;
mod judging;
mod pool;
mod progress;
mod turn;

pub(crate) use control::Control;
pub(crate) use judging::{judge_elsewhere, run_again};
pub use pool::Workers;
pub use progress::Progress;
pub use turn::Turn;

use crate::disk::full;
use crate::queue::{Lease, Leases};
use crate::work_protocol::{Assignment, Coordinator, Outcome, Work};
use judge_core::error::Failure;
use judge_core::judging::{Gate, Seat, Settings, Toolchain};
use judge_core::language::Cache;
use judge_sandbox::Mode;
use judging::OnCore;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a unit is leased without a sign of life.
pub const LEASE: Duration = Duration::from_secs(30);

/// State that all workers share.
pub struct Context {
    pub queue: Arc<dyn Leases>,
    /// Finds the work of a unit, and receives the results.
    pub coordinator: Arc<dyn Coordinator>,
    /// Compilers.
    pub toolchain: Toolchain,
    /// The isolation.
    pub mode: Mode,
    /// Lets one worker run alone.
    pub gate: Arc<Gate>,
    /// The directory for packages.
    pub directory: PathBuf,
    /// The name of this machine.
    pub machine: String,
    /// How long a unit is leased without a sign of life; [`LEASE`], except in tests.
    pub lease: Duration,
    /// Threads of a core. With two, one sends results and leases the next unit while the other one
    /// judges.
    pub threads: usize,
}

impl Context {
    /// The state of workers with one thread per core and a gate of their own. Fails if the table of languages is
    /// invalid, or the cache of programs cannot be created.
    pub fn new(
        queue: Arc<dyn Leases>,
        coordinator: Arc<dyn Coordinator>,
        mode: Mode,
        directory: &Path,
        machine: &str,
    ) -> Result<Self, Failure> {
        Ok(Context {
            queue,
            coordinator,
            toolchain: Toolchain::new(&settings(mode), None)?,
            mode,
            gate: Arc::default(),
            directory: directory.to_owned(),
            machine: machine.to_owned(),
            lease: LEASE,
            threads: 1,
        })
    }

    /// Settings for work that is not judging.
    pub(crate) fn settings(&self) -> Settings {
        settings(self.mode)
    }

    /// Says that a disk which judging writes to is full, if one is.
    fn full_disk(&self) -> Option<String> {
        let temporary = || full(&std::env::temp_dir(), "temporary files");
        let programs = || full(&Cache::user_directory()?, "built programs");
        full(&self.directory, "packages")
            .or_else(temporary)
            .or_else(programs)
    }

    /// The place of a run on the core of this thread.
    fn seat(&self, turn: &Turn) -> Seat {
        Seat {
            core: turn.core().number(),
            gate: self.gate.clone(),
            boxes: turn.core().boxes().clone(),
        }
    }
}

/// Settings for work that is not judging: compilers, generators.
pub fn settings(mode: Mode) -> Settings {
    Settings::new(1, mode)
}

/// Works on a unit on a core: between [`Turn::begin`] and `Turn::end` no other thread does.
pub type WorkFn = dyn Fn(&Context, &Turn, &Progress, &Lease) -> Outcome + Send + Sync;

fn work_on(context: &Context, turn: &Turn, progress: &Progress, lease: &Lease) -> Outcome {
    let Assignment { work, attempt } = match context.coordinator.start(lease) {
        Ok(assignment) => assignment,
        Err(outcome) => return outcome,
    };
    let worker = OnCore {
        context,
        turn,
        progress,
        attempt: attempt.as_ref(),
    };
    let done = match &work {
        Work::Judge(work) => judging::judge_submission(worker, work),
        Work::Verify(work) => judging::verify_step(worker, work),
        Work::Batch(work) => judging::judge_batch(worker, work),
    };
    done.unwrap_or_else(Outcome::Failed)
}
