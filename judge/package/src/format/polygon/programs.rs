//! The programs of a Polygon package: each is compiled with the headers among the resources.

use super::xml::Element;
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::common::with_line_ends;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::staging_dir::{StagingDir, base_name};
use crate::model::{Expectation, PackagedSubmission, Rule};
use crate::verdict::Verdict::{
    Accepted, MemoryLimitExceeded, PresentationError, RunTimeError, TimeLimitExceeded, WrongAnswer,
};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Extensions of files that are included.
const HEADERS: [&str; 3] = [".h", ".hh", ".hpp"];
/// Extensions of sources that can include them.
const INCLUDING: [&str; 5] = [".c", ".cc", ".cpp", ".cxx", ".c++"];

pub struct Sources {
    dir: PackageDir,
    staging_dir: StagingDir,
    headers: Vec<PathBuf>,
    /// The sources of generators, by the name that commands use.
    generators: HashMap<String, PathBuf>,
}

impl Sources {
    /// Collects the headers and the generators.
    pub fn new(builder: &mut PackageBuilder, problem: Element<'_>) -> Result<Self, PackageError> {
        let mut sources = Sources {
            dir: PackageDir::new(&builder.tree.root)?,
            staging_dir: builder.staging_dir()?,
            headers: Vec::new(),
            generators: HashMap::new(),
        };
        let Some(files) = problem.find(&["files"]) else {
            return Ok(sources);
        };
        for file in files.list("resources", "file") {
            let path = file.value("path")?;
            // Statements' styles and images may be left out of a package.
            let found = sources.dir.find(path)?.map(PackageFile::into_path);
            let Some(found) = found else {
                continue;
            };
            let for_solutions = file
                .list("assets", "asset")
                .any(|asset| asset.attribute("name") == Some("SOLUTION"));
            if for_solutions {
                builder.package.include = Some(sources.include(&found)?);
            }
            if ends(path, &HEADERS) {
                sources.headers.push(found);
            }
        }
        for executable in files.list("executables", "executable") {
            // A full package need not contain the generators.
            let source = executable.required(&["source"])?.value("path")?;
            let Some(path) = sources.dir.find(source)?.map(PackageFile::into_path) else {
                continue;
            };
            let name = path.file_stem().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            sources.generators.insert(name, path);
        }
        Ok(sources)
    }

    /// Stages a file that is next to each solution when it is compiled; returns their directory.
    fn include(&self, file: &Path) -> Result<PathBuf, PackageError> {
        let name = base_name(file);
        let language = match name.rsplit_once('.') {
            Some((_, "cpp" | "cc" | "cxx")) => "cpp",
            Some((_, "py")) => "python3",
            Some((_, language @ ("c" | "java"))) => language,
            _ => "default",
        };
        self.staging_dir
            .copy(file, &format!("include/{language}/{name}"))?;
        Ok(self.staging_dir.path("include"))
    }

    /// The file that the element names.
    fn file(&self, source: Element<'_>) -> Result<PathBuf, PackageError> {
        self.required(source, source.value("path")?)
    }

    /// The file `name`, which the element requires.
    fn required(&self, element: Element<'_>, name: &str) -> Result<PathBuf, PackageError> {
        let missing = || {
            element
                .error(format!("there is no file `{name}`"))
                .remedy("download the package again")
        };
        let found = self.dir.find(name)?.ok_or_else(missing)?;
        Ok(found.into_path())
    }

    /// The test file `name`, which the element requires, as [`Sources::data`] gives it.
    pub fn required_data(&self, element: Element<'_>, name: &str) -> Result<PathBuf, PackageError> {
        self.data(self.required(element, name)?, name)
    }

    /// The test file at `path`, called `name` in the package; a copy if it has Windows line ends, which
    /// programs on Polygon's machines read as `\n`.
    pub fn data(&self, path: PathBuf, name: &str) -> Result<PathBuf, PackageError> {
        if has_carriage_return(&path)
            && let Some(text) = with_line_ends(&path)
        {
            self.staging_dir.write(name, &text)?;
            return Ok(self.staging_dir.made_from(name, &path));
        }
        Ok(path)
    }

    /// The program of a `source` element, for `role`.
    pub fn program(&self, role: &str, source: Element<'_>) -> Result<PathBuf, PackageError> {
        self.assemble(role, &self.file(source)?)
    }

    /// The generator that commands call `name`.
    pub fn generator(&self, name: &str) -> Result<Option<PathBuf>, PackageError> {
        let path = self.generators.get(name);
        path.map(|path| self.assemble(&format!("generator-{name}"), path))
            .transpose()
    }

    fn assemble(&self, name: &str, source: &Path) -> Result<PathBuf, PackageError> {
        // Many tests call the same generator.
        let made = self.staging_dir.path(name);
        if made.is_dir() {
            return Ok(made);
        }
        let mut files = vec![source.to_owned()];
        if ends(&base_name(source), &INCLUDING) {
            files.extend_from_slice(&self.headers);
        }
        self.staging_dir.program(self.dir.root(), name, &files, "")
    }

    /// Adds the solutions, each in the directory of its tag. A main solution is an accepted one.
    pub fn solutions(
        &self,
        builder: &mut PackageBuilder,
        problem: Element<'_>,
    ) -> Result<(), PackageError> {
        let assets = problem.required(&["assets"])?;
        for solution in assets.list("solutions", "solution") {
            let tag = solution.value("tag")?;
            if tag == "do-not-run" {
                continue;
            }
            let Some(expected) = expectation(tag) else {
                let what = format!("unknown tag `{tag}`: the solution is left out");
                builder.tree.warning(solution.error(what));
                continue;
            };
            let source = solution.required(&["source"])?;
            let path = self.file(source)?;
            let dir = match tag {
                "main" => "accepted",
                tag => tag,
            };
            let kind = source.attribute("type").unwrap_or_default();
            builder.package.submissions.push(PackagedSubmission {
                name: format!("{dir}/{}", base_name(&path)),
                path,
                language: kind.starts_with("python.2").then(|| "python2".to_owned()),
                rules: vec![Rule {
                    expected: expected.clone(),
                    ..Rule::default()
                }],
                expected,
                ..PackagedSubmission::default()
            });
        }
        Ok(())
    }

    /// The main solution, which makes the answers.
    pub fn main_solution(&self, problem: Element<'_>) -> Result<Option<PathBuf>, PackageError> {
        let Some(assets) = problem.find(&["assets"]) else {
            return Ok(None);
        };
        let mut solutions = assets.list("solutions", "solution");
        let main = solutions.find(|solution| solution.attribute("tag") == Some("main"));
        main.map(|main| self.file(main.required(&["source"])?))
            .transpose()
    }
}

/// Whether the first lines of a file end with a carriage return.
fn has_carriage_return(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && start.windows(2).any(|two| two == b"\r\n")
}

fn ends(name: &str, extensions: &[&str]) -> bool {
    extensions.iter().any(|extension| name.ends_with(extension))
}

/// The verdicts that a solution with this tag must get; `None` if the tag is unknown.
fn expectation(tag: &str) -> Option<Expectation> {
    let (permitted, required) = match tag {
        "main" | "accepted" => return Some(Expectation::accepted()),
        "rejected" | "failed" => (
            vec![],
            vec![
                WrongAnswer,
                PresentationError,
                TimeLimitExceeded,
                MemoryLimitExceeded,
                RunTimeError,
            ],
        ),
        "wrong-answer" => (vec![Accepted, WrongAnswer], vec![WrongAnswer]),
        "presentation-error" => (
            vec![Accepted, WrongAnswer, PresentationError],
            vec![PresentationError],
        ),
        "time-limit-exceeded" => (vec![Accepted, TimeLimitExceeded], vec![TimeLimitExceeded]),
        "time-limit-exceeded-or-accepted" => (vec![Accepted, TimeLimitExceeded], vec![]),
        "time-limit-exceeded-or-memory-limit-exceeded" => (
            vec![Accepted, TimeLimitExceeded, MemoryLimitExceeded],
            vec![TimeLimitExceeded, MemoryLimitExceeded],
        ),
        "memory-limit-exceeded" => (
            vec![Accepted, MemoryLimitExceeded],
            vec![MemoryLimitExceeded],
        ),
        _ => return None,
    };
    Some(Expectation {
        permitted,
        required,
        ..Expectation::default()
    })
}
