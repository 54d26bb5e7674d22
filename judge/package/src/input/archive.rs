//! Unpacks packages in zip archives (`.zip`, `.kpp`) into a temporary directory.
//!
//! Archives are not trusted: nothing is written outside of the directory, links may not lead out of
//! it, and counts and sizes are bounded before and while files are written.

use super::repeated_names::repeated_names;
use super::staging_dir::temporary_directory;
use super::tree::MAX_ENTRIES;
use crate::error::PackageError;
use judge_tempdir::TempDirectory;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

/// The limits of an archive's unpacked size.
struct Bounds {
    /// The maximum number of bytes.
    bytes: u64,
    /// Below this size the compression ratio is not checked: small archives of test data compress
    /// well.
    ratio_from: u64,
    /// The maximum compression ratio. Text of test data has 3 to 20; deflate reaches 1032.
    ratio: u64,
}

const BOUNDS: Bounds = Bounds {
    bytes: 8 << 30,
    ratio_from: 256 << 20,
    ratio: 100,
};
/// Minimum size of an entry on the disk.
const BLOCK: u64 = 4096;
/// The maximum depth of an entry: a path of 4096 bytes could name 2000 directories.
const MAX_DEPTH: usize = 64;
/// The maximum length of a symbolic link's target.
const MAX_LINK: u64 = 4096;

/// The unpacked files, in a directory that is removed on drop.
#[derive(Debug)]
pub struct Unpacked {
    /// Removes the directory on drop.
    pub guard: TempDirectory,
    /// The directory, or its only subdirectory.
    pub root: PathBuf,
    /// Names that several entries have.
    pub repeated: Vec<String>,
}

/// Unpacks the zip archive `path`.
pub fn unpack(path: &Path) -> Result<Unpacked, PackageError> {
    unpack_within(path, &BOUNDS)
}

/// Reads the file `name` of the zip archive `path`, at most `most` bytes; `None` if it has none.
///
/// # Errors
///
/// When the archive is damaged, or the file is larger.
pub fn archived_file(path: &Path, name: &str, most: u64) -> Result<Option<Vec<u8>>, PackageError> {
    let failed = |e: io::Error| PackageError::new(path, format!("failed to read `{name}`: {e}"));
    let file = File::open(path).map_err(failed)?;
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|e| broken(path, "the archive", &e))?;
    let entry = match archive.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(e) => return Err(broken(path, &format!("`{name}`"), &e)),
    };
    let mut bytes = Vec::new();
    entry
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    match bytes.len() as u64 > most {
        true => Err(PackageError::new(
            path,
            format!("`{name}` has more than {most} bytes"),
        )),
        false => Ok(Some(bytes)),
    }
}

/// Extensions of archives that are read.
const ARCHIVES: [&str; 2] = ["zip", "kpp"];
/// Extensions of archives that are not read.
const OTHER_ARCHIVES: [&str; 8] = ["tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar"];

/// Whether the name is that of an archive, of a kind that is read or another one.
pub fn is_archive(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let mut known = ARCHIVES.iter().chain(&OTHER_ARCHIVES);
    known.any(|known| extension == *known)
}

/// The error for a file that is not an archive: a damaged one, or another type of file.
fn no_archive(path: &Path) -> PackageError {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    if ARCHIVES.iter().any(|read| extension == *read) {
        return PackageError::new(path, "is not a zip archive, or its end is missing").remedy(
            "a package is a directory, or a zip archive of one; download or pack it again",
        );
    }
    if OTHER_ARCHIVES.iter().any(|other| extension == *other) {
        return PackageError::new(path, "is an archive of a kind that is not read")
            .remedy("unpack it and give the directory, or pack it as zip");
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    PackageError::new(path, "is a file, not a package").remedy(format!(
        "to judge it as a program, name the package first: `judge run PACKAGE -s {name}`"
    ))
}

fn unpack_within(path: &Path, bounds: &Bounds) -> Result<Unpacked, PackageError> {
    let failed = |e: io::Error| PackageError::new(path, format!("failed to read: {e}"));
    let mut file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let declared = declared_entries(&mut file, length).map_err(failed)?;
    let declared = declared.ok_or_else(|| no_archive(path))?;
    // The central directory is held in memory, so its declared size is checked first.
    if declared > MAX_ENTRIES as u64 {
        let what =
            format!("holds {declared} files, more than the {MAX_ENTRIES} a package may have");
        return Err(PackageError::new(path, what));
    }
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|e| broken(path, "the archive", &e))?;
    let guard = temporary_directory()?;
    let mut writer = Writer {
        archive: path,
        root: guard.path(),
        bytes: 0,
        directories: 0,
        most: bounds
            .bytes
            .min(bounds.ratio_from.max(length.saturating_mul(bounds.ratio))),
        links: Vec::new(),
    };
    // Refuses most bombs before anything is written.
    let mut declared = 0_u64;
    for index in 0..archive.len() {
        let entry = archive
            .by_index_raw(index)
            .map_err(|e| broken(path, &format!("entry {}", index + 1), &e))?;
        declared = declared.saturating_add(entry.size().max(BLOCK));
        if declared > writer.most {
            return Err(writer.bomb(&String::from_utf8_lossy(entry.name_raw())));
        }
    }
    for index in 0..archive.len() {
        let entry = archive
            .by_index(index)
            .map_err(|e| broken(path, &format!("entry {}", index + 1), &e))?;
        writer.write(entry)?;
    }
    let links = std::mem::take(&mut writer.links);
    writer.link(&links)?;
    let root = package_root(guard.path()).map_err(failed)?;
    let start = archive.central_directory_start();
    let repeated = repeated_names(archive.into_inner(), start, MAX_ENTRIES).map_err(failed)?;
    Ok(Unpacked {
        guard,
        root,
        repeated,
    })
}

struct Writer<'a> {
    archive: &'a Path,
    root: &'a Path,
    bytes: u64,
    most: u64,
    directories: usize,
    /// The path of each link below `root`, and its target.
    links: Vec<(PathBuf, PathBuf)>,
}

impl Writer<'_> {
    fn write<R: Read>(&mut self, mut entry: ZipFile<'_, R>) -> Result<(), PackageError> {
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let Some(inside) = safe_path(&name) else {
            return Err(self
                .error(&name, "would be written outside of the package")
                .remedy("pack the archive again, with paths relative to the package"));
        };
        if entry.encrypted() {
            return Err(self
                .error(&name, "is encrypted")
                .remedy("pack the archive again, without a password"));
        }
        if inside.components().count() > MAX_DEPTH {
            return Err(self
                .error(
                    &name,
                    &format!("lies in more than {} directories", MAX_DEPTH - 1),
                )
                .remedy("pack the archive again, without these directories"));
        }
        let target = self.root.join(&inside);
        if entry.is_dir() {
            return self.make_dir(&name, &target);
        }
        if let Some(parent) = target.parent() {
            self.make_dir(&name, parent)?;
        }
        if entry.is_symlink() {
            let mut link = String::new();
            let read = entry.take(MAX_LINK + 1).read_to_string(&mut link);
            if read.is_err() || link.len() as u64 > MAX_LINK || link.is_empty() {
                return Err(self.error(&name, "is a symbolic link without a sensible target"));
            }
            self.links.push((inside, PathBuf::from(link)));
            return Ok(());
        }
        // Regular files have type 0o100000, or 0 if the archiver stored no type.
        let mode = entry.unix_mode().unwrap_or(0o644);
        if !matches!(mode & 0o170_000, 0 | 0o100_000) {
            return Err(self.error(&name, "is not a regular file, directory or symbolic link"));
        }
        let mut options = OpenOptions::new();
        let options = options.write(true).create_new(true);
        let mut file = judge_os::create_with_mode(options, mode & 0o755 | 0o600)
            .open(&target)
            .map_err(|e| match e.kind() {
                io::ErrorKind::AlreadyExists => self.error(&name, "is in the archive twice"),
                _ => self.failed(&name, &e),
            })?;
        // Reads one byte past the budget to detect a zip bomb; the declared size is not trusted.
        let left = self.most - self.bytes;
        let written = io::copy(&mut (&mut entry).take(left + 1), &mut file)
            .map_err(|e| self.failed(&name, &e))?;
        self.bytes += written;
        match written > left {
            true => Err(self.bomb(&name)),
            false => Ok(()),
        }
    }

    /// The error for an archive whose entry `name` exceeds the budget.
    fn bomb(&self, name: &str) -> PackageError {
        let what = format!(
            "unpacks to more than {} bytes, which looks like a zip bomb (at `{}`)",
            self.most,
            super::text::shorten(name, 200)
        );
        PackageError::new(self.archive, what)
            .remedy("unpack it yourself if you trust it, and give the directory")
    }

    /// Creates the directory and its parents, which count like files.
    fn make_dir(&mut self, name: &str, dir: &Path) -> Result<(), PackageError> {
        let missing = dir.ancestors().take_while(|dir| !dir.exists()).count();
        self.directories += missing;
        if self.directories > MAX_ENTRIES {
            let what = format!("is one directory too many: a package may have {MAX_ENTRIES}");
            return Err(self.error(name, &what));
        }
        fs::create_dir_all(dir).map_err(|e| self.failed(name, &e))
    }

    /// Creates the links after all files, so that no file is written through a link.
    fn link(&self, links: &[(PathBuf, PathBuf)]) -> Result<(), PackageError> {
        let escapes = |place: &Path, target: &Path| {
            let target = target.display();
            let what = format!("is a symbolic link out of the package, to {target}");
            self.error(&place.to_string_lossy(), &what)
                .remedy("put the file itself into the package")
        };
        for (place, target) in links {
            let mut joined = place.parent().unwrap_or(Path::new("")).to_owned();
            joined.push(target);
            if target.is_absolute() || !stays_inside(&joined) {
                return Err(escapes(place, target));
            }
            judge_os::symlink(target, &self.root.join(place))
                .map_err(|e| self.failed(&place.to_string_lossy(), &e))?;
        }
        // A chain of links can lead out of the directory even if each link alone does not.
        let real_root = self
            .root
            .canonicalize()
            .map_err(|e| self.failed("the directory", &e))?;
        for (place, target) in links {
            match self.root.join(place).canonicalize() {
                Ok(real) if real.starts_with(&real_root) => {}
                Ok(_) => return Err(escapes(place, target)),
                // A dangling link is removed, because its target could appear later.
                Err(_) => fs::remove_file(self.root.join(place))
                    .map_err(|e| self.failed(&place.to_string_lossy(), &e))?,
            }
        }
        Ok(())
    }

    fn error(&self, name: &str, what: &str) -> PackageError {
        let name = super::text::shorten(name, 200);
        PackageError::new(self.archive, format!("`{name}` {what}"))
    }

    fn failed(&self, name: &str, e: &io::Error) -> PackageError {
        let error = self.error(name, &format!("could not be unpacked: {e}"));
        match judge_os::is_disk_full(e) {
            true => PackageError::no_temporary_files(e),
            false => {
                error.remedy("the archive may be damaged or cut off; download or pack it again")
            }
        }
    }
}

fn broken(path: &Path, what: &str, e: &ZipError) -> PackageError {
    PackageError::new(path, format!("{what} is broken: {e}"))
        .remedy("download or pack the archive again")
}

/// The name as a path below the package's directory; `None` if it leads out of it.
fn safe_path(name: &str) -> Option<PathBuf> {
    // Archives made on Windows may contain backslashes.
    let name = name.replace('\\', "/");
    let mut path = PathBuf::new();
    for part in Path::new(&name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return None,
        }
    }
    let too_long = name.len() > 4096 || path.iter().any(|part| part.len() > 255);
    (!path.as_os_str().is_empty() && !name.contains('\0') && !too_long).then_some(path)
}

/// Whether a relative path never leaves the directory that it starts in.
fn stays_inside(path: &Path) -> bool {
    let mut depth = 0_usize;
    for part in path.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::CurDir => {}
            _ => return false,
        }
    }
    true
}

/// The directory that holds the package: the only subdirectory if the archive has nothing else.
fn package_root(dir: &Path) -> io::Result<PathBuf> {
    let mut only = None;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || name == "__MACOSX" {
            continue;
        }
        if only.is_some() || !entry.file_type()?.is_dir() {
            return Ok(dir.to_owned());
        }
        only = Some(entry.path());
    }
    // A lone `data` is part of a package, not the package's directory.
    Ok(match only {
        Some(only) if only.file_name().is_none_or(|name| name != "data") => only,
        _ => dir.to_owned(),
    })
}

/// The number of entries that the end record declares; `None` without an end record.
fn declared_entries(file: &mut File, length: u64) -> io::Result<Option<u64>> {
    const END: &[u8] = b"PK\x05\x06";
    const END64: &[u8] = b"PK\x06\x06";
    const LOCATOR64: &[u8] = b"PK\x06\x07";
    // The end record has 22 bytes and a comment of up to 65,535; a locator of 20 may precede it.
    let from = length.saturating_sub(22 + 65_535 + 20);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(22 + 65_535 + 20).read_to_end(&mut tail)?;
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
    };
    let mut found = None;
    for at in 0..tail.len().saturating_sub(21) {
        if !tail[at..].starts_with(END) {
            continue;
        }
        let mut count = number(&tail[at + 10..at + 12]);
        if at >= 20 && tail[at - 20..].starts_with(LOCATOR64) {
            let mut end64 = Vec::new();
            file.seek(SeekFrom::Start(number(&tail[at - 12..at - 4])))?;
            file.take(40).read_to_end(&mut end64)?;
            if end64.len() == 40 && end64.starts_with(END64) {
                count = count.max(number(&end64[32..40]));
            }
        }
        found = found.max(Some(count));
    }
    file.rewind()?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Bounds, unpack_within};
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    /// The offset of the only central directory record.
    fn central(bytes: &[u8]) -> usize {
        bytes
            .windows(4)
            .position(|four| four == b"PK\x01\x02")
            .unwrap()
    }

    #[test]
    fn bytes_are_bounded_by_number_and_by_ratio() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("zeros.zip");
        let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        zip.start_file("zeros", SimpleFileOptions::default())
            .unwrap();
        zip.write_all(&vec![0; 1 << 20]).unwrap();
        zip.finish().unwrap();

        let roomy = Bounds {
            bytes: 8 << 20,
            ratio_from: 1024,
            ratio: 1040,
        };
        assert!(unpack_within(&path, &roomy).is_ok());
        let tight = Bounds {
            bytes: 1000,
            ..roomy
        };
        let error = unpack_within(&path, &tight).unwrap_err().to_string();
        assert!(error.contains("more than 1000 bytes"), "{error}");
        let dense = Bounds {
            ratio: 100,
            ..roomy
        };
        let error = unpack_within(&path, &dense).unwrap_err().to_string();
        assert!(error.contains("zip bomb"), "{error}");

        // An archive that understates its sizes is stopped while it is unpacked.
        let mut bytes = std::fs::read(&path).unwrap();
        let honest = bytes.clone();
        let from = central(&bytes);
        for at in [22, from + 24] {
            bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
        }
        std::fs::write(&path, bytes).unwrap();
        assert!(unpack_within(&path, &dense).is_err());
        std::fs::write(&path, honest).unwrap();

        // The same bytes under five names: a ratio that no honest archive of that length has.
        let mut bytes = std::fs::read(&path).unwrap();
        let from = central(&bytes);
        let end = bytes.len() - 22;
        let record = bytes[from..end].to_vec();
        let mut tail = bytes.split_off(end);
        for digit in b'1'..=b'4' {
            let mut record = record.clone();
            record[46 + 4] = digit;
            bytes.extend(record);
        }
        for at in [8, 10] {
            tail[at] = 5;
        }
        let size = u32::try_from(5 * record.len()).unwrap();
        tail[12..16].copy_from_slice(&size.to_le_bytes());
        bytes.extend(tail);
        std::fs::write(&path, bytes).unwrap();
        let error = unpack_within(&path, &roomy).unwrap_err().to_string();
        assert!(error.contains("zip bomb"), "{error}");
    }
}
