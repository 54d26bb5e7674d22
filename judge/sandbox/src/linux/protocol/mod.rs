//! The messages between the judge, the template and the zygote, and the constants that they share.
//!
//! `fork`: a process for the template to fork. `setup`: how the zygote sets up its box. `run`: a
//! program to run, and the result. [`ipc`]: packets with descriptors. [`layout`]: constants.

mod fork;
pub mod ipc;
pub mod layout;
mod run;
mod setup;
mod stage_error;

pub use fork::{ForkReply, ForkRequest};
pub use run::{ExecRequest, MAX_REPLY, Reply, ResourceLimits, RunResult};
pub use setup::{Entry, Isolation, Setup};
pub use stage_error::{At, StageError};
