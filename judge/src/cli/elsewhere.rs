//! `judge run` and `judge verify` on other machines. The command `judge-server`, which has the
//! connection to them, calls these with it.

use super::args::{RunArgs, VerifyArgs};
pub use super::only_here::{check, check_run};
use super::{run, server, verify};
use crate::error::Failure;
use crate::judging::Elsewhere;
use std::sync::Arc;

/// Executes `judge-server` with the arguments of this process; returns only if that fails.
pub fn hand_over(command: &str) -> Result<u8, Failure> {
    // The program's name, and that of the command.
    let rest: Vec<_> = std::env::args_os().skip(2).collect();
    server::execute(&format!("{command} --nats"), command, &rest)
}

/// Like `run::run`, elsewhere.
///
/// # Errors
///
/// The errors of the command.
pub fn run(args: &RunArgs, elsewhere: Arc<dyn Elsewhere>) -> Result<u8, Failure> {
    run::run_on(args, Some(elsewhere))
}

/// Like `verify::verify`, elsewhere.
///
/// # Errors
///
/// The errors of the command.
pub fn verify(args: &VerifyArgs, elsewhere: Arc<dyn Elsewhere>) -> Result<u8, Failure> {
    verify::verify_on(args, Some(elsewhere))
}
