//! Access to the files of a package: contained in its directories and bounded in size.
//!
//! The names and symbolic links in a package are not trusted: one that leads out of the package
//! would let it read the files of the user.

use super::text;
use crate::error::PackageError;
use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

/// The maximum size of a source or header file that is copied, in bytes.
pub const MAX_SOURCE: u64 = 64 << 20;

/// A directory of a package in which files are looked up.
#[derive(Clone, Debug)]
pub struct PackageDir {
    root: PathBuf,
    /// The canonical path.
    real: PathBuf,
    /// Whether links may lead out of it.
    is_open: bool,
}

/// A regular file inside a package.
#[derive(Clone, Debug)]
pub struct PackageFile {
    path: PathBuf,
}

impl PackageDir {
    /// Opens the directory `root`.
    pub fn new(root: &Path) -> Result<Self, PackageError> {
        let real = root
            .canonicalize()
            .map_err(|e| PackageError::new(root, format!("failed to read: {e}")))?;
        Ok(PackageDir {
            root: root.to_owned(),
            real,
            is_open: false,
        })
    }

    /// Follows links out of the directory: those of a contestant's own folder. An archive is unpacked without such
    /// links.
    pub fn follow_links(&mut self) {
        self.is_open = true;
    }

    /// Looks up the file `name`; returns `None` if it does not exist. Fails when the name or a link
    /// leads out of the directory, or to something other than a regular file.
    pub fn find(&self, name: &str) -> Result<Option<PackageFile>, PackageError> {
        let path = self.root.join(name);
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if name.is_empty() || !inside {
            let name = text::shorten(name, 200);
            let what = format!("`{name}` is not a path inside of the package");
            return Err(PackageError::new(&self.root, what)
                .remedy("put the file into the package, and name it relative to there"));
        }
        if !path.exists() {
            return Ok(None);
        }
        if !self.contain(&path)?.is_file() {
            return Err(not_regular(&path));
        }
        Ok(Some(PackageFile { path }))
    }

    /// The path of the directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether there is a file `name`, for recognising a format: the file is not read.
    pub fn has_file(&self, name: &str) -> bool {
        self.root.join(name).is_file()
    }

    /// Whether there is a directory `name`, for recognising a format.
    pub fn has_dir(&self, name: &str) -> bool {
        self.root.join(name).is_dir()
    }

    /// Whether a canonical path lies in the directory.
    pub fn holds(&self, real: &Path) -> bool {
        self.is_open || real.starts_with(&self.real)
    }

    /// The canonical path. Fails when it lies outside of the directory or does not exist.
    pub fn contain(&self, path: &Path) -> Result<PathBuf, PackageError> {
        let real = path
            .canonicalize()
            .map_err(|e| PackageError::new(path, format!("failed to read: {e}")))?;
        if self.holds(&real) {
            Ok(real)
        } else {
            Err(leaves_package(path, &real))
        }
    }

    /// Looks up the file `name`. Fails also when it is missing.
    pub fn file(&self, name: &str) -> Result<PackageFile, PackageError> {
        self.find(name)?
            .ok_or_else(|| PackageError::new(self.root.join(name), "is missing"))
    }
}

impl PackageFile {
    pub fn into_path(self) -> PathBuf {
        self.path
    }

    /// Reads the text, at most `most` bytes. Fails when it cannot be read, is longer, or not UTF-8.
    pub fn text(&self, most: u64) -> Result<String, PackageError> {
        text::read(&self.path, most)
    }
}

/// Checks paths against the set of directories of a package.
pub struct Containment {
    /// Canonical paths.
    roots: Vec<PathBuf>,
    is_open: bool,
    /// For each directory seen, whether it lies in one of `roots`.
    known: HashMap<PathBuf, bool>,
}

impl Containment {
    /// Accepts the content of these directories, and what `dir` accepts.
    pub fn new(dir: &PackageDir, places: Vec<&Path>) -> Self {
        Containment {
            roots: places.into_iter().flat_map(Path::canonicalize).collect(),
            is_open: dir.is_open,
            known: HashMap::new(),
        }
    }

    /// Checks that `path` is a regular file inside the package; returns its size in bytes.
    pub fn file(&mut self, path: &Path) -> Result<u64, PackageError> {
        let metadata = self.metadata(path)?;
        match metadata.is_file() {
            true => Ok(metadata.len()),
            false => Err(not_regular(path)),
        }
    }

    /// Checks that `path` is a file or a directory inside the package.
    pub fn any(&mut self, path: &Path) -> Result<(), PackageError> {
        let metadata = self.metadata(path)?;
        match metadata.is_file() || metadata.is_dir() {
            true => Ok(()),
            false => Err(not_regular(path)),
        }
    }

    /// The metadata of a path inside the package; of a link, those of its target.
    fn metadata(&mut self, path: &Path) -> Result<Metadata, PackageError> {
        let failed = |e| PackageError::new(path, format!("failed to read: {e}"));
        let own = path.symlink_metadata().map_err(failed)?;
        // Resolving every file of a large package is slow; most are not links, so their parents
        // decide.
        if !own.is_symlink()
            && let (Some(parent), Some(_)) = (path.parent(), path.file_name())
        {
            let inside = match self.known.get(parent) {
                Some(&inside) => inside,
                None => {
                    let real = parent.canonicalize().map_err(failed)?;
                    let inside = self.holds(&real);
                    self.known.insert(parent.to_owned(), inside);
                    inside
                }
            };
            if inside {
                return Ok(own);
            }
        }
        let real = path.canonicalize().map_err(failed)?;
        if self.holds(&real) {
            real.metadata().map_err(failed)
        } else {
            Err(leaves_package(path, &real))
        }
    }

    fn holds(&self, real: &Path) -> bool {
        self.is_open || self.roots.iter().any(|root| real.starts_with(root))
    }
}

/// The error for a named pipe and the like: opening a pipe would block until a writer opens it.
fn not_regular(path: &Path) -> PackageError {
    PackageError::new(path, "is not a regular file")
}

/// The error for a link that leads out of the package.
pub fn leaves_package(link: &Path, target: &Path) -> PackageError {
    let target = target.display();
    let what = format!("is a symbolic link out of the package, to {target}");
    PackageError::new(link, what).remedy("put the file itself into the package")
}

/// The error for a link whose target cannot be resolved.
pub fn leads_nowhere(link: &Path, e: &std::io::Error) -> PackageError {
    PackageError::new(link, format!("is a symbolic link that leads nowhere: {e}"))
        .remedy("fix or remove the link")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_name_does_not_lead_out_of_the_package() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        let dir = outside.path().join("package");
        fs::create_dir_all(dir.join("sub")).unwrap();
        fs::write(dir.join("sub/file"), "x").unwrap();
        symlink("../secret", dir.join("link")).unwrap();
        symlink("sub/file", dir.join("good")).unwrap();
        symlink("/", dir.join("root")).unwrap();
        let package = PackageDir::new(&dir).unwrap();
        assert!(package.file("sub/file").is_ok());
        assert!(package.file("./good").is_ok());
        assert!(package.find("nothing").unwrap().is_none());
        let absolute = outside.path().join("secret");
        let absolute = absolute.to_str().unwrap();
        for name in [
            "../secret",
            "sub/../../secret",
            absolute,
            "",
            "link",
            "root/etc/passwd",
            "sub",
        ] {
            assert!(package.find(name).is_err(), "{name}");
        }
    }
}
