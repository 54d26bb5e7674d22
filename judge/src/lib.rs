//! The judge: runs submissions over problem packages and decides their verdicts.
//!
//! Direction of imports: `cli -> report, judging -> submission, checker -> judge-package,
//! judge-sandbox`. The sandbox does not know verdicts; a report knows only [`results::RunResults`],
//! their changes and a writer.
//! ARCHITECTURE.md has the full table.
#![forbid(unsafe_code)]

mod calibration;
pub mod checker;
pub mod cli;
mod digest;
pub mod error;
pub mod event;
mod files;
#[doc(hidden)]
pub mod fuzzing;
pub mod generate;
mod history;
pub mod judging;
pub mod language;
#[doc(hidden)]
pub mod machine;
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod proc_stat;
pub mod program_runner;
pub mod report;
pub mod results;
pub mod scaffold;
mod statistics;
pub mod stress;
pub mod submission;
mod text;
pub mod untrusted;
pub mod verdict;
