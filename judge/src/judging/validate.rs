//! The package's own data put to its own validators: what `judge verify` does before it judges.

use super::build::Toolchain;
use super::case::prepare_checker;
use super::messages::printable;
use super::station::{Run, Station, read_start};
use super::{Settings, cores};
use crate::checker::{CheckFault, Checker, Worker};
use crate::language::Program;
use crate::package::{
    Finding, InputValidator, InputValidatorKind, Package, PackageError, TestCase,
};
use judge_sandbox::{Exit, Fault, Limits, Mount};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One thing to check.
enum Check<'a> {
    /// Every input validator accepts this input.
    Input(&'a TestCase),
    /// Some input validator refuses this input.
    InvalidInput(&'a TestCase),
    /// The output validator accepts (or refuses) this file as the case's output.
    Output {
        case: &'a TestCase,
        output: &'a Path,
        accept: bool,
    },
}

/// An input validator, built.
struct BuiltValidator<'a> {
    validator: &'a InputValidator,
    program: Program,
    /// Arguments that its kind puts first: the grammar's file.
    first: Vec<String>,
}

/// Runs every input validator over every input, and the output validator over every answer and
/// over the outputs that the package says are right or wrong.
///
/// # Errors
///
/// `None` when interrupted; a `Fault` when the sandbox failed.
pub fn check_data(
    package: &Package,
    settings: &Settings,
    toolchain: &Toolchain,
) -> Result<Option<Vec<Finding>>, Fault> {
    let mut findings = Vec::new();
    let validators = build(package, toolchain, &mut findings);
    let checker = match prepare_checker(package, toolchain) {
        Ok(checker) => Some(checker),
        Err(what) => {
            findings.push(Finding::error(PackageError::new(&package.root, what)));
            None
        }
    };
    let checks = checks(package, !validators.is_empty(), checker.is_some());
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Finding)>> = Mutex::new(Vec::new());
    let failed: Mutex<Option<Fault>> = Mutex::new(None);
    let cores = cores::allowed();
    std::thread::scope(|scope| {
        for worker in 0..settings.jobs {
            let (next, found, failed, checks) = (&next, &found, &failed, &checks);
            let (validators, checker) = (&validators, checker.as_ref());
            let core = cores.get(worker).copied();
            scope.spawn(move || {
                let work = || -> Result<(), Fault> {
                    let mut desk = Desk::open(package, settings, checker, core)?;
                    while failed
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .is_none()
                    {
                        let k = next.fetch_add(1, Ordering::Relaxed);
                        let Some(check) = checks.get(k) else { break };
                        if let Some(finding) = desk.check(check, validators)? {
                            found
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push((k, finding));
                        }
                    }
                    Ok(())
                };
                if let Err(fault) = work() {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(fault) if fault.interrupted => return Ok(None),
        Some(fault) => return Err(fault),
        None => {}
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(k, _)| *k);
    findings.extend(found.into_iter().map(|(_, finding)| finding));
    Ok(Some(findings))
}

fn checks(package: &Package, inputs: bool, outputs: bool) -> Vec<Check<'_>> {
    let mut checks = Vec::new();
    for case in package.cases() {
        if inputs {
            checks.push(Check::Input(case));
        }
        // In an interactive problem an answer is no output.
        if outputs
            && !package.kind.interactive
            && !package.kind.multi_pass
            && let Some(answer) = &case.answer
        {
            checks.push(Check::Output {
                case,
                output: answer,
                accept: true,
            });
        }
    }
    let own = &package.validator_cases;
    for case in &own.invalid_input {
        if inputs {
            checks.push(Check::InvalidInput(case));
        }
    }
    for (cases, accept) in [(&own.valid_output, true), (&own.invalid_output, false)] {
        for case in cases {
            if inputs {
                checks.push(Check::Input(case));
            }
            if let (true, Some(output)) = (outputs, &case.output) {
                checks.push(Check::Output {
                    case,
                    output,
                    accept,
                });
            }
        }
    }
    checks
}

/// Builds the input validators; one that cannot be built is a finding.
fn build<'a>(
    package: &'a Package,
    toolchain: &Toolchain,
    findings: &mut Vec<Finding>,
) -> Vec<BuiltValidator<'a>> {
    if package.input_validators.is_empty() {
        findings.push(Finding::warning(
            PackageError::new(&package.root, "the package has no input validator")
                .remedy("put a program into input_validators/ that exits with 42 on legal input"),
        ));
    }
    let mut built = Vec::new();
    for validator in &package.input_validators {
        let grammar = || vec![validator.path.display().to_string()];
        let made = match validator.kind {
            InputValidatorKind::Program | InputValidatorKind::Testlib => toolchain
                .validator(package, &validator.path)
                .map(|program| (program, Vec::new())),
            InputValidatorKind::Checktestdata => {
                installed("checktestdata").map(|program| (program, grammar()))
            }
            InputValidatorKind::Viva => installed("viva").map(|program| (program, grammar())),
        };
        match made {
            Ok((program, first)) => built.push(BuiltValidator {
                validator,
                program,
                first,
            }),
            Err(what) => findings.push(Finding::warning(PackageError::new(
                &validator.path,
                format!("the input validator is not run: {what}"),
            ))),
        }
    }
    built
}

/// A program that the user may have installed.
fn installed(name: &str) -> Result<Program, String> {
    std::env::var_os("PATH")
        .and_then(|path| {
            std::env::split_paths(&path)
                .map(|dir| dir.join(name))
                .find(|file| file.is_file())
        })
        .map(Program::executable)
        .ok_or_else(|| format!("{name} is not installed"))
}

/// What one worker needs.
struct Desk<'a> {
    package: &'a Package,
    station: Station,
    outputs: Option<Worker<'a>>,
    data: Vec<Mount>,
}

impl<'a> Desk<'a> {
    fn open(
        package: &'a Package,
        settings: &Settings,
        checker: Option<&'a Checker>,
        core: Option<usize>,
    ) -> Result<Self, Fault> {
        let station = Station::new(settings.mode, core)?;
        let data = vec![Mount {
            host: package.root.clone(),
            inside: package.root.clone(),
            writable: false,
        }];
        let outputs = match checker {
            Some(checker) => {
                let worker = checker
                    .worker(&data, &mut |spec| judge_sandbox::open(&station.spec(spec)))
                    .map_err(fault)?;
                Some(worker)
            }
            None => None,
        };
        Ok(Desk {
            package,
            station,
            outputs,
            data,
        })
    }

    fn check(
        &mut self,
        check: &Check<'_>,
        validators: &[BuiltValidator<'_>],
    ) -> Result<Option<Finding>, Fault> {
        match check {
            Check::Input(case) => {
                for validator in validators {
                    if let Some(why) = self.refuses(validator, case)? {
                        let name = validator.validator.path.display();
                        return Ok(error(
                            &case.input,
                            format!("{name} refuses the input: {why}"),
                        ));
                    }
                }
                Ok(None)
            }
            Check::InvalidInput(case) => {
                for validator in validators {
                    if self.refuses(validator, case)?.is_some() {
                        return Ok(None);
                    }
                }
                Ok(error(
                    &case.input,
                    "no input validator refuses this invalid input".to_owned(),
                ))
            }
            Check::Output {
                case,
                output,
                accept,
            } => self.check_output(case, output, *accept),
        }
    }

    fn check_output(
        &mut self,
        case: &TestCase,
        output: &Path,
        accept: bool,
    ) -> Result<Option<Finding>, Fault> {
        let Some(worker) = &mut self.outputs else {
            return Ok(None);
        };
        let file = match File::open(output) {
            Ok(file) => file,
            Err(e) => return Ok(error(output, format!("cannot be read: {e}"))),
        };
        Ok(match worker.check(case, &file) {
            Ok(outcome) if outcome.is_accepted() == accept => None,
            Ok(outcome) if accept => error(
                output,
                format!(
                    "the output validator refuses this right output: {}",
                    outcome
                        .message
                        .unwrap_or_else(|| "no reason given".to_owned())
                ),
            ),
            Ok(_) => error(
                output,
                "the output validator accepts this wrong output".to_owned(),
            ),
            Err(CheckFault::Sandbox(fault)) => return Err(fault),
            Err(fault) => error(output, fault.to_string()),
        })
    }

    /// Why a validator refuses an input; `None` when it accepts.
    fn refuses(
        &mut self,
        built: &BuiltValidator<'_>,
        case: &TestCase,
    ) -> Result<Option<String>, Fault> {
        let limits = &self.package.limits;
        let input = File::open(&case.input)
            .map_err(|e| Fault::os(format!("open {}", case.input.display()), e))?;
        let name = built
            .validator
            .path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut args = built.first.clone();
        args.extend_from_slice(case.input_validator_args.of(&name));
        let run = self.station.run(
            &built.program,
            &Run {
                args: &args,
                stdin: &input,
                limits: &Limits {
                    cpu: Some(limits.validation_time),
                    wall: limits.validation_time * 2 + Duration::from_secs(10),
                    memory: Some(limits.validation_memory),
                    output: Some(limits.validation_output),
                    processes: Some(64 + built.program.runtime_threads),
                    ..Limits::default()
                },
                memory: Some(limits.validation_memory),
                mounts: &self.data,
                count_instructions: false,
            },
        )?;
        let accepted = match built.validator.kind {
            InputValidatorKind::Program => 42,
            _ => 0,
        };
        if run.exit == Exit::Code(accepted) {
            return Ok(None);
        }
        let said = [&mut self.station.stderr, &mut self.station.stdout]
            .into_iter()
            .filter_map(|file| read_start(file, 400).ok())
            .map(|bytes| printable(String::from_utf8_lossy(&bytes).trim()))
            .find(|text| !text.is_empty());
        Ok(Some(match (said, run.exit) {
            (Some(said), _) => said,
            (None, Exit::Code(code)) => format!("exit code {code}"),
            (None, exit) => format!("{exit:?}"),
        }))
    }
}

fn error(path: &Path, what: String) -> Option<Finding> {
    Some(Finding::error(PackageError::new(path, what)))
}

/// A checker that cannot be opened, as a fault.
fn fault(fault: CheckFault) -> Fault {
    match fault {
        CheckFault::Sandbox(fault) => fault,
        other => Fault {
            stage: format!("open the output validator: {other}"),
            source: None,
            remedy: None,
            interrupted: false,
        },
    }
}
