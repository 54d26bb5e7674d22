//! Reads a package without its data, which may be missing or broken.

use judge_core::error::Failure;
use judge_core::files::{copy, failed};
use judge_package::{Package, PackageError, Validator};
use judge_tempdir::TempDirectory;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the package at `root` without its test cases.
/// Fails for an error in any other part of the package.
pub fn read(root: &Path) -> Result<Package, Failure> {
    if !root.join("problem.yaml").is_file() {
        let what = "has no `problem.yaml`; only the data of a package with one can be made";
        return Err(PackageError::new(root, what)
            .remedy("give the directory that holds `problem.yaml`")
            .into());
    }
    let real = root.canonicalize().map_err(failed("read", root))?;
    let dir = TempDirectory::new("package")?;
    let copy = dir.path().join(real.file_name().unwrap_or_default());
    copy_without_data(&real, &copy)?;
    // Every reader requires at least one case.
    let secret = copy.join("data").join("secret");
    fs::create_dir_all(&secret).map_err(failed("create", &secret))?;
    for name in ["1.in", "1.ans"] {
        let path = secret.join(name);
        fs::write(&path, "1\n").map_err(failed("write", &path))?;
    }
    let mut package = read_copy(&copy, root)?;
    let there = |path: &mut PathBuf| {
        if let Ok(inside) = path.strip_prefix(&copy) {
            *path = real.join(inside);
        }
    };
    there(&mut package.root);
    // The package is in its repository, not unpacked from an archive: its programs may use files
    // that the repository shares between packages.
    package.origin.clone_from(&package.root);
    package.originals.values_mut().for_each(there);
    let submissions = package.submissions.iter_mut().map(|s| &mut s.path);
    let validators = package.input_validators.iter_mut().map(|v| &mut v.path);
    let others = [
        &mut package.include,
        &mut package.static_validator,
        &mut package.grader,
        &mut package.input_visualizer,
        &mut package.output_visualizer,
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

/// Reads the copy of a package; an error names the file of the package `root`, since the copy is
/// deleted when the error is shown.
pub fn read_copy(copy: &Path, root: &Path) -> Result<Package, Failure> {
    let read = Package::read(copy).map_err(|mut error| {
        if let Ok(inside) = error.path.strip_prefix(copy) {
            error.path = root.join(inside);
        }
        error
    });
    Ok(read?)
}

/// Copies a package without `data/` and `generators/`; symbolic links are followed.
pub fn copy_without_data(from: &Path, to: &Path) -> Result<(), Failure> {
    copy(from, to, None, |inside| {
        let name = inside.file_name()?.to_string_lossy().into_owned();
        let is_made = ["data", "generators"].contains(&&*name) || name.starts_with(".judge-gen-");
        let is_top = inside.parent() == Some(Path::new(""));
        (!(is_top && is_made)).then_some(name)
    })
}
