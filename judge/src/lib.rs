//! The judge: problem packages and submissions in, verdicts out.
//!
//! Who may know whom: `cli -> report, judging -> package, submission, checker -> sandbox`. The
//! sandbox never names a verdict; a report sees only [`event::Event`]s and a writer.
#![forbid(unsafe_code)]

pub mod checker;
pub mod cli;
pub mod error;
pub mod event;
#[doc(hidden)]
pub mod fuzzing;
pub mod generate;
pub mod judging;
pub mod language;
pub mod package;
mod parallel;
pub mod report;
pub mod scaffold;
pub mod stress;
pub mod submission;
mod text;
pub mod verdict;
