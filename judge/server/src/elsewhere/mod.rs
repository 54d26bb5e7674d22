//! `judge run --nats` and `judge verify --nats`: the process is the coordinator of its batches.

mod coordinator;
mod sent;

use coordinator::Coordinator;
use judge_core::error::Failure;
use judge_session::args::{NatsArgs, RunArgs, VerifyArgs};
use judge_session::elsewhere;
use sent::SentObjects;
use std::path::PathBuf;

/// Judges submissions on the workers of NATS; returns the exit status.
pub fn run(args: &RunArgs) -> Result<u8, Failure> {
    elsewhere::check_run(args)?;
    if args.checking.tolerance.is_some() {
        return Err(
            Failure::usage("--tolerance is not sent to other machines").help(
                "omit --nats, or set \
             `validator_flags: float_tolerance 1e-6` in problem.yaml",
            ),
        );
    }
    if let Some(checker) = &args.checking.checker {
        SentObjects::default()
            .checker(checker)
            .map_err(Failure::usage)?;
    }
    let coordinator = start(&args.judging.nats, args.checking.checker.clone())?;
    elsewhere::run(args, coordinator.place())
}

/// Checks packages; their submissions are judged on the workers of NATS.
pub fn verify(args: &VerifyArgs) -> Result<u8, Failure> {
    elsewhere::check(&args.judging)?;
    let coordinator = start(&args.judging.nats, None)?;
    elsewhere::verify(args, coordinator.place())
}

fn start(args: &NatsArgs, checker: Option<PathBuf>) -> Result<Coordinator, Failure> {
    let url = args.nats.as_deref().ok_or_else(|| {
        Failure::usage("judge-server judges on other machines only").help("add --nats URL")
    })?;
    Coordinator::start(args, url, checker).map_err(Failure::usage)
}
