//! Explains cases that are not accepted: parts of their files, images, outputs, dialogues.

use super::{CaseRequest, Context, Decision, interactive, is_unchecked};
use crate::checker::Images;
use crate::judging::diagnosis::{excerpts, explain, memory_fault};
use crate::program_runner::Ran;
use crate::results::Details;
use crate::verdict::Verdict;
use judge_sandbox::Execution;
use std::fs::File;
use std::path::Path;

/// Cases of a submission that are not accepted whose output a worker keeps.
pub const OUTPUTS_KEPT: u32 = 10;

/// How many more failed cases of a submission a worker explains by further runs.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Runs that are repeated to find the cause.
    pub repetitions: u32,
    /// Cases whose images are read and drawn.
    pub images: u32,
    /// Cases whose output is kept.
    pub outputs: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            repetitions: 3,
            images: 10,
            outputs: OUTPUTS_KEPT,
        }
    }
}

impl Context<'_, '_> {
    /// Whether this run is repeated to find the cause of its end.
    pub fn may_repeat(&mut self, execution: &Execution) -> bool {
        let may = self.budget.repetitions > 0 && memory_fault::is_possible(execution.exit);
        self.budget.repetitions -= u32::from(may);
        may
    }
}

/// The details of the pass with this input, unless it was accepted or cancelled. The output of an
/// interactive run went to the validator.
pub fn details_of(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    input: &Path,
    decision: &Decision,
    ran: &Ran,
) -> Option<Box<Details>> {
    let (output, outcome) = match decision {
        Decision::Cancelled | Decision::JudgeError(_) => return None,
        Decision::Checker(outcome)
            if outcome.is_accepted() && !is_unchecked(request.package, request.case) =>
        {
            return None;
        }
        Decision::Checker(outcome) if !request.package.kind.interactive => {
            (Some(&ran.stdout), Some(outcome))
        }
        // A program that failed may have written a part of its output.
        Decision::Run { .. } if !request.package.kind.interactive => {
            let has_output = ran.stdout.metadata().is_ok_and(|file| file.len() > 0);
            (has_output.then_some(&ran.stdout), None)
        }
        _ => (None, None),
    };
    let mut details = excerpts::read(input, request.case.answer.as_deref(), output, outcome);
    let is_checked = match decision {
        Decision::Run { outcome, .. } => outcome.is_some(),
        _ => true,
    };
    if let Some(output) =
        output.filter(|_| request.settings.keeps_outputs && context.budget.outputs > 0)
    {
        context.budget.outputs -= 1;
        // The verdict does not depend on it.
        details.get_or_insert_default().output = excerpts::kept(output).ok();
    }
    // A repetition discards the feedback.
    add_images(context, request, output, is_checked, &mut details);
    // The message of a run-time error has the last lines of standard error.
    let in_message = match decision {
        Decision::Run { failure, .. } => failure.verdict == Verdict::RunTimeError,
        _ => false,
    };
    if let Some(text) = explain::tail(&ran.stderr, request.program).filter(|_| !in_message) {
        details.get_or_insert_default().standard_error = Some(text);
    }
    // The validator's state of earlier passes is gone.
    let is_first_pass = input == &*request.case.input;
    let shows_dialogue = request.settings.shows_dialogues && request.package.kind.interactive;
    if shows_dialogue && is_first_pass && context.budget.repetitions > 0 {
        context.budget.repetitions -= 1;
        if let Some(dialogue) = interactive::dialogue(context, request, input, &ran.execution) {
            details.get_or_insert_default().dialogue = Some(dialogue);
        }
    }
    details
}

/// Adds the images of a case that is not accepted. `is_checked`: the validator ran.
pub fn add_images(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    output: Option<&File>,
    is_checked: bool,
    details: &mut Option<Box<Details>>,
) {
    if !request.settings.shows_images || context.budget.images == 0 {
        return;
    }
    let (checker, mut images) = (&mut *context.checker, Images::default());
    let mut drawn = checker.draw_input(request.case, &mut images);
    if is_checked {
        drawn = drawn.and(checker.draw_output(request.case, output));
    }
    checker.add_feedback(&mut images);
    context.budget.images = match drawn {
        Ok(()) if images.found.is_empty() => context.budget.images,
        Ok(()) => context.budget.images - 1,
        // "Compile or run-time errors in the visualizer are not judge errors." It may have used up its time.
        Err(_) => 0,
    };
    if !images.found.is_empty() {
        details.get_or_insert_default().images = images.found;
    }
}
