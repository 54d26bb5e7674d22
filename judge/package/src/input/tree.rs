//! Lists a package's directories: sorted names, checked links, bounded counts.

use super::package_dir::{PackageDir, leads_nowhere, leaves_package};
use super::yaml::{self, Node};
use crate::error::{Finding, PackageError};
use std::io;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The maximum number of files and directories in one part of a package.
pub const MAX_ENTRIES: usize = 100_000;
/// With this many findings, an unknown key becomes an error.
const MANY_FINDINGS: usize = 100;
/// The maximum depth of directories.
const MAX_DEPTH: usize = 32;

/// A file or directory of a package.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The base name.
    pub name: String,
    pub path: PathBuf,
    /// Whether it is a directory, after following links.
    pub is_dir: bool,
}

/// How names that begin with a dot or a dash are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hidden {
    /// Like all others.
    Listed,
    /// Not at all; a dash causes a finding.
    LeftOut,
}

/// A package's directory and the findings collected while it is read.
pub struct Tree {
    /// The package's directory.
    pub root: PathBuf,
    /// Access to its files.
    pub dir: PackageDir,
    /// The findings so far.
    pub findings: Vec<Finding>,
    /// The first mistake in the arguments of the output validator, if that is the default one.
    pub unknown_argument: Option<PackageError>,
    /// Tolerances in those arguments that contradict each other.
    pub contradictions: Vec<PackageError>,
    /// The errors of the parts that could not be read.
    fatal: Vec<PackageError>,
    entries: usize,
}

impl Tree {
    /// The part that was read; a default one if that failed, so that the errors of the other parts are
    /// found, too. [`Tree::all_parts`] returns the error.
    pub fn attempt<T: Default>(&mut self, part: Result<T, PackageError>) -> T {
        part.unwrap_or_else(|error| {
            self.fatal.push(error);
            T::default()
        })
    }

    /// Fails with the first error of the parts and of the rest, which has the other errors in `others`.
    pub fn all_parts(&mut self, rest: Result<(), PackageError>) -> Result<(), PackageError> {
        let mut errors = std::mem::take(&mut self.fatal)
            .into_iter()
            .chain(rest.err());
        match errors.next() {
            None => Ok(()),
            Some(first) => Err(PackageError {
                others: first.others.iter().cloned().chain(errors).collect(),
                ..first
            }),
        }
    }

    /// Whether a part could not be read.
    pub fn lacks_part(&self) -> bool {
        !self.fatal.is_empty()
    }

    /// Opens the directory `root`.
    pub fn new(root: &Path) -> Result<Self, PackageError> {
        Ok(Tree {
            root: root.to_owned(),
            dir: PackageDir::new(root)?,
            findings: Vec::new(),
            unknown_argument: None,
            contradictions: Vec::new(),
            fatal: Vec::new(),
            entries: 0,
        })
    }

    /// The path of `name` in the package, if it exists. Fails when it is a link that leads out of the package.
    pub fn existing(&self, name: &str) -> Result<Option<PathBuf>, PackageError> {
        let path = self.root.join(name);
        if !path.exists() {
            return Ok(None);
        }
        self.dir.contain(&path)?;
        Ok(Some(path))
    }

    /// Adds a finding about something that the format forbids.
    pub fn error(&mut self, error: PackageError) {
        self.findings.push(Finding::error(error));
    }

    /// Adds a finding about something that the format forbids and that may change verdicts.
    pub fn error_of_runs(&mut self, error: PackageError) {
        self.findings.push(Finding::error(error).of_runs_if(true));
    }

    /// Adds a finding about something that is probably a mistake.
    pub fn warning(&mut self, error: PackageError) {
        self.findings.push(Finding::warning(error));
    }

    /// Adds a finding about a key that is not one of `known` and that the format's tools ignore.
    /// Fails when the key is probably a misspelling of a known one, because ignoring it would
    /// change how the package is judged; or when there are too many findings.
    pub fn report_unknown_key(
        &mut self,
        key: &Node,
        known: &[&str],
        complaint: PackageError,
    ) -> Result<(), PackageError> {
        let misspelt = yaml::nearest(key.scalar().unwrap_or_default(), known).is_some();
        if misspelt || self.findings.len() >= MANY_FINDINGS {
            return Err(complaint);
        }
        self.error(complaint);
        Ok(())
    }

    /// Reads a YAML file; the last value of a duplicate key counts, with a finding.
    pub fn yaml(&mut self, path: &Path) -> Result<Node, PackageError> {
        self.dir.contain(path)?;
        let read = yaml::read_leniently(path)?;
        Ok(self.note_doubled(read))
    }

    /// Parses `text`, the content of `path`, like [`Tree::yaml`].
    pub fn parse_yaml(&mut self, path: &Path, text: &str) -> Result<Node, PackageError> {
        let read = yaml::parse_leniently(path, text)?;
        Ok(self.note_doubled(read))
    }

    fn note_doubled(&mut self, (node, doubled): (Node, Vec<PackageError>)) -> Node {
        let findings = doubled
            .into_iter()
            .map(|e| Finding::error(e).of_runs_if(true));
        self.findings.extend(findings);
        node
    }

    /// Makes every run warn of the findings so far, for directories without settings, which have no
    /// author who runs `judge verify`.
    pub fn findings_concern_runs(&mut self) {
        for finding in &mut self.findings {
            finding.concerns_runs = true;
        }
    }

    /// Lists `dir`, sorted by the bytes of the names. Leaves out names that begin with a dot or a
    /// dash, as the formats require, and names that are not UTF-8; the last two with a finding.
    pub fn list(&mut self, dir: &Path) -> Result<Vec<Entry>, PackageError> {
        self.list_named(dir, Hidden::LeftOut)
    }

    fn list_named(&mut self, dir: &Path, hidden: Hidden) -> Result<Vec<Entry>, PackageError> {
        if dir.components().count() > self.root.components().count() + MAX_DEPTH {
            let what = format!("is nested more than {MAX_DEPTH} deep");
            return Err(PackageError::new(dir, what));
        }
        let mut found = Vec::new();
        let entries = WalkDir::new(dir).min_depth(1).max_depth(1);
        for entry in entries.sort_by_file_name() {
            let entry = entry.map_err(|e| {
                let path = e.path().unwrap_or(dir).to_owned();
                match e.io_error() {
                    Some(e) => unreadable(path, e),
                    None => PackageError::new(path, format!("failed to read: {e}")),
                }
            })?;
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                let what = format!("the package holds more than {MAX_ENTRIES} files");
                return Err(PackageError::new(dir, what));
            }
            let path = entry.path().to_owned();
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                self.error(
                    PackageError::new(path, "the name is not UTF-8; the file is left out")
                        .remedy("rename it: letters, digits, `.`, `-` and `_`"),
                );
                continue;
            };
            if hidden == Hidden::LeftOut && name.starts_with('.') {
                continue;
            }
            if hidden == Hidden::LeftOut && name.starts_with('-') {
                const WHAT: &str = "the name begins with `-`; the file is left out";
                self.error(PackageError::new(path, WHAT).remedy("rename it"));
                continue;
            }
            let is_dir = if entry.path_is_symlink() {
                self.follow(&path)?
            } else {
                Some(entry.file_type().is_dir())
            };
            if let Some(is_dir) = is_dir {
                found.push(Entry { name, path, is_dir });
            }
        }
        Ok(found)
    }

    /// The paths of the files in the package's directory and below, relative to it, in the order of
    /// [`Tree::list`]; `descends` decides about a directory by its relative path.
    pub fn files(&mut self, descends: fn(&str) -> bool) -> Result<Vec<String>, PackageError> {
        let mut found = Vec::new();
        self.files_in(&self.root.clone(), "", descends, &mut found)?;
        Ok(found)
    }

    fn files_in(
        &mut self,
        dir: &Path,
        prefix: &str,
        descends: fn(&str) -> bool,
        found: &mut Vec<String>,
    ) -> Result<(), PackageError> {
        for entry in self.list(dir)? {
            let name = format!("{prefix}{}", entry.name);
            if !entry.is_dir {
                found.push(name);
            } else if descends(&name) {
                self.files_in(&entry.path, &format!("{name}/"), descends, found)?;
            }
        }
        Ok(())
    }

    /// Lists all names; a link that leads nowhere or out of the package is an error.
    pub fn list_all(&mut self, dir: &Path) -> Result<Vec<Entry>, PackageError> {
        let before = self.findings.len();
        let found = self.list_named(dir, Hidden::Listed)?;
        match self.findings.drain(before..).next() {
            Some(finding) => Err(finding.error),
            None => Ok(found),
        }
    }

    /// Whether a link leads to a directory; `None` if it leads nowhere or out of the package.
    fn follow(&mut self, link: &Path) -> Result<Option<bool>, PackageError> {
        let target = match link.canonicalize() {
            Ok(target) => target,
            Err(e) => {
                self.error(leads_nowhere(link, &e));
                return Ok(None);
            }
        };
        if !self.dir.holds(&target) {
            self.error(leaves_package(link, &target));
            return Ok(None);
        }
        // Descending into a link to an ancestor would not terminate.
        let parent = link.parent().and_then(|parent| parent.canonicalize().ok());
        if target.is_dir() && parent.is_some_and(|parent| parent.starts_with(&target)) {
            return Err(
                PackageError::new(link, "is a symbolic link to a directory that holds it")
                    .remedy("remove the link"),
            );
        }
        Ok(Some(target.is_dir()))
    }
}

/// The error for a file or directory that cannot be read.
fn unreadable(path: PathBuf, e: &io::Error) -> PackageError {
    let error = PackageError::new(path, format!("failed to read: {e}"));
    match e.kind() {
        io::ErrorKind::PermissionDenied => error.remedy("make it readable: `chmod u+rX`"),
        _ => error,
    }
}

/// The names in a directory, unsorted and unchecked; none if it cannot be read.
pub fn names(dir: &Path) -> impl Iterator<Item = String> {
    existing_names(dir).into_iter().flatten()
}

/// The names in a directory, unsorted and unchecked; none if it does not exist.
pub fn existing_names(dir: &Path) -> io::Result<impl Iterator<Item = String>> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => Some(entries),
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            None
        }
        Err(e) => return Err(e),
    };
    let entries = entries.into_iter().flatten().flatten();
    Ok(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()))
}

/// The finding about a name that the format forbids; `outcome` says what happens to the file.
pub fn forbidden_name(path: &Path, outcome: &str) -> PackageError {
    PackageError::new(path, format!("has a name that the format forbids{outcome}"))
        .remedy("rename it: letters, digits, `.`, `-` and `_`, no blanks")
}

/// Whether the format allows the name: `^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`.
pub fn is_valid_name(name: &str) -> bool {
    name.len() <= 255
        && name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}
