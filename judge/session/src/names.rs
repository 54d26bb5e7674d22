//! Looks up the names that a command is given, and suggests similar ones.

use super::folder::{is_source, package_dir};
use judge_core::error::Failure;
use judge_core::language::Languages;
use judge_core::submission::Workspace;
use judge_package::is_archive;
use judge_package::yaml::nearest;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The path of a package given by id or path, or without a name that of the package in or above `here`. `command` is the
/// command to repeat with a name.
pub fn package_or_here(
    name: Option<&str>,
    here: &Path,
    workspace: Option<&Workspace>,
    command: &str,
) -> Result<PathBuf, Failure> {
    match name {
        Some(name) => path_of(name, workspace),
        None => package_dir(here, workspace)
            .ok_or_else(|| Failure::usage("no package here").help(format!("{command} PACKAGE"))),
    }
}

/// Whether this is an address of the web, such as that of a problem.
pub fn is_address(name: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// The remedy for an address of a problem, which other tools download.
pub const OF_ADDRESS: &str = "take the problem from the browser: `judge new --listen --into .`, with the extension Competitive \
                              Companion";

/// The path of a package or program given by id or path.
pub fn path_of(name: &str, workspace: Option<&Workspace>) -> Result<PathBuf, Failure> {
    if let Some(workspace) = workspace {
        let path = workspace.root.join("testdata").join(name);
        if !name.is_empty() && !name.contains('/') && path.is_dir() {
            return Ok(path);
        }
    }
    // Absolute, because boxes mount files at their host paths.
    if let Ok(path) = std::path::absolute(name) {
        match std::fs::metadata(&path) {
            Ok(_) => return Ok(path),
            Err(e) if path.is_symlink() => {
                return Err(Failure::usage(format!(
                    "{name}: is a symbolic link that leads nowhere: {e}"
                ))
                .help("fix or remove the link"));
            }
            Err(e) if e.kind() == ErrorKind::PermissionDenied => {
                return Err(Failure::usage(format!("{name}: cannot be read: {e}"))
                    .help("fix the permissions of the directories above it"));
            }
            Err(_) => {}
        }
    }
    let ids: Vec<String> = match workspace {
        Some(workspace) => workspace
            .packages()?
            .iter()
            .filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()))
            .collect(),
        None => Vec::new(),
    };
    let help = match did_you_mean(name, &ids) {
        _ if is_address(name) => OF_ADDRESS.to_owned(),
        Some(help) => help,
        None if ids.is_empty() => {
            "name a program, a directory with its cases, or a package".to_owned()
        }
        None => format!("the ids here are {}", ids.join(", ")),
    };
    let what = match workspace {
        Some(_) => "neither an id in testdata/ nor a path",
        None => "no such file or directory",
    };
    Err(Failure::usage(format!("no package or program {name:?}: {what}")).help(help))
}

/// The help for a missing file: the most similar name beside it, if any.
pub fn similar(name: &str) -> Option<String> {
    did_you_mean(name, &[])
}

/// The help that suggests the most similar of the ids and of the names beside `name`, if any is similar.
/// Only file names are compared: a common directory makes no two names similar.
fn did_you_mean(name: &str, ids: &[String]) -> Option<String> {
    let path = Path::new(name);
    let beside = names_beside(path);
    let known: Vec<&str> = beside.iter().chain(ids).map(String::as_str).collect();
    let own = path.file_name().map_or(name.into(), OsStr::to_string_lossy);
    let is_extended = |known: &&&str| {
        let rest = known.strip_prefix(&*own);
        !own.is_empty() && rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let near = match known.iter().find(is_extended) {
        Some(known) => known,
        None => nearest(&own, &known)?,
    };
    let near = match beside.iter().any(|name| name == near) {
        true => path.with_file_name(near).display().to_string(),
        false => near.to_owned(),
    };
    Some(format!("did you mean {near}?"))
}

/// The names of the directories, archives and programs in the directory of `path`.
fn names_beside(path: &Path) -> Vec<String> {
    let languages = Languages::built_in();
    let is_meant = |path: &Path| {
        path.is_dir()
            || is_archive(path)
            || is_source(&languages, path)
            || judge_os::is_executable(path)
    };
    let dir = path.parent().unwrap_or(Path::new(""));
    let listed = match dir.as_os_str().is_empty() {
        true => Path::new("."),
        false => dir,
    };
    let entries = std::fs::read_dir(listed).into_iter().flatten().flatten();
    entries
        .filter(|entry| is_meant(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
