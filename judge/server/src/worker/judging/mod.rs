//! Judging a unit on a worker's core: a submission, a batch of its cases, or a step of verifying a package.

mod batch;
mod on_core;
mod reporting;
mod sources;
mod submission;
mod verify;

pub(super) use batch::judge_batch;
pub(super) use on_core::OnCore;
pub(super) use submission::judge_submission;
pub(crate) use submission::{judge_elsewhere, run_again};
pub(super) use verify::verify_step;
