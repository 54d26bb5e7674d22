//! The workspace: packages in `testdata/`, crates in `problems/`.

use crate::error::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A directory with `testdata/` and `problems/`.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The directory.
    pub root: PathBuf,
}

/// A crate of `problems/`, as far as the judge uses it.
#[derive(Clone, Debug)]
pub struct ProblemCrate {
    /// Its directory.
    pub dir: PathBuf,
    /// The name of its package.
    pub name: String,
    /// Its main binary target.
    pub main: String,
    /// Settings of single binaries in its manifest.
    pub bins: BTreeMap<String, BinNotes>,
}

/// `[package.metadata.judge.bins.NAME]`: how to judge a slow or wrong binary.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinNotes {
    /// CPU seconds per case, instead of the package's.
    pub time_limit: Option<f64>,
    /// Codes of the expected verdicts; `AC` by default.
    pub expected: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Manifest {
    package: ManifestPackage,
    #[serde(default)]
    bin: Vec<ManifestBin>,
}

/// `[[bin]]`: a binary target that is named in the manifest.
#[derive(Deserialize)]
struct ManifestBin {
    name: String,
    path: Option<PathBuf>,
}

impl Manifest {
    /// Reads the manifest at `path`; errors name line and column.
    fn read(path: &Path) -> Result<Self, Failure> {
        let broken = |what: String| Failure::usage(format!("{}: {what}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| broken(e.to_string()))?;
        toml::from_str(&text).map_err(|e| broken(e.to_string()))
    }

    /// The binary built from `src/main.rs`: named after the package, unless the manifest renames
    /// it.
    fn main(&self) -> &str {
        let is_main = |bin: &&ManifestBin| bin.path.as_deref() == Some(Path::new("src/main.rs"));
        let named = self.bin.iter().find(is_main);
        named.map_or(&self.package.name, |bin| &bin.name)
    }
}

/// The name of the package with this manifest.
pub(super) fn name_of(manifest: &Path) -> Result<String, Failure> {
    Ok(Manifest::read(manifest)?.package.name)
}

#[derive(Deserialize)]
struct ManifestPackage {
    name: String,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(default)]
    judge: JudgeMetadata,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct JudgeMetadata {
    #[serde(default)]
    bins: BTreeMap<String, BinNotes>,
    /// Accepted here, but read by `judge_bundle` from cargo's metadata.
    #[serde(default, rename = "bundle")]
    _bundle: toml::Table,
}

impl ProblemCrate {
    /// The targets in `src/bin/`, sorted by name.
    pub fn method_targets(&self) -> Result<Vec<String>, Failure> {
        let dir = self.dir.join("src").join("bin");
        if !dir.is_dir() {
            return Ok(Vec::new());
        }
        WalkDir::new(&dir)
            .min_depth(1)
            .max_depth(1)
            .sort_by_file_name()
            .into_iter()
            .filter_map(|entry| match entry {
                Ok(entry) => {
                    let path = entry.path();
                    let is_target = path.extension().is_some_and(|e| e == "rs")
                        || path.join("main.rs").is_file();
                    let name = path.file_stem()?.to_string_lossy().into_owned();
                    is_target.then_some(Ok(name))
                }
                Err(e) => Some(Err(Failure::usage(format!(
                    "failed to read {}: {e}",
                    dir.display()
                )))),
            })
            .collect()
    }
}

impl Workspace {
    /// The workspace around `start`: the nearest ancestor directory with a `Cargo.toml` and a
    /// `testdata/`.
    pub fn around(start: &Path) -> Option<Self> {
        start
            .ancestors()
            .find(|dir| dir.join("Cargo.toml").is_file() && dir.join("testdata").is_dir())
            .map(|root| Workspace {
                root: root.to_owned(),
            })
    }

    /// The current directory and the workspace around it.
    ///
    /// # Errors
    ///
    /// If the current directory is gone.
    pub fn here() -> Result<(PathBuf, Option<Self>), Failure> {
        let here = std::env::current_dir()
            .map_err(|e| Failure::usage(format!("failed to find the current directory: {e}")))?;
        let workspace = Self::around(&here);
        Ok((here, workspace))
    }

    /// The directories in `testdata/`, sorted by name.
    pub fn packages(&self) -> Result<Vec<PathBuf>, Failure> {
        let testdata = self.root.join("testdata");
        let mut found = Vec::new();
        for entry in WalkDir::new(&testdata)
            .min_depth(1)
            .max_depth(1)
            .sort_by_file_name()
        {
            let entry = entry.map_err(|e| {
                Failure::usage(format!("failed to read {}: {e}", testdata.display()))
            })?;
            if entry.file_type().is_dir() {
                found.push(entry.into_path());
            }
        }
        Ok(found)
    }

    /// The crate of the problem with this id, if there is one.
    ///
    /// # Errors
    ///
    /// If its `Cargo.toml` is invalid, with line and column.
    pub fn problem(&self, id: &str) -> Result<Option<ProblemCrate>, Failure> {
        let dir = self.root.join("problems").join(id);
        let path = dir.join("Cargo.toml");
        if !path.is_file() {
            return Ok(None);
        }
        let manifest = Manifest::read(&path)?;
        Ok(Some(ProblemCrate {
            dir,
            main: manifest.main().to_owned(),
            name: manifest.package.name,
            bins: manifest.package.metadata.judge.bins,
        }))
    }
}
