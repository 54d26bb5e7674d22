//! From source to program: detect, complete, compile in a box, cache.

use super::cache::{Cache, Key};
use super::compile::{self, Compiled};
use super::config::{Entry, Language, Languages, Role, Way};
use super::plan::Plan;
use super::program::Program;
use super::source::{self, SourceFile};
use super::tools::{ToolFinder, Tools};
use super::{detect, plan, scripts};
use crate::package::Package;
use judge_sandbox::{BoxSpec, Fault, Mode, Sandbox};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Builds programs. One for all threads of a judge.
pub struct Toolchain {
    languages: Languages,
    cache: Cache,
    finder: ToolFinder,
    open: Box<Opener>,
}

/// Opens a box.
pub type Opener = dyn Fn(&BoxSpec) -> Result<Box<dyn Sandbox>, Fault> + Send + Sync;

/// What became of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Built {
    /// A program to run.
    Ready(Program),
    /// It does not compile: the compiler's message, cut.
    CompileError(String),
    /// It did not come to its end in time, and it may be the machine's fault: what happened.
    Stalled(String),
    /// This machine lacks what it takes: `compiler ghc not installed`.
    Skipped(String),
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// A source file, or a directory of them.
    pub path: &'a Path,
    /// Symbolic links must not lead out of this directory.
    pub root: &'a Path,
    /// What it is for.
    pub role: Role,
    /// The language, where it is said.
    pub language: Option<&'a str>,
    /// The file or class to start, where it is said.
    pub entry_point: Option<&'a str>,
    /// A directory of directories, by language (and `default`), of files to add.
    pub include: Option<&'a Path>,
    /// What `{{name}}` in the sources stands for.
    pub constants: &'a [(String, String)],
    /// What is put before each C or C++ source.
    pub stub: Option<&'a str>,
    /// The most bytes of source code, without the files that are added.
    pub code: Option<u64>,
    /// CPU time to compile.
    pub time: Duration,
    /// Memory to compile, in bytes.
    pub memory: u64,
}

/// What is known of a program without building it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Described {
    /// The code of its language: `cpp`.
    pub language: String,
    /// The file or class that is started.
    pub entry_point: String,
    /// Its files with those that the package adds: each one's name and its place.
    pub files: Vec<(PathBuf, PathBuf)>,
}

impl<'a> Request<'a> {
    /// A program that is judged.
    pub fn submission(package: &'a Package, path: &'a Path) -> Self {
        // A user's own file lies outside the package.
        let root = match path.starts_with(&package.root) {
            true => &package.root,
            false => path.parent().unwrap_or(path),
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

    /// A program of the package that judges.
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
    /// A toolchain with the user's cache, compiling in boxes of this mode.
    ///
    /// # Errors
    ///
    /// When there is no place for built programs.
    pub fn new(languages: Languages, mode: Mode) -> io::Result<Self> {
        let open = move |spec: &BoxSpec| {
            judge_sandbox::open(&BoxSpec {
                mode,
                ..spec.clone()
            })
        };
        Ok(Self::with(languages, Cache::open()?, open))
    }

    /// A toolchain with this cache and this way to open boxes.
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

    /// The languages it knows.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// What this machine has of a language: the version, or the tool that is missing.
    pub fn installed(&self, language: &Language) -> Result<String, String> {
        let (_, tools) = self.way(language, Role::Submission)?;
        Ok(tools.version.lines().next().unwrap_or_default().to_string())
    }

    /// The name of the language that a program is in; empty where none is known.
    pub fn language_name(&self, request: &Request<'_>) -> String {
        let found = match request.language {
            Some(code) => self.languages.get(code),
            None => source::read(request.path, request.root)
                .ok()
                .and_then(|files| detect::language(&self.languages, &files)),
        };
        found
            .map(|(_, language)| language.name.clone())
            .unwrap_or_default()
    }

    /// A directory that depends on `parts` alone; `make` fills it where it is not there yet.
    ///
    /// # Errors
    ///
    /// What `make` says; a fault where the cache fails.
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
            entry.finish("").map_err(broken)?;
        }
        Ok(entry.dir())
    }

    /// Its language, what of it is started, and its files.
    ///
    /// # Errors
    ///
    /// What keeps that from being known.
    pub fn describe(&self, request: &Request<'_>) -> Result<Described, String> {
        let sources = source::read(request.path, request.root)?;
        let found = match request.language {
            Some(code) => self.languages.get(code),
            None => detect::language(&self.languages, &sources),
        };
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

    /// Builds a program, or takes it from the cache.
    ///
    /// # Errors
    ///
    /// When the sandbox or the cache fails; what is wrong with the source is no error.
    pub fn build(&self, request: &Request<'_>) -> Result<Built, Fault> {
        if is_native(request.path) {
            return Ok(Built::Ready(Program::executable(absolute(request.path)?)));
        }
        let mut files = match source::read(request.path, request.root) {
            Ok(files) => files,
            Err(what) => return Ok(Built::CompileError(what)),
        };
        if let Some(limit) = request.code
            && source::size(&files) > limit
        {
            return Ok(Built::CompileError(format!(
                "the source code has {} bytes, and the package allows {limit} ({} KiB; limits: code)",
                source::size(&files),
                limit >> 10
            )));
        }
        if request.role == Role::Validator && scripts::has_scripts(&files) {
            source::substitute(&mut files, request.constants);
            return self.build_planned(
                request,
                "build script",
                &files,
                None,
                &scripts::plan(&files),
                &[],
            );
        }
        let found = match request.language {
            Some(code) => self.languages.get(code),
            None => detect::language(&self.languages, &files),
        };
        let Some((code, language)) = found else {
            return Ok(Built::Skipped(unknown(request)));
        };
        let (way, tools) = match self.way(language, request.role) {
            Ok(found) => found,
            Err(missing) => {
                return Ok(Built::Skipped(format!(
                    "{}: {missing} not installed",
                    language.name
                )));
            }
        };
        if let Some(stub) = request.stub {
            if !matches!(code, "c" | "cpp") {
                return Ok(Built::CompileError(format!(
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
                Err(what) => return Ok(Built::CompileError(what)),
            }
        }
        source::substitute(&mut files, request.constants);
        // A script looks for the others where it works: `. ./other.sh`.
        let compiled = language.entry != Entry::File || way.run.contains("{binary}");
        let beside =
            source::data_files(&files, |path| compiled && detect::is_source(language, path));
        let added = |(name, text): (&String, &String)| SourceFile {
            path: name.into(),
            bytes: text.clone().into_bytes(),
            executable: false,
        };
        source::overlay(&mut files, way.files.iter().map(added).collect());
        match plan::plan(language, way, &tools, &mut files, &own, request.entry_point) {
            Ok(plan) => {
                let way = Some((way, &tools));
                self.build_planned(request, &language.name, &files, way, &plan, &beside)
            }
            Err(what) => Ok(Built::CompileError(what)),
        }
    }

    /// The first way to build and run a language whose tools are here, or what is missing.
    fn way<'l>(&self, language: &'l Language, role: Role) -> Result<(&'l Way, Tools), String> {
        let mut missing = None;
        for way in language
            .with
            .iter()
            .filter(|way| way.only.is_none_or(|only| only == role))
        {
            match self.finder.find(way) {
                Ok(tools) => return Ok((way, tools)),
                Err(name) => missing = missing.or(Some(name)),
            }
        }
        // The first way is the one to recommend.
        Err(missing.unwrap_or_else(|| format!("nothing to run {}", language.name)))
    }

    fn build_planned(
        &self,
        request: &Request<'_>,
        language: &str,
        files: &[SourceFile],
        way: Option<(&Way, &Tools)>,
        plan: &Plan,
        beside: &[PathBuf],
    ) -> Result<Built, Fault> {
        let broken = |e: io::Error| Fault::os("use the cache of built programs", e);
        let mut key = Key::new();
        key.add_files(files);
        key.add(format!("{:?}", plan.compile).as_bytes());
        key.add(format!("{:?} {:?}", plan.run, plan.env).as_bytes());
        key.add(way.map_or("", |(_, tools)| &tools.version).as_bytes());
        let entry = self.cache.entry(key).map_err(broken)?;
        let dir = entry.dir();
        let program = || {
            let mut program = plan.program(&dir);
            program.language = Some(language.to_string());
            let place = |name: &PathBuf| (name.clone(), dir.join(name));
            program.beside = beside.iter().map(place).collect();
            if let Some((way, tools)) = way {
                program.mounts.extend_from_slice(&tools.mounts);
                program.runtime_threads = way.threads;
                program.runtime_memory = way.memory << 20;
                program.note.clone_from(&way.note);
            }
            program
        };
        if entry.done().is_some_and(|note| note.is_empty()) {
            return Ok(Built::Ready(program()));
        }
        entry.start().map_err(broken)?;
        source::write(files, &dir).map_err(broken)?;
        let mounts = way.map_or(&[][..], |(_, tools)| &tools.mounts);
        let compiled = compile::run(plan, &dir, mounts, request, &*self.open)?;
        // Only what was built is kept: that it could not be built may be the machine's fault (a
        // full disk, a box that forbids what the compiler needs), and not for long.
        match compiled {
            Compiled::Done => {
                entry.finish("").map_err(broken)?;
                Ok(Built::Ready(program()))
            }
            Compiled::Refused(message) => Ok(Built::CompileError(message)),
            Compiled::Stalled(message) => Ok(Built::Stalled(message)),
        }
    }
}

/// Whether it is an executable image rather than source code.
pub fn is_native(path: &Path) -> bool {
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    let executable =
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    let mut magic = [0; 4];
    executable
        && fs::File::open(path)
            .and_then(|mut file| file.read_exact(&mut magic))
            .is_ok()
        && &magic == b"\x7fELF"
}

/// Where the links of a package's own programs may lead: packages that are kept together share
/// headers, in a repository above them. An archive stands alone.
fn shared_root(package: &Package) -> &Path {
    let above = package.root.ancestors();
    let repository = above.filter(|_| package.origin == package.root);
    let mut repository = repository.filter(|dir| dir.join(".git").exists());
    repository.next().unwrap_or(&package.root)
}

/// The directories of files that the package adds to a program in the language `code`.
fn included(request: &Request<'_>, code: &str) -> Vec<PathBuf> {
    let include = request.include.into_iter();
    include
        .flat_map(|include| ["default", code].map(|name| include.join(name)))
        .filter(|dir| dir.is_dir())
        .collect()
}

fn absolute(path: &Path) -> Result<PathBuf, Fault> {
    std::path::absolute(path).map_err(|e| Fault::os(format!("resolve {}", path.display()), e))
}

fn unknown(request: &Request<'_>) -> String {
    match request.language {
        Some(code) => format!("language {code:?} is not known; add it to languages.toml"),
        None => format!(
            "no language is known for {}; name one, or add it to languages.toml",
            request.path.display()
        ),
    }
}

/// What of a language is started, for those who ask.
impl Language {
    /// Whether a single file or class is started rather than everything together.
    pub fn has_entry_point(&self) -> bool {
        self.entry != Entry::All
    }
}
