//! Interprets the names that a command is given: ids and paths of packages, and programs; and what
//! the current directory implies where there are none.

use super::folder;
use super::output::say;
use super::select::{self, ReadPackage};
use crate::error::Failure;
use crate::submission::Workspace;
use judge_package::Package;
use std::path::{Path, PathBuf};

/// The targets that the command line names.
pub struct Request<'a> {
    /// Ids and paths of packages, and paths of programs.
    pub names: &'a [String],
    /// Programs.
    pub submissions: &'a [PathBuf],
    /// The user's table of languages.
    pub languages: Option<&'a Path>,
    /// Reads a named package.
    pub read: &'a ReadPackage<'a>,
}

/// The packages and programs to judge.
#[derive(Debug)]
pub struct Targets {
    /// The packages.
    pub packages: Vec<Package>,
    /// The programs that are named or implied; empty if the packages say which they are.
    pub programs: Vec<PathBuf>,
    /// Whether the program is the newest source file of the current directory, which is not named.
    pub is_newest: bool,
}

/// Finds packages and programs for the names of the command line in the current directory `here`.
///
/// # Errors
///
/// If a name is neither a package nor a program, a package is broken, or nothing is found.
pub fn find(
    request: &Request<'_>,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Targets, Failure> {
    let mut paths = Vec::new();
    let mut programs = Vec::new();
    for name in request.names {
        let path = select::path_of(name, workspace)?;
        match is_program(&path) {
            true => programs.push(PathBuf::from(name)),
            false => paths.push(path),
        }
    }
    let mut is_newest = false;
    let mut packages = select::read(paths, request.read)?;
    if packages.is_empty() {
        packages = match programs.first() {
            Some(program) => vec![package_of(program, here, workspace)?],
            None if folder::package_dir(here, workspace).is_none() && workspace.is_some() => {
                select::packages(&[], workspace)?
            }
            None => {
                if request.submissions.is_empty() {
                    programs.extend(newest(&[], request.languages, here, workspace)?);
                    is_newest = !programs.is_empty();
                }
                vec![folder::package(here, workspace)?]
            }
        };
    }
    programs.extend(request.submissions.iter().cloned());
    Ok(Targets {
        packages,
        programs,
        is_newest,
    })
}

/// Whether a named path is a program rather than a package: a file that is no archive.
pub fn is_program(path: &Path) -> bool {
    let is_archive = |end: &str| path.extension().is_some_and(|found| found == end);
    let is_part = folder::CONFIGURATIONS
        .iter()
        .any(|name| path.file_name().is_some_and(|found| found == *name));
    path.is_file() && !["zip", "kpp"].into_iter().any(is_archive) && !is_part
}

/// The package of a program: that of its directory, or else that of the current one.
///
/// # Errors
///
/// If there is none.
pub fn package_of(
    program: &Path,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Package, Failure> {
    let dir = folder::dir_of(program)?;
    let dirs = [dir.as_path(), here];
    let found = dirs
        .into_iter()
        .find(|dir| folder::package_dir(dir, workspace).is_some());
    folder::package(found.unwrap_or(&dir), workspace)
}

/// The newest source file of the current directory, except in the crates of a workspace, which
/// cargo builds, and except files that are named like one of `except`.
///
/// # Errors
///
/// If the directory or the user's table of languages cannot be read.
pub fn newest(
    except: &[&str],
    languages: Option<&Path>,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Option<PathBuf>, Failure> {
    if workspace.is_some_and(|workspace| here.starts_with(workspace.root.join("problems"))) {
        return Ok(None);
    }
    let path = folder::newest_source(here, except, languages)?;
    Ok(path.and_then(|path| Some(PathBuf::from(path.file_name()?))))
}

/// Says on standard error which program was taken.
pub fn say_newest(program: &Path) {
    let name = program.display();
    say(&format!("judging {name}, the newest source file here"));
}
