//! One case of any kind of problem: a run and a check, a conversation, several passes, or an
//! output that was handed in.

use super::limits::RunLimits;
use super::messages;
use super::station::{Run, Station, Stdin};
use crate::checker::{About, CheckFault, Decides, Outcome, Worker, submitted_output};
use crate::language::Program;
use crate::package::{Dialect, Package, TestCase, Validator};
use crate::verdict::{Verdict, classify};
use judge_sandbox::{Canceller, Execution, Exit};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// What a case came to.
pub struct Judged {
    /// The facts of the run, the most of every figure over all passes; `None` when nothing ran.
    pub execution: Option<Execution>,
    /// Whether the machine's load may have decided.
    pub doubtful: bool,
    /// Who decided, and what was said.
    pub said: Said,
}

/// Who decided, and what was said.
pub enum Said {
    /// The facts of the run speak against it; the checker may have been asked for points.
    Run(Verdict, String, Option<Outcome>),
    /// The checker judged the output.
    Checker(Outcome),
    /// The run was ended on request.
    Nothing,
}

/// What is judged, and with what.
pub struct Desk<'d, 'c> {
    /// Where the submission runs.
    pub station: &'d mut Station,
    /// What checks.
    pub checker: &'d mut Worker<'c>,
    /// Where the input of a further pass is put, for a multi-pass problem; the checker can read it
    /// there.
    pub passes: Option<&'d Path>,
}

/// What is the same in every pass.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The problem.
    pub package: &'q Package,
    /// The submission.
    pub program: &'q Program,
    /// Where its source is: a file or a directory.
    pub source: Option<&'q Path>,
    /// The case.
    pub case: &'q TestCase,
    /// The limits of a pass.
    pub limits: &'q RunLimits,
    /// Whether to count instructions.
    pub count_instructions: bool,
    /// Ends the run of a program that talks to nobody.
    pub canceller: Option<&'q Canceller>,
}

/// Judges a case.
///
/// # Errors
///
/// When the judge or the package fails.
pub fn judge(desk: &mut Desk<'_, '_>, question: Question<'_>) -> Result<Judged, CheckFault> {
    let kind = question.package.kind;
    if kind.submit_answer {
        return check_submitted(desk, question);
    }
    desk.checker.forget()?;
    if question.package.dialect == Dialect::Dmoj {
        desk.checker.about = About {
            source: question
                .source
                .filter(|path| path.is_file())
                .map(Path::to_owned),
            run: None,
            verdict: None,
        };
    }
    desk.station.files.clone_from(&question.case.files);
    desk.station
        .work_is_read_only(!question.package.allow_file_writing);
    desk.station.input_file = None;
    let file_io = &question.package.file_io;
    desk.station.output_file = file_io.output.as_ref().map(PathBuf::from);
    let most_passes = match kind.multi_pass {
        true => question.package.limits.validation_passes.max(1),
        false => 1,
    };
    let mut input = question.case.input.clone();
    let mut most: Option<Execution> = None;
    let mut doubtful = false;
    for pass in 1..=most_passes {
        let (execution, said) = match kind.interactive {
            true => converse(desk, question, &input)?,
            false => run_and_check(desk, question, &input)?,
        };
        doubtful |= question.limits.is_doubtful(&execution);
        most = Some(match most {
            Some(before) => most_of(&before, execution),
            None => execution,
        });
        let next = match (&said, desk.passes) {
            (Said::Checker(outcome), Some(passes)) if outcome.is_accepted() => {
                outcome.next_pass.clone().map(|next| (next, passes))
            }
            _ => None,
        };
        let Some((next, passes)) = next else {
            return Ok(Judged {
                execution: most,
                doubtful,
                said,
            });
        };
        // The next call of the checker removes it.
        input = keep(&next, &passes.join(format!("pass-{}.in", pass + 1)))?;
    }
    Err(CheckFault::Validator {
        what: format!(
            "the validator asks for more than the {most_passes} passes that the package allows \
             (limits: validation_passes)"
        ),
        said: String::new(),
    })
}

fn check_submitted(desk: &mut Desk<'_, '_>, question: Question<'_>) -> Result<Judged, CheckFault> {
    let case = question.case;
    // A form answers all questions.
    let form = question.package.validator == Validator::Form;
    let only = form || question.package.cases().len() == 1;
    let said = match submitted_output(&question.program.executable, case, only) {
        None => Said::Checker(Outcome::rejected(
            "the submission has no output for this case",
        )),
        Some(path) => {
            let output = File::open(&path).map_err(|source| CheckFault::Io {
                what: path.display().to_string(),
                source,
            })?;
            Said::Checker(desk.checker.check(case, &output)?)
        }
    };
    Ok(Judged {
        execution: None,
        doubtful: false,
        said,
    })
}

fn run_and_check(
    desk: &mut Desk<'_, '_>,
    question: Question<'_>,
    input: &Path,
) -> Result<(Execution, Said), CheckFault> {
    let file_io = &question.package.file_io;
    desk.station.input_file = file_io
        .input
        .as_ref()
        .map(|name| (PathBuf::from(name), input.to_owned()));
    let run = run_of(question, Stdin::File(input));
    let execution = desk
        .station
        .run_until(question.program, &run, question.canceller)?;
    if execution.exit == Exit::Cancelled {
        return Ok((execution, Said::Nothing));
    }
    let against = against(desk.station, question, &execution);
    if !question.case.checks_failed_runs
        && let Some(said) = against
    {
        return Ok((execution, said));
    }
    let usage = &execution.usage;
    desk.checker.about.run = Some((
        usage.cpu.value.as_secs_f64(),
        usage.wall.value.as_secs_f64(),
        usage.memory.map_or(0, |memory| memory.value >> 10),
    ));
    desk.checker.about.verdict = match &against {
        Some(Said::Run(verdict, ..)) => Some(*verdict),
        _ => None,
    };
    let output = &desk.station.stdout;
    let outcome = desk.checker.check_pass(question.case, input, output)?;
    let said = match against {
        Some(Said::Run(verdict, message, _)) => Said::Run(verdict, message, Some(outcome)),
        _ => Said::Checker(outcome),
    };
    Ok((execution, said))
}

fn converse(
    desk: &mut Desk<'_, '_>,
    question: Question<'_>,
    input: &Path,
) -> Result<(Execution, Said), CheckFault> {
    let station = &mut *desk.station;
    let wall = question.limits.enforced.wall;
    let interaction =
        desk.checker
            .interact(question.case, input, wall, &mut |stdin, canceller| {
                let run = run_of(question, Stdin::Nothing);
                station.run_between(question.program, &run, stdin, canceller)
            })?;
    let against = against(desk.station, question, &interaction.execution);
    let decides = interaction.decides(against.is_some());
    let said = match (decides, against) {
        (Decides::Submission, Some(said)) => said,
        _ => Said::Checker(interaction.outcome?),
    };
    Ok((interaction.execution, said))
}

/// What the facts of a run say against it, if anything.
fn against(station: &Station, question: Question<'_>, execution: &Execution) -> Option<Said> {
    let limits = question.limits;
    let verdict = classify(execution, &limits.judged)?;
    // A virtual machine has less than the limit: it was told so, and ends before the box does.
    let verdict = match &question.program.out_of_memory {
        Some(words)
            if verdict == Verdict::RunTimeError
                && limits.judged.memory.is_some()
                && messages::has_said(&station.stderr, words) =>
        {
            Verdict::MemoryLimitExceeded
        }
        _ => verdict,
    };
    let message = messages::of_run(verdict, execution, limits, &station.stderr);
    Some(Said::Run(verdict, message, None))
}

fn run_of<'q>(question: Question<'q>, stdin: Stdin<'q>) -> Run<'q> {
    Run {
        args: &question.case.args,
        stdin,
        limits: &question.limits.enforced,
        memory: question.limits.judged.memory,
        mounts: &[],
        count_instructions: question.count_instructions,
    }
}

/// How the last run ended, with the most of every figure of both.
fn most_of(before: &Execution, mut last: Execution) -> Execution {
    let usage = &mut last.usage;
    if before.usage.cpu.value > usage.cpu.value {
        usage.cpu = before.usage.cpu;
    }
    if before.usage.wall.value > usage.wall.value {
        usage.wall = before.usage.wall;
    }
    if before.usage.memory.map(|m| m.value) > usage.memory.map(|m| m.value) {
        usage.memory = before.usage.memory;
    }
    if before.usage.instructions.map(|i| i.value) > usage.instructions.map(|i| i.value) {
        usage.instructions = before.usage.instructions;
    }
    last
}

fn keep(from: &Path, to: &Path) -> Result<PathBuf, CheckFault> {
    fs::copy(from, to)
        .map(|_| to.to_owned())
        .map_err(|source| CheckFault::Io {
            what: format!("the next pass's input {}", from.display()),
            source,
        })
}
