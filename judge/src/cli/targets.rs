//! Interprets the names that a command is given: ids and paths of packages, and programs; and what
//! the current directory implies where there are none.

use super::folder;
use super::names;
use super::output::say;
use super::select::{self, ReadPackage};
use crate::error::Failure;
use crate::submission::Workspace;
use judge_package::Package;
use std::collections::HashSet;
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
    /// The programs of each package, if they are in folders with different cases; otherwise empty, and
    /// every program is judged over every package.
    pub own_programs: Vec<Vec<PathBuf>>,
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
    let mut known = HashSet::new();
    for name in request.names {
        let path = names::path_of(name, workspace)?;
        // What is named twice is judged once.
        if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            continue;
        }
        match is_program(&path) {
            true => programs.push(PathBuf::from(name)),
            false => paths.push(path),
        }
    }
    let mut is_newest = false;
    let mut packages = select::read(paths, request.read)?;
    let mut own_programs = Vec::new();
    if packages.is_empty() {
        packages = match programs.first() {
            Some(_) => {
                let (packages, own) = packages_of(&programs, here, workspace)?;
                if packages.len() > 1 {
                    own_programs = own;
                }
                packages
            }
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
    make_ids_unique(&mut packages, workspace);
    for list in own_programs.iter_mut().chain([&mut programs]) {
        list.extend(request.submissions.iter().cloned());
    }
    Ok(Targets {
        packages,
        programs,
        own_programs,
        is_newest,
    })
}

/// Adds a number to the id of a folder that is named like another one, because reports distinguish packages
/// by their ids. A package of the workspace keeps its id, by which its crate is found.
fn make_ids_unique(packages: &mut [Package], workspace: Option<&Workspace>) {
    for k in 1..packages.len() {
        let (before, [package, ..]) = packages.split_at_mut(k) else {
            return;
        };
        let is_same = before.iter().any(|other| other.root == package.root);
        let is_inside = workspace.is_some_and(|w| package.root.starts_with(&w.root));
        if is_same || is_inside {
            continue;
        }
        let id = package.id.clone();
        let mut number = 1;
        while before.iter().any(|other| other.id == package.id) {
            number += 1;
            package.id = format!("{id}-{number}");
        }
    }
}

/// Whether a named path is a program rather than a package: a file that is no archive.
pub fn is_program(path: &Path) -> bool {
    let is_archive = |end: &str| path.extension().is_some_and(|found| found == end);
    let is_part = folder::CONFIGURATIONS
        .iter()
        .any(|name| path.file_name().is_some_and(|found| found == *name));
    path.is_file() && !["zip", "kpp"].into_iter().any(is_archive) && !is_part
}

/// The packages of programs, each with its programs: that of a program's directory, or else that of
/// the current one.
///
/// # Errors
///
/// If a program has none.
fn packages_of(
    programs: &[PathBuf],
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<(Vec<Package>, Vec<Vec<PathBuf>>), Failure> {
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut found: Vec<(Package, Vec<PathBuf>)> = Vec::new();
    for program in programs {
        let dir = folder::dir_of(program)?;
        let root_of = |dir| Some((dir, folder::package_dir(dir, workspace)?));
        let near = [dir.as_path(), here].into_iter().find_map(root_of);
        let (dir, root) = near.unwrap_or((&dir, dir.clone()));
        let root = root.canonicalize().unwrap_or(root);
        match roots.iter().position(|known| *known == root) {
            Some(k) => found[k].1.push(program.clone()),
            None => {
                found.push((folder::package(dir, workspace)?, vec![program.clone()]));
                roots.push(root);
            }
        }
    }
    Ok(found.into_iter().unzip())
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
