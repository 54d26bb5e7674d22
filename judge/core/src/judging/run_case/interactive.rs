//! Runs a case of an interactive problem, and repeats one that failed to find out why.

use super::{
    CaseRequest, Context, Decision, failure_of, is_late, refuse_arguments, run_of, work_files,
};
use crate::checker::{About, CheckFault, Dialogue, Interaction};
use crate::judging::diagnosis::{excerpts, memory_fault};
use crate::program_runner::{ProgramRunner, Ran, Run, Stdin};
use crate::results::Excerpt;
use crate::verdict::classify;
use judge_sandbox::{Canceller, Execution, Exit, Fault, Limit, MemoryFault, Stream};
use std::path::Path;
use std::time::Duration;

/// The wall-clock limit of the repetition of a run that waited, besides its CPU time. It waits again
/// in the same place.
const WAITING: Duration = Duration::from_secs(3);

/// Runs submission and validator, connected to each other.
pub(super) fn run(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    input: &Path,
    about: &About,
) -> Result<(Ran, Decision), CheckFault> {
    let mut ran = None;
    let run = &mut |runner: &mut ProgramRunner, run: &Run<'_>| {
        let ended = runner.run(request.program, run)?;
        Ok(ran.insert(ended).execution.clone())
    };
    let interaction = interact(context, request, input, about, run, None)?;
    let Some(mut ran) = ran else {
        return Err(CheckFault::Case("the submission did not run".to_owned()));
    };
    ran.execution.usage.run_delay += interaction.validator_delay;
    let execution = &ran.execution;
    if execution.was_starved() {
        return Err(Fault::starved(execution).into());
    }
    refuse_arguments(execution)?;
    let decides = interaction.is_decided_by_submission(true);
    let fault = match decides && context.may_repeat(execution) {
        true => fault_in_interaction(context, request, input, about, execution),
        false => None,
    };
    let mut failure = failure_of(request, &ran, fault);
    if let Some(failure) = &mut failure
        && execution.exit == Exit::Killed(Limit::Wall)
    {
        // The usual cause: the interactor waits for output that is still in the program's buffer.
        failure
            .message
            .push_str(" An interactive program must flush its output.");
    }
    let decision = match failure {
        Some(mut failure) if decides => {
            let rejected = interaction
                .outcome
                .is_ok_and(|outcome| !outcome.is_accepted());
            failure.fails_anyway |= is_late(&failure, execution) && rejected;
            Decision::Run {
                failure,
                outcome: None,
            }
        }
        _ => {
            let outcome = interaction.outcome?;
            Decision::Checker(match outcome.is_accepted() {
                true => context
                    .checker
                    .check_transcript(request.case, input, about, outcome)?,
                false => outcome,
            })
        }
    };
    Ok((ran, decision))
}

/// Repeats a failed interaction and records it. The programs of a judged run are connected directly:
/// a relay would change their times. `failed` are the facts of the submission's run. `None` if the
/// submission is accepted this time.
pub(super) fn dialogue(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    input: &Path,
    failed: &Execution,
) -> Option<Excerpt> {
    let mut limits = request.limits.clone();
    if failed.exit == Exit::Killed(Limit::Wall) {
        let waiting = WAITING + 2 * failed.usage.cpu.value;
        limits.enforced.wall = limits.enforced.wall.min(waiting);
    }
    let request = CaseRequest {
        limits: &limits,
        ..request
    };
    context.checker.forget().ok()?;
    let dialogue = Dialogue::default();
    let run = &mut |runner: &mut ProgramRunner, run: &Run<'_>| {
        let ended = runner.run(request.program, run)?;
        Ok(ended.execution)
    };
    let about = About::default();
    let again = interact(context, request, input, &about, run, Some(&dialogue)).ok()?;
    let failed = classify(&again.execution, &request.limits.judged).is_some();
    let is_accepted = again.outcome.is_ok_and(|outcome| outcome.is_accepted());
    (failed || !is_accepted).then(|| excerpts::of_dialogue(&dialogue))
}

/// As [`memory_fault::find`], for a run that talks to the validator: repeats the whole interaction,
/// and ignores what the validator decides this time.
fn fault_in_interaction(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    input: &Path,
    about: &About,
    execution: &Execution,
) -> Option<MemoryFault> {
    context.checker.forget().ok()?;
    let mut fault = None;
    let find = &mut |runner: &mut ProgramRunner, run: &Run<'_>| {
        fault = memory_fault::find(runner, request.program, run, execution);
        Ok(execution.clone())
    };
    let _ = interact(context, request, input, about, find, None);
    fault
}

/// Connects the validator to the submission, which `start` runs; records both in `dialogue`.
fn interact(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    input: &Path,
    about: &About,
    start: &mut (dyn FnMut(&mut ProgramRunner, &Run<'_>) -> Result<Execution, Fault> + Send),
    dialogue: Option<&Dialogue>,
) -> Result<Interaction, CheckFault> {
    let files = work_files(request, None)?;
    let wall = request.limits.enforced.wall;
    let runner = &mut *context.program_runner;
    let run = &mut |stdin: Stream<'_>, canceller: &Canceller| {
        let run = Run {
            canceller: Some(canceller),
            ..run_of(request, Stdin::Open(stdin), &files)
        };
        start(runner, &run)
    };
    let checker = &mut *context.checker;
    checker.interact(request.case, input, about, wall, run, dialogue)
}
