//! Reads packages: detects the format, unpacks archives, and checks the result.

use super::builder::PackageBuilder;
use super::error::{Finding, PackageError};
use super::format::{FORMATS, plain, unread};
use super::input::archive::{self, Unpacked};
use super::input::package_dir::PackageDir;
use super::input::tree::{Tree, names};
use super::model::Package;
use std::path::Path;
use std::sync::Arc;

impl Package {
    /// Whether a format recognises the directory as a package; it may still be broken.
    pub fn is_recognised(dir: &Path) -> bool {
        let detects = |dir: &PackageDir| FORMATS.iter().any(|f| f.detect(dir).is_some());
        dir.is_dir() && PackageDir::new(dir).is_ok_and(|dir| detects(&dir))
    }

    /// The error that names the format of a directory, if that format is known and not read.
    pub fn unread_format(dir: &Path) -> Option<PackageError> {
        unread::of_directory(dir)
    }

    /// Whether a file configures a package of a format that is known and not read: reading it is an error
    /// that names the format.
    pub fn is_of_unread_format(file: &Path) -> bool {
        unread::of_file(file).is_some()
    }

    /// Reads the package at `path`.
    ///
    /// # Errors
    ///
    /// The first defect that prevents judging: file, position and remedy. Defects that do not
    /// prevent it are in [`Package::findings`].
    pub fn read(path: &Path) -> Result<Package, PackageError> {
        let metadata = path.metadata().map_err(|e| {
            PackageError::new(path, format!("failed to read: {e}"))
                .remedy("give the path of a package: a directory, or an archive of one")
        })?;
        if metadata.is_dir() {
            return read_directory(path, id_of(path));
        }
        let is_settings = |name: &&str| path.file_name().is_some_and(|own| own == *name);
        if ["problem.yaml", "task.yaml"].iter().any(is_settings) {
            return Err(PackageError::new(path, "is part of a package")
                .remedy("give the directory that it is in"));
        }
        if let Some(error) = unread::of_file(path).filter(|_| !archive::is_archive(path)) {
            return Err(error);
        }
        if !metadata.is_file() {
            let what = "is neither a directory nor an archive";
            return Err(PackageError::new(path, what));
        }
        let Unpacked {
            guard,
            root,
            repeated,
        } = archive::unpack(path)?;
        let id = if root == guard.path() {
            let name = id_of(&path.with_extension(""));
            // Polygon's archives: `sum-3$linux.zip`.
            let systems = ["$linux", "$windows"];
            let plain = systems.iter().find_map(|end| name.strip_suffix(end));
            plain.unwrap_or(&name).to_owned()
        } else {
            id_of(&root)
        };
        // Errors name the archive: the directory it was unpacked to no longer exists when they are
        // shown.
        let rename = |error: PackageError| in_archive(error, &root, path);
        let mut package = read_directory(&root, id).map_err(rename)?;
        for finding in &mut package.findings {
            finding.error = rename(finding.error.clone());
        }
        let twice = |name: String| {
            let what = format!("`{name}` is in the archive twice, the last one counts");
            let error = PackageError::new(path, what).remedy("pack the archive again");
            Finding::error(error).of_runs_if(true)
        };
        package.findings.extend(repeated.into_iter().map(twice));
        path.clone_into(&mut package.origin);
        package.unpacked.push(Arc::new(guard));
        Ok(package)
    }

    /// A package without cases, for programs in the directory `path`.
    ///
    /// # Errors
    ///
    /// When the directory cannot be read.
    pub fn without_cases(path: &Path) -> Result<Package, PackageError> {
        let mut builder = PackageBuilder::new(Tree::new(path)?, id_of(path));
        builder.package.format = "folder";
        plain::unknown_limits(&mut builder.package);
        builder.finish()
    }
}

/// Replaces the directory that an archive was unpacked to by the archive's path.
fn in_archive(error: PackageError, root: &Path, archive: &Path) -> PackageError {
    let (from, to) = (root.display().to_string(), archive.display().to_string());
    PackageError {
        path: match error.path.strip_prefix(root) {
            Ok(inside) if inside.as_os_str().is_empty() => archive.to_owned(),
            Ok(inside) => archive.join(inside),
            Err(_) => error.path,
        },
        position: error.position,
        what: error.what.replace(&from, &to),
        remedy: error.remedy.map(|remedy| remedy.replace(&from, &to)),
        is_of_machine: error.is_of_machine,
        others: error
            .others
            .into_iter()
            .map(|other| in_archive(other, root, archive))
            .collect(),
    }
}

/// The last component of the path, which names the package.
fn id_of(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match real.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "package".to_owned(),
    }
}

fn read_directory(path: &Path, id: String) -> Result<Package, PackageError> {
    let tree = Tree::new(path)?;
    // An unreadable directory would look like one without a package.
    path.read_dir()
        .map_err(|e| PackageError::new(path, format!("failed to read: {e}")))?;
    let mut formats = FORMATS.iter();
    let found = formats.find_map(|format| Some((format, format.detect(&tree.dir)?)));
    let (format, found) = found.ok_or_else(|| unknown(path))?;
    let mut builder = PackageBuilder::new(tree, id);
    format.read(&mut builder, &found)?;
    builder.finish()
}

/// Maximum number of packages that an error names.
const MAX_NAMED: usize = 5;

/// The error for a directory that no format recognises.
fn unknown(path: &Path) -> PackageError {
    let mut inside: Vec<String> = names(path)
        .filter(|name| Package::is_recognised(&path.join(name)))
        .take(MAX_NAMED)
        .collect();
    inside.sort();
    let unread = inside.iter().map(|name| unread::inside(path, name));
    // One of a format that is read, if there is any, is what the user means.
    if let Some(errors) = unread.collect::<Option<Vec<_>>>()
        && let Some(first) = errors.into_iter().next()
    {
        return first;
    }
    if !inside.is_empty() {
        let inside: Vec<String> = inside.iter().map(|name| format!("`{name}`")).collect();
        let what = format!("is not a problem package; in it are: {}", inside.join(", "));
        return PackageError::new(path, what)
            .remedy("give one of them; an archive must be unpacked for that");
    }
    if path
        .read_dir()
        .is_ok_and(|mut entries| entries.next().is_none())
    {
        return PackageError::new(path, "is empty").remedy(
            "give the directory of a package; `judge new --package DIR` writes an example",
        );
    }
    let other = unread::by_name(path);
    other.unwrap_or_else(|| PackageError::new(path, "is not a problem package: it has no `problem.yaml`").remedy(
        "give the directory that holds `problem.yaml` and `data`, or one with pairs of `.in` and `.ans`",
    ))
}
