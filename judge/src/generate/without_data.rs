//! Reads a package without its data, which may be missing or broken.

use super::install::failed;
use crate::error::Failure;
use judge_package::{Package, Validator};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Reads the package at `root` without its test cases.
///
/// # Errors
///
/// An error in any other part of the package.
pub fn read(root: &Path) -> Result<Package, Failure> {
    if !root.join("problem.yaml").is_file() {
        return Err(Failure::usage(format!(
            "{}: no package with a problem.yaml; only such a package's data can be made",
            root.display()
        )));
    }
    let real = root.canonicalize().map_err(failed("read", root))?;
    let dir = tempfile::tempdir()
        .map_err(|e| Failure::internal(format!("failed to make a directory: {e}")))?;
    let copy = dir.path().join(real.file_name().unwrap_or_default());
    copy_without_data(&real, &copy)?;
    // Every reader requires at least one case.
    let secret = copy.join("data").join("secret");
    fs::create_dir_all(&secret).map_err(failed("create", &secret))?;
    for name in ["1.in", "1.ans"] {
        let path = secret.join(name);
        fs::write(&path, "1\n").map_err(failed("write", &path))?;
    }
    let mut package = Package::read(&copy).map_err(|mut error| {
        if let Ok(inside) = error.path.strip_prefix(&copy) {
            error.path = root.join(inside);
        }
        error
    })?;
    let there = |path: &mut PathBuf| {
        if let Ok(inside) = path.strip_prefix(&copy) {
            *path = real.join(inside);
        }
    };
    there(&mut package.root);
    // The package is in its repository, not unpacked from an archive: its programs may use files
    // that the repository shares between packages.
    package.origin.clone_from(&package.root);
    let submissions = package.submissions.iter_mut().map(|s| &mut s.path);
    let validators = package.input_validators.iter_mut().map(|v| &mut v.path);
    let others = [
        &mut package.include,
        &mut package.static_validator,
        &mut package.grader,
    ];
    let others = others.into_iter().flatten();
    submissions.chain(validators).chain(others).for_each(there);
    for validator in package.validation.validators_mut() {
        if let Validator::Program { path, .. } = validator {
            there(path);
        }
    }
    package.data.cases.clear();
    package.data.groups.clear();
    Ok(package)
}

/// Copies a package without `data/` and `generators/`; symbolic links are followed.
pub fn copy_without_data(from: &Path, to: &Path) -> Result<(), Failure> {
    let walk = WalkDir::new(from).follow_links(true).sort_by_file_name();
    let walk = walk.into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        let skipped = name == "data" || name == "generators" || name.starts_with(".judge-gen-");
        entry.depth() != 1 || !skipped
    });
    for entry in walk {
        let entry = entry.map_err(|e| Failure::usage(format!("failed to read: {e}")))?;
        let path = entry.path();
        let target = to.join(path.strip_prefix(from).unwrap_or(path));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).map_err(failed("create", &target))?;
        } else {
            fs::copy(path, &target).map_err(failed("copy", path))?;
        }
    }
    Ok(())
}
