//! Builds programs from source: plan, look up in the cache, compile in a box.

use super::cache::{Cache, Key, Lookup};
use super::compile::{self, Allowance, Compiled, Opener};
use super::config::{Language, Role};
use super::languages::Languages;
use super::left_out;
use super::plan::{self, Plan};
use super::planned::Planned;
use super::precompiled::Precompilation;
use super::program::{Prepared, Program};
use super::request::Request;
use super::source;
use super::tools::ToolFinder;
use judge_package::is_native;
use judge_sandbox::{BoxSpec, Fault, Mode, Mount, Sandbox};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Builds programs. Shared by all threads of a judge.
pub struct Toolchain {
    /// The languages it supports.
    pub languages: Languages,
    pub(super) finder: ToolFinder,
    cache: Cache,
    open: Box<Opener>,
}

/// Facts about a program that are known without building it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Described {
    /// The code of its language: `cpp`.
    pub language: String,
    /// The file or class that is started.
    pub entry_point: String,
    /// Its files and those that the package adds: relative path and path on the host.
    pub files: Vec<(PathBuf, PathBuf)>,
}

impl Toolchain {
    /// A toolchain with the user's cache that compiles in boxes of this mode.
    ///
    /// # Errors
    ///
    /// If no cache can be created.
    pub fn new(languages: Languages, mode: Mode) -> Result<Self, Fault> {
        let open = move |spec: &BoxSpec| {
            judge_sandbox::open(&BoxSpec {
                mode,
                ..spec.clone()
            })
        };
        let cache = Cache::open().map_err(|e| Fault::os("open the cache of programs", e))?;
        Ok(Self::with(languages, cache, open))
    }

    /// A toolchain with this cache; `open` opens its boxes.
    pub fn with(
        languages: Languages,
        cache: Cache,
        open: impl Fn(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + Send + Sync + 'static,
    ) -> Self {
        Toolchain {
            languages,
            finder: ToolFinder::default(),
            cache,
            open: Box::new(open),
        }
    }

    /// The installed version of a language's tools, or the name of the missing tool.
    pub fn installed(&self, language: &Language) -> Result<String, String> {
        let (_, tools) = self.profile(language, Role::Submission)?;
        Ok(tools.version.lines().next().unwrap_or_default().to_string())
    }

    /// The code of a program's language if its tools are not installed.
    pub fn missing(&self, request: &Request<'_>) -> Option<&str> {
        if is_native(request.path) {
            return None;
        }
        let (code, language) = request.language(&self.languages)?;
        let is_missing = self.profile(language, request.role).is_err();
        is_missing.then_some(code)
    }

    /// The name of a program's language; empty if it is not known.
    pub fn language_name(&self, request: &Request<'_>) -> String {
        let found = request.language(&self.languages);
        found
            .map(|(_, language)| language.name.clone())
            .unwrap_or_default()
    }

    /// A cached directory keyed by `parts`; `make` fills it if it is not cached yet.
    ///
    /// # Errors
    ///
    /// An error of `make`, or a fault of the cache.
    pub fn keep<E: From<Fault>>(
        &self,
        parts: &[&[u8]],
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let broken = |e: io::Error| E::from(Fault::os("use the cache", e));
        let mut key = Key::new();
        for part in parts {
            key.add(part);
        }
        let entry = self.cache.entry(key).map_err(broken)?;
        if entry.done().is_none() {
            entry.start().map_err(broken)?;
            make(&entry.dir())?;
            self.cache.finish(&entry, "").map_err(broken)?;
        }
        Ok(entry.dir())
    }

    /// Describes a program without building it.
    ///
    /// # Errors
    ///
    /// A message if the files cannot be read or the language is not known.
    pub fn describe(&self, request: &Request<'_>) -> Result<Described, String> {
        let sources = source::read(request.path, request.root)?;
        let found = request.language_among(&self.languages, &sources);
        let (code, language) = found.ok_or_else(|| request.unknown_language())?;
        let entry = plan::entry_point(language, &sources, request.entry_point)?;
        let mut files: Vec<_> = source::places(request.path, sources).collect();
        for dir in request.added_directories(code) {
            let root = request.include.and_then(Path::parent).unwrap_or(&dir);
            for (name, place) in source::places(&dir, source::read(&dir, root)?) {
                files.retain(|(old, _)| *old != name);
                files.push((name, place));
            }
        }
        Ok(Described {
            language: code.to_owned(),
            entry_point: entry,
            files,
        })
    }

    /// The header that would speed up building this program, if neither the header nor the program
    /// is cached yet.
    pub fn missing_header(&self, request: &Request<'_>) -> Option<Precompilation> {
        if !self.may_want_header(request) {
            return None;
        }
        let planned = self.plan(request).ok()?;
        let header = planned.header.as_ref()?;
        let missing = matches!(self.cache.lookup(planned.key()), Lookup::Missing);
        (missing && header.ready(&self.cache).is_none()).then(|| header.clone())
    }

    /// Precompiles a header; see [`Precompilation`].
    ///
    /// # Errors
    ///
    /// If it was interrupted.
    pub fn precompile(&self, header: &Precompilation) -> Result<(), Fault> {
        header.make(&self.cache, &*self.open)
    }

    /// A program in the cache, without waiting for a judge that builds it.
    pub fn built(&self, request: &Request<'_>) -> Option<Program> {
        let planned = self.plan(request).ok()?;
        match self.cache.lookup(planned.key()) {
            Lookup::Built { dir, note } if note.is_empty() => Some(planned.program(&dir)),
            _ => None,
        }
    }

    /// Builds a program, or returns it from the cache.
    ///
    /// # Errors
    ///
    /// If the sandbox or the cache fails. A compile error is not an error here.
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
                None => compile_error(message, request),
            }),
            Compiled::Hung(message) => Ok(compile_error(message, request)),
            Compiled::Stalled(message) => Ok(Prepared::Failed(message)),
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
        let start = || {
            entry.start()?;
            source::write(&planned.files, &dir)
        };
        let allowance = Allowance {
            time: request.time,
            memory: request.memory,
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
            self.cache.finish(&entry, "").map_err(broken)?;
        }
        Ok((compiled, dir))
    }

    /// Why a compiler that rejected a program is itself at fault, if it rejects even the minimal
    /// program of its language: a part of it is missing. The cache remembers that a version of a
    /// compiler works.
    fn broken_compiler(&self, rejected: &Request<'_>) -> Result<Option<String>, Fault> {
        let found = rejected.language(&self.languages);
        let minimal =
            found.and_then(|(code, language)| Some((code, language, language.minimal.as_ref()?)));
        let Some((code, language, minimal)) = minimal else {
            return Ok(None);
        };
        let temporary = compile::no_temporary_file;
        let dir = tempfile::tempdir().map_err(temporary)?;
        let path = dir.path().join(format!("Main.{}", language.extensions[0]));
        fs::write(&path, minimal).map_err(temporary)?;
        let request = Request {
            path: &path,
            root: &path,
            language: Some(code),
            entry_point: None,
            include: None,
            constants: &[],
            stub: None,
            code: None,
            ..rejected.clone()
        };
        let Ok(planned) = self.plan(&request) else {
            return Ok(None);
        };
        let (compiled, _) = self.compile(&planned, &request)?;
        Ok(match compiled {
            Compiled::Refused(message) => {
                let install = language.install.as_deref().unwrap_or("install it again");
                Some(format!(
                    "{}: the compiler rejects even a minimal program: {message}\n  help: {install}",
                    language.name
                ))
            }
            _ => None,
        })
    }
}

fn compile_error(message: String, request: &Request<'_>) -> Prepared {
    Prepared::CompileError(left_out::with_help(message, Some(request.path)))
}

fn absolute(path: &Path) -> Result<PathBuf, Fault> {
    std::path::absolute(path).map_err(|e| Fault::os(format!("resolve {}", path.display()), e))
}
