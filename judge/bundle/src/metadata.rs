//! The part of the output of `cargo metadata` that the bundler reads.

use super::error::BundleError;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A package, as `cargo metadata` prints it.
#[derive(Deserialize, Debug)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub description: Option<String>,
    pub license: Option<String>,
    pub source: Option<String>,
    pub manifest_path: PathBuf,
    pub edition: String,
    pub dependencies: Vec<Dependency>,
    pub features: BTreeMap<String, Vec<String>>,
    pub targets: Vec<CargoTarget>,
    pub metadata: serde_json::Value,
}

#[derive(Deserialize, Debug)]
pub struct Dependency {
    pub name: String,
    pub rename: Option<String>,
    pub kind: Option<String>,
    pub optional: bool,
    pub features: Vec<String>,
    pub uses_default_features: bool,
    pub target: Option<String>,
    pub path: Option<PathBuf>,
}

#[derive(Deserialize, Debug)]
pub struct CargoTarget {
    pub name: String,
    pub kind: Vec<String>,
    pub src_path: PathBuf,
}

#[derive(Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
}

impl Dependency {
    pub fn key(&self) -> &str {
        self.rename.as_ref().unwrap_or(&self.name)
    }

    /// The feature that enables it, if it is optional.
    pub fn feature(&self) -> String {
        format!("dep:{}", self.key())
    }
}

impl CargoTarget {
    pub fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|own| own == kind)
    }
}

impl Package {
    pub fn lib(&self) -> Option<&CargoTarget> {
        let kinds = ["lib", "rlib", "dylib", "cdylib", "staticlib"];
        let is_lib = |target: &&CargoTarget| kinds.iter().any(|kind| target.is(kind));
        self.targets.iter().find(is_lib)
    }

    pub fn bin(&self, name: Option<&str>) -> Result<&CargoTarget, BundleError> {
        let bins = self.targets.iter().filter(|target| target.is("bin"));
        let bins: Vec<&CargoTarget> = bins.collect();
        let names: Vec<&str> = bins.iter().map(|t| t.name.as_str()).collect();
        let wanted = name.unwrap_or(&self.name);
        let found = bins.iter().find(|target| target.name == wanted);
        let found = found.or(match (name, &bins[..]) {
            (None, [only]) => Some(only),
            _ => None,
        });
        found.copied().ok_or_else(|| {
            let what = match name {
                Some(name) => format!("package {} has no binary {name}", self.name),
                None => format!("package {} has no main binary", self.name),
            };
            let remedy = match &names[..] {
                [] => "add a src/main.rs".to_owned(),
                names => format!("its binaries are: {}", names.join(", ")),
            };
            BundleError::file(&self.manifest_path, what, remedy)
        })
    }
}

pub fn cargo_metadata(manifest: &Path, offline: bool) -> Result<Metadata, BundleError> {
    let failed = |what: String| BundleError::file(manifest, what, "fix what cargo reports");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .stdin(Stdio::null());
    // Cargo reads the configuration of its directory, which may replace the registry.
    if let Some(dir) = manifest.parent() {
        command.current_dir(dir);
    }
    if offline {
        command.arg("--offline");
    }
    let output = command
        .output()
        .map_err(|e| failed(format!("failed to start {}: {e}", cargo.to_string_lossy())))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(failed(stderr.trim().to_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| failed(format!("cargo metadata: {e}")))
}

/// Whether a dependency for `target` applies to the judges' platform.
pub fn for_our_platform(target: Option<&str>) -> bool {
    let Some(target) = target else { return true };
    let predicate = target.strip_prefix("cfg(");
    match predicate.and_then(|rest| rest.strip_suffix(')')) {
        Some(predicate) => super::cfg::Cfg::new(&BTreeSet::new()).text(predicate) != Some(false),
        None => target == super::rustc::PLATFORM,
    }
}
