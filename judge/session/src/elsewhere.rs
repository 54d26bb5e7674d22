//! `judge run` and `judge verify` on other machines: the command `judge-server` calls these functions
//! and passes its connection to the machines.

use super::args::{RunArgs, VerifyArgs};
pub use super::only_here::{check, check_run};
use super::{run, verify};
use judge_core::error::Failure;
use judge_core::judging::Elsewhere;
use std::sync::Arc;

/// Like `run::run`, elsewhere.
pub fn run(args: &RunArgs, elsewhere: Arc<dyn Elsewhere>) -> Result<u8, Failure> {
    run::run_on(args, Some(elsewhere))
}

/// Like `verify::verify`, elsewhere.
pub fn verify(args: &VerifyArgs, elsewhere: Arc<dyn Elsewhere>) -> Result<u8, Failure> {
    verify::verify_on(args, Some(elsewhere))
}
