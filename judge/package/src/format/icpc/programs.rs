//! Finds validators and other programs in packages of the ICPC formats.

use crate::error::PackageError;
use crate::input::tree::{Entry, Tree};
use crate::model::{InputValidator, InputValidatorKind};
use std::path::{Path, PathBuf};

/// Extensions of files next to programs that are not programs.
const NOT_PROGRAMS: [&str; 13] = [
    ".md", ".txt", ".h", ".hpp", ".hh", ".o", ".class", ".pyc", ".exe", ".json", ".yaml", ".pdf",
    ".out",
];

/// Extensions of files that BAPCtools ignores; its skeletons contain such files.
const SET_ASIDE: [&str; 2] = [".template", ".disabled"];

/// Whether a file is ignored because of its name.
pub fn is_set_aside(name: &str) -> bool {
    SET_ASIDE.iter().any(|end| name.ends_with(end))
}

/// The programs directly in the directory `name` of the package, sorted.
pub fn list(tree: &mut Tree, name: &str) -> Result<Vec<Entry>, PackageError> {
    let dir = tree.root.join(name);
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = tree.list(&dir)?;
    found.retain(|entry| {
        entry.name != "__pycache__"
            && entry.name != "README"
            && !is_set_aside(&entry.name)
            && (entry.is_dir || !NOT_PROGRAMS.iter().any(|end| entry.name.ends_with(end)))
    });
    Ok(found)
}

/// The only program in the directory `name`: a file or subdirectory, or `name` itself if it
/// contains the sources.
pub fn single(tree: &mut Tree, name: &str) -> Result<Option<PathBuf>, PackageError> {
    let dir = tree.root.join(name);
    let found = list(tree, name)?;
    // A source file next to headers or a `build` script is a program of several files, so the
    // directory is the program. `output_validator/validator.py` and `output_validator/validator/`
    // alone are programs by themselves.
    let files = std::fs::read_dir(&dir).map_or(0, |entries| {
        entries
            .flatten()
            .filter(|entry| {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                !name.starts_with('.') && !is_set_aside(&name)
            })
            .count()
    });
    Ok(match found.as_slice() {
        [] => None,
        [only] if files == 1 => Some(only.path.clone()),
        [only] if only.is_dir => Some(only.path.clone()),
        _ => Some(dir),
    })
}

/// Legacy's output validators: each file or directory in `output_validators/` is one, unless a
/// header or a `build` script shows that the sources belong together.
pub fn output_validators(tree: &mut Tree) -> Result<Vec<PathBuf>, PackageError> {
    for name in ["output_validators", "output_validator"] {
        let found = list(tree, name)?;
        let dir = tree.root.join(name);
        let together = found
            .iter()
            .any(|entry| !entry.is_dir && matches!(entry.name.as_str(), "build" | "run"))
            || name == "output_validator" && found.len() > 1
            || found.iter().any(|entry| !entry.is_dir) && holds_header(&dir);
        if together {
            return Ok(vec![dir]);
        }
        if !found.is_empty() {
            return Ok(found.into_iter().map(|entry| entry.path).collect());
        }
    }
    Ok(Vec::new())
}

fn holds_header(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            [".h", ".hh", ".hpp"].iter().any(|end| name.ends_with(end))
        })
    })
}

/// The programs in `input_validators/`, or in the older names of that directory.
pub fn input_validators(tree: &mut Tree) -> Result<Vec<InputValidator>, PackageError> {
    let mut validators = Vec::new();
    for name in ["input_validators", "input_format_validators"] {
        for entry in list(tree, name)? {
            let kind = match entry.name.rsplit_once('.') {
                _ if entry.is_dir => InputValidatorKind::Program,
                Some((_, "ctd")) => InputValidatorKind::Checktestdata,
                Some((_, "viva")) => InputValidatorKind::Viva,
                _ => InputValidatorKind::Program,
            };
            validators.push(InputValidator {
                path: entry.path,
                kind,
            });
        }
    }
    Ok(validators)
}
