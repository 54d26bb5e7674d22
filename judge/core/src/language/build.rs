//! Builds a program: plan, look up in the cache, compile in a box.

use super::compile::{self, Allowance, Compiled};
use super::config::Language;
use super::missing_files_hint;
use super::plan::Plan;
use super::planned::Planned;
use super::precompiled::Precompilation;
use super::program::{Prepared, Program};
use super::request::Request;
use super::source;
use super::toolchain::Toolchain;
use super::tools::how_to_install;
use judge_package::is_native;
use judge_sandbox::{Fault, Mount};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

impl Toolchain {
    /// Builds a program, or returns it from the cache. A compile error is not an error here.
    pub fn build(&self, request: &Request<'_>) -> Result<Prepared, Fault> {
        let is_link = request.path == request.root && request.path.is_symlink();
        if is_native(request.path) && !is_link {
            return Ok(Program::executable(absolute(request.path)?).into());
        }
        let planned = match self.plan(request) {
            Ok(planned) => planned,
            Err(without) => return Ok(without),
        };
        let (compiled, dir) = self.compile(&planned, request)?;
        match compiled {
            Compiled::Done => Ok(planned.program(&dir).into()),
            Compiled::Refused(message) => Ok(match self.broken_compiler(request)? {
                Some(broken) => Prepared::Failed(broken),
                None => compile_error(self.preprocessor.with_own_names(&message), request),
            }),
            Compiled::Hung(message) => Ok(compile_error(message, request)),
        }
    }

    /// Compiles a program, unless it is cached, in a directory of the cache.
    fn compile(
        &self,
        planned: &Planned<'_>,
        request: &Request<'_>,
    ) -> Result<(Compiled, PathBuf), Fault> {
        let broken = |e: io::Error| self.cache.fault(e);
        let entry = self.cache.entry(planned.key()).map_err(broken)?;
        let dir = entry.dir();
        if entry.done().is_some_and(|note| note.is_empty()) {
            return Ok((Compiled::Done, dir));
        }
        entry.start().map_err(broken)?;
        match source::write(&planned.files, &dir) {
            Ok(()) => {}
            Err(e) if has_impossible_name(&e) => {
                let message =
                    "a file has the name of a directory, or a path is too long: rename it";
                return Ok((Compiled::Refused(message.to_owned()), dir));
            }
            Err(e) => return Err(broken(e)),
        }
        let start = || {
            entry.start()?;
            source::write(&planned.files, &dir)
        };
        let allowance = Allowance {
            time: request.time,
            memory: request.memory,
            program: self.program_bytes,
        };
        let compile = |plan: &Plan, mounts: &[Mount]| {
            start().map_err(broken)?;
            compile::run(plan, &dir, mounts, &allowance, &*self.open)
        };
        let with_header =
            |header: &Precompilation| header.apply(&self.cache, &planned.plan, planned.mounts());
        let with_header = planned.header.as_ref().and_then(with_header);
        let compiled = match with_header.map(|(plan, mounts)| compile(&plan, &mounts)) {
            // It would hang without the header too.
            Some(Ok(compiled @ (Compiled::Done | Compiled::Hung(_)))) => compiled,
            Some(Err(fault)) if fault.interrupted => return Err(fault),
            _ => compile(&planned.plan, planned.mounts())?,
        };
        // Only successful builds are cached: a failure may be the machine's (a full disk, a box
        // that denies what the compiler needs) and temporary.
        if matches!(compiled, Compiled::Done) {
            let finish = || {
                entry.rewrite()?;
                self.cache.finish(&entry, "")
            };
            finish().map_err(broken)?;
        }
        Ok((compiled, dir))
    }

    /// Why a compiler that rejected a program is itself at fault, if it rejects even the minimal
    /// program of its language: a part of it is missing. The cache remembers that a version of a
    /// compiler works.
    fn broken_compiler(&self, rejected: &Request<'_>) -> Result<Option<String>, Fault> {
        let Some((code, language)) = rejected.language(&self.languages) else {
            return Ok(None);
        };
        let Some(minimal) = minimal_program(language)? else {
            return Ok(None);
        };
        let request = Request {
            role: rejected.role,
            ..Request::alone(code, &minimal.path)
        };
        let Ok(planned) = self.plan(&request) else {
            return Ok(None);
        };
        let (compiled, _) = self.compile(&planned, &request)?;
        Ok(match compiled {
            Compiled::Refused(message) => {
                let install = language.install.as_deref();
                let install = how_to_install(install.unwrap_or("install it again"));
                Some(format!(
                    "{}: the compiler rejects even a minimal program: {message}\n  help: {install}",
                    language.name
                ))
            }
            _ => None,
        })
    }

    /// Builds the minimal program of an installed language; `None` if the table has none.
    pub fn build_minimal(
        &self,
        code: &str,
        language: &Language,
    ) -> Result<Option<Prepared>, Fault> {
        let Some(minimal) = minimal_program(language)? else {
            return Ok(None);
        };
        self.build(&Request::alone(code, &minimal.path)).map(Some)
    }
}

/// A file with the minimal program of a language.
struct Minimal {
    path: PathBuf,
    _dir: tempfile::TempDir,
}

fn minimal_program(language: &Language) -> Result<Option<Minimal>, Fault> {
    let Some(text) = &language.minimal else {
        return Ok(None);
    };
    let dir = tempfile::tempdir().map_err(compile::no_temporary_file)?;
    let path = dir.path().join(format!("Main.{}", language.extensions[0]));
    fs::write(&path, text).map_err(compile::no_temporary_file)?;
    Ok(Some(Minimal { path, _dir: dir }))
}

/// Whether the author of a program's files caused this error by their names: a file and a directory
/// have the same name, or a path is too long.
fn has_impossible_name(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, IsADirectory, NotADirectory};
    matches!(
        error.kind(),
        AlreadyExists | InvalidFilename | IsADirectory | NotADirectory
    )
}

fn compile_error(message: String, request: &Request<'_>) -> Prepared {
    Prepared::CompileError(missing_files_hint::with_help(message, Some(request.path)))
}

fn absolute(path: &Path) -> Result<PathBuf, Fault> {
    std::path::absolute(path).map_err(|e| Fault::os(format!("resolve {}", path.display()), e))
}
