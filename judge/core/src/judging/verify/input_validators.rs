//! Input validators: programs that decide whether an input is valid.

use super::bounds::{Bounds, BoundsLog};
use crate::checker::validator_limits;
use crate::error::Reason;
use crate::judging::diagnosis::explain::tail;
use crate::judging::toolchain::Toolchain;
use crate::language::{self, Program, read_only, with_constants};
use crate::parallel::unpoisoned;
use crate::program_runner::{ProgramRunner, Run, Stdin, WorkFile};
use crate::verdict::ending;
use judge_package::{Finding, InputValidator, InputValidatorKind, Package, PackageError, TestCase};
use judge_sandbox::{Exit, Fault, Limit, Limits, Mount};
use judge_tempdir::TempDirectory;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Time limits of a validator that reads a small text which should be refused.
const PROBE_CPU: Duration = Duration::from_secs(5);
const PROBE_WALL: Duration = Duration::from_secs(20);

/// Why an input was not accepted.
pub enum Refusal {
    /// The input is invalid: the validator and its reason.
    Input(String),
    /// The validator violates the protocol.
    Misuse(PackageError),
}

impl Refusal {
    /// Both parts of the reason as one text.
    pub fn into_text(self) -> String {
        match self {
            Refusal::Input(why) => why,
            Refusal::Misuse(error) => format!("{}: {}", error.path.display(), error.what),
        }
    }
}

/// The purpose of a run of the validators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To know whether an input is right.
    Check,
    /// To check a case, and to learn which bounds its values reach.
    Case,
    /// To see whether a changed input is refused.
    Probe,
}

/// The compiled input validators of a package.
pub struct InputValidators<'a> {
    package: &'a Package,
    built: Vec<Built<'a>>,
    /// The bounds that cases reached.
    bounds: Mutex<Bounds>,
}

struct Built<'a> {
    validator: &'a InputValidator,
    program: Program,
    /// Leading arguments of this kind of validator: the grammar's file.
    first: Vec<String>,
    /// Contains that file if constants of the package were replaced in it.
    _grammar: Option<TempDirectory>,
    /// How it reports the bounds of its variables, if it can.
    log: Option<BoundsLog>,
    /// Why it was stopped; it does not run again.
    stopped: OnceLock<PackageError>,
}

impl<'a> InputValidators<'a> {
    /// Compiles the validators; a validator that cannot be compiled here becomes a finding.
    pub fn build(package: &'a Package, toolchain: &Toolchain) -> (Self, Vec<Finding>) {
        let mut findings = Vec::new();
        let mut built = Vec::new();
        for validator in &package.input_validators {
            let path = &validator.path;
            let tool = match validator.kind {
                InputValidatorKind::Checktestdata => Some("checktestdata"),
                InputValidatorKind::Viva => Some("viva"),
                InputValidatorKind::Program | InputValidatorKind::Testlib => None,
            };
            let made = match tool {
                Some(tool) => of_grammar(package, validator, tool),
                None => match toolchain.helper(package, path) {
                    Err(bad) if bad.is_broken => {
                        let error = PackageError::new(package.original(path), bad.what);
                        findings.push(Finding::error(error));
                        continue;
                    }
                    Err(bad) => Err(Reason::new(bad.what)),
                    Ok(program) => Ok(Built {
                        validator,
                        program,
                        first: Vec::new(),
                        _grammar: None,
                        log: BoundsLog::of(path),
                        stopped: OnceLock::new(),
                    }),
                },
            };
            match made {
                Ok(one) => built.push(one),
                Err(what) => {
                    let what = format!("the input validator is not run: {what}");
                    let error = PackageError::new(package.original(path), what);
                    findings.push(match tool {
                        // The tools for grammars are rarely installed.
                        Some(_) => Finding::warning(error),
                        None => Finding::error(error),
                    });
                }
            }
        }
        let bounds = Mutex::default();
        let validators = InputValidators {
            package,
            built,
            bounds,
        };
        (validators, findings)
    }

    /// The bounds that the cases reached so far.
    pub(super) fn bounds(self) -> Bounds {
        unpoisoned(self.bounds.into_inner())
    }

    /// Why one of them was stopped.
    pub(super) fn stopped(&self) -> Option<PackageError> {
        self.built
            .iter()
            .find_map(|built| built.stopped.get().cloned())
    }

    /// The file or directory that findings about all validators name.
    pub(super) fn place(&self) -> &Path {
        match &self.built[..] {
            [only] => self.package.original(&only.validator.path),
            [first, ..] => first.validator.path.parent().unwrap_or(&self.package.root),
            [] => &self.package.root,
        }
    }

    /// Number of validators.
    pub fn len(&self) -> usize {
        self.built.len()
    }

    /// Whether there are no validators.
    pub fn is_empty(&self) -> bool {
        self.built.is_empty()
    }

    /// Why the first refusing validator rejects the input of `case`; `None` when all accept it.
    /// `data` are the mounts that the validators may read.
    pub fn refuse(
        &self,
        program_runner: &mut ProgramRunner,
        case: &TestCase,
        data: &[Mount],
    ) -> Result<Option<Refusal>, Fault> {
        self.refuse_for(Purpose::Check, program_runner, case, data)
    }

    pub(super) fn refuse_for(
        &self,
        purpose: Purpose,
        program_runner: &mut ProgramRunner,
        case: &TestCase,
        data: &[Mount],
    ) -> Result<Option<Refusal>, Fault> {
        for built in &self.built {
            let refusal = match built.stopped.get() {
                Some(why) => Some(Refusal::Misuse(why.clone())),
                None => self.refuses(built, purpose, program_runner, case, data)?,
            };
            if refusal.is_some() {
                return Ok(refusal);
            }
        }
        Ok(None)
    }

    fn refuses(
        &self,
        built: &Built<'_>,
        purpose: Purpose,
        program_runner: &mut ProgramRunner,
        case: &TestCase,
        data: &[Mount],
    ) -> Result<Option<Refusal>, Fault> {
        let mut limits = Limits {
            disk: None, // it writes nothing outside its work directory
            ..validator_limits(&self.package.limits, &built.program)
        };
        if purpose == Purpose::Probe {
            limits.cpu = limits.cpu.map(|time| time.min(PROBE_CPU));
            limits.wall = limits.wall.min(PROBE_WALL);
        }
        let mut args = built.first.clone();
        args.extend_from_slice(case.input_validator_args.of(&built.name()));
        // 2025-09: "the `input_validator_args` followed by the `args` of the testcase".
        args.extend_from_slice(&case.args);
        let mut files = case
            .files
            .as_deref()
            .map_or(Ok(Vec::new()), WorkFile::copies_of)?;
        let log = built.log.filter(|_| purpose == Purpose::Case);
        if let Some(log) = log {
            args.extend(log.args());
            files.push(log.file());
        }
        let ran = program_runner.run(
            &built.program,
            &Run {
                mounts: data,
                files: &files,
                ..Run::helper(&args, Stdin::File(&case.input), &limits)
            },
        )?;
        let accepted = match built.validator.kind {
            InputValidatorKind::Program => 42,
            _ => 0,
        };
        let exit = ran.execution.exit;
        if exit == Exit::Code(accepted) {
            if let (Some(log), [(_, written), ..]) = (log, &ran.written[..]) {
                let name = self.package.original(&built.validator.path);
                unpoisoned(self.bounds.lock()).add(log, name, written);
            }
            return Ok(None);
        }
        if let Exit::Killed(Limit::Cpu | Limit::Wall | Limit::Idle) = exit {
            let what = match purpose {
                Purpose::Probe => "the input validator does not end for a wrong input",
                _ => "the input validator does not end",
            };
            let what = format!("{what}: {}", ending(exit));
            let path = self.package.original(&built.validator.path);
            let error = PackageError::new(path, what)
                .remedy("let it refuse at the first mistake and at the end of the file");
            return Ok(Some(Refusal::Misuse(
                built.stopped.get_or_init(|| error).clone(),
            )));
        }
        if exit == Exit::Code(0) {
            let what = "the input validator exits with code 0, which accepts nothing";
            let path = self.package.original(&built.validator.path);
            let error = PackageError::new(path, what);
            return Ok(Some(Refusal::Misuse(
                error.remedy("end it with exit code 42 where the input is right"),
            )));
        }
        let said = [&ran.stderr, &ran.stdout]
            .into_iter()
            .find_map(|file| tail(file, &built.program));
        let why = said.unwrap_or_else(|| ending(exit));
        Ok(Some(Refusal::Input(format!("{}: {why}", built.name()))))
    }
}

impl Built<'_> {
    /// The base name, which is the key of the validator's arguments in the package.
    fn name(&self) -> String {
        let name = self.validator.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// A grammar and the installed program `tool` that checks inputs against it. A grammar with constants
/// of the package is copied with their values to a directory.
fn of_grammar<'a>(
    package: &Package,
    validator: &'a InputValidator,
    tool: &str,
) -> Result<Built<'a>, Reason> {
    let mut program = language::search(tool)
        .map(Program::executable)
        .ok_or_else(|| Reason::new(format!("{tool} is not installed")))?;
    let path = &validator.path;
    let failed = |e: std::io::Error| Reason::new(format!("failed to read {}: {e}", path.display()));
    let text = fs::read(path).map_err(failed)?;
    let (mut grammar, mut dir) = (path.clone(), None);
    if let Some(filled) = with_constants(&text, &package.constants) {
        let own = TempDirectory::new("grammar")?;
        grammar = own.path().join(path.file_name().unwrap_or_default());
        fs::write(&grammar, filled).map_err(failed)?;
        program.mounts.push(read_only(own.path()));
        dir = Some(own);
    }
    Ok(Built {
        validator,
        program,
        first: vec![grammar.display().to_string()],
        _grammar: dir,
        log: None,
        stopped: OnceLock::new(),
    })
}
