//! Runs the package's static validator, which checks source code, and its grader, which aggregates
//! the results of a group.

use super::grading::{self, Graded, JudgeError, Outcomes};
use super::scheduler::SubmissionRef;
use super::toolchain::Toolchain;
use crate::checker::{CheckFault, Grader, Outcome, ProgramChecker, ValidatorBox, validator_limits};
use judge_package::{Package, TestCase, ValidatorProtocol};
use judge_sandbox::Mode;
use std::path::Path;
use std::sync::OnceLock;

/// The programs of one package, compiled by the first worker that needs them.
#[derive(Default)]
pub struct PackagePrograms {
    static_validator: OnceLock<Result<ProgramChecker, JudgeError>>,
    grader: OnceLock<Result<Grader, JudgeError>>,
}

/// Resources of a worker that the programs need.
pub struct Context<'d> {
    pub package_programs: &'d PackagePrograms,
    pub toolchain: &'d Toolchain,
    pub mode: Mode,
    pub core: Option<usize>,
    /// Created at the first use.
    pub validator_box: &'d mut Option<ValidatorBox>,
}

impl Context<'_> {
    /// Runs the static validator on the source of a submission.
    pub fn check_source(
        &mut self,
        at: SubmissionRef<'_>,
        case: &TestCase,
    ) -> Result<Outcome, JudgeError> {
        let entry = at.entry();
        let package = &entry.package;
        let broken = |what: &str| JudgeError::of_package(what.to_owned());
        let path = package.static_validator.as_deref();
        let path =
            path.ok_or_else(|| broken("the package has a static case, but no static validator"))?;
        let source = &at.submission().source;
        let request = source.request(package).ok_or_else(|| {
            broken(
                "the package's static validator needs source code, and this is a program; judge its \
                 source file, or leave the case out with --case",
            )
        })?;
        let validator = self
            .package_programs
            .static_validator
            .get_or_init(|| {
                let program = self.toolchain.helper(package, path)?;
                let limits = validator_limits(&package.limits, &program);
                Ok(ProgramChecker {
                    program,
                    protocol: ValidatorProtocol::Icpc,
                    limits,
                })
            })
            .as_ref()
            .map_err(JudgeError::clone)?;
        let code = self.toolchain.languages.describe(&request);
        let code = code.map_err(|why| JudgeError::of_package(why.into()))?;
        Ok(validator.check_source(self.validator_box()?, &code, case)?)
    }

    /// Grades the outcomes of all cases; `None` when it was interrupted.
    pub fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        let package = &at.entry().package;
        let graded = grading::of_submission(package, outcomes, &mut |flags, parts| {
            let grader = self.grader(package)?;
            let validator_box = self.validator_box();
            let graded = validator_box.and_then(|own| grader.grade(own, flags, parts));
            graded.map_err(JudgeError::from)
        });
        (!judge_sandbox::interrupted()).then_some(graded)
    }

    fn grader(&self, package: &Package) -> Result<Grader, JudgeError> {
        let made = self.package_programs.grader.get_or_init(|| {
            let path: &Path = package.grader.as_deref().ok_or_else(|| {
                let what = "a group has `grading: custom`, but the package has no grader";
                JudgeError::of_package(what.to_owned())
            })?;
            let program = self.toolchain.helper(package, path)?;
            let limits = validator_limits(&package.limits, &program);
            Ok(Grader { program, limits })
        });
        made.clone()
    }

    /// The box, without feedback of earlier runs.
    fn validator_box(&mut self) -> Result<&mut ValidatorBox, CheckFault> {
        let validator_box = match self.validator_box.take() {
            Some(validator_box) => validator_box,
            None => ValidatorBox::new(&[], self.mode, self.core)?,
        };
        let validator_box = self.validator_box.insert(validator_box);
        validator_box.clear_feedback()?;
        Ok(validator_box)
    }
}
