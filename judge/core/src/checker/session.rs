//! The checker of a package, and the resources of one thread that uses it.

use super::dialogue::Dialogue;
use super::flags::Flags;
use super::interactive::{Interaction, RunSubmission, interact};
use super::outcome::{CheckFault, Outcome};
use super::program::{ProgramChecker, stdin_of};
use super::request::{About, CheckRequest};
use super::validator_box::{ValidatorBox, open_plain};
use super::visualizer::{Images, Visualizers};
use super::{builtin, default, exact, objective, testlib};
use crate::error::Reason;
use crate::language::Program;
use crate::program_runner::Stdin;
use judge_package::{PackageLimits, Points, TestCase, Validation, Validator, ValidatorProtocol};
use judge_sandbox::{AsStream, Fault, Limits, Mode, Mount};
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

/// The checker of a package. Shared by all workers.
#[derive(Clone, Debug)]
pub struct Checker {
    /// Each validator, and its program if it is one.
    parts: Vec<(Validator, Option<ProgramChecker>)>,
    /// Whether each case has its own part; otherwise all of them must accept.
    per_case: bool,
    multi_pass: bool,
    visualizers: Visualizers,
}

impl Checker {
    /// Prepares the checker from a package's validators. `build` compiles a validator.
    pub fn prepare<E>(
        validation: &Validation,
        limits: &PackageLimits,
        multi_pass: bool,
        build: &mut dyn FnMut(&Path) -> Result<Program, E>,
    ) -> Result<Self, E> {
        let part = |validator: &Validator| {
            let program = match validator {
                Validator::Program { path, protocol } => {
                    let program = build(path)?;
                    Some(ProgramChecker {
                        limits: validator_limits(limits, &program),
                        program,
                        protocol: protocol.clone(),
                    })
                }
                _ => None,
            };
            Ok((validator.clone(), program))
        };
        let parts = validation.validators().iter().map(part);
        Ok(Checker {
            parts: parts.collect::<Result<_, E>>()?,
            per_case: matches!(validation, Validation::PerCase(_)),
            multi_pass,
            visualizers: Visualizers::default(),
        })
    }

    /// The same checker with the visualizers of the package.
    #[must_use]
    pub fn with_visualizers(self, visualizers: Visualizers) -> Self {
        Checker {
            visualizers,
            ..self
        }
    }

    /// The same checker, whose validator programs must decide within these times.
    #[must_use]
    pub fn within(mut self, cpu: Duration, wall: Duration) -> Self {
        for program in self.parts.iter_mut().filter_map(|part| part.1.as_mut()) {
            let limits = &mut program.limits;
            limits.cpu = limits.cpu.map(|time| time.min(cpu));
            limits.wall = limits.wall.min(wall);
        }
        self
    }

    /// Creates the resources of one thread on `core`. `mounts` make the test data visible to a
    /// validator program (at the host's paths).
    pub fn session(
        &self,
        mounts: &[Mount],
        mode: Mode,
        core: Option<usize>,
    ) -> Result<Session<'_>, Fault> {
        self.session_with(&mut || ValidatorBox::new(mounts, mode, core))
    }

    /// Creates the resources of one thread; `open` opens the box of a validator program.
    pub fn session_with(
        &self,
        open: &mut dyn FnMut() -> Result<ValidatorBox, Fault>,
    ) -> Result<Session<'_>, Fault> {
        let draws = self.visualizers.input.is_some() || self.visualizers.output.is_some();
        let of_part = |(k, (_, program)): (usize, &(_, Option<_>))| {
            let runs_programs = program.is_some() || draws && k == 0;
            runs_programs.then(&mut *open).transpose()
        };
        let parts = self.parts.iter().enumerate();
        Ok(Session {
            checker: self,
            validator_boxes: parts.map(of_part).collect::<Result<_, _>>()?,
        })
    }
}

/// Size limit of the feedback directory, unless the limit of each file is larger.
const FEEDBACK_BYTES: u64 = 64 << 20;

/// Limits of one run of a validator, a static validator or a grader.
pub fn validator_limits(limits: &PackageLimits, program: &Program) -> Limits {
    // A validator may quote what the submission wrote, and escape it. That must not exceed a limit.
    let quoted = limits.output.saturating_mul(4);
    let output = limits.validation_output.saturating_add(quoted);
    Limits {
        cpu: Some(limits.validation_time),
        // The wall clock allows for a busy machine.
        wall: limits.validation_time * 2 + Duration::from_secs(10),
        memory: Some(limits.validation_memory),
        output: Some(output),
        processes: Some(64 + program.runtime_threads),
        disk: Some(FEEDBACK_BYTES.max(output.saturating_mul(2))),
        ..Limits::default()
    }
}

/// The request to a validator about a case with this input.
fn request<'a>(
    case: &'a TestCase,
    input: &'a Path,
    checker: &Checker,
    about: &'a About,
) -> CheckRequest<'a> {
    CheckRequest {
        input,
        answer: case.answer.as_deref(),
        args: &case.validator_args,
        score: case.score,
        multi_pass: checker.multi_pass,
        ignores_points: case.points == Points::Ignored,
        about,
    }
}

/// A checker and the resources of one thread.
pub struct Session<'c> {
    checker: &'c Checker,
    /// One per part; `None` if the part is not a program. The first one is also that of the visualizers.
    validator_boxes: Vec<Option<ValidatorBox>>,
}

impl Session<'_> {
    /// The boxes of the validator programs.
    pub fn into_boxes(self) -> impl Iterator<Item = ValidatorBox> {
        self.validator_boxes.into_iter().flatten()
    }

    /// Checks the output of a case. Fails when the judge or the package does, not the submission.
    pub fn check(&mut self, case: &TestCase, output: &File) -> Result<Outcome, CheckFault> {
        self.forget()?;
        self.check_pass(case, &case.input, output, &About::default())
    }

    /// Checks the output of one pass of a multi-pass case, whose input was `input`. Feedback of
    /// earlier passes is kept, so call [`Session::forget`] before the first. `about` has the facts about
    /// the submission that some validators are given. Fails when the judge or the package does, not
    /// the submission.
    pub fn check_pass(
        &mut self,
        case: &TestCase,
        input: &Path,
        output: &File,
        about: &About,
    ) -> Result<Outcome, CheckFault> {
        let mut joined: Option<Outcome> = None;
        let parts = self.checker.parts.iter().zip(&mut self.validator_boxes);
        for (k, ((validator, program), validator_box)) in parts.enumerate() {
            if self.checker.per_case && case.validator != k {
                continue;
            }
            let outcome = match (validator, program, validator_box) {
                (_, Some(program), Some(validator_box)) => {
                    let request = request(case, input, self.checker, about);
                    program.check(validator_box, &request, output)?
                }
                (Validator::Question(question), ..) => {
                    objective::check(output, question).map_err(CheckFault::io("the form"))?
                }
                (validator, ..) => compare(validator, case, output)?,
            };
            if !outcome.is_accepted() {
                return Ok(outcome);
            }
            joined = Some(match joined {
                None => outcome,
                Some(before) => join(before, outcome),
            });
        }
        joined.ok_or_else(|| {
            CheckFault::Case(format!(
                "{}: output validator {} of {} does not exist",
                case.name,
                case.validator + 1,
                self.checker.parts.len()
            ))
        })
    }

    /// Runs the submission and the validator of an interactive case, connected to each other. For a
    /// pass of a multi-pass case `input` is that pass's input. Call [`Session::forget`] before.
    ///
    /// `run` runs the submission with the two given descriptors as standard input and output;
    /// `wall` is the wall-clock limit of that run. With a `dialogue`, the judge relays and records
    /// what both write, which takes time. Fails when the judge or the package does before the
    /// submission has a result.
    pub fn interact(
        &mut self,
        case: &TestCase,
        input: &Path,
        about: &About,
        wall: Duration,
        run: &mut RunSubmission<'_>,
        dialogue: Option<&Dialogue>,
    ) -> Result<Interaction, CheckFault> {
        let validator_box = self.validator_boxes.first_mut();
        match (self.checker.parts.first(), validator_box) {
            (Some((_, Some(program))), Some(Some(validator_box)))
                if matches!(
                    program.protocol,
                    ValidatorProtocol::Icpc
                        | ValidatorProtocol::Testlib
                        | ValidatorProtocol::TestlibOf200
                        | ValidatorProtocol::DmojPython
                        | ValidatorProtocol::Dmoj { .. }
                ) =>
            {
                let request = request(case, input, self.checker, about);
                interact(program, validator_box, &request, wall, run, dialogue)
            }
            _ => Err(CheckFault::Case(
                "an interactive problem needs a program that talks to the submission".to_owned(),
            )),
        }
    }

    /// Checks the file that the validator of an interactive case wrote, after it accepted with
    /// `outcome`: testlib's interactors write data for a checker there. Without further validators
    /// `outcome` remains. Fails when the judge or the package does, not the submission.
    pub fn check_transcript(
        &mut self,
        case: &TestCase,
        input: &Path,
        about: &About,
        outcome: Outcome,
    ) -> Result<Outcome, CheckFault> {
        let (mut parts, mut boxes) = (self.checker.parts.iter(), self.validator_boxes.iter_mut());
        let ((Some(_), rest), (Some(Some(first)), others)) =
            ((parts.next(), parts), (boxes.next(), boxes))
        else {
            return Ok(outcome);
        };
        let mut joined = outcome;
        for ((_, program), validator_box) in rest.zip(others) {
            let (Some(program), Some(validator_box)) = (program, validator_box) else {
                continue;
            };
            let transcript = first.open_transcript()?;
            let request = request(case, input, self.checker, about);
            let outcome = program.check(validator_box, &request, &transcript)?;
            if !outcome.is_accepted() {
                return Ok(outcome);
            }
            joined = join(joined, outcome);
        }
        Ok(joined)
    }

    /// Lets the output visualizer draw the output of a case that was just checked; `None` if it went to an
    /// interactor. No verdict depends on it.
    pub fn draw_output(&mut self, case: &TestCase, output: Option<&File>) -> Result<(), Reason> {
        let visualizer = &self.checker.visualizers.output;
        let found = of_visualizer(visualizer, &mut self.validator_boxes);
        let Some((visualizer, validator_box)) = found else {
            return Ok(());
        };
        let about = About::default();
        let request = CheckRequest {
            args: &case.visualizer_args.output,
            ..request(case, &case.input, self.checker, &about)
        };
        let Some(output) = output else {
            return visualizer.draw_output(validator_box, &request, Stdin::Empty);
        };
        let file = stdin_of(output)?;
        visualizer.draw_output(validator_box, &request, Stdin::Open(file.as_stream()))
    }

    /// Adds the illustration of a case, or what the input visualizer draws.
    pub fn draw_input(&mut self, case: &TestCase, images: &mut Images) -> Result<(), Reason> {
        if let Some(path) = &case.illustration {
            images.add_path(path, false);
            return Ok(());
        }
        let visualizer = &self.checker.visualizers.input;
        let found = of_visualizer(visualizer, &mut self.validator_boxes);
        let Some((visualizer, validator_box)) = found else {
            return Ok(());
        };
        let about = About::default();
        let request = CheckRequest {
            args: &case.visualizer_args.input,
            ..request(case, &case.input, self.checker, &about)
        };
        visualizer.draw_input(validator_box, &request, images)
    }

    /// Adds the images in the feedback directories.
    pub fn add_feedback(&self, images: &mut Images) {
        for validator_box in self.validator_boxes.iter().flatten() {
            images.add_feedback(&validator_box.feedback());
        }
    }

    /// The regular files in the feedback directories, by name.
    pub fn feedback(&self) -> Vec<(String, File)> {
        let boxes = self.validator_boxes.iter().flatten();
        let entries = boxes.filter_map(|own| fs::read_dir(own.feedback()).ok());
        let file = |entry: fs::DirEntry| {
            let file = open_plain(&entry.path()).ok().flatten()?;
            Some((entry.file_name().to_string_lossy().into_owned(), file))
        };
        entries.flatten().flatten().filter_map(file).collect()
    }

    /// Discards the feedback of the previous case.
    pub fn forget(&mut self) -> Result<(), Fault> {
        self.validator_boxes
            .iter_mut()
            .flatten()
            .try_for_each(ValidatorBox::clear_feedback)
    }
}

/// A visualizer and its box.
fn of_visualizer<'v>(
    visualizer: &'v Option<ProgramChecker>,
    boxes: &'v mut [Option<ValidatorBox>],
) -> Option<(&'v ProgramChecker, &'v mut ValidatorBox)> {
    Some((visualizer.as_ref()?, boxes.first_mut()?.as_mut()?))
}

/// Combines two accepting validators: score and messages of the first take precedence.
fn join(before: Outcome, after: Outcome) -> Outcome {
    Outcome {
        score: before.score.or(after.score),
        message: before.message.or(after.message),
        team_message: before.team_message.or(after.team_message),
        next_pass: before.next_pass.or(after.next_pass),
        ..Outcome::accepted()
    }
}

/// Compares an output with the answer of its case.
fn compare(validator: &Validator, case: &TestCase, output: &File) -> Result<Outcome, CheckFault> {
    let name = &case.name;
    let flags = match validator {
        Validator::Default(numbers) => Flags {
            numbers: *numbers,
            ..Flags::parse(&case.validator_args)
                .map_err(|error| CheckFault::Case(format!("{name}: {error}")))?
        },
        _ => Flags::default(),
    };
    let path = case
        .answer
        .as_deref()
        .ok_or_else(|| CheckFault::Case(format!("{name} has no answer file to compare with")))?;
    let answer = &File::open(path).map_err(CheckFault::io(path.display()))?;
    if let Validator::Testlib(checker) = validator {
        return testlib::check(output, answer, *checker);
    }
    let differs = |mismatch| builtin::differs(output, answer, mismatch);
    let outcome = match validator {
        Validator::Builtin(checker) => builtin::check(output, answer, *checker),
        Validator::Exact => exact::compare(output, answer).and_then(differs),
        _ => default::compare(output, answer, &flags).and_then(differs),
    };
    outcome.map_err(|source| {
        CheckFault::io(format!("the output or its answer {}", path.display()))(source)
    })
}
