//! Runs one case of any kind of problem: a run and a check, an interaction, several passes, or the
//! check of a submitted output.

mod details;
mod interactive;

pub use self::details::{Budget, OUTPUTS_KEPT};

use self::details::{add_images, details_of};
use super::Settings;
use super::diagnosis::{explain, memory_fault};
use super::grading::JudgeError;
use super::limits::RunLimits;
use crate::checker::{About, CheckFault, Outcome, RunUsage, Session, submitted_output};
use crate::language::{Program, with_help};
use crate::program_runner::{ProgramRunner, Ran, Run, Stdin, WorkContent, WorkFile};
use crate::results::Details;
use crate::verdict::{Verdict, classify, ending};
use judge_package::{Package, TestCase};
use judge_sandbox::{Canceller, Execution, Exit, MemoryFault};
use std::fs;
use std::path::{Path, PathBuf};

/// Result of a case.
pub struct CaseRun {
    /// The last pass, with the maximum of every figure over all passes; `None` when nothing ran.
    pub ran: Option<Ran>,
    /// Whether the machine's load may be why the run exceeded its time limit.
    pub near_limit: bool,
    /// The origin of the verdict.
    pub decision: Decision,
    /// Parts of the files of a failed case.
    pub details: Option<Box<Details>>,
}

/// The origin of the verdict.
pub enum Decision {
    /// The facts of the run.
    Run {
        failure: RunFailure,
        /// Set if the checker had to give points all the same.
        outcome: Option<Outcome>,
    },
    Checker(Outcome),
    /// The judge or the package failed.
    JudgeError(JudgeError),
    /// The run was cancelled: there is no verdict.
    Cancelled,
}

/// A verdict against the submission that follows from the facts of its run.
pub struct RunFailure {
    pub verdict: Verdict,
    pub message: String,
    /// Whether the program ended by itself and would fail without its time limit, too.
    pub fails_anyway: bool,
}

impl CaseRun {
    /// A case that was decided without running the submission.
    pub fn without_run(decision: Decision) -> Self {
        CaseRun {
            ran: None,
            near_limit: false,
            decision,
            details: None,
        }
    }
}

/// Resources of a worker that judging a case needs.
pub struct Context<'d, 'c> {
    /// Runs the submission.
    pub program_runner: &'d mut ProgramRunner,
    pub checker: &'d mut Session<'c>,
    /// Limits on what explains failed cases of this submission.
    pub budget: &'d mut Budget,
    /// Directory for the inputs of further passes of a multi-pass problem, readable by the checker.
    pub passes: Option<&'d Path>,
}

/// The parameters of a case that are the same in every pass.
#[derive(Clone, Copy)]
pub struct CaseRequest<'q> {
    pub package: &'q Package,
    /// The submission's program.
    pub program: &'q Program,
    /// The submission's source: a file or a directory.
    pub source: Option<&'q Path>,
    pub case: &'q TestCase,
    /// Limits of one pass.
    pub limits: &'q RunLimits,
    pub count_instructions: bool,
    /// The settings that explain cases which are not accepted.
    pub settings: &'q Settings,
    /// Cancels the run; not used for interactive problems.
    pub canceller: Option<&'q Canceller>,
}

/// Runs and checks a case.
pub fn run_case(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
) -> Result<CaseRun, CheckFault> {
    if request.case.args.iter().any(|arg| arg.contains('\0')) {
        let what = "the case's `args` have a NUL character: remove it";
        return Err(CheckFault::Case(what.to_owned()));
    }
    let kind = request.package.kind;
    if kind.submit_answer {
        return check_submitted(context, request);
    }
    context.checker.forget()?;
    let sees_run = request.package.policy.validators_see_run;
    let source = request.source.filter(|path| sees_run && path.is_file());
    let mut about = About {
        source: source.map(Path::to_owned),
        ..About::default()
    };
    let most_passes = match kind.multi_pass {
        true => request.package.limits.validation_passes.max(1),
        false => 1,
    };
    let mut input = request.case.input.to_path_buf();
    let mut most: Option<Execution> = None;
    for pass in 1..=most_passes {
        let (mut ran, decision) = match kind.interactive {
            true => interactive::run(context, request, &input, &about)?,
            false => run_and_check(context, request, &input, &mut about)?,
        };
        let near_limit = request.limits.is_doubtful(&ran.execution);
        if let Some(before) = &most {
            raise(&mut ran.execution, before);
        }
        let next = match (&decision, context.passes) {
            (Decision::Checker(outcome), Some(passes)) if outcome.is_accepted() => {
                outcome.next_pass.clone().map(|next| (next, passes))
            }
            _ => None,
        };
        let Some((next, passes)) = next else {
            let details = details_of(context, request, &input, &decision, &ran);
            return Ok(CaseRun {
                ran: Some(ran),
                near_limit,
                decision,
                details,
            });
        };
        most = Some(ran.execution);
        // The checker's next call removes the file, so it is copied.
        input = keep(&next, &passes.join(format!("pass-{}.in", pass + 1)))?;
    }
    Err(CheckFault::Validator {
        what: format!(
            "the validator asks for more than the {most_passes} passes that the package allows \
             (limits: validation_passes)"
        ),
        said: String::new(),
        timed_out: false,
    })
}

fn check_submitted(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
) -> Result<CaseRun, CheckFault> {
    let case = request.case;
    let only = request.package.cases().len() == 1;
    let (submission, most) = (&request.program.executable, request.package.limits.output);
    let output = match submitted_output(submission, case, only, most)? {
        Ok(output) => output,
        Err(what) => {
            let decision = Decision::Checker(Outcome::rejected(String::from(what)));
            return Ok(CaseRun::without_run(decision));
        }
    };
    let outcome = context.checker.check(case, &output)?;
    let mut details = None;
    if !outcome.is_accepted() {
        add_images(context, request, Some(&output), true, &mut details);
    }
    Ok(CaseRun {
        details,
        ..CaseRun::without_run(Decision::Checker(outcome))
    })
}

fn run_and_check(
    context: &mut Context<'_, '_>,
    request: CaseRequest<'_>,
    input: &Path,
    about: &mut About,
) -> Result<(Ran, Decision), CheckFault> {
    let files = work_files(request, Some(input))?;
    let run = Run {
        canceller: request.canceller,
        ..run_of(request, Stdin::File(input), &files)
    };
    let ran = context.program_runner.run(request.program, &run)?;
    let execution = &ran.execution;
    if execution.exit == Exit::Cancelled {
        return Ok((ran, Decision::Cancelled));
    }
    refuse_arguments(execution)?;
    let fault = match context.may_repeat(execution) {
        true => memory_fault::find(context.program_runner, request.program, &run, execution),
        false => None,
    };
    let mut check = |about: &About| {
        let checker = &mut *context.checker;
        checker.check_pass(request.case, input, &ran.stdout, about)
    };
    let failure = match failure_of(request, &ran, fault) {
        Some(mut failure) if !request.case.checks_failed_runs => {
            let mut is_rejected = || check(about).is_ok_and(|outcome| !outcome.is_accepted());
            failure.fails_anyway |= is_late(&failure, execution) && is_rejected();
            let outcome = None;
            return Ok((ran, Decision::Run { failure, outcome }));
        }
        failure => failure,
    };
    let usage = &execution.usage;
    about.run = Some(RunUsage {
        cpu_s: usage.cpu.value.as_secs_f64(),
        wall_s: usage.wall.value.as_secs_f64(),
        memory_kib: usage.memory.map_or(0, |memory| memory.value >> 10),
    });
    about.verdict = failure.as_ref().map(|failure| failure.verdict);
    let outcome = match is_unchecked(request.package, request.case) {
        true => Outcome {
            message: Some(UNCHECKED.to_owned()),
            ..Outcome::accepted()
        },
        false => check(about)?,
    };
    let decision = match failure {
        Some(failure) => Decision::Run {
            failure,
            outcome: Some(outcome),
        },
        None => Decision::Checker(outcome),
    };
    Ok((ran, decision))
}

/// The message of a case whose output is not compared.
const UNCHECKED: &str = "no answer beside the input: the output is shown, not checked";

/// Whether the output of the case is compared with nothing: a user's own input.
pub fn is_unchecked(package: &Package, case: &TestCase) -> bool {
    package.policy.runs_without_answer
        && case.answer.is_none()
        && package.validation.programs().next().is_none()
}

/// Fails if the case's arguments are longer than the system allows: no program can be started with
/// them.
fn refuse_arguments(execution: &Execution) -> Result<(), CheckFault> {
    match execution.exit {
        exit @ Exit::NotExecuted(errno) if errno == judge_sandbox::errno::E2BIG => Err(
            CheckFault::Case(format!("{}: shorten the case's `args`", ending(exit))),
        ),
        _ => Ok(()),
    }
}

/// The verdict against the submission that follows from the facts of its run, if any.
fn failure_of(
    request: CaseRequest<'_>,
    ran: &Ran,
    fault: Option<MemoryFault>,
) -> Option<RunFailure> {
    let (limits, execution, stderr) = (request.limits, &ran.execution, &ran.stderr);
    let verdict = classify(execution, &limits.judged)?;
    // A virtual machine gets a heap smaller than the limit, and reports exhaustion before the box
    // does.
    let verdict = match &request.program.out_of_memory {
        Some(words)
            if verdict == Verdict::RunTimeError
                && limits.judged.memory.is_some()
                && explain::has_said(stderr, words) =>
        {
            Verdict::MemoryLimitExceeded
        }
        _ => verdict,
    };
    let message = explain::of_run(request.program, verdict, execution, limits, stderr, fault);
    let message = with_help(message, request.source);
    Some(RunFailure {
        fails_anyway: is_late_failure(verdict, execution),
        verdict,
        message,
    })
}

/// Whether the program ended well, but after its time limit.
fn is_late(failure: &RunFailure, execution: &Execution) -> bool {
    failure.verdict == Verdict::TimeLimitExceeded && execution.exit == Exit::Code(0)
}

/// Whether the program failed by itself after its time limit.
fn is_late_failure(verdict: Verdict, execution: &Execution) -> bool {
    let by_itself = matches!(execution.exit, Exit::Code(_) | Exit::Signal(_));
    verdict == Verdict::TimeLimitExceeded && by_itself && execution.exit != Exit::Code(0)
}

fn run_of<'q>(request: CaseRequest<'q>, stdin: Stdin<'q>, files: &'q [WorkFile]) -> Run<'q> {
    Run {
        memory: request.limits.judged.memory,
        files,
        work_is_read_only: !request.package.allow_file_writing,
        count_instructions: request.count_instructions,
        ..Run::helper(&request.case.args, stdin, &request.limits.enforced)
    }
}

/// The files of the case, and those that replace the standard streams, which have precedence:
/// `input` is the file to copy.
fn work_files(request: CaseRequest<'_>, input: Option<&Path>) -> Result<Vec<WorkFile>, CheckFault> {
    let mut files = match &request.case.files {
        Some(dir) => WorkFile::copies_of(dir)?,
        None => Vec::new(),
    };
    let file_io = &request.package.file_io;
    if let (Some(name), true) = (&file_io.input, file_io.input == file_io.output) {
        return Err(CheckFault::Case(format!(
            "the package names {name} as input file and as output file: rename one of them"
        )));
    }
    let names = [&file_io.input, &file_io.output];
    let is_taken = |file: &WorkFile| {
        let mut names = names.into_iter().flatten().map(Path::new);
        names.any(|name| name.starts_with(&file.name) || file.name.starts_with(name))
    };
    files.retain(|file| !is_taken(file));
    if let (Some(name), Some(input)) = (&file_io.input, input) {
        files.push(WorkFile::copy(name, input));
    }
    files.extend(file_io.output.iter().map(|name| WorkFile {
        name: name.into(),
        content: WorkContent::Output,
    }));
    Ok(files)
}

/// Raises every figure of the last execution to that of an earlier one.
fn raise(last: &mut Execution, before: &Execution) {
    let (usage, before) = (&mut last.usage, &before.usage);
    if before.cpu.value > usage.cpu.value {
        usage.cpu = before.cpu;
    }
    if before.wall.value > usage.wall.value {
        usage.wall = before.wall;
    }
    if before.memory.map(|m| m.value) > usage.memory.map(|m| m.value) {
        usage.memory = before.memory;
    }
    if before.instructions.map(|i| i.value) > usage.instructions.map(|i| i.value) {
        usage.instructions = before.instructions;
    }
}

fn keep(from: &Path, to: &Path) -> Result<PathBuf, CheckFault> {
    fs::copy(from, to).map(|_| to.to_owned()).map_err(|source| {
        CheckFault::io(format!("the next pass's input {}", from.display()))(source)
    })
}
