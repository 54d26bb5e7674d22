//! The validators that implement DMOJ's checkers, interactors and graders.

use super::Reader;
use super::cases::merge;
use super::checker::{Checker, Kind};
use super::init::{Decider, Init};
use super::programs::{Bridged, Program, json};
use super::python::{Code, LINEMATCHES, Python, PythonPart, grader_is_run};
use crate::error::PackageError;
use crate::format::common::FileName;
use crate::input::staging_dir;
use crate::input::text;
use crate::model::{BuiltinChecker, DmojKind, Points, Validator, ValidatorProtocol};
use std::path::PathBuf;

/// The maximum number of different checkers in a package.
const MOST_CHECKERS: usize = 1000;

/// A checker of the package or of individual cases.
pub struct OwnChecker {
    /// The configuration, if there is one.
    config: Option<serde_json::Value>,
    /// The validator that implements it.
    pub validator: Validator,
    /// Which points it may give.
    pub points: Points,
    /// Whether it may give points for a failed run.
    pub run_on_error: bool,
    /// The settings of a checker in Python.
    pub python: Option<Python>,
}

impl From<Validator> for OwnChecker {
    fn from(validator: Validator) -> Self {
        OwnChecker {
            config: None,
            validator,
            points: Points::Granted,
            run_on_error: false,
            python: None,
        }
    }
}

impl From<(Validator, Python)> for OwnChecker {
    fn from((validator, python): (Validator, Python)) -> Self {
        OwnChecker {
            python: Some(python),
            ..validator.into()
        }
    }
}

impl Reader<'_> {
    /// Adds the package's checker, interactor or grader.
    pub fn decider(&mut self, init: &Init<'_>) -> Result<(), PackageError> {
        let interactive = !matches!(init.decider, Decider::Checker(_));
        self.builder.package.kind.interactive = interactive;
        let own = match &init.decider {
            Decider::Grader(name) => {
                let file = self.named_file(name)?;
                grader_is_run(name, &text::read(&file, 1 << 20)?)?;
                self.python(PythonPart::Grader, Code::File(file), serde_json::json!({}))?
                    .into()
            }
            Decider::Interactor(bridged) => self.bridged(bridged)?,
            Decider::Checker(checker) => self.own_checker(checker)?,
        };
        self.checkers.push(own);
        merge(&mut self.common, init.yaml);
        Ok(())
    }

    /// The index of the checker; equal ones share an index, and a case without one has that of the
    /// package.
    pub fn checker(&mut self, checker: Option<&Checker<'_>>) -> Result<usize, PackageError> {
        let Some((checker, node)) = checker.and_then(|own| Some((own, own.node?))) else {
            return Ok(0);
        };
        let config = json(node);
        let known = |own: &OwnChecker| own.config.as_ref() == Some(&config);
        if let Some(known) = self.checkers.iter().position(known) {
            return Ok(known);
        }
        // Each case is compared with all of them.
        if self.checkers.len() >= MOST_CHECKERS {
            return Err(node.error(format!("more than {MOST_CHECKERS} different checkers")));
        }
        let own = self.own_checker(checker)?;
        self.checkers.push(own);
        Ok(self.checkers.len() - 1)
    }

    fn own_checker(&mut self, checker: &Checker<'_>) -> Result<OwnChecker, PackageError> {
        let own = match &checker.kind {
            Kind::Builtin(builtin) => OwnChecker {
                run_on_error: *builtin == BuiltinChecker::Linecount,
                ..Validator::Builtin(*builtin).into()
            },
            Kind::Bridged(bridged) => self.bridged(bridged)?,
            Kind::LineMatches(args) => {
                let code = Code::Own("linematches.py", LINEMATCHES);
                self.python(PythonPart::Checker, code, args.clone())?.into()
            }
            Kind::Python(name, args) => {
                let file = self.named_file(name)?;
                let code = text::read(&file, 1 << 20)?;
                let made = self.python(PythonPart::Checker, Code::File(file), args.clone())?;
                OwnChecker {
                    run_on_error: code.lines().any(runs_on_error),
                    ..made.into()
                }
            }
        };
        let config = checker.node.map(json);
        Ok(OwnChecker { config, ..own })
    }

    fn bridged(&mut self, bridged: &Bridged<'_>) -> Result<OwnChecker, PackageError> {
        for warning in &bridged.warnings {
            self.builder.tree.warning(warning.clone());
        }
        let validator = Validator::Program {
            path: self.assembled(&bridged.program, "checker")?,
            protocol: ValidatorProtocol::Dmoj {
                kind: bridged.kind,
                arguments: bridged.arguments.clone(),
            },
        };
        Ok(OwnChecker {
            // For these types DMOJ reduces points to those of the case.
            points: match bridged.kind {
                DmojKind::Testlib | DmojKind::TestlibPercent | DmojKind::Coci | DmojKind::Cms => {
                    Points::Bounded
                }
                _ => Points::Granted,
            },
            ..validator.into()
        })
    }

    /// Assembles a program from its files, once.
    pub fn assembled(
        &mut self,
        program: &Program<'_>,
        role: &str,
    ) -> Result<PathBuf, PackageError> {
        let key = std::ptr::from_ref(program.node);
        if let Some(path) = self.programs.get(&key) {
            return Ok(path.clone());
        }
        let files = program.files.iter().map(|file| self.named_file(file));
        let files: Vec<PathBuf> = files.collect::<Result<_, _>>()?;
        let root = self.builder.tree.root.clone();
        let (before, others) = staging_dir::defines(&program.flags);
        for flag in others {
            let what = format!("the compiler's flag `{flag}` is left out");
            let error = PackageError::new(root.join("init.yml"), what);
            self.builder.tree.warning(error);
        }
        self.directories += 1;
        let name = format!("{role}{}", self.directories);
        let path = staging_dir::program(&self.staging_dir, &root, &name, &files, &before)?;
        self.programs.insert(key, path.clone());
        Ok(path)
    }

    /// The path of a file that the configuration names.
    pub fn named_file(&self, name: &FileName<'_>) -> Result<PathBuf, PackageError> {
        self.search_path.named(name, "put it beside `init.yml`")
    }
}

/// Matches `check.run_on_error = True`.
fn runs_on_error(line: &str) -> bool {
    let (line, _) = line.split_once('#').unwrap_or((line, ""));
    let rest = line.trim().strip_prefix("check.run_on_error");
    let value = rest.and_then(|rest| rest.trim_start().strip_prefix('='));
    value.is_some_and(|value| matches!(value.trim(), "True" | "1"))
}
