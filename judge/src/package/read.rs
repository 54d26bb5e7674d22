//! Which format a package is in.

use super::error::PackageError;
use super::files::Tree;
use super::model::{Dialect, Package};
use super::yaml::{self, Node};
use super::{icpc2025, legacy};
use std::path::Path;

const VERSIONS: [(&str, Dialect); 9] = [
    ("legacy", Dialect::Legacy),
    ("legacy-icpc", Dialect::LegacyIcpc),
    ("icpc", Dialect::LegacyIcpc),
    ("2023-07-draft", Dialect::Draft2023),
    ("2023-07", Dialect::Draft2023),
    ("draft", Dialect::V2025),
    ("2025-09-draft", Dialect::V2025),
    ("2025-09", Dialect::V2025),
    ("1.0", Dialect::Legacy),
];

impl Package {
    /// Reads the package at `path`.
    ///
    /// # Errors
    /// What keeps it from being judged: the file, the line where there is one, and how to mend
    /// it. What is wrong but does no harm is in [`Package::findings`].
    pub fn read(path: &Path) -> Result<Package, PackageError> {
        let metadata = path
            .metadata()
            .map_err(|e| PackageError::new(path, format!("failed to read: {e}")))?;
        if !metadata.is_dir() {
            return Err(PackageError::new(path, "is not a directory"));
        }
        read_directory(path, id_of(path))
    }
}

/// The last part of the path, which names the package.
fn id_of(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match real.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "package".to_owned(),
    }
}

fn read_directory(path: &Path, id: String) -> Result<Package, PackageError> {
    let tree = Tree::new(path)?;
    let file = path.join("problem.yaml");
    if file.is_file() {
        let yaml = yaml::read(&file)?;
        return match dialect(&yaml)? {
            version @ (Dialect::Legacy | Dialect::LegacyIcpc) => {
                legacy::read(tree, id, &yaml, version)
            }
            version => icpc2025::read(tree, id, &yaml, version),
        };
    }
    if path.join("data/secret").is_dir() || path.join("data/sample").is_dir() {
        let mut tree = tree;
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
    Err(
        PackageError::new(path, "is no problem package: it has no `problem.yaml`")
            .remedy("give the directory that holds `problem.yaml` and `data`"),
    )
}

fn dialect(yaml: &Node) -> Result<Dialect, PackageError> {
    match yaml.get("problem_format_version") {
        // A version of legacy does not say so; a typo in the key must not make one.
        None => {
            for (key, _) in yaml.entries()? {
                let name = key.scalar().unwrap_or_default();
                if strsim::damerau_levenshtein(name, "problem_format_version") <= 5 {
                    return Err(key.unknown_key(&["problem_format_version"]));
                }
            }
            Ok(Dialect::Legacy)
        }
        Some(version) => version.choice(&VERSIONS),
    }
}
