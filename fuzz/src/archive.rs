//! Fuzzes packages in archives: an archive is read or rejected, no file is written outside its
//! directory, and no file is left behind.

use super::package::{check_package, files};
use judge_package::Package;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Reads the archive given by `data`: bytes of a zip file, or text that lists its entries.
///
/// # Panics
///
/// If a file is written outside the temporary directory or left in it.
pub fn check(data: &[u8]) {
    let dir = std::env::temp_dir().join(format!("judge-fuzz-{}", std::process::id()));
    // Deep enough that a few `..` stay in an observed directory.
    let place = dir.join("a/b/c");
    fs::create_dir_all(place.join("unpacked")).expect("a directory");
    // Only the first call takes effect; all calls use the same value.
    let _ = tempfile::env::override_temp_dir(&place.join("unpacked"));
    let archive = place.join("package.zip");
    match data.starts_with(b"PK") {
        true => fs::write(&archive, data).expect("room"),
        false => pack(data, &archive),
    }
    match Package::read(&archive) {
        Ok(package) => {
            assert!(!package.unpacked.is_empty());
            for temporary in &package.unpacked {
                inside(temporary.path(), temporary.path());
            }
            check_package(&package);
            let roots: Vec<_> = package
                .unpacked
                .iter()
                .map(|t| t.path().to_owned())
                .collect();
            drop(package);
            assert!(roots.iter().all(|root| !root.exists()));
        }
        Err(error) => {
            assert!(!error.what.is_empty());
            // The temporary directory must not appear in errors, unless the archive contains that
            // name itself.
            const TEMPORARY: &str = "judge-scratch-";
            let named = data
                .windows(TEMPORARY.len())
                .any(|w| w == TEMPORARY.as_bytes());
            assert!(named || !error.to_string().contains(TEMPORARY), "{error}");
        }
    }
    assert_eq!(files_below(&dir), [archive], "written outside");
    fs::remove_dir_all(&dir).expect("remove the directory");
}

/// Packs the entries listed in `data`: unchanged names, a trailing `/` for a directory, links.
fn pack(data: &[u8], archive: &Path) {
    let mut zip = ZipWriter::new(File::create(archive).expect("room"));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, target, content) in files(data) {
        // The zip writer rejects entries that no archive can hold, such as a name of 70 KB.
        let begun = match target {
            Some(target) => zip.add_symlink(name, target, options),
            None if name.ends_with('/') => zip.add_directory(name, options),
            None => zip.start_file(name, options),
        };
        if begun.is_ok() && target.is_none() && !name.ends_with('/') {
            zip.write_all(&content).expect("room");
        }
    }
    zip.finish().expect("room");
}

/// Checks that no link in the directory leads out of it.
fn inside(dir: &Path, root: &Path) {
    let root = root.canonicalize().expect("resolve the root");
    for entry in fs::read_dir(dir).expect("read the directory") {
        let path = entry.expect("read an entry").path();
        let real = path.canonicalize().expect("resolve a link");
        assert!(real.starts_with(&root), "{}", path.display());
        if path.is_dir() && !path.is_symlink() {
            inside(&path, &root);
        }
    }
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).expect("read the directory") {
        let path = entry.expect("read an entry").path();
        match path.is_dir() {
            true => files.extend(files_below(&path)),
            false => files.push(path),
        }
    }
    files
}
