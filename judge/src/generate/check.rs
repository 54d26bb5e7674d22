//! Checks new data before it replaces the old.

use super::programs::{self, Programs};
use super::spec::{CaseRule, Spec};
use super::without_data;
use judge_core::checker::{CheckFault, Checker};
use judge_core::error::Failure;
use judge_core::judging::{InputValidators, Refusal, Settings, Toolchain, prepare_checker};
use judge_core::language::read_only;
use judge_core::program_runner::{ProgramRunner, Stdin};
use judge_package::{Package, PackageError, TestCase};
use judge_sandbox::{Mode, Mount};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Reads the package with the new data; `data` is its directory.
/// Fails when the package with the new data is invalid; settings are so at the position of their rule.
pub fn stage(package: &Package, spec: &Spec, data: &Path) -> Result<Package, Failure> {
    let root = data.parent().unwrap_or(data);
    // How data is read also depends on the rest of the package, such as the presence of validators.
    without_data::copy_without_data(&package.root, root)?;
    let read = without_data::read_copy(root, &package.root);
    let mut staged = read.map_err(|failure| match failure {
        Failure::Package(errors) => {
            let errors = errors.into_iter();
            Failure::Package(errors.map(|e| at_rule(e, package, spec)).collect())
        }
        other => other,
    })?;
    staged.findings.clear();
    Ok(staged)
}

/// The error about a file of the new data that a rule gives, at the position of the rule: the file does
/// not exist when the error is shown.
fn at_rule(error: PackageError, package: &Package, spec: &Spec) -> PackageError {
    let Ok(inside) = error.path.strip_prefix(package.root.join("data")) else {
        return error;
    };
    let inside = inside.to_string_lossy();
    let group = spec.group_files.get(&*inside).map(|file| &file.node);
    let case = inside.strip_suffix(".yaml");
    let case = case.and_then(|case| spec.cases.iter().find(|rule| rule.path == case));
    match group.or(case.map(|rule| &rule.node)) {
        Some(node) => PackageError {
            remedy: error.remedy,
            ..node.error(format!("{inside}: {}", error.what))
        },
        None => error,
    }
}

/// Checks new cases.
pub struct Inspector<'a> {
    validators: InputValidators<'a>,
    checker: Checker,
    cases: HashMap<String, TestCase>,
    data: PathBuf,
    mounts: Vec<Mount>,
    mode: Mode,
    plain: bool,
    /// Findings such as validators that cannot be built.
    pub warnings: Vec<String>,
}

/// The resources of one worker.
pub struct CheckContext {
    core: Option<usize>,
    solution: ProgramRunner,
    validator: ProgramRunner,
}

impl<'a> Inspector<'a> {
    /// Prepares checks of the cases of `staged` with the programs of `package`.
    pub fn new(
        package: &'a Package,
        staged: &Package,
        toolchain: &Toolchain,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let (validators, findings) = InputValidators::build(package, toolchain);
        let mut warnings: Vec<String> = findings.iter().map(|f| f.error.to_string()).collect();
        if validators.is_empty() {
            let nothing = PackageError::new(
                &package.root,
                "no input validator checks the generated data",
            )
            .remedy("put a program into input_validators/ that exits with 42 on legal input");
            warnings.push(nothing.to_string());
        }
        let mounts = [&package.root, &staged.root].map(|path| read_only(path));
        let own = &staged.validator_cases;
        let own = own.invalid_input.iter().chain(&own.invalid_output);
        let own = own.chain(&staged.validator_cases.valid_output);
        let cases = staged.cases().into_iter().chain(own);
        let kind = package.kind;
        Ok(Inspector {
            validators,
            checker: prepare_checker(package, toolchain)?,
            cases: cases
                .map(|case| (case.name.clone(), case.clone()))
                .collect(),
            data: staged.root.join("data"),
            mounts: mounts.to_vec(),
            mode: settings.mode,
            plain: !(kind.interactive || kind.multi_pass || kind.submit_answer),
            warnings,
        })
    }

    /// The resources of a worker on this core.
    pub fn context(&self, core: Option<usize>) -> CheckContext {
        let program_runner = || ProgramRunner::new(self.mode, core);
        CheckContext {
            core,
            solution: program_runner(),
            validator: program_runner().for_programs(self.validators.len()),
        }
    }

    /// Checks a case: its input must be legal, and a second submission must agree with its answer.
    /// If the answer was given by the author, the solution serves as the second submission.
    /// Fails at the position of the rule.
    pub fn check(
        &self,
        context: &mut CheckContext,
        rule: &CaseRule,
        programs: &Programs,
        given_answer: bool,
    ) -> Result<(), Failure> {
        if rule.path.starts_with("testing_tool_test/") {
            return Ok(());
        }
        let case = self.check_input(context, rule)?;
        let wrong = |what: String| Failure::from(rule.node.error(what));
        let is_wrong_on_purpose = ["invalid_input/", "invalid_answer/", "invalid_output/"]
            .iter()
            .any(|root| rule.path.starts_with(root));
        let by = if given_answer {
            programs.solution(rule)
        } else {
            programs.second()
        };
        let (Some(by), true) = (by, self.plain && !is_wrong_on_purpose) else {
            return Ok(());
        };
        let ran = programs::run(&mut context.solution, by, Stdin::File(&case.input))?;
        let ran = ran.map_err(|how| wrong(how.into()))?;
        let outcome = self
            .checker
            .session(&self.mounts, self.mode, context.core)?
            .check(&case, &ran.stdout)
            .map_err(|fault| match fault {
                CheckFault::Sandbox(fault) => fault.into(),
                other => wrong(other.to_string()),
            })?;
        if outcome.is_accepted() {
            return Ok(());
        }
        let against = match (given_answer, programs.solution(rule)) {
            (false, Some(solution)) => format!("that of {}", solution.name),
            _ => "the one that is given".to_owned(),
        };
        let what = format!(
            "{} gives another answer for {} than {against}: {}",
            by.name,
            rule.path,
            outcome
                .message
                .filter(|message| !message.is_empty())
                .unwrap_or_else(|| "the validator rejects it".to_owned())
        );
        let help = "correct the one that is wrong";
        Err(rule.node.error(what).remedy(help).into())
    }

    /// Checks that the input of a case is legal, or not in `invalid_input/`. Returns the case.
    /// Fails at the position of the rule.
    pub fn check_input(
        &self,
        context: &mut CheckContext,
        rule: &CaseRule,
    ) -> Result<TestCase, Failure> {
        let file = |extension: &str| self.data.join(format!("{}.{extension}", rule.path));
        let case = self
            .cases
            .get(&rule.path)
            .cloned()
            .unwrap_or_else(|| TestCase {
                name: rule.path.clone(),
                input: file("in").into(),
                answer: Some(file("ans"))
                    .filter(|path| path.is_file())
                    .map(Into::into),
                ..TestCase::default()
            });
        let refused = self
            .validators
            .refuse(&mut context.validator, &case, &self.mounts)?
            .map(Refusal::into_text);
        let wrong = |what: String| {
            let complaint = rule.node.error(what);
            Failure::from(complaint.remedy("correct the case or the validator"))
        };
        let should_be_refused = rule.path.starts_with("invalid_input/");
        match refused {
            Some(why) if !should_be_refused => {
                return Err(wrong(format!(
                    "the input of {} is not legal: {why}",
                    rule.path
                )));
            }
            None if should_be_refused && !self.validators.is_empty() => {
                return Err(wrong(format!(
                    "no validator refuses the input of {}",
                    rule.path
                )));
            }
            _ => {}
        }
        Ok(case)
    }
}
