//! Fuzzes packages of any format: the input lists files in the form of Go's `txtar` (`-- name --`,
//! and the lines of the file), which are written to a directory and read as a package.

use judge_package::{CaseId, DataFile, Package, PackageError, Recipe, TimeLimit, lint};
use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// Maximum number of files, more than in any seed; bounds the time per input.
const MAX_FILES: usize = 40;

/// Reads the package listed in `data` and checks the guarantees about the result.
///
/// # Panics
///
/// If an error does not name a file of the package, or a package without errors cannot be judged.
pub fn check(data: &[u8]) {
    let dir = tempfile::tempdir_in(std::env::temp_dir()).expect("a directory");
    let root = dir.path().join("p");
    write_files(data, &root);
    match Package::read(&root) {
        Ok(package) => {
            check_package(&package);
            for finding in lint(&package) {
                has_place(&finding.error, &root);
            }
        }
        Err(error) => has_place(&error, &root),
    }
}

/// The files listed in `data`: name, target of the link (if it is one), content.
pub fn files(data: &[u8]) -> Vec<(&str, Option<&str>, Vec<u8>)> {
    let mut files: Vec<(&[u8], Vec<u8>)> = Vec::new();
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        let name = bare
            .strip_prefix(b"-- ")
            .and_then(|rest| rest.strip_suffix(b" --"));
        match (name, files.last_mut()) {
            (Some(name), _) => files.push((name, Vec::new())),
            (None, Some((_, content))) => content.extend(line),
            (None, None) => {}
        }
    }
    let files = files
        .into_iter()
        .take(MAX_FILES)
        .filter_map(|(name, content)| {
            let name = str::from_utf8(name).ok()?;
            Some(match name.split_once(" -> ") {
                Some((name, target)) => (name, Some(target), content),
                None => (name, None, content),
            })
        });
    files.collect()
}

/// Writes the files listed in `data` below `root`.
fn write_files(data: &[u8], root: &Path) {
    fs::create_dir_all(root).expect("a directory");
    for (name, target, content) in files(data) {
        let stays = |path: &str| {
            let mut parts = Path::new(path).components();
            !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
        };
        // Files whose name the file system rejects, or whose directory exists as a file, are
        // missing in the package, as in real packages.
        if stays(name) && name.len() < 200 && name.matches('/').count() < 40 {
            let path = root.join(name);
            let _ = fs::create_dir_all(path.parent().unwrap_or(root));
            let _ = match target {
                Some(target) => std::os::unix::fs::symlink(target, &path),
                // A link of the package must not lead the fuzzer out of its directory.
                None if leads_out(&path, root) => Ok(()),
                None => fs::write(&path, content),
            };
        }
    }
}

fn leads_out(path: &Path, root: &Path) -> bool {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    let root = root.canonicalize().expect("resolve the root");
    path.is_symlink() || parent.is_none_or(|parent| !parent.starts_with(root))
}

fn has_place(error: &PackageError, root: &Path) {
    assert!(error.path.starts_with(root), "{error}");
    assert!(!error.what.is_empty());
    if let Some((line, column)) = error.position {
        assert!(line > 0 && column > 0, "{error}");
    }
}

/// Checks that a file of a package lies in one of its directories.
fn inside(package: &Package, file: &Path) {
    let real = file.canonicalize().expect("resolve the file");
    let inside = |place: &Path| real.starts_with(place.canonicalize().expect("a directory"));
    assert!(
        package.directories().into_iter().any(inside),
        "{}",
        file.display()
    );
}

/// Checks the guarantees that the judge relies on.
pub fn check_package(package: &Package) {
    let sane = |time: Duration| !time.is_zero() && time <= Duration::from_secs(31 * 86_400);
    let limits = &package.limits;
    match limits.time {
        TimeLimit::Given(time) => assert!(sane(time), "{limits:?}"),
        TimeLimit::Derived { factor, resolution } => {
            assert!(
                factor > 0.0 && factor.is_finite() && sane(resolution),
                "{limits:?}"
            );
        }
    }
    assert!(
        sane(limits.compilation_time) && sane(limits.validation_time),
        "{limits:?}"
    );
    assert!(
        limits.memory > 0 && limits.output > 0 && limits.validation_passes > 0,
        "{limits:?}"
    );
    let mut names = HashSet::new();
    let recipes = package.generation.as_ref().map_or(0, |g| g.recipes.len());
    let generated: HashSet<PathBuf> = (0..recipes)
        .flat_map(|k| [Recipe::input_name(k), Recipe::answer_name(k)])
        .collect();
    for (index, case) in package.judged_cases().into_iter().enumerate() {
        assert_eq!(case.id, CaseId(index), "{case:?}");
        assert!(names.insert(&case.name), "{case:?}");
        assert!(case.reject_score.is_none_or(f64::is_finite), "{case:?}");
        let validators = package.validation.validators().len();
        assert!(case.validator < validators, "{case:?}");
    }
    let programs = package.validation.programs();
    let submissions = package
        .submissions
        .iter()
        .map(|submission| &submission.path);
    let validators = package
        .input_validators
        .iter()
        .map(|validator| &validator.path);
    for program in programs.chain(submissions).chain(validators) {
        inside(package, program);
    }
    for case in package.cases() {
        for file in std::iter::once(&case.input).chain(&case.answer) {
            match file {
                DataFile::Ready(path) => {
                    inside(package, path);
                    assert!(path.is_file(), "{}", path.display());
                }
                DataFile::Generated(name) => assert!(generated.contains(name), "{case:?}"),
            }
        }
        assert!(case.time_limit.is_none_or(sane), "{case:?}");
        assert!(case.memory_limit.is_none_or(|bytes| bytes > 0), "{case:?}");
        assert!(case.score.is_none_or(f64::is_finite), "{case:?}");
        assert!(!case.name.is_empty(), "{case:?}");
    }
}
