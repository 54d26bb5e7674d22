//! Judges submissions in batches of cases on the workers of NATS: those of `judge run` and `judge verify`
//! with `--nats` (`elsewhere`), and large ones of `judge serve --nats` (`coordinator`).
//!
//! The scheduler of [`judge_core::judging`] asks for compilations and cases as it does for those that run
//! here; the module `table` has the cases, their batches and the threads that wait for results. One thread
//! plans batches and enqueues them as units. A worker that leases one gets its cases from this process,
//! and sends the results through the stream of results. The units end with this process.

mod lane;
mod planner;
mod run;
mod size;
mod table;

pub(crate) use lane::Lane;
pub(crate) use planner::Batches;
pub(crate) use run::InBatches;
pub(crate) use size::is_large;
