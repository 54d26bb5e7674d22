//! Makes the secret test cases of the packages in `testdata/`, always the same.
//!
//! ```sh
//! cargo run --release --example make_testdata            # writes testdata/*/data/secret
//! cargo run --release --example make_testdata -- --check # only says whether they are as made
//! ```
#![forbid(unsafe_code)]

mod cases;
mod puzzles;

use cases::Case;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("make_testdata: unknown arguments {arguments:?}; expected none or --check");
            return ExitCode::from(2);
        }
    };
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    match update(&testdata, &cases::all(), check) {
        Ok(changed) => {
            if check && !changed.is_empty() {
                for path in &changed {
                    println!("{}", path.display());
                }
                eprintln!("make_testdata: these files are not as made; run it without --check");
                return ExitCode::FAILURE;
            }
            println!("{} files changed", changed.len());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("make_testdata: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The files that differ from `cases`, or are left over from others; put right unless only to be
/// checked.
fn update(testdata: &Path, cases: &[Case], check: bool) -> Result<Vec<PathBuf>, String> {
    let mut wanted = BTreeMap::new();
    let mut present = Vec::new();
    for case in cases {
        let directory = testdata.join(case.package).join("data/secret");
        for (extension, text) in case.files() {
            wanted.insert(directory.join(format!("{}.{extension}", case.name)), text);
        }
        present.push(directory);
    }
    present.dedup();
    let mut changed = Vec::new();
    for (path, text) in &wanted {
        if read(path)?.as_deref() != Some(text.as_bytes()) {
            changed.push(path.clone());
            if !check {
                write(path, text)?;
            }
        }
    }
    for directory in present {
        let entries = fs::read_dir(&directory).map_err(|e| at(&directory, &e))?;
        for entry in entries {
            let path = entry.map_err(|e| at(&directory, &e))?.path();
            if !wanted.contains_key(&path) && has_number(&path) {
                if !check {
                    fs::remove_file(&path).map_err(|e| at(&path, &e))?;
                }
                changed.push(path);
            }
        }
    }
    Ok(changed)
}

/// Whether a file is named like those made here, `01-easy.in`. Others, such as the cases that
/// `judge stress` saved, are left alone.
fn has_number(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    matches!(name, [b'0'..=b'9', b'0'..=b'9', b'-', ..])
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path, &error)),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory).map_err(|e| at(directory, &e))?;
    fs::write(path, text).map_err(|e| at(path, &e))
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[test]
fn the_test_cases_are_as_made() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let changed = update(&testdata, &cases::all(), true).unwrap();
    assert!(changed.is_empty(), "not as made: {changed:?}");
}
