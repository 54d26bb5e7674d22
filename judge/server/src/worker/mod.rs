//! The workers of this process: threads for each core, which take units from the queue and judge
//! them one after the other, and one that extends their leases while they make progress.

mod backoff;
mod control;
mod coordinator;
mod embedded;
mod fleet;
mod judge_batch;
mod judge_unit;
mod messages;
mod on_core;
mod outbox;
mod pool;
mod progress;
mod reporting;
mod sources;
mod turn;
mod units;
mod verify;

pub(crate) use control::Control;
pub(crate) use coordinator::{Assignment, Attempt, Coordinator};
pub use embedded::{DEFAULT_CLASS, Embedded};
pub(crate) use embedded::{give_up, is_done, record, start_attempt};
pub use fleet::Fleet;
pub(crate) use fleet::{Doing, Presence, State};
pub(crate) use judge_unit::judge_elsewhere;
pub(crate) use messages::{Batch, BatchAttempt, Judge, SentOverrides, SentProgram};
pub use messages::{JudgingAttempt, Report, Results, Target, Work};
pub use outbox::Reports;
pub(crate) use outbox::{Broken, Key, Outbox};
pub use pool::Workers;
pub use progress::Progress;
pub use turn::Turn;
pub(crate) use units::{enqueue, enqueue_missing};
pub use units::{reconcile, unit, unit_id};
pub(crate) use verify::{parked_steps, verification_units};

use crate::queue::{Lease, Leases};
use judge_core::judging::{self, Gate, Settings, Toolchain};
use judge_sandbox::Mode;
use on_core::OnCore;
use std::sync::Arc;
use std::time::Duration;

/// How long a unit is leased without a sign of life.
pub const LEASE: Duration = Duration::from_secs(30);

/// State that all workers share.
pub struct Context {
    /// The work.
    pub queue: Arc<dyn Leases>,
    /// Finds the work of a unit, and receives the results.
    pub coordinator: Arc<dyn Coordinator>,
    /// Compilers.
    pub toolchain: Toolchain,
    /// The isolation.
    pub mode: Mode,
    /// Lets one worker run alone.
    pub gate: Arc<Gate>,
    /// The name of this machine.
    pub machine: String,
    /// How long a unit is leased without a sign of life; [`LEASE`], except in tests.
    pub lease: Duration,
    /// Threads of a core. With two, one sends results and leases the next unit while the other one
    /// judges.
    pub threads: usize,
}

impl Context {
    /// Settings for work that is not judging.
    pub(crate) fn settings(&self) -> Settings {
        settings(self.mode)
    }

    /// Settings for judging on the core of this thread.
    fn settings_on(&self, turn: &Turn) -> Settings {
        Settings {
            seat: Some(judging::Seat {
                core: turn.core().number(),
                gate: self.gate.clone(),
                boxes: turn.core().boxes().clone(),
            }),
            ..self.settings()
        }
    }
}

/// Settings for work that is not judging: compilers, generators.
pub fn settings(mode: Mode) -> Settings {
    Settings::new(1, mode)
}

/// How work on a unit ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It needs no further work: it has its result, already had one, or is being judged elsewhere.
    Done,
    /// The worker stops, or its core is not free as soon as was expected.
    Interrupted,
    /// Tools that it needs are not installed here, but on other machines: it is given back, this machine does
    /// not lease it for a while, and the delivery does not count.
    LeftToOthers(String),
    /// The judge failed; another attempt may succeed.
    Failed(String),
    /// The judge cannot judge it, however often it tries.
    Hopeless(String),
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
        Work::Judge(work) => judge_unit::judge(worker, work),
        Work::Verify(work) => verify::verify_step(worker, work),
        Work::Batch(work) => judge_batch::judge(worker, work),
    };
    done.unwrap_or_else(Outcome::Failed)
}
