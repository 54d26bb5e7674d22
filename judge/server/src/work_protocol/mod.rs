//! The protocol between workers and coordinators: units of work and their results as messages, the interface that a
//! coordinator implements, delivery of results, and the workers that announce themselves.

mod coordinator;
mod fleet;
mod messages;
mod outbox;
mod outcome;

pub use coordinator::{Assignment, Attempt, Coordinator};
pub use fleet::Fleet;
pub(crate) use fleet::{Doing, Presence, WorkerState};
pub use messages::{
    AttemptId, Batch, BatchAttempt, Judge, JudgingAttempt, Report, Results, SentOverrides,
    SentProgram, Verify, Work,
};
pub use outbox::Reports;
pub(crate) use outbox::{Broken, Outbox, ReportKey};
pub use outcome::Outcome;
