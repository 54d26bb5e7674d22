//! Requests to build a program, and the language that they select.

use super::config::{Language, Role};
use super::detect;
use super::languages::Languages;
use super::source::{self, SourceFile};
use judge_package::{Package, PackageLimits};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The sources to build.
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
    /// The macros that the package's format defines in C and C++.
    pub macros: &'a [&'a str],
    /// Size limit of the source code in bytes, without added files.
    pub code: Option<u64>,
    /// CPU-time limit of the compiler.
    pub time: Duration,
    /// Memory limit of the compiler, in bytes.
    pub memory: u64,
}

impl<'a> Request<'a> {
    /// A request for a program that belongs to no package, in the language with this code, within the usual limits.
    pub fn alone(language: &'a str, path: &'a Path) -> Self {
        let limits = PackageLimits::default();
        Request {
            path,
            root: path,
            role: Role::Submission,
            language: Some(language),
            entry_point: None,
            include: None,
            constants: &[],
            stub: None,
            macros: &[],
            code: None,
            time: limits.compilation_time,
            memory: limits.compilation_memory,
        }
    }

    /// A request for a submission.
    pub fn submission(package: &'a Package, path: &'a Path) -> Self {
        let root = match is_packaged(package, path) {
            true => &package.root,
            // Several users' uploads may lie next to each other.
            false => path,
        };
        Request {
            root,
            language: None,
            include: package.include.as_deref(),
            constants: &package.constants,
            stub: package.stub.as_deref(),
            macros: package.policy.macros,
            code: package.limits.code,
            time: package.limits.compilation_time,
            memory: package.limits.compilation_memory,
            ..Request::alone("", path)
        }
    }

    /// A request for a validator, checker or grader of the package.
    pub fn validator(package: &'a Package, path: &'a Path) -> Self {
        Request {
            root: package.shared_root(),
            role: Role::Validator,
            include: None,
            stub: None,
            macros: &[],
            code: None,
            ..Request::submission(package, path)
        }
    }

    /// The program's language: the given one, or the one detected from its files.
    pub(super) fn language<'l>(&self, languages: &'l Languages) -> Option<(&'l str, &'l Language)> {
        // If the language is given, the files need not be read.
        let files = match self.language {
            Some(_) => Vec::new(),
            None => source::read(self.path, self.root).ok()?,
        };
        self.language_among(languages, &files)
    }

    /// The same for files that were already read.
    pub(super) fn language_among<'l>(
        &self,
        languages: &'l Languages,
        files: &[SourceFile],
    ) -> Option<(&'l str, &'l Language)> {
        match self.language {
            Some(code) => languages.get(code),
            None => detect::language(languages, files),
        }
    }

    /// The message if no language is found.
    pub(super) fn unknown_language(&self) -> String {
        let Some(code) = self.language else {
            // The option names the language of submissions.
            let help = match self.role {
                Role::Submission => "name one with --language",
                Role::Validator => "give the file its language's extension, such as check.py",
            };
            return format!(
                "no language is known for {:?}\n  help: {help}, or add it to languages.toml",
                self.path.file_name().unwrap_or(self.path.as_os_str())
            );
        };
        format!("language {code:?} is not known; add it to languages.toml")
    }

    /// The directories with files that the package adds to programs in the language `code`.
    pub(super) fn added_directories(&self, code: &str) -> Vec<PathBuf> {
        let include = self.include.into_iter();
        include
            .flat_map(|include| ["default", code].map(|name| include.join(name)))
            .filter(|dir| dir.is_dir())
            .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_for_an_unknown_language_depends_on_the_role() {
        let message = |role| {
            let request = Request {
                role,
                language: None,
                ..Request::alone("", Path::new("output_validator/check.foo"))
            };
            request.unknown_language()
        };
        let start = "no language is known for \"check.foo\"\n  help:";
        assert_eq!(
            message(Role::Submission),
            format!("{start} name one with --language, or add it to languages.toml")
        );
        assert_eq!(
            message(Role::Validator),
            format!(
                "{start} give the file its language's extension, such as check.py, or add it to \
                 languages.toml"
            )
        );
    }
}
