//! Builds crates of the workspace with cargo.

use crate::error::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of building a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CargoBuild {
    /// The executables by binary target.
    Ready(BTreeMap<String, PathBuf>),
    /// The compiler's message.
    Failed(String),
}

/// The binary targets to build, by package.
pub type Targets = BTreeMap<String, Vec<String>>;

/// Builds binary targets of packages of the workspace at `root`, optimised.
///
/// One run of cargo builds them all; if it fails, each package is built separately, to attribute
/// the errors. With `show_progress`, the first run inherits standard error, so that a long build
/// shows cargo's own progress.
/// Fails if cargo cannot be started.
pub fn build(
    root: &Path,
    targets: &Targets,
    show_progress: bool,
) -> Result<BTreeMap<String, CargoBuild>, Failure> {
    let mut results = BTreeMap::new();
    if targets.is_empty() {
        return Ok(results);
    }
    let mut built = cargo_build(root, "release", targets, show_progress)?;
    for (package, names) in targets {
        let result = if built.ok {
            CargoBuild::Ready(built.executables.remove(package).unwrap_or_default())
        } else if targets.len() == 1 && !show_progress {
            CargoBuild::Failed(std::mem::take(&mut built.message))
        } else {
            let one = Targets::from([(package.clone(), names.clone())]);
            let mut built = cargo_build(root, "release", &one, false)?;
            match built.ok {
                true => CargoBuild::Ready(built.executables.remove(package).unwrap_or_default()),
                false => CargoBuild::Failed(built.message),
            }
        };
        results.insert(package.clone(), result);
    }
    Ok(results)
}

type Executables = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// The result of one run of cargo.
struct Build {
    ok: bool,
    executables: Executables,
    /// Its standard error; empty if that was inherited.
    message: String,
}

/// One line of `cargo build --message-format=json`, as far as it is used here.
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

/// Builds one binary target of a package of the workspace with cargo's profile `dev`.
/// Fails if cargo cannot be started or the target does not compile.
pub fn build_debug(root: &Path, package: &str, target: &str) -> Result<PathBuf, Failure> {
    let targets = Targets::from([(package.to_owned(), vec![target.to_owned()])]);
    let mut built = cargo_build(root, "dev", &targets, false)?;
    let executables = built.executables.get_mut(package);
    match executables.and_then(|of_package| of_package.remove(target)) {
        Some(path) if built.ok => Ok(path),
        _ => Err(Failure::usage(format!(
            "{target} does not compile:\n{}",
            built.message
        ))),
    }
}

/// The output of `cargo metadata`, as far as it is used here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Member>,
}

#[derive(Deserialize)]
struct Member {
    name: String,
    manifest_path: PathBuf,
}

/// The packages of cargo's workspace at `root`: name and manifest. Without any if cargo cannot read the
/// workspace; a build then reports the reason.
pub fn members(root: &Path) -> Vec<(String, PathBuf)> {
    let mut command = Command::new(cargo());
    command
        .current_dir(root)
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .stdin(Stdio::null());
    let output = command.output().map(|output| output.stdout);
    let metadata = serde_json::from_slice::<Metadata>(&output.unwrap_or_default());
    let packages = metadata.map_or_else(|_| Vec::new(), |metadata| metadata.packages);
    let packages = packages.into_iter();
    packages
        .map(|member| (member.name, member.manifest_path))
        .collect()
}

fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn cargo_build(
    root: &Path,
    profile: &str,
    targets: &Targets,
    show_progress: bool,
) -> Result<Build, Failure> {
    let cargo = cargo();
    let mut command = Command::new(&cargo);
    command
        .current_dir(root)
        .args(["build", "--profile", profile])
        .stdin(Stdio::null());
    if show_progress {
        // Diagnostics go to standard output, unread: on failure, a captured run reports them.
        command
            .arg("--message-format=json")
            .stderr(Stdio::inherit());
    } else {
        command.args(["--quiet", "--message-format=json-render-diagnostics"]);
    }
    for (package, names) in targets {
        command.args(["--package", package]);
        for name in names {
            command.args(["--bin", name]);
        }
    }
    let output = command.stdout(Stdio::piped()).output().map_err(|e| {
        Failure::usage(format!(
            "failed to start {}: {e}; install Rust from https://rustup.rs, or judge a program \
             directly with --submission",
            cargo.to_string_lossy()
        ))
    })?;
    let mut executables = Executables::new();
    for line in output.stdout.split(|&b| b == b'\n') {
        // Other lines are the output of build scripts.
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
    Ok(Build {
        ok: output.status.success(),
        executables,
        message,
    })
}
