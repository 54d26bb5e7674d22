//! The validators that implement DMOJ's checkers, interactors and graders.

use super::init_checkers::{Checker, FileName, Program};
use super::python::LINEMATCHES;
use super::{BESIDE, OwnChecker, Reader};
use crate::error::PackageError;
use crate::input::staging_dir;
use crate::input::text;
use crate::model::{BuiltinChecker, Validator};
use std::path::PathBuf;

impl Reader<'_> {
    /// Adds a checker.
    pub fn checker(&mut self, checker: &Checker<'_>) -> Result<(), PackageError> {
        let own = match checker {
            Checker::Builtin(builtin) => OwnChecker {
                run_on_error: *builtin == BuiltinChecker::Linecount,
                ..Validator::Builtin(*builtin).into()
            },
            Checker::LineMatches(args) => {
                let code = LINEMATCHES.as_bytes();
                let file = self.staging_dir.write("linematches.py", code)?;
                self.python("checker", &file, args.clone())?
            }
            Checker::Python(name, args) => {
                let file = self.find(*name, BESIDE)?;
                let code = text::read(&file, 1 << 20)?;
                OwnChecker {
                    run_on_error: code.lines().any(runs_on_error),
                    ..self.python("checker", &file, args.clone())?
                }
            }
            Checker::Grader(name) => self.grader(*name)?,
            Checker::Bridged(bridged) => {
                for warning in &bridged.warnings {
                    self.builder.tree.warning(warning.clone());
                }
                let path = self.assembled(&bridged.program, "checker")?;
                let protocol = bridged.protocol.clone();
                OwnChecker {
                    points: bridged.points,
                    ..Validator::Program { path, protocol }.into()
                }
            }
        };
        self.checkers.push(own);
        Ok(())
    }

    /// Assembles a program from its files, once.
    pub fn assembled(
        &mut self,
        program: &Program<'_>,
        role: &str,
    ) -> Result<PathBuf, PackageError> {
        let names = program.files.iter().map(|file| file.text.to_owned());
        let key = (names.collect(), program.flags.clone());
        if let Some(path) = self.programs.get(&key) {
            return Ok(path.clone());
        }
        let files = program.files.iter().map(|file| self.find(*file, BESIDE));
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
        let path = self.staging_dir.program(&root, &name, &files, &before)?;
        self.programs.insert(key, path.clone());
        Ok(path)
    }

    /// The path of a file that the configuration names; `remedy` says where it must be.
    pub fn find(&self, name: FileName<'_>, remedy: &str) -> Result<PathBuf, PackageError> {
        let missing = || name.node.error(format!("there is no file `{}`", name.text));
        let path = self.search_path.find(name.text);
        path.ok_or_else(|| missing().remedy(remedy))
    }
}

/// Matches `check.run_on_error = True`.
fn runs_on_error(line: &str) -> bool {
    let (line, _) = line.split_once('#').unwrap_or((line, ""));
    let rest = line.trim().strip_prefix("check.run_on_error");
    let value = rest.and_then(|rest| rest.trim_start().strip_prefix('='));
    value.is_some_and(|value| matches!(value.trim(), "True" | "1"))
}
