//! Plans a build: the complete set of files and the commands.

use super::cache::Key;
use super::compile::PROGRAM_BYTES;
use super::config::{Entry, Language, Profile, Role};
use super::plan::{DIR, Plan};
use super::precompiled::{self, Precompilation};
use super::preprocessor;
use super::program::{Prepared, Program};
use super::request::Request;
use super::source::{self, SourceFile};
use super::toolchain::Toolchain;
use super::tools::{MissingTool, Tools, how_to_install};
use super::{detect, plan};
use crate::error::Reason;
use judge_sandbox::Mount;
use std::path::{Path, PathBuf};

pub struct Planned<'l> {
    language: String,
    /// The code of the language; `None` with a build script.
    code: Option<String>,
    /// The content of the program's directory before compiling.
    pub files: Vec<SourceFile>,
    pub plan: Plan,
    /// The precompiled header that would speed up compiling.
    pub header: Option<Precompilation>,
    profile: Option<(&'l Profile, Tools)>,
    /// The files that the program may read from its working directory.
    beside: Vec<PathBuf>,
    /// Size limit of the compiled program, in bytes.
    program_bytes: u64,
}

impl<'l> Planned<'l> {
    /// The profile; `None` if the program has its own build script.
    pub fn profile(&self) -> Option<&'l Profile> {
        self.profile.as_ref().map(|(profile, _)| *profile)
    }

    /// The cache key. A precompiled header is not part of it: it does not change the program.
    pub fn key(&self) -> Key {
        let mut key = Key::new();
        key.add_files(&self.files);
        key.add(format!("{:?}", self.plan.compile).as_bytes());
        key.add(format!("{:?} {:?}", self.plan.run, self.plan.env).as_bytes());
        key.add(
            self.profile
                .as_ref()
                .map_or("", |(_, tools)| &tools.version)
                .as_bytes(),
        );
        // A program within a larger limit may exceed the usual one.
        if self.program_bytes != PROGRAM_BYTES {
            key.add(&self.program_bytes.to_le_bytes());
        }
        key
    }

    /// The mounts that the compiler needs in addition to the program's directory.
    pub fn mounts(&self) -> &[Mount] {
        self.profile
            .as_ref()
            .map_or(&[], |(_, tools)| &tools.mounts)
    }

    /// The program, built in `dir`.
    pub fn program(&self, dir: &Path) -> Program {
        let mut program = self.plan.program(dir);
        program.language = Some(self.language.clone());
        program.language_code.clone_from(&self.code);
        let place = |name: &PathBuf| (name.clone(), dir.join(name));
        program.beside = self.beside.iter().map(place).collect();
        if let Some((profile, tools)) = &self.profile {
            program.mounts.extend_from_slice(&tools.mounts);
            program.runtime_threads = profile.threads;
            program.runtime_memory = profile.memory << 20;
            program.out_of_memory.clone_from(&profile.out_of_memory);
            program.note.clone_from(&profile.note);
        }
        program
    }
}

fn compile_error(why: Reason) -> Prepared {
    Prepared::CompileError(why.into())
}

/// Whether the language with this code has C's preprocessor.
fn is_preprocessed(code: &str) -> bool {
    matches!(code, "c" | "cpp")
}

/// Refuses source code that is larger than the package allows.
fn check_size(request: &Request<'_>, files: &[SourceFile]) -> Result<(), Prepared> {
    let size = source::size(files);
    match request.code {
        Some(limit) if size > limit => Err(Prepared::CompileError(format!(
            "the source code has {size} bytes, and the package allows {limit} ({} KiB; limits: code)",
            limit >> 10
        ))),
        _ => Ok(()),
    }
}

/// Adds the package's main program and the files that it includes. Returns the paths of the program's own files.
fn add_files_of_package(
    request: &Request<'_>,
    code: &str,
    language: &Language,
    files: &mut Vec<SourceFile>,
) -> Result<Vec<PathBuf>, Prepared> {
    if let Some(stub) = request.stub {
        if !is_preprocessed(code) {
            return Err(Prepared::CompileError(format!(
                "the package contains the main program, in C or C++: {} cannot be linked to it",
                language.name
            )));
        }
        source::prepend(files, stub, |path| detect::is_source(language, path));
    }
    let own = files.iter().map(|file| file.path.clone()).collect();
    for dir in request.added_directories(code) {
        // These files belong to the package, regardless of where the submission lies.
        let root = request.include.and_then(Path::parent).unwrap_or(&dir);
        source::overlay(files, source::read(&dir, root).map_err(compile_error)?);
    }
    Ok(own)
}

impl Toolchain {
    /// Plans the build of a program from source code.
    /// If nothing is to be built, the error is the result.
    pub(super) fn plan(&self, request: &Request<'_>) -> Result<Planned<'_>, Prepared> {
        let mut files = source::read(request.path, request.root).map_err(compile_error)?;
        check_size(request, &files)?;
        if request.role == Role::Validator && plan::has_scripts(&files) {
            source::substitute(&mut files, request.constants);
            return Ok(self.planned_scripts(files));
        }
        let Some((code, language)) = request.language_among(&self.languages, &files) else {
            return Err(Prepared::Skipped(request.unknown_language()));
        };
        let (profile, tools) = self.installed_profile(language, request.role)?;
        let number = request
            .language
            .and_then(|code| self.languages.number(code));
        let standard = profile
            .standard(&language.name, number)
            .map_err(|why| Prepared::Skipped(why.into()))?;
        let own = add_files_of_package(request, code, language, &mut files)?;
        source::substitute(&mut files, request.constants);
        // A script reads its other files from the working directory: `. ./other.sh`.
        let compiled = language.entry != Entry::File || profile.run.contains("{binary}");
        let beside =
            source::data_files(&files, |path| compiled && detect::is_source(language, path));
        let added = |(name, text): (&String, &String)| SourceFile {
            path: name.into(),
            bytes: text.clone().into_bytes(),
            executable: false,
        };
        source::overlay(&mut files, profile.files.iter().map(added).collect());
        let entry = request.entry_point;
        let mut plan = plan::plan(
            language,
            (profile, standard),
            &tools,
            &mut files,
            &own,
            entry,
        )
        .map_err(compile_error)?;
        let mut macros = Vec::new();
        if is_preprocessed(code) && request.role == Role::Submission {
            macros = self.preprocessor.macros(request.macros);
            let headers = self.preprocessor.headers(&files);
            source::overlay(&mut files, headers.map_err(compile_error)?);
            let search_path = self.preprocessor.search_path(DIR).into_iter();
            if let Some(compile) = &mut plan.compile {
                compile.splice(1..1, macros.iter().cloned().chain(search_path));
            }
        }
        let is_source =
            |path: &Path| detect::is_source(language, path) && !preprocessor::is_header(path);
        let header = precompiled::wanted((profile, standard), &tools, &files, is_source);
        Ok(Planned {
            language: language.name.clone(),
            code: Some(code.to_owned()),
            header: header.map(|header| header.with_options(macros)),
            plan,
            files,
            profile: Some((profile, tools)),
            beside,
            program_bytes: self.program_bytes,
        })
    }

    /// A validator's own `build` and `run` scripts.
    fn planned_scripts(&self, files: Vec<SourceFile>) -> Planned<'_> {
        Planned {
            language: "build script".to_owned(),
            code: None,
            plan: plan::of_scripts(&files),
            files,
            header: None,
            profile: None,
            beside: Vec::new(),
            program_bytes: self.program_bytes,
        }
    }

    /// The first profile of a language whose tools are installed.
    fn installed_profile<'l>(
        &self,
        language: &'l Language,
        role: Role,
    ) -> Result<(&'l Profile, Tools), Prepared> {
        self.profile(language, role).map_err(|missing| {
            let help = match &language.install {
                Some(install) => format!("\n  help: {}", how_to_install(install)),
                None => String::new(),
            };
            Prepared::Skipped(format!("{}: {missing} not installed{help}", language.name))
        })
    }

    /// Whether the program's language has a header to precompile; cheaper than
    /// [`plan`](Self::plan).
    pub(super) fn may_want_header(&self, request: &Request<'_>) -> bool {
        let found = request.language(&self.languages);
        found.is_some_and(|(_, language)| {
            language.with.iter().any(|profile| profile.header.is_some())
        })
    }

    /// The first profile of a language whose tools are installed.
    pub(super) fn profile<'l>(
        &self,
        language: &'l Language,
        role: Role,
    ) -> Result<(&'l Profile, Tools), MissingTool> {
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
        Err(missing.unwrap_or_else(|| MissingTool(format!("nothing to run {}", language.name))))
    }
}
