//! Builds programs from source: plan, look up in the cache, compile in a box.

use super::cache::{Cache, Key};
use super::compile::{self, Allowance, Compiled};
use super::config::{Entry, Language, Languages, Profile, Role};
use super::planned::{NoPlan, included, unknown};
use super::program::Program;
use super::source::{self, SourceFile};
use super::tools::{ToolFinder, Tools};
use super::{detect, plan};
use crate::package::{Package, is_native};
use judge_sandbox::{BoxSpec, Fault, Mode, Sandbox};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Builds programs. Shared by all threads of a judge.
pub struct Toolchain {
    pub(super) languages: Languages,
    pub(super) cache: Cache,
    finder: ToolFinder,
    pub(super) open: Box<Opener>,
}

/// Opens a box.
pub type Opener = dyn Fn(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + Send + Sync;

/// Result of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Built {
    /// A program to run.
    Ready(Program),
    /// A compile error: the compiler's message, shortened.
    CompileError(String),
    /// The wall-clock limit was exceeded, possibly because of the machine: the message.
    Stalled(String),
    /// A compiler or interpreter is missing: `Haskell: ghc not installed`.
    Skipped(String),
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// A source file, or a directory of them.
    pub path: &'a Path,
    /// Symbolic links must not lead out of this directory.
    pub root: &'a Path,
    /// The program's role.
    pub role: Role,
    /// The language's code, if given.
    pub language: Option<&'a str>,
    /// The file or class to start, if given.
    pub entry_point: Option<&'a str>,
    /// A directory with files to add, in one subdirectory per language and `default`.
    pub include: Option<&'a Path>,
    /// The constants for `{{name}}` in the sources.
    pub constants: &'a [(String, String)],
    /// Text inserted at the start of each C or C++ source.
    pub stub: Option<&'a str>,
    /// Size limit of the source code in bytes, without added files.
    pub code: Option<u64>,
    /// CPU-time limit of the compiler.
    pub time: Duration,
    /// Memory limit of the compiler, in bytes.
    pub memory: u64,
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

impl<'a> Request<'a> {
    /// A request for a submission.
    pub fn submission(package: &'a Package, path: &'a Path) -> Self {
        let root = match is_packaged(package, path) {
            true => &package.root,
            // Several users' uploads may lie next to each other.
            false => path,
        };
        Request {
            path,
            root,
            role: Role::Submission,
            language: None,
            entry_point: None,
            include: package.include.as_deref(),
            constants: &package.constants,
            stub: package.stub.as_deref(),
            code: package.limits.code,
            time: package.limits.compilation_time,
            memory: package.limits.compilation_memory,
        }
    }

    /// A request for a validator, checker or grader of the package.
    pub fn validator(package: &'a Package, path: &'a Path) -> Self {
        Request {
            root: shared_root(package),
            role: Role::Validator,
            include: None,
            stub: None,
            code: None,
            ..Request::submission(package, path)
        }
    }
}

impl Toolchain {
    /// A toolchain with the user's cache that compiles in boxes of this mode.
    ///
    /// # Errors
    ///
    /// If no cache can be created.
    pub fn new(languages: Languages, mode: Mode) -> io::Result<Self> {
        let open = move |spec: &BoxSpec| {
            judge_sandbox::open(&BoxSpec {
                mode,
                ..spec.clone()
            })
        };
        Ok(Self::with(languages, Cache::open()?, open))
    }

    /// A toolchain with this cache; `open` opens its boxes.
    pub fn with(
        languages: Languages,
        cache: Cache,
        open: impl Fn(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + Send + Sync + 'static,
    ) -> Self {
        Toolchain {
            languages,
            cache,
            finder: ToolFinder::default(),
            open: Box::new(open),
        }
    }

    /// The languages it supports.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// The installed version of a language's tools, or the name of the missing tool.
    pub fn installed(&self, language: &Language) -> Result<String, String> {
        let (_, tools) = self.profile(language, Role::Submission)?;
        Ok(tools.version.lines().next().unwrap_or_default().to_string())
    }

    /// The name of a program's language; empty if it is not known.
    pub fn language_name(&self, request: &Request<'_>) -> String {
        let found = self.language_of(request);
        found
            .map(|(_, language)| language.name.clone())
            .unwrap_or_default()
    }

    /// The language that is given, or detected from the files.
    pub(super) fn language_of(&self, request: &Request<'_>) -> Option<(&str, &Language)> {
        // If the language is given, the files need not be read.
        let files = match request.language {
            Some(_) => Vec::new(),
            None => source::read(request.path, request.root).ok()?,
        };
        self.language_among(request, &files)
    }

    /// The same for files that were already read.
    pub(super) fn language_among(
        &self,
        request: &Request<'_>,
        files: &[SourceFile],
    ) -> Option<(&str, &Language)> {
        match request.language {
            Some(code) => self.languages.get(code),
            None => detect::language(&self.languages, files),
        }
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
        let found = self.language_among(request, &sources);
        let (code, language) = found.ok_or_else(|| unknown(request))?;
        let entry = plan::entry_point(language, &sources, request.entry_point)?;
        let mut places = source::places(request.path)?;
        for dir in included(request, code) {
            for (name, place) in source::places(&dir)? {
                places.retain(|(old, _)| *old != name);
                places.push((name, place));
            }
        }
        Ok(Described {
            language: code.to_owned(),
            entry_point: entry,
            files: places,
        })
    }

    /// Builds a validator of the package.
    ///
    /// # Errors
    ///
    /// When the sandbox or the cache fails.
    pub fn build_validator(&self, path: &Path, package: &Package) -> Result<Built, Fault> {
        self.build(&Request::validator(package, path))
    }

    /// Builds a program, or returns it from the cache.
    ///
    /// # Errors
    ///
    /// If the sandbox or the cache fails. A compile error is not an error here.
    pub fn build(&self, request: &Request<'_>) -> Result<Built, Fault> {
        let is_link = request.path == request.root && request.path.is_symlink();
        if is_native(request.path) && !is_link {
            return Ok(Built::Ready(Program::executable(absolute(request.path)?)));
        }
        let planned = match self.plan(request) {
            Ok(planned) => planned,
            Err(NoPlan::Refused(what)) => return Ok(Built::CompileError(what)),
            Err(NoPlan::Skipped(missing)) => return Ok(Built::Skipped(missing)),
        };
        let broken = |e: io::Error| self.cache.fault(e);
        let entry = self.cache.entry(planned.key()).map_err(broken)?;
        let dir = entry.dir();
        if entry.done().is_some_and(|note| note.is_empty()) {
            return Ok(Built::Ready(planned.program(&dir)));
        }
        let start = || {
            entry.start()?;
            source::write(&planned.files, &dir)
        };
        let allowance = Allowance {
            time: request.time,
            memory: request.memory,
        };
        let mut compiled = None;
        if let Some((plan, mounts)) = self.with_header(&planned) {
            start().map_err(broken)?;
            compiled = match compile::run(&plan, &dir, &mounts, &allowance, &*self.open) {
                Ok(Compiled::Done) => Some(Compiled::Done),
                // It would hang without the header too.
                Ok(Compiled::Hung(message)) => Some(Compiled::Hung(message)),
                Err(fault) if fault.interrupted => return Err(fault),
                _ => None,
            };
        }
        let compiled = match compiled {
            Some(compiled) => compiled,
            None => {
                start().map_err(broken)?;
                let (plan, mounts) = (&planned.plan, planned.mounts());
                compile::run(plan, &dir, mounts, &allowance, &*self.open)?
            }
        };
        // Only successful builds are cached: a failure may be the machine's (a full disk, a box
        // that denies what the compiler needs) and temporary.
        match compiled {
            Compiled::Done => {
                self.cache.finish(&entry, "").map_err(broken)?;
                Ok(Built::Ready(planned.program(&dir)))
            }
            Compiled::Refused(message) | Compiled::Hung(message) => {
                Ok(Built::CompileError(message))
            }
            Compiled::Stalled(message) => Ok(Built::Stalled(message)),
        }
    }

    /// The first profile of a language whose tools are installed, or the name of the missing tool.
    pub(super) fn profile<'l>(
        &self,
        language: &'l Language,
        role: Role,
    ) -> Result<(&'l Profile, Tools), String> {
        let mut missing = None;
        for profile in language
            .with
            .iter()
            .filter(|profile| profile.only.is_none_or(|only| only == role))
        {
            match self.finder.find(profile) {
                Ok(tools) => return Ok((profile, tools)),
                Err(name) => missing = missing.or(Some(name)),
            }
        }
        // The first profile is the recommended one.
        Err(missing.unwrap_or_else(|| format!("nothing to run {}", language.name)))
    }
}

/// Whether `path` is one of the package's submissions; symbolic links above it are resolved.
fn is_packaged(package: &Package, path: &Path) -> bool {
    let inside = path.strip_prefix(&package.root).ok().map(Path::to_owned);
    let inside = inside.or_else(|| {
        let root = package.root.canonicalize().ok()?;
        path.strip_prefix(root).ok().map(Path::to_owned)
    });
    inside.is_some_and(|inside| {
        let path = package.root.join(inside);
        package.submissions.iter().any(|own| own.path == path)
    })
}

/// The directory that symbolic links of a package's own programs must not leave: the repository
/// around the package, whose packages may share headers, or the package itself if it is an archive.
fn shared_root(package: &Package) -> &Path {
    let above = package.root.ancestors();
    let repository = above.filter(|_| package.origin == package.root);
    let mut repository = repository.filter(|dir| dir.join(".git").exists());
    repository.next().unwrap_or(&package.root)
}

fn absolute(path: &Path) -> Result<PathBuf, Fault> {
    std::path::absolute(path).map_err(|e| Fault::os(format!("resolve {}", path.display()), e))
}

impl Language {
    /// Whether a single file or class is started rather than all files together.
    pub fn has_entry_point(&self) -> bool {
        self.entry != Entry::All
    }
}
