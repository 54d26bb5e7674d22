//! Finds validators and other programs in packages of the ICPC formats.

use crate::error::PackageError;
use crate::input::tree::{Entry, Tree, names};
use crate::model::{InputValidator, InputValidatorKind};
use std::path::PathBuf;

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
    let files = names(&dir).filter(|name| !name.starts_with('.') && !is_set_aside(name));
    let files = files.count();
    Ok(match found.as_slice() {
        [] => None,
        [only] if files == 1 || only.is_dir => Some(only.path.clone()),
        _ => Some(dir),
    })
}

/// Legacy's output validators: each file or directory in `output_validators/` is one, unless a
/// header or a `build` script shows that the sources belong together.
pub fn output_validators(tree: &mut Tree) -> Result<Vec<PathBuf>, PackageError> {
    for name in ["output_validators", "output_validator"] {
        let found = list(tree, name)?;
        let dir = tree.root.join(name);
        let mut files = found.iter().filter(|entry| !entry.is_dir);
        let is_header = |name: String| [".h", ".hh", ".hpp"].iter().any(|end| name.ends_with(end));
        let together = name == "output_validator" && found.len() > 1
            || files
                .clone()
                .any(|entry| ["build", "run"].contains(&entry.name.as_str()))
            || files.next().is_some() && names(&dir).any(is_header);
        if together {
            return Ok(vec![dir]);
        }
        if !found.is_empty() {
            return Ok(found.into_iter().map(|entry| entry.path).collect());
        }
    }
    Ok(Vec::new())
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
            let path = entry.path;
            validators.push(InputValidator { path, kind });
        }
    }
    Ok(validators)
}
