//! Checks a package's own data with its own validators, as `judge verify` does before judging.

use crate::checker::{CheckFault, Checker, Session};
use crate::judging::equal_cases::first_equal;
use crate::judging::prebuild::broken_programs;
use crate::judging::sandbox_runner::prepare_checker;
use crate::judging::toolchain::Toolchain;
use crate::judging::verify::input_validators::{InputValidators, Purpose, Refusal};
use crate::judging::verify::{
    junk_inputs, junk_interactions, junk_outputs, submissions, visualizers,
};
use crate::judging::{Host, Settings};
use crate::language::read_only;
use crate::parallel;
use crate::program_runner::ProgramRunner;
use judge_package::{AnswersAreOutputs, Finding, Package, PackageError, TestCase};
use judge_sandbox::{Fault, Mount};
use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// The data.
    Quick,
    /// Also what validators accept that is wrong, and what data and submissions do not show.
    Full,
}

/// The result of checking the data of a package.
pub struct CheckedData {
    /// The defects.
    pub findings: Vec<Finding>,
    /// Whether the output validator does not end, so that judging each case would take minutes, and
    /// give no verdict.
    pub validator_hangs: bool,
}

/// A check of one file; equal files are checked once.
enum Check<'a> {
    /// Every input validator must accept this input.
    Input(&'a TestCase),
    /// Some input validator must refuse this input.
    InvalidInput(&'a TestCase),
    /// The output validator must accept (or refuse) this file as the case's output.
    Output {
        case: &'a TestCase,
        output: &'a Path,
        expected: Expected,
    },
}

/// Expected result of the output validator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Accept,
    /// Should accept: the format does not require that an answer is a valid output.
    AcceptIfOutput,
    /// Refuses.
    Refuse,
}

/// Runs every input validator over every input, and the output validator over every answer and over
/// the outputs that the package declares right or wrong. With [`Depth::Full`] also shows them what they
/// should refuse.
///
/// # Errors
///
/// `None` when interrupted; a `Fault` when the sandbox failed.
pub fn check_data(
    package: &Package,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    depth: Depth,
) -> Result<Option<CheckedData>, Fault> {
    let (validators, mut findings) = InputValidators::build(package, toolchain);
    let broken = broken_programs(package, settings, host, toolchain);
    let checker = match prepare_checker(package, toolchain) {
        Ok(checker) => Some(checker),
        Err(bad) => {
            // A failure that `broken_programs` leaves out, or an invalid tolerance.
            findings.extend(broken.is_empty().then(|| error(&package.root, bad.message)));
            None
        }
    };
    findings.extend(broken.into_iter().map(Finding::error));
    let notes = toolchain.notes(package).into_iter();
    findings.extend(notes.map(|(path, note)| Finding::warning(PackageError::new(path, note))));
    let checks = checks(package, !validators.is_empty(), checker.is_some());
    let case_purpose = match depth {
        Depth::Quick => Purpose::Check,
        Depth::Full => Purpose::Case,
    };
    let validator_hangs = AtomicBool::new(false);
    let open = |core| {
        let shared = (case_purpose, &validator_hangs);
        Context::open(
            package,
            settings,
            validators.len(),
            checker.as_ref(),
            core,
            shared,
        )
    };
    let check = |context: &mut Context<'_>, check: &Check<'_>| context.check(check, &validators);
    let mut reported = HashSet::new();
    let done = |_: &Check<'_>, found: Option<Finding>| {
        // A validator that violates the protocol does so in every case.
        findings.extend(found.filter(|found| reported.insert(found.error.clone())));
    };
    let checked = parallel::each(settings.jobs, &checks, open, check, done);
    let validator_hangs = validator_hangs.into_inner();
    let further = checked.and_then(|()| match depth {
        Depth::Quick => Ok(Vec::new()),
        Depth::Full => {
            let checker = checker.as_ref().filter(|_| !validator_hangs);
            further_findings(package, settings, toolchain, validators, checker)
        }
    });
    match further {
        Ok(further) => {
            findings.extend(further);
            Ok(Some(CheckedData {
                findings,
                validator_hangs,
            }))
        }
        Err(fault) if fault.interrupted => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// The findings of [`Depth::Full`].
fn further_findings(
    package: &Package,
    settings: &Settings,
    toolchain: &Toolchain,
    validators: InputValidators<'_>,
    checker: Option<&Checker>,
) -> Result<Vec<Finding>, Fault> {
    let data: Vec<Mount> = package.directories().into_iter().map(read_only).collect();
    let mut findings = submissions::of_package(package);
    if !validators.is_empty() && validators.stopped().is_none() {
        findings.extend(junk_inputs::check(package, settings, &validators, &data)?);
    }
    if let Some(checker) = checker {
        findings.extend(junk_outputs::check(package, settings, checker, &data)?);
        findings.extend(junk_interactions::check(package, settings, checker, &data)?);
        findings.extend(visualizers::check(
            package, settings, toolchain, checker, &data,
        ));
    }
    findings.extend(validators.bounds().findings(&package.root));
    Ok(findings)
}

fn checks(package: &Package, inputs: bool, outputs: bool) -> Vec<Check<'_>> {
    let mut checks = Vec::new();
    let cases = package.cases();
    for (k, first) in first_equal(&cases).into_iter().enumerate() {
        let case = cases[k];
        let same_input = cases[first].input_validator_args == case.input_validator_args;
        if inputs && (first == k || !same_input) {
            checks.push(Check::Input(case));
        }
        // In an interactive problem an answer is not an output.
        if outputs
            && first == k
            && !package.kind.interactive
            && !package.kind.multi_pass
            && let Some(answer) = &case.answer
        {
            checks.push(Check::Output {
                case,
                output: answer,
                // A statement shows the `.out` file of a sample instead of the answer.
                expected: of_answer(package.policy.answers, case.sample && case.output.is_none()),
            });
        }
        if outputs
            && !package.kind.interactive
            && !package.kind.multi_pass
            && let Some(output) = &case.output
        {
            checks.push(Check::Output {
                case,
                output,
                expected: Expected::Accept,
            });
        }
    }
    let own = &package.validator_cases;
    for case in &own.invalid_input {
        if inputs {
            checks.push(Check::InvalidInput(case));
        }
    }
    for (cases, expected) in [
        (&own.valid_output, Expected::Accept),
        (&own.invalid_output, Expected::Refuse),
    ] {
        for case in cases {
            if inputs {
                checks.push(Check::Input(case));
            }
            if let (true, Some(output)) = (outputs, &case.output) {
                checks.push(Check::Output {
                    case,
                    output,
                    expected,
                });
            }
        }
    }
    checks
}

/// Resources of one worker.
struct Context<'a> {
    package: &'a Package,
    program_runner: ProgramRunner,
    outputs: Option<Session<'a>>,
    data: Vec<Mount>,
    case_purpose: Purpose,
    /// Whether the output validator did not end once; it does not run again.
    validator_hangs: &'a AtomicBool,
}

impl<'a> Context<'a> {
    fn open(
        package: &'a Package,
        settings: &Settings,
        validators: usize,
        checker: Option<&'a Checker>,
        core: Option<usize>,
        (case_purpose, validator_hangs): (Purpose, &'a AtomicBool),
    ) -> Result<Self, Fault> {
        let program_runner = ProgramRunner::new(settings.mode, core).for_programs(validators);
        let data: Vec<Mount> = package.directories().into_iter().map(read_only).collect();
        let session = |checker: &'a Checker| checker.session(&data, settings.mode, core);
        let outputs = checker.map(session).transpose()?;
        Ok(Context {
            package,
            program_runner,
            outputs,
            data,
            case_purpose,
            validator_hangs,
        })
    }

    fn check(
        &mut self,
        check: &Check<'_>,
        validators: &InputValidators<'_>,
    ) -> Result<Option<Finding>, Fault> {
        let case_purpose = self.case_purpose;
        let mut refused = |case, purpose| {
            validators.refuse_for(purpose, &mut self.program_runner, case, &self.data)
        };
        match check {
            Check::Input(case) => Ok(refused(case, case_purpose)?.map(|refusal| match refusal {
                Refusal::Input(why) => {
                    self.error_about(case, format!("the input is refused: {why}"))
                }
                Refusal::Misuse(misuse) => Finding::error(misuse),
            })),
            Check::InvalidInput(case) => Ok(match refused(case, Purpose::Check)? {
                Some(Refusal::Input(_)) => None,
                Some(Refusal::Misuse(misuse)) => Some(Finding::error(misuse)),
                None => {
                    let what = "no input validator refuses this invalid input";
                    Some(self.error_about(case, what))
                }
            }),
            Check::Output {
                case,
                output,
                expected,
            } => self.check_output(case, output, *expected),
        }
    }

    /// A finding about the input of a case: at the author's file, or at the name of a case that was
    /// generated.
    fn error_about(&self, case: &TestCase, what: impl Into<String>) -> Finding {
        let path = self.package.original(&case.input);
        match path.starts_with(&self.package.root) {
            true => error(path, what),
            false => error(
                &self.package.root,
                format!("{}: {}", case.name, what.into()),
            ),
        }
    }

    fn check_output(
        &mut self,
        case: &TestCase,
        output: &Path,
        expected: Expected,
    ) -> Result<Option<Finding>, Fault> {
        let Some(worker) = &mut self.outputs else {
            return Ok(None);
        };
        if self.validator_hangs.load(Ordering::SeqCst) {
            return Ok(None);
        }
        let file = match File::open(output) {
            Ok(file) => file,
            Err(e) => return Ok(Some(error(output, format!("cannot be read: {e}")))),
        };
        let refuses = expected == Expected::Refuse;
        let outcome = match worker.check(case, &file) {
            Ok(outcome) if outcome.is_accepted() != refuses => return Ok(None),
            Ok(_) if refuses => {
                return Ok(Some(error(
                    output,
                    "the output validator accepts this wrong output",
                )));
            }
            Ok(outcome) => outcome,
            Err(CheckFault::Sandbox(fault)) => return Err(fault),
            Err(fault) if fault.is_timeout() => {
                if self.validator_hangs.swap(true, Ordering::SeqCst) {
                    return Ok(None);
                }
                let what = format!("{fault}; it does not run again, and no submission is judged");
                return Ok(Some(error(output, what)));
            }
            Err(fault) => return Ok(Some(error(output, fault.to_string()))),
        };
        let what = format!(
            "the output validator refuses this right output: {}",
            outcome.message.as_deref().unwrap_or("no reason given")
        );
        Ok(Some(match expected {
            Expected::AcceptIfOutput => Finding::warning(PackageError::new(output, what)),
            _ => error(output, what),
        }))
    }
}

/// The expected decision about a case's answer file.
fn of_answer(answers: AnswersAreOutputs, sample: bool) -> Expected {
    match answers {
        AnswersAreOutputs::Always => Expected::Accept,
        AnswersAreOutputs::InSamples if sample => Expected::Accept,
        AnswersAreOutputs::InSamples | AnswersAreOutputs::Never => Expected::AcceptIfOutput,
    }
}

fn error(path: &Path, what: impl Into<String>) -> Finding {
    Finding::error(PackageError::new(path, what))
}
