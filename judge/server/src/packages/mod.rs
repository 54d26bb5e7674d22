//! Snapshots of packages by the hash of their tree: a judging always uses the version that it
//! started with, even if the original changes.

mod stamp;

pub(crate) use stamp::stamp;

use crate::blobs::temporary_beside;
use crate::contest_api::{Id, MAX_NAME, check_name};
use crate::store::{NewVersion, Version};
use judge_core::error::{Failure, Reason};
use judge_core::judging::{self, Settings, Toolchain};
use judge_core::parallel::unpoisoned;
use judge_core::text::hex;
use judge_package::{Group, Package, PackageError, Part, TimeLimit};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use walkdir::WalkDir;

/// The directory of snapshots, and the packages that were read from it.
pub struct Packages {
    dir: PathBuf,
    loaded: Mutex<HashMap<String, Arc<Package>>>,
}

/// Why a package cannot be added or read.
#[derive(thiserror::Error, Debug)]
pub enum Error {
    /// A defect of the package.
    #[error("{0}")]
    Package(String),
    /// There is no room for temporary files, or they cannot be written.
    #[error("{0}")]
    NoTemporaryFiles(String),
    /// The files cannot be read or copied.
    #[error("{0}")]
    Io(io::Error),
}

impl From<PackageError> for Error {
    fn from(error: PackageError) -> Self {
        match error.is_of_machine {
            true => Error::NoTemporaryFiles(error.to_string()),
            false => Error::Package(error.to_string()),
        }
    }
}

/// A file of a package.
pub(crate) struct Member {
    /// Where its content is.
    pub(crate) path: PathBuf,
    pub(crate) inside: PathBuf,
    executable: bool,
}

impl Packages {
    /// Opens the directory, or creates it.
    pub fn open(dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        Ok(Packages {
            dir: dir.to_owned(),
            loaded: Mutex::default(),
        })
    }

    /// Takes a snapshot of a package, a directory or an archive, unless there is one of the same
    /// content.
    /// Fails with the defect of the package, or why it cannot be copied.
    pub fn add(&self, path: &Path) -> Result<NewVersion, Error> {
        let package = Package::read(path)?;
        check_name(&package.name, MAX_NAME)
            .map_err(|e| Error::Package(format!("{}: {e}", path.display())))?;
        let failed = |e: io::Error| {
            let what = format!("{}: failed to copy: {e}", path.display());
            match e.kind() {
                // A link out of the package, or to a directory above it.
                io::ErrorKind::InvalidInput | io::ErrorKind::Other => Error::Package(what),
                kind => Error::Io(io::Error::new(kind, what)),
            }
        };
        let members = members(&package.root).map_err(failed)?;
        let tree = tree_hash(&package.id, &members).map_err(failed)?;
        let place = self.dir.join(&tree);
        if !place.exists() {
            let temporary = temporary_beside(&place);
            let copied = copy(&members, &temporary.join(&package.id))
                .and_then(|()| fs::rename(&temporary, &place))
                .and_then(|()| File::open(&self.dir)?.sync_all());
            if copied.is_err() {
                let _ = fs::remove_dir_all(&temporary);
            }
            copied.map_err(failed)?;
        }
        let kept = self.read(&tree)?;
        let (before, after) = (package.judged_cases().len(), kept.judged_cases().len());
        if before != after {
            return Err(Error::Package(format!(
                "{}: {before} cases, but only {after} are inside the package's directory",
                path.display()
            )));
        }
        Ok(described(&kept, tree))
    }

    /// The package of a snapshot, by its hash. Test data that the package generates is generated once.
    /// Fails when the snapshot is gone or damaged, which is no defect of the package, because it was read
    /// before; or when generating fails.
    pub(crate) fn get_tree(
        &self,
        tree: &str,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, Failure> {
        if let Some(package) = self.loaded_tree(tree) {
            return Ok(package);
        }
        let mut package = self
            .read(tree)
            .map_err(|error| Failure::internal(error.to_string()))?;
        generate(&mut package, settings, toolchain)?;
        Ok(self.keep(tree, package))
    }

    /// The package of a snapshot, by its hash, if it generates no test data.
    pub(crate) fn get_ready(&self, tree: &str) -> Result<Option<Arc<Package>>, Reason> {
        if let Some(package) = self.loaded_tree(tree) {
            return Ok(Some(package));
        }
        let package = self.read(tree)?;
        let is_ready = package.generation.is_none();
        Ok(is_ready.then(|| self.keep(tree, package)))
    }

    fn keep(&self, tree: &str, package: Package) -> Arc<Package> {
        let package = Arc::new(package);
        self.loaded().insert(tree.to_owned(), package.clone());
        package
    }

    /// The package of a snapshot, if it is in memory.
    pub(crate) fn loaded_tree(&self, tree: &str) -> Option<Arc<Package>> {
        self.loaded().get(tree).cloned()
    }

    /// A snapshot as a version to add.
    pub(crate) fn described(&self, tree: &str) -> Result<NewVersion, Reason> {
        Ok(described(&self.read(tree)?, tree.to_owned()))
    }

    /// Whether there is a snapshot with this hash.
    pub(crate) fn has(&self, tree: &str) -> bool {
        self.snapshot(tree).is_ok()
    }

    /// The directory of a version's snapshot: statements, samples, attachments.
    pub(crate) fn directory(&self, version: &Version) -> io::Result<PathBuf> {
        self.snapshot(&version.tree)
    }

    /// Forgets a package whose snapshot is to be deleted; returns false if it is in use.
    pub(crate) fn unload(&self, tree: &str) -> bool {
        let mut loaded = self.loaded();
        let used = loaded
            .get(tree)
            .is_some_and(|own| Arc::strong_count(own) > 1);
        if !used {
            loaded.remove(tree);
        }
        !used
    }

    fn loaded(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Package>>> {
        unpoisoned(self.loaded.lock())
    }

    /// Reads a snapshot. Test data that the package generates is left out.
    pub(crate) fn read(&self, tree: &str) -> Result<Package, Error> {
        let dir = self.snapshot(tree).map_err(|e| {
            let what = format!(
                "the snapshot {tree} of a package is gone: {e}\n  help: restore it from a backup"
            );
            io::Error::new(e.kind(), what)
        });
        Ok(Package::read(&dir.map_err(Error::Io)?)?)
    }

    /// The only directory in a snapshot, which is named like the package.
    pub(crate) fn snapshot(&self, tree: &str) -> io::Result<PathBuf> {
        let mut entries = fs::read_dir(self.dir.join(tree))?;
        entries
            .next()
            .ok_or(io::ErrorKind::NotFound)?
            .map(|entry| entry.path())
    }
}

/// Generates the test data of a package, if it does that. A missing compiler is no defect of the package:
/// another machine may have it.
pub(crate) fn generate(
    package: &mut Package,
    settings: &Settings,
    toolchain: &Toolchain,
) -> Result<(), Failure> {
    let missing = judging::missing_of_generators(package, toolchain);
    if !missing.is_empty() {
        return Err(Failure::internal(format!(
            "{} generates its test data in a language that is not installed here: {}",
            package.id,
            missing.join(", ")
        )));
    }
    judging::generate_data(package, settings, toolchain)
}

fn described(package: &Package, tree: String) -> NewVersion {
    let limits = &package.limits;
    let cases = package.judged_cases();
    let samples = cases.iter().enumerate().filter(|(_, case)| case.sample);
    NewVersion {
        ext: ext_of(&package.id),
        tree,
        name: package.name.clone(),
        format: package.format.to_owned(),
        time_limit_s: limits.time.fixed().map(|limit| limit.as_secs_f64()),
        memory_limit: limits.memory,
        code_limit: limits.code,
        scoring: package.kind.scoring,
        languages: package.languages.clone(),
        cases: cases.iter().map(|case| case.name.clone()).collect(),
        samples: samples.map(|(index, _)| index).collect(),
        groups: groups(&package.data),
    }
}

/// The name of the group of each case, in judging order.
fn groups(group: &Group) -> Vec<String> {
    let of_part = |part| match part {
        Part::Case(_) => vec![group.name.clone()],
        Part::Group(inner) => groups(inner),
    };
    group.parts().into_iter().flat_map(of_part).collect()
}

/// The id of a package as one of the Contest API, which allows fewer characters.
fn ext_of(id: &str) -> String {
    if Id::new(id).is_ok() {
        return id.to_owned();
    }
    let valid = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let plain: String = id.chars().filter(|c| valid(*c)).take(20).collect();
    let digest = hex(&Sha256::digest(id.as_bytes()));
    format!("{plain}_{}", &digest[..12])
}

/// The package with the time limit of its version in seconds, if it is derived and known.
pub(crate) fn with_time_limit(package: &Package, time_limit_s: Option<f64>) -> Package {
    let mut package = package.clone();
    let known = time_limit_s.filter(|_| package.limits.time.fixed().is_none());
    if let Some(seconds) = known {
        package.limits.time = TimeLimit::Given(Duration::from_secs_f64(seconds));
    }
    package
}

/// The files of a package, sorted. Links are followed, but not out of the package.
/// Fails when a file cannot be read, or is a link out of the package.
pub(crate) fn members(root: &Path) -> io::Result<Vec<Member>> {
    let root = root.canonicalize()?;
    let mut members = Vec::new();
    for entry in WalkDir::new(&root).follow_links(true).sort_by_file_name() {
        let entry = entry?;
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path().canonicalize()?;
        if !path.starts_with(&root) {
            let what = format!("{} is a link out of the package", entry.path().display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let inside = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        members.push(Member {
            inside: inside.to_owned(),
            executable: path.metadata()?.permissions().mode() & 0o111 != 0,
            path,
        });
    }
    Ok(members)
}

/// The hash of a snapshot's directory, which is named like the package: the snapshot's name.
/// Fails when a file cannot be read, or is a link out of the directory.
pub(crate) fn tree(root: &Path) -> io::Result<String> {
    let id = root.file_name().unwrap_or_default().to_string_lossy();
    tree_hash(&id, &members(root)?)
}

/// The hash of a package's id, and the names, rights and content of its files.
pub(crate) fn tree_hash(id: &str, members: &[Member]) -> io::Result<String> {
    let mut tree = Sha256::new();
    tree.update((id.len() as u64).to_le_bytes());
    tree.update(id);
    let mut buffer = vec![0; 64 << 10];
    for member in members {
        let mut content = Sha256::new();
        let mut file = File::open(&member.path)?;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                n => content.update(&buffer[..n]),
            }
        }
        let name = member.inside.as_os_str().as_encoded_bytes();
        tree.update((name.len() as u64).to_le_bytes());
        tree.update(name);
        tree.update([u8::from(member.executable)]);
        tree.update(content.finalize());
    }
    Ok(hex(&tree.finalize()))
}

/// Copies files into a directory. They are on the disk when this returns.
fn copy(members: &[Member], to: &Path) -> io::Result<()> {
    for member in members {
        let target = to.join(&member.inside);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(&member.path, &target)?;
    }
    // One call for all files and directories: with 65,000 files, one for each file takes minutes.
    Ok(rustix::fs::syncfs(File::open(to)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_package_is_a_new_version() {
        let dir = tempfile::tempdir().expect("a directory");
        let package = dir.path().join("sum");
        fs::create_dir(&package).expect("it is created");
        for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
            fs::write(package.join(name), text).expect("it is written");
        }
        let packages = Packages::open(&dir.path().join("kept")).expect("it opens");
        let first = packages.add(&package).expect("it is added");
        assert_eq!(packages.add(&package).expect("again").tree, first.tree);
        fs::write(package.join("1.ans"), "4\n").expect("it is written");
        let second = packages.add(&package).expect("it is added");
        assert_ne!(second.tree, first.tree);
        let old = packages.read(&first.tree).expect("it is kept");
        assert_eq!(fs::read(old.root.join("1.ans")).expect("a file"), b"3\n");
    }

    #[test]
    fn a_link_out_of_the_package_is_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("a"), "x").expect("it is written");
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("b")).expect("a link");
        assert!(members(dir.path()).is_err());
    }

    #[test]
    fn ids_suit_the_contest_api() {
        assert_eq!(ext_of("p1"), "p1");
        let long = ext_of(&"x/".repeat(40));
        assert!(Id::new(&long).is_ok(), "{long}");
        assert_ne!(long, ext_of(&"x/".repeat(41)));
    }
}
