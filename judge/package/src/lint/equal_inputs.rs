//! Finds cases with the same input.

use crate::error::{Finding, PackageError};
use crate::model::Package;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

/// A warning for each case with the input, arguments and files of an earlier one.
pub fn check(package: &Package) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut by_size: HashMap<u64, Vec<&Path>> = HashMap::new();
    for case in package.cases() {
        if case.files.is_none() && case.args.is_empty() {
            // A link to a sample is a deliberate copy.
            if let (Ok(metadata), false) = (case.input.metadata(), case.input.is_symlink()) {
                by_size.entry(metadata.len()).or_default().push(&case.input);
            }
        }
    }
    let mut same: HashMap<(u64, u64), &Path> = HashMap::new();
    let mut sizes: Vec<_> = by_size.into_iter().collect();
    sizes.sort();
    let interactive = package.kind.interactive;
    for (size, paths) in sizes {
        if paths.len() < 2 || (size == 0 && interactive) {
            continue;
        }
        for path in paths {
            let Ok(hash) = hash(path) else {
                continue;
            };
            if let Some(earlier) = same.insert((size, hash), path) {
                let what = format!("is the same input as {}", earlier.display());
                let remedy = "remove one of the two, or change it";
                findings.push(Finding::warning(
                    PackageError::new(path, what).remedy(remedy),
                ));
            }
        }
    }
    findings
}

fn hash(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut hasher = DefaultHasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finish()),
            read => hasher.write(&buffer[..read]),
        }
    }
}
