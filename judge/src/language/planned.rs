//! What is to be done to build a program: its files, complete, and the commands.

use super::cache::Key;
use super::config::{Entry, Profile, Role};
use super::plan::Plan;
use super::precompiled::{self, Precompilation};
use super::program::Program;
use super::source::{self, SourceFile};
use super::toolchain::{Request, Toolchain};
use super::tools::Tools;
use super::{detect, plan, scripts, standards};
use judge_sandbox::Mount;
use std::path::{Path, PathBuf};

/// A program that can be built.
pub struct Planned<'l> {
    /// The name of its language.
    language: String,
    /// Everything that its directory holds before it is compiled.
    pub files: Vec<SourceFile>,
    /// The commands.
    pub plan: Plan,
    /// A header that speeds up compiling it.
    pub header: Option<Precompilation>,
    profile: Option<(&'l Profile, Tools)>,
    /// The files that it may want to read where it works.
    beside: Vec<PathBuf>,
}

/// Why there is nothing to build.
pub enum NoPlan {
    /// The source cannot be a program: a sentence.
    Refused(String),
    /// This machine lacks what it takes.
    Skipped(String),
}

impl<'l> Planned<'l> {
    /// How it is built; `None` by a script of its own.
    pub fn profile(&self) -> Option<&'l Profile> {
        self.profile.as_ref().map(|(profile, _)| *profile)
    }

    /// All that makes it what it is. A precompiled header is no part: it changes nothing.
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
        key
    }

    /// What the compiler must see besides the program's directory.
    pub fn mounts(&self) -> &[Mount] {
        self.profile
            .as_ref()
            .map_or(&[], |(_, tools)| &tools.mounts)
    }

    /// The program, built in `dir`.
    pub fn program(&self, dir: &Path) -> Program {
        let mut program = self.plan.program(dir);
        program.language = Some(self.language.clone());
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

impl Toolchain {
    /// What is to be done to build a program of source code.
    ///
    /// # Errors
    ///
    /// Why there is nothing to build.
    pub(super) fn plan(&self, request: &Request<'_>) -> Result<Planned<'_>, NoPlan> {
        let mut files = source::read(request.path, request.root).map_err(NoPlan::Refused)?;
        if let Some(limit) = request.code
            && source::size(&files) > limit
        {
            return Err(NoPlan::Refused(format!(
                "the source code has {} bytes, and the package allows {limit} ({} KiB; limits: code)",
                source::size(&files),
                limit >> 10
            )));
        }
        if request.role == Role::Validator && scripts::has_scripts(&files) {
            source::substitute(&mut files, request.constants);
            return Ok(Planned {
                language: "build script".to_owned(),
                plan: scripts::plan(&files),
                files,
                header: None,
                profile: None,
                beside: Vec::new(),
            });
        }
        let Some((code, language)) = self.language_among(request, &files) else {
            return Err(NoPlan::Skipped(unknown(request)));
        };
        let (profile, tools) = match self.profile(language, request.role) {
            Ok(found) => found,
            Err(missing) => {
                return Err(NoPlan::Skipped(format!(
                    "{}: {missing} not installed",
                    language.name
                )));
            }
        };
        let number = request
            .language
            .and_then(|code| self.languages.number(code));
        let standard = standards::of(language, profile, number).map_err(NoPlan::Skipped)?;
        if let Some(stub) = request.stub {
            if !matches!(code, "c" | "cpp") {
                return Err(NoPlan::Refused(format!(
                    "the package brings the main program, in C or C++: {} cannot be linked to it",
                    language.name
                )));
            }
            source::prepend(&mut files, stub, |path| detect::is_source(language, path));
        }
        let own: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        for dir in included(request, code) {
            // They are the package's, wherever the submission lies.
            let root = request.include.and_then(Path::parent).unwrap_or(&dir);
            match source::read(&dir, root) {
                Ok(more) => source::overlay(&mut files, more),
                Err(what) => return Err(NoPlan::Refused(what)),
            }
        }
        source::substitute(&mut files, request.constants);
        // A script looks for the others where it works: `. ./other.sh`.
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
        let plan = plan::plan(
            language,
            (profile, standard),
            &tools,
            &mut files,
            &own,
            entry,
        )
        .map_err(NoPlan::Refused)?;
        let is_source = |path: &Path| detect::is_source(language, path);
        Ok(Planned {
            language: language.name.clone(),
            header: precompiled::wanted((profile, standard), &tools, &files, is_source),
            plan,
            files,
            profile: Some((profile, tools)),
            beside,
        })
    }

    /// Whether a program's language has a header worth precompiling; cheaper than
    /// [`plan`](Self::plan).
    pub(super) fn may_want_header(&self, request: &Request<'_>) -> bool {
        let found = self.language_of(request);
        found.is_some_and(|(_, language)| {
            language.with.iter().any(|profile| profile.header.is_some())
        })
    }
}

/// The directories of files that the package adds to a program in the language `code`.
pub fn included(request: &Request<'_>, code: &str) -> Vec<PathBuf> {
    let include = request.include.into_iter();
    include
        .flat_map(|include| ["default", code].map(|name| include.join(name)))
        .filter(|dir| dir.is_dir())
        .collect()
}

pub fn unknown(request: &Request<'_>) -> String {
    match request.language {
        Some(code) => format!("language {code:?} is not known; add it to languages.toml"),
        None => format!(
            "no language is known for {:?}; name one, or add it to languages.toml",
            request.path.file_name().unwrap_or(request.path.as_os_str())
        ),
    }
}
