//! The languages, their tools, the cache of programs and the boxes to compile in: what building a
//! program needs.

use super::cache::{Cache, Key, Lookup};
use super::compile::{Opener, PROGRAM_BYTES};
use super::config::{Language, Profile, Role};
use super::languages::Languages;
use super::plan;
use super::precompiled::Precompilation;
use super::preprocessor::PreprocessorOptions;
use super::program::Program;
use super::request::Request;
use super::source;
use super::tools::{MissingTool, ToolFinder};
use crate::error::Reason;
use judge_package::is_native;
use judge_sandbox::{BoxSpec, Fault, Mode, Sandbox};
use std::io;
use std::path::{Path, PathBuf};

/// Builds programs. Shared by all threads of a judge.
pub struct Toolchain {
    /// The languages it supports.
    pub languages: Languages,
    /// Size limit of a compiled program and the files beside it, in bytes.
    pub program_bytes: u64,
    /// The user's options for submissions in C and C++.
    pub preprocessor: PreprocessorOptions,
    pub(super) finder: ToolFinder,
    pub(super) cache: Cache,
    pub(super) open: Box<Opener>,
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
        super::tools::hide_secrets();
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
            program_bytes: PROGRAM_BYTES,
            preprocessor: PreprocessorOptions::default(),
            finder: ToolFinder::default(),
            cache,
            open: Box::new(open),
        }
    }

    /// The installed version of a language's tools.
    pub fn installed(&self, language: &Language) -> Result<String, MissingTool> {
        let (_, tools) = self.profile(language, Role::Submission)?;
        // The runtime below some compilers prints its own lines first.
        let name = language.name.to_lowercase();
        let mut lines = tools.version.lines();
        let named = lines
            .clone()
            .find(|line| line.to_lowercase().contains(&name));
        Ok(named.or(lines.next()).unwrap_or_default().to_string())
    }

    /// The profile of a language that submissions use.
    pub fn profile_of_submissions<'l>(
        &self,
        language: &'l Language,
    ) -> Result<&'l Profile, MissingTool> {
        let (profile, _) = self.profile(language, Role::Submission)?;
        Ok(profile)
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

    /// Whether a program is in one of these languages. An executable, and a program whose language is
    /// not known, count as such.
    pub fn is_one_of(&self, request: &Request<'_>, codes: &[String]) -> bool {
        let Some((code, _)) = request.language(&self.languages) else {
            return true;
        };
        is_native(request.path)
            || codes.iter().any(|allowed| {
                let named = self.languages.get(allowed);
                named.map_or(allowed == code, |(allowed, _)| allowed == code)
            })
    }

    /// A cached directory keyed by `parts`; `make` fills it if it is not cached yet.
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
    pub fn describe(&self, request: &Request<'_>) -> Result<Described, Reason> {
        let sources = source::read(request.path, request.root)?;
        let found = request.language_among(&self.languages, &sources);
        let (code, language) = found.ok_or_else(|| Reason::new(request.unknown_language()))?;
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
}
