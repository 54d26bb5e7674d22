//! Compares generated data with the hashes in Library Checker's `hash.json`.

use crate::digest::sha256_of;
use crate::text::hex;
use judge_package::{Finding, Generation, PackageError, Recipe};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// File beside the data with the hash of each file, by its name in the package.
const MADE: &str = "hashes.json";

type Hashes = BTreeMap<String, String>;

/// Writes the hashes of the generated data in `dir`.
pub fn note(generation: &Generation, dir: &Path) -> io::Result<()> {
    let mut hashes = Hashes::new();
    for (index, recipe) in generation.recipes.iter().enumerate() {
        for (ending, file) in [
            ("in", Recipe::input_name(index)),
            ("out", Recipe::answer_name(index)),
        ] {
            hashes.insert(
                format!("{}.{ending}", recipe.case),
                hex(&sha256_of(&dir.join(file))?),
            );
        }
    }
    fs::write(dir.join(MADE), serde_json::to_vec(&hashes)?)
}

/// Compares the hashes of the data in `dir` with `expected`, the package's `hash.json`.
/// Fails when the file of hashes beside the data cannot be read.
pub fn check(expected: &Path, dir: &Path) -> io::Result<Option<Finding>> {
    let read = || -> io::Result<Hashes> { Ok(serde_json::from_slice(&fs::read(expected)?)?) };
    let expected_hashes = match read() {
        Ok(hashes) => hashes,
        Err(e) => {
            let error = PackageError::new(
                expected,
                format!("expected a JSON object of names and hashes: {e}"),
            );
            return Ok(Some(Finding::error(error)));
        }
    };
    let made: Hashes = serde_json::from_slice(&fs::read(dir.join(MADE))?)?;
    let mut names: Vec<&String> = made.keys().chain(expected_hashes.keys()).collect();
    names.retain(|name| made.get(*name) != expected_hashes.get(*name));
    names.sort();
    names.dedup();
    let Some(first) = names.first() else {
        return Ok(None);
    };
    let error = PackageError::new(
        expected,
        format!(
            "does not fit what the generators and the solution make: {} of {} files differ, first \
             {first}",
            names.len(),
            made.len().max(expected_hashes.len())
        ),
    );
    Ok(Some(Finding::error(error.remedy(
        "if the data are right, update it with the repository's `generate.py --dev`",
    ))))
}
