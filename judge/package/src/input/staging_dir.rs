//! Assembles programs from files of several directories: other judges compile a source with headers
//! from elsewhere, or a submission with a file of the package.

use super::package_dir::MAX_SOURCE;
use super::text;
use crate::error::PackageError;
use etcetera::base_strategy::{BaseStrategy, Xdg};
use judge_tempdir::TempDirectory;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A temporary directory for such programs, removed with the package that refers to it.
#[derive(Clone)]
pub struct StagingDir {
    dir: Arc<TempDirectory>,
    /// The main source of each assembled program, by the program's path.
    originals: Arc<Mutex<HashMap<PathBuf, PathBuf>>>,
}

impl StagingDir {
    /// Creates an empty directory.
    pub fn new() -> Result<Self, PackageError> {
        let dir = temporary_directory()?;
        Ok(StagingDir {
            dir: Arc::new(dir),
            originals: Arc::default(),
        })
    }

    /// Records that the program `name` is made from the file `original`; returns the program's path.
    pub fn made_from(&self, name: &str, original: &Path) -> PathBuf {
        let path = self.path(name);
        let mut originals = self
            .originals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        originals.insert(path.clone(), original.to_owned());
        path
    }

    /// The main source of each assembled program, by the program's path.
    pub fn originals(&self) -> HashMap<PathBuf, PathBuf> {
        let originals = self.originals.lock();
        originals.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps the directory from being removed.
    pub fn guard(&self) -> Arc<TempDirectory> {
        Arc::clone(&self.dir)
    }

    /// The path of `name` in the directory, whether or not it exists.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes the file `name` and returns its path.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, PackageError> {
        let path = self.path(name);
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            let what = format!("failed to write: `{name}` leads out of this directory");
            return Err(PackageError::new(self.dir.path(), what));
        }
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, content))
            .map_err(PackageError::no_temporary_files)?;
        Ok(path)
    }

    /// Copies a file to `name`.
    pub fn copy(&self, from: &Path, name: &str) -> Result<PathBuf, PackageError> {
        self.copy_with("", from, name)
    }

    /// Copies a file to `name`, with the lines `before` in front.
    pub fn copy_with(
        &self,
        before: &str,
        from: &Path,
        name: &str,
    ) -> Result<PathBuf, PackageError> {
        let mut content = before.as_bytes().to_vec();
        content.extend(text::read_bytes(from, MAX_SOURCE)?);
        self.write(name, &content)
    }

    /// Assembles a program for the package in `root` from these files, the sources with the lines
    /// `before` in front; a single file that needs no other is returned as it is.
    pub fn program(
        &self,
        root: &Path,
        name: &str,
        files: &[PathBuf],
        before: &str,
    ) -> Result<PathBuf, PackageError> {
        let has = |name: &str| files.iter().any(|file| base_name(file) == name);
        let wanting = files.iter().any(|file| wants_testlib(file)) && !has("testlib.h");
        let header = if wanting { testlib(root) } else { None };
        if let ([only], None, "") = (files, &header, before) {
            return Ok(only.clone());
        }
        let is_header = |file: &PathBuf| {
            let base = base_name(file);
            [".h", ".hh", ".hpp"].iter().any(|end| base.ends_with(end))
        };
        for file in files {
            let base = base_name(file);
            let before = if is_header(file) { "" } else { before };
            self.copy_with(before, file, &format!("{name}/{base}"))?;
        }
        if let Some(header) = header {
            self.copy(&header, &format!("{name}/testlib.h"))?;
        }
        let main = files.iter().find(|file| !is_header(file));
        Ok(match main {
            Some(main) => self.made_from(name, main),
            None => self.path(name),
        })
    }
}

/// Creates an empty directory for files of a package.
pub fn temporary_directory() -> Result<TempDirectory, PackageError> {
    TempDirectory::new("package").map_err(|e| PackageError::no_temporary_files(&e.source))
}

/// The base name of a file, as text.
pub fn base_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The number of parent directories searched for a header: repositories of problems share it there.
const LEVELS: usize = 4;

/// Finds `testlib.h` next to the package, above it, or in the user's data directory. `None` may
/// also mean that the system's compiler finds it.
pub fn testlib(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let above = root.ancestors().take(LEVELS).flat_map(|dir| {
        ["", "common", "include", "lib"].map(|name| dir.join(name).join("testlib.h"))
    });
    let data = Xdg::new().map(|xdg| xdg.data_dir());
    let own = data.map(|dir| dir.join("judge/include/testlib.h"));
    above.chain(own).find(|path| path.is_file())
}

/// Whether a source includes `testlib.h`.
pub fn wants_testlib(source: &Path) -> bool {
    text::read_bytes(source, MAX_SOURCE).is_ok_and(|bytes| {
        String::from_utf8_lossy(&bytes)
            .lines()
            .any(|line| line.trim_start().starts_with("#include") && line.contains("testlib.h"))
    })
}

/// Translates the compiler flags `-DNAME=VALUE` and `-DNAME` into lines of C. The second value is
/// the flags that are not supported.
pub fn defines(flags: &[String]) -> (String, Vec<String>) {
    let mut lines = String::new();
    let mut others = Vec::new();
    for flag in flags {
        match flag.strip_prefix("-D") {
            Some(define) if !define.is_empty() => {
                let (name, value) = define.split_once('=').unwrap_or((define, "1"));
                lines.push_str(&format!("#define {name} {value}\n"));
            }
            _ => others.push(flag.clone()),
        }
    }
    if !lines.is_empty() {
        // Keeps line numbers in compiler messages those of the original file.
        lines.push_str("#line 1\n");
    }
    (lines, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_lines() {
        let flags = ["-DA", "-DB=2", "-O3"].map(str::to_owned);
        let (lines, others) = defines(&flags);
        assert_eq!(lines, "#define A 1\n#define B 2\n#line 1\n");
        assert_eq!(others, ["-O3"]);
        assert_eq!(defines(&[]), (String::new(), Vec::new()));
    }

    #[test]
    fn a_program_gets_the_header_that_it_asks_for() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("problems/p");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(dir.path().join("common")).unwrap();
        fs::write(dir.path().join("common/testlib.h"), "// it\n").unwrap();
        let source = root.join("checker.cpp");
        fs::write(&source, "#include \"testlib.h\"\n").unwrap();
        let staging_dir = StagingDir::new().unwrap();
        let made = staging_dir
            .program(&root, "checker", &[source], "")
            .unwrap();
        assert!(made.join("testlib.h").is_file() && made.join("checker.cpp").is_file());
        let plain = root.join("plain.cpp");
        fs::write(&plain, "int main() {}\n").unwrap();
        let alone = std::slice::from_ref(&plain);
        let made = staging_dir.program(&root, "plain", alone, "").unwrap();
        assert_eq!(made, plain);
    }
}
