//! The commands `judge run` and `judge verify`: find the packages and the programs that the arguments name,
//! judge them here or elsewhere, and write the reports. The other commands use its parts.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the other crates of the workspace"
)]

pub mod args;
mod by_hand;
mod debug;
pub mod elsewhere;
mod file_names;
pub mod folder;
pub mod history;
pub mod interrupt;
mod interruptible_writer;
mod judge_and_report;
pub mod names;
pub mod new_file;
mod only_here;
pub mod output;
mod own_cases;
pub mod progress;
mod repeat;
pub mod run;
pub mod run_started;
mod seen;
pub mod select;
mod selected;
mod state_file;
pub mod targets;
pub mod verify;

use judge_core::error::Failure;
use std::process::ExitCode;

/// The exit code of a command; reports its failure.
pub fn exit_code(result: Result<u8, Failure>) -> ExitCode {
    match result {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            output::say(&failure.to_string());
            ExitCode::from(failure.exit_status())
        }
    }
}
