//! The files of an export: staged beside the destination, then renamed.

use crate::Loss;
use crate::program::SourceFile;
use crate::walk;
use judge_package::PackageError;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};
use walkdir::WalkDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The extensions of archives.
const ARCHIVES: [&str; 2] = ["zip", "kpp"];

/// A directory that becomes the destination, or is packed into it.
#[derive(Debug)]
pub struct Output {
    to: PathBuf,
    /// The directory of the destination.
    parent: PathBuf,
    staged: TempDir,
    losses: Vec<Loss>,
    /// The directory in an archive that holds everything; empty: none.
    pub folder: String,
}

impl Output {
    /// Prepares to write `to`.
    pub fn new(to: &Path) -> Result<Self, PackageError> {
        if to.is_dir() && !is_archive(to) {
            let mut entries = fs::read_dir(to).map_err(|e| failed(to, &e))?;
            if entries.next().is_some() {
                let what = "exists and has files in it";
                return Err(PackageError::new(to, what).remedy("name a new directory"));
            }
        } else if to.exists() && !(to.is_file() && is_archive(to)) {
            let what = "exists and is not a directory";
            return Err(PackageError::new(to, what)
                .remedy("name a new directory, or an archive that ends with `.zip`"));
        }
        let parent = match to.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        if !parent.is_dir() {
            let remedy = format!("create it: mkdir -p {}", parent.display());
            return Err(PackageError::new(parent, "is not a directory").remedy(remedy));
        }
        let staged = tempfile::Builder::new()
            .prefix(".judge-export-")
            .tempdir_in(&parent)
            .map_err(|e| failed(&parent, &e))?;
        Ok(Output {
            to: to.to_owned(),
            parent,
            staged,
            losses: Vec::new(),
            folder: String::new(),
        })
    }

    /// Records what the format cannot express, once.
    fn lose(&mut self, changes_verdicts: bool, what: String) {
        let loss = Loss {
            changes_verdicts,
            what,
        };
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// Records something without which verdicts or points may be different.
    pub fn changes(&mut self, what: impl Into<String>) {
        self.lose(true, what.into());
    }

    /// Records something else that is left out.
    pub fn leaves_out(&mut self, what: impl Into<String>) {
        self.lose(false, what.into());
    }

    /// The recorded losses; those that change verdicts come first.
    pub fn take_losses(&mut self) -> Vec<Loss> {
        let mut losses = std::mem::take(&mut self.losses);
        losses.sort_by_key(|loss| !loss.changes_verdicts);
        losses
    }

    fn place(&self, name: &str) -> Result<PathBuf, PackageError> {
        let path = self.staged.path().join(name);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent).map_err(|e| failed(&self.to, &e))?;
        Ok(path)
    }

    /// Writes the file `name`.
    pub fn write(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<(), PackageError> {
        let path = self.place(name)?;
        let content = content.as_ref();
        if fs::read(&path).is_ok_and(|before| before != content) {
            self.replaces(name);
        }
        fs::write(&path, content).map_err(|e| failed(&self.to, &e))
    }

    /// Records that a file takes the place of another one with other content.
    fn replaces(&mut self, name: &str) {
        self.leaves_out(format!("all but one of the files that become `{name}`"));
    }

    /// Writes a source file to `name`, executable if it was.
    pub fn write_source(&mut self, name: &str, file: &SourceFile) -> Result<(), PackageError> {
        self.write(name, &file.content)?;
        let path = self.staged.path().join(name);
        judge_os::set_mode(&path, mode(file.is_executable)).map_err(|e| failed(&self.to, &e))
    }

    /// Copies a file to `name`.
    pub fn copy(&mut self, from: &Path, name: &str) -> Result<(), PackageError> {
        let path = self.place(name)?;
        if path.is_file() && fs::read(&path).ok() != fs::read(from).ok() {
            self.replaces(name);
        }
        fs::copy(from, &path).map_err(|e| match judge_os::is_disk_full(&e) {
            true => failed(&self.to, &e),
            false => failed(from, &e),
        })?;
        judge_os::set_mode(&path, mode(judge_os::is_executable(&path)))
            .map_err(|e| failed(&self.to, &e))
    }

    /// Copies files, each with its name, into the directory `dir`.
    pub fn copy_into(
        &mut self,
        dir: &str,
        files: Vec<(String, PathBuf)>,
    ) -> Result<(), PackageError> {
        let mut files = files.into_iter();
        files.try_for_each(|(name, path)| self.copy(&path, &format!("{dir}/{name}")))
    }

    /// Copies a file, or all files in a directory, of the package in `root` to `name`.
    pub fn copy_all(&mut self, root: &Path, from: &Path, name: &str) -> Result<(), PackageError> {
        for entry in walk::files(root, from)? {
            let inside = entry.path().strip_prefix(from).unwrap_or(entry.path());
            match inside.as_os_str().is_empty() {
                true => self.copy(entry.path(), name)?,
                false => self.copy(entry.path(), &format!("{name}/{}", inside.display()))?,
            }
        }
        Ok(())
    }

    /// Moves the staged files to the destination.
    pub fn finish(self) -> Result<(), PackageError> {
        match is_archive(&self.to) {
            true => self.pack(),
            false => self.rename(),
        }
    }

    fn rename(self) -> Result<(), PackageError> {
        let failed = |e: io::Error| failed(&self.to, &e);
        judge_os::set_mode(self.staged.path(), 0o755).map_err(failed)?;
        // An empty directory is replaced.
        fs::rename(self.staged.path(), &self.to).map_err(failed)?;
        let _ = self.staged.keep();
        Ok(())
    }

    fn pack(self) -> Result<(), PackageError> {
        let failed = |e: &io::Error| failed(&self.to, e);
        let file = NamedTempFile::new_in(&self.parent).map_err(|e| failed(&e))?;
        let mut archive = ZipWriter::new(BufWriter::new(file));
        for entry in WalkDir::new(self.staged.path()).sort_by_file_name() {
            let entry = entry.map_err(|e| failed(&e.into()))?;
            let inside = entry.path().strip_prefix(self.staged.path());
            let inside = inside.unwrap_or(entry.path()).display().to_string();
            let name = match (self.folder.as_str(), inside.as_str()) {
                ("", _) => inside,
                (folder, "") => folder.to_owned(),
                (folder, _) => format!("{folder}/{inside}"),
            };
            // The same package gives the same archive.
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .last_modified_time(zip::DateTime::default())
                .unix_permissions(mode(judge_os::is_executable(entry.path())));
            if entry.file_type().is_dir() {
                // DOMjudge finds a submission of several files by the entry of its directory.
                if !name.is_empty() {
                    let options = options.unix_permissions(0o755);
                    archive
                        .add_directory(name, options)
                        .map_err(|e| failed(&e.into()))?;
                }
                continue;
            }
            archive
                .start_file(name, options)
                .map_err(|e| failed(&e.into()))?;
            let mut content = BufReader::new(File::open(entry.path()).map_err(|e| failed(&e))?);
            io::copy(&mut content, &mut archive).map_err(|e| failed(&e))?;
        }
        let written = archive.finish().map_err(|e| failed(&e.into()))?;
        let file = written.into_inner().map_err(|e| failed(e.error()))?;
        judge_os::set_mode_of(file.as_file(), 0o644).map_err(|e| failed(&e))?;
        file.persist(&self.to).map_err(|e| failed(&e.error))?;
        Ok(())
    }
}

fn is_archive(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ARCHIVES
        .iter()
        .any(|archive| extension.eq_ignore_ascii_case(archive))
}

/// The permissions of a file: executable for all users, or for none.
fn mode(is_executable: bool) -> u32 {
    if is_executable { 0o755 } else { 0o644 }
}

fn failed(path: &Path, error: &io::Error) -> PackageError {
    PackageError::of_file(path, "copy or write", error)
}
