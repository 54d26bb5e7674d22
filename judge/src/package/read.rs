//! Which format a package is in.

use super::error::PackageError;
use super::finish::finish;
use super::format::icpc::{legacy, v2025};
use super::format::{dmoj, hydro, library_checker, luogu, plain};
use super::input::archive::{self, Unpacked};
use super::input::tree::Tree;
use super::input::yaml::{self, Node};
use super::model::{Dialect, Package};
use std::path::Path;
use std::sync::Arc;

const VERSIONS: [(&str, Dialect); 4] = [
    ("2025-09", Dialect::V2025),
    ("2023-07-draft", Dialect::Draft2023),
    ("legacy", Dialect::Legacy),
    ("legacy-icpc", Dialect::LegacyIcpc),
];

impl Package {
    /// Reads the package at `path`.
    ///
    /// # Errors
    ///
    /// The first defect that prevents judging: file, position and remedy. Defects that do not
    /// prevent it are in [`Package::findings`].
    pub fn read(path: &Path) -> Result<Package, PackageError> {
        let metadata = path
            .metadata()
            .map_err(|e| PackageError::new(path, format!("failed to read: {e}")))?;
        if metadata.is_dir() {
            return finish(read_directory(path, id_of(path))?);
        }
        if path.file_name().is_some_and(|name| name == "problem.yaml") {
            return Err(PackageError::new(path, "is part of a package")
                .remedy("give the directory that it is in"));
        }
        if !metadata.is_file() {
            return Err(PackageError::new(
                path,
                "is neither a directory nor an archive",
            ));
        }
        let Unpacked { guard, root } = archive::unpack(path)?;
        let id = if root == guard.path() {
            id_of(&path.with_extension(""))
        } else {
            id_of(&root)
        };
        // Errors name the archive: the directory it was unpacked to no longer exists when they are
        // shown.
        let rename = |error: PackageError| in_archive(error, &root, path);
        let mut package = read_directory(&root, id).and_then(finish).map_err(rename)?;
        for finding in &mut package.findings {
            finding.error = rename(finding.error.clone());
        }
        path.clone_into(&mut package.origin);
        package.unpacked.push(Arc::new(guard));
        Ok(package)
    }
}

/// Replaces the directory that an archive was unpacked to by the archive's path.
fn in_archive(error: PackageError, root: &Path, archive: &Path) -> PackageError {
    let (from, to) = (root.display().to_string(), archive.display().to_string());
    PackageError {
        path: match error.path.strip_prefix(root) {
            Ok(inside) => archive.join(inside),
            Err(_) => error.path,
        },
        position: error.position,
        what: error.what.replace(&from, &to),
        remedy: error.remedy.map(|remedy| remedy.replace(&from, &to)),
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
    let mut tree = Tree::new(path)?;
    // Where nothing can be seen, everything would seem to be missing.
    path.read_dir()
        .map_err(|e| PackageError::new(path, format!("failed to read: {e}")))?;
    let file = path.join("problem.yaml");
    if file.is_file() {
        let yaml = tree.yaml(&file)?;
        // Hydro's exports have a file of that name too, with other keys.
        let hydro = path.join("testdata");
        if yaml.get("pid").is_some() && hydro.is_dir() {
            return read_hydro(tree, id, &hydro);
        }
        return match dialect(&yaml)? {
            version @ (Dialect::Legacy | Dialect::LegacyIcpc) => {
                legacy::read(tree, id, &yaml, version)
            }
            version => v2025::read(tree, id, &yaml, version),
        };
    }
    if path.join("data/secret").is_dir() || path.join("data/sample").is_dir() {
        tree.error(
            PackageError::new(
                &file,
                "is missing; taken as an empty one of version `legacy`",
            )
            .remedy("add it, with at least `problem_format_version` and `name`"),
        );
        let empty = yaml::parse(&file, "")?;
        return legacy::read(tree, id, &empty, Dialect::Legacy);
    }
    if path.join("init.yml").is_file() {
        return dmoj::read(tree, id);
    }
    if path.join("info.toml").is_file() {
        return library_checker::read(tree, id);
    }
    for dir in [path.to_owned(), path.join("testdata")] {
        if CONFIGURATIONS.iter().any(|name| dir.join(name).is_file()) {
            return read_hydro(tree, id, &dir);
        }
    }
    if let Some(dir) = plain::oj_tests(path) {
        return plain::read_oj(tree, id, &dir);
    }
    let two = path.join("in").is_dir() && path.join("out").is_dir();
    if two || plain::holds_inputs(path) {
        return plain::read_plain(tree, id);
    }
    Err(none(path))
}

/// Formats that are not read, and the file that tells them.
const UNREAD: [(&str, &str); 4] = [
    ("problem.xml", "a package of Polygon"),
    ("problem.rbx.yml", "a problem of rbx"),
    ("task.yaml", "a task of the Contest Management System"),
    ("PROBLEM", "a problem of Rime"),
];

/// That nothing in `path` is known.
fn none(path: &Path) -> PackageError {
    for (file, what) in UNREAD {
        if path.join(file).is_file() {
            return PackageError::new(
                path,
                format!("is {what} (`{file}`), which is not supported"),
            )
            .remedy("put its tests into a directory as `NAME.in` and `NAME.ans`");
        }
    }
    PackageError::new(path, "is not a problem package: it has no `problem.yaml`").remedy(
        "give the directory that holds `problem.yaml` and `data`, or one with pairs of `.in` and `.ans`",
    )
}

/// What Luogu and Hydro call their configuration.
const CONFIGURATIONS: [&str; 2] = ["config.yml", "config.yaml"];

/// Luogu's or Hydro's data in `dir`; the keys of the configuration tell which.
fn read_hydro(mut tree: Tree, id: String, dir: &Path) -> Result<Package, PackageError> {
    let file = CONFIGURATIONS
        .iter()
        .map(|name| dir.join(name))
        .find(|file| file.is_file());
    match file {
        None => hydro::read(tree, id, dir, None),
        Some(file) => {
            let yaml = tree.yaml(&file)?;
            if luogu::is_config(&yaml) {
                luogu::read(tree, id, &yaml)
            } else {
                hydro::read(tree, id, dir, Some(&yaml))
            }
        }
    }
}

fn dialect(yaml: &Node) -> Result<Dialect, PackageError> {
    match yaml.get("problem_format_version") {
        // A version of legacy does not say so; a typo in the key must not make one.
        None => {
            for (key, _) in yaml.entries()? {
                let name = key.scalar().unwrap_or_default();
                let version = "problem_format_version";
                if name.len() <= 2 * version.len()
                    && strsim::damerau_levenshtein(name, version) <= 5
                {
                    return Err(key.unknown_key(&["problem_format_version"]));
                }
            }
            Ok(Dialect::Legacy)
        }
        Some(version) => match version.scalar() {
            // Names that tools took while the versions were in the making.
            Some("draft" | "2025-09-draft") => Ok(Dialect::V2025),
            Some("2023-07") => Ok(Dialect::Draft2023),
            Some("icpc") => Ok(Dialect::LegacyIcpc),
            _ => version.choice(&VERSIONS),
        },
    }
}
