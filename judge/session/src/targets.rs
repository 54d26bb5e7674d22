//! Interprets the names that a command is given: ids and paths of packages, and programs; and what
//! the current directory implies where there are none.

use super::folder;
use super::names;
use super::output::say;
use super::select::{self, ReadPackage};
use judge_core::error::Failure;
use judge_core::submission::Workspace;
use judge_core::text::shell_word;
use judge_package::{Package, directories_of_cases, has_directory_of_cases, is_archive};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The targets that the command line names.
pub struct Request<'a> {
    /// Ids and paths of packages, and paths of programs.
    pub names: &'a [String],
    pub submissions: &'a [PathBuf],
    /// The user's table of languages.
    pub languages: Option<&'a Path>,
    pub read: &'a ReadPackage<'a>,
}

/// A package, and the programs to judge over it.
#[derive(Debug)]
pub struct Target {
    pub package: Package,
    /// The programs that are named or implied; empty if the package says which they are.
    pub programs: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct Targets {
    /// The packages, each with its programs.
    pub targets: Vec<Target>,
    /// Whether the program is the newest source file of the current directory, which is not named.
    pub is_newest: bool,
}

impl Targets {
    /// The programs that are named or implied; one that is judged over several packages occurs
    /// several times.
    pub fn programs(&self) -> impl Iterator<Item = &PathBuf> {
        self.targets.iter().flat_map(|target| &target.programs)
    }
}

/// Finds packages and programs for the names of the command line in the current directory `here`.
/// Fails if a name is neither a package nor a program, a package is broken, or nothing is found.
pub fn find(
    request: &Request<'_>,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Targets, Failure> {
    let mut paths = Vec::new();
    let mut programs = Vec::new();
    let mut known = HashSet::new();
    // What is named twice is judged once.
    let mut is_new = |path: &Path| known.insert(path.canonicalize().unwrap_or(path.to_owned()));
    for name in request.names {
        let path = names::path_of(name, workspace)?;
        if !is_new(&path) {
            continue;
        }
        match is_program(&path) {
            true => programs.push(PathBuf::from(name)),
            false => paths.push(path),
        }
    }
    let submissions = request.submissions.iter().filter(|path| is_new(path));
    let submissions: Vec<PathBuf> = submissions.cloned().collect();
    let mut is_newest = false;
    let over_each = |programs: &[PathBuf], packages: Vec<Package>| -> Vec<Target> {
        let target = |package| Target {
            package,
            programs: programs.to_vec(),
        };
        packages.into_iter().map(target).collect()
    };
    let packages = select::read(paths, request.read)?;
    let mut targets = if !packages.is_empty() {
        over_each(&programs, packages)
    } else if !programs.is_empty() {
        packages_of(programs, here, workspace)?
    } else if folder::package_dir(here, workspace).is_none() && workspace.is_some() {
        over_each(&[], select::packages(&[], here, workspace)?)
    } else {
        if submissions.is_empty() {
            programs.extend(newest(&[], request.languages, here, workspace)?);
            is_newest = !programs.is_empty();
        }
        over_each(&programs, vec![folder::package(here, workspace)?])
    };
    make_ids_unique(&mut targets, workspace);
    for target in &mut targets {
        target.programs.extend_from_slice(&submissions);
    }
    Ok(Targets { targets, is_newest })
}

/// Adds a number to the id of a folder that is named like another one, because reports distinguish packages
/// by their ids. A package of the workspace keeps its id, by which its crate is found.
fn make_ids_unique(targets: &mut [Target], workspace: Option<&Workspace>) {
    for k in 1..targets.len() {
        let (before, [target, ..]) = targets.split_at_mut(k) else {
            return;
        };
        let before = || before.iter().map(|target| &target.package);
        let package = &mut target.package;
        let is_same = before().any(|other| other.root == package.root);
        let is_inside = workspace.is_some_and(|w| package.root.starts_with(&w.root));
        if is_same || is_inside {
            continue;
        }
        let id = package.id.clone();
        let mut number = 1;
        while before().any(|other| other.id == package.id) {
            number += 1;
            package.id = format!("{id}-{number}");
        }
    }
}

/// Whether a named path is a program rather than a package: a file that is no archive.
pub fn is_program(path: &Path) -> bool {
    let is_part = folder::CONFIGURATIONS
        .iter()
        .any(|name| path.file_name().is_some_and(|found| found == *name));
    path.is_file() && !is_archive(path) && !is_part && !Package::is_of_unread_format(path)
}

/// The packages of programs, each with its programs: that of a program's directory, or else that of
/// the current one.
/// Fails if a program has none.
fn packages_of(
    programs: Vec<PathBuf>,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Result<Vec<Target>, Failure> {
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut found: Vec<Target> = Vec::new();
    for program in programs {
        let dir = folder::dir_of(&program)?;
        let read = match root_of(&program, &dir, here, workspace) {
            Some(root) => {
                report_own_directory(&program, &dir, &root);
                report_current_directory(&program, &dir, &root, here);
                Ok(root)
            }
            None => Err(dir.as_path()),
        };
        let root = match &read {
            Ok(root) => root.canonicalize().unwrap_or(root.clone()),
            Err(dir) => dir.to_path_buf(),
        };
        match roots.iter().position(|known| *known == root) {
            Some(k) => found[k].programs.push(program),
            None => {
                found.push(Target {
                    package: match read {
                        Ok(root) => Package::read(&root)?,
                        Err(dir) => folder::package(dir, workspace)?,
                    },
                    programs: vec![program],
                });
                roots.push(root);
            }
        }
    }
    Ok(found)
}

/// The package of a program in `dir`: that of this directory, or else that of the current one, or else the program's own
/// directory of cases.
fn root_of(
    program: &Path,
    dir: &Path,
    here: &Path,
    workspace: Option<&Workspace>,
) -> Option<PathBuf> {
    // While a program's own cases are missing, it is not judged over those of another problem.
    let places = match has_directory_of_cases(dir) {
        true => vec![dir],
        false => vec![dir, here],
    };
    let mut places = places.into_iter();
    let near = places.find_map(|dir| folder::package_dir(dir, workspace));
    near.or_else(|| folder::cases_named_like(program, dir))
}

/// Says that a directory with the program's name has cases, where those of its folder are taken.
fn report_own_directory(program: &Path, dir: &Path, root: &Path) {
    let own = dir.join(program.file_stem().unwrap_or_default());
    let is_read = directories_of_cases(dir).contains(&own);
    if root == dir && !is_read && !folder::is_configured(dir) && Package::is_recognised(&own) {
        say(&format!(
            "warning: {}: has cases that are not read, because there are others in this folder\n  help: keep the cases in \
             one place, or name the directory that you want",
            judge_os::plain_path(&own).display()
        ));
    }
}

/// Says that the current directory has cases, where those beside a program elsewhere are taken.
fn report_current_directory(program: &Path, dir: &Path, root: &Path, here: &Path) {
    let is_place = directories_of_cases(dir).iter().any(|place| place == here);
    let is_elsewhere = root == dir && !dir.starts_with(here) && !is_place;
    if is_elsewhere && !folder::is_configured(dir) && Package::is_recognised(here) {
        say(&format!(
            "warning: the cases of the current directory are not read, because there are some beside {0}\n  help: to take \
             them: judge run . {0}",
            shell_word(&program.to_string_lossy())
        ));
    }
}

/// Whether a program that is named without a package has cases.
///
/// # Errors
///
/// If its directory or the current one cannot be read.
pub fn has_cases(program: &Path) -> Result<bool, Failure> {
    let (here, workspace) = Workspace::here()?;
    let dir = folder::dir_of(program)?;
    Ok(root_of(program, &dir, &here, workspace.as_ref()).is_some())
}

/// The newest source file of the current directory, except in the crates of a workspace, which
/// cargo builds, and except files that are named like one of `except`.
/// Fails if the directory or the user's table of languages cannot be read.
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
