//! Building crates of the workspace with cargo.

use crate::error::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What cargo made of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CargoBuild {
    /// Its executables, by binary target.
    Ready(BTreeMap<String, PathBuf>),
    /// The compiler's message.
    Failed(String),
}

/// The binary targets to build, by package.
pub type Targets = BTreeMap<String, Vec<String>>;

/// Builds binary targets of packages of the workspace at `root`, optimised.
///
/// One run of cargo builds them all; when it fails, each is built by itself, so that an error
/// falls on the package that has it.
///
/// # Errors
///
/// When cargo cannot be started or stopped for a reason that is no compile error.
pub fn build(root: &Path, targets: &Targets) -> Result<BTreeMap<String, CargoBuild>, Failure> {
    let mut results = BTreeMap::new();
    if targets.is_empty() {
        return Ok(results);
    }
    let (ok, executables, message) = cargo_build(root, targets)?;
    for (package, names) in targets {
        let result = if ok {
            CargoBuild::Ready(executables.get(package).cloned().unwrap_or_default())
        } else if targets.len() == 1 {
            CargoBuild::Failed(message.clone())
        } else {
            let (ok, mut executables, message) =
                cargo_build(root, &Targets::from([(package.clone(), names.clone())]))?;
            if ok {
                CargoBuild::Ready(executables.remove(package).unwrap_or_default())
            } else {
                CargoBuild::Failed(message)
            }
        };
        results.insert(package.clone(), result);
    }
    Ok(results)
}

type Executables = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// One line of `cargo build --message-format=json`, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

fn cargo_build(root: &Path, targets: &Targets) -> Result<(bool, Executables, String), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command
        .current_dir(root)
        .args(["build", "--release", "--quiet"])
        .arg("--message-format=json-render-diagnostics")
        .stdin(Stdio::null());
    for (package, names) in targets {
        command.args(["--package", package]);
        for name in names {
            command.args(["--bin", name]);
        }
    }
    let output = command.output().map_err(|e| {
        Failure::usage(format!(
            "failed to start {}: {e}; install Rust from https://rustup.rs, or judge a program \
             directly with --submission",
            cargo.to_string_lossy()
        ))
    })?;
    let mut executables = Executables::new();
    for line in output.stdout.split(|&b| b == b'\n') {
        // Lines that are no such message are a build script's output: none of our business.
        let Ok(message) = serde_json::from_slice::<Message>(line) else {
            continue;
        };
        if message.reason != "compiler-artifact" {
            continue;
        }
        if let (Some(manifest), Some(target), Some(executable)) =
            (message.manifest_path, message.target, message.executable)
        {
            let package = super::workspace::name_of(&manifest)?;
            executables
                .entry(package)
                .or_default()
                .insert(target.name, executable);
        }
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Ok((output.status.success(), executables, message))
}
