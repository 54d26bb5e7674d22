//! The judge: runs submissions over problem packages and decides their verdicts.
//!
//! Direction of imports: `judging -> submission, checker -> program_runner -> language ->
//! judge-package, judge-sandbox`. The sandbox does not know verdicts. Reports know only [`results::RunResults`] and
//! their changes. This crate knows no command line, no terminal and no server.
#![forbid(unsafe_code)]

pub mod checker;
pub mod digest;
pub mod error;
pub mod figures;
pub mod files;
pub mod image;
pub mod judging;
pub mod language;
pub mod machine;
pub mod parallel;
pub mod proc_stat;
pub mod program_runner;
pub mod results;
pub mod statistics;
pub mod submission;
pub mod text;
pub mod untrusted;
pub mod verdict;
