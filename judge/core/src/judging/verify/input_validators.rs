//! Input validators: programs that decide whether an input is valid.

use crate::checker::validator_limits;
use crate::judging::diagnosis::explain::tail;
use crate::judging::toolchain::Toolchain;
use crate::language::{self, Program, read_only, with_constants};
use crate::program_runner::{ProgramRunner, Run, Stdin, WorkFile};
use crate::verdict::ending;
use judge_package::{Finding, InputValidator, InputValidatorKind, Package, PackageError, TestCase};
use judge_sandbox::{Exit, Fault, Limits, Mount};
use judge_tempdir::TempDirectory;
use std::fs;

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

/// The compiled input validators of a package.
pub struct InputValidators<'a> {
    package: &'a Package,
    built: Vec<Built<'a>>,
}

struct Built<'a> {
    validator: &'a InputValidator,
    program: Program,
    /// Leading arguments of this kind of validator: the grammar's file.
    first: Vec<String>,
    /// Contains that file if constants of the package were replaced in it.
    _grammar: Option<TempDirectory>,
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
                    Err(bad) => Err(bad.what),
                    Ok(program) => Ok(Built {
                        validator,
                        program,
                        first: Vec::new(),
                        _grammar: None,
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
        (InputValidators { package, built }, findings)
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
    ///
    /// # Errors
    ///
    /// When the sandbox fails.
    pub fn refuse(
        &self,
        program_runner: &mut ProgramRunner,
        case: &TestCase,
        data: &[Mount],
    ) -> Result<Option<Refusal>, Fault> {
        for built in &self.built {
            if let Some(refusal) = self.refuses(built, program_runner, case, data)? {
                return Ok(Some(refusal));
            }
        }
        Ok(None)
    }

    fn refuses(
        &self,
        built: &Built<'_>,
        program_runner: &mut ProgramRunner,
        case: &TestCase,
        data: &[Mount],
    ) -> Result<Option<Refusal>, Fault> {
        let limits = Limits {
            disk: None, // it writes nothing outside its work directory
            ..validator_limits(&self.package.limits, &built.program)
        };
        let mut args = built.first.clone();
        args.extend_from_slice(case.input_validator_args.of(&built.name()));
        // 2025-09: "the `input_validator_args` followed by the `args` of the testcase".
        args.extend_from_slice(&case.args);
        let files = case
            .files
            .as_deref()
            .map_or(Ok(Vec::new()), WorkFile::copies_of)?;
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
            return Ok(None);
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
) -> Result<Built<'a>, String> {
    let mut program = language::search(tool)
        .map(Program::executable)
        .ok_or_else(|| format!("{tool} is not installed"))?;
    let path = &validator.path;
    let failed = |e: std::io::Error| format!("failed to read {}: {e}", path.display());
    let text = fs::read(path).map_err(failed)?;
    let (mut grammar, mut dir) = (path.clone(), None);
    if let Some(filled) = with_constants(&text, &package.constants) {
        let own = TempDirectory::new("grammar").map_err(|fault| fault.to_string())?;
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
    })
}
