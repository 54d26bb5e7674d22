//! Backup of a server while it runs, and restoring it: one tar archive with a copy of the database and
//! all blobs and snapshots of packages.
//!
//! The database is copied first. What it refers to was on the disk before, and is never changed or
//! removed, so the files that are there afterwards are enough.

use crate::blobs::{self, temporary_beside};
use crate::machine::{data_directory, make_private, private_directory};
use crate::packages;
use crate::store::{SCHEMA_VERSION, check_database, copy_database, now_ms};
use clap::{Args, Subcommand};
use judge_core::error::Failure;
use judge_core::files::failed;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// Commands over the data of a server.
#[derive(Subcommand, Clone, Debug)]
pub enum DataCommand {
    /// Write everything that a server has into one archive, while it runs
    Backup(DataArgs),
    /// Write an archive of `backup` into a new directory of data
    Restore(DataArgs),
}

/// Arguments of `backup` and `restore`.
#[derive(Args, Clone, Debug)]
pub struct DataArgs {
    /// The archive
    pub(crate) file: PathBuf,
    /// Directory of the server's data [default: judge/server in the XDG data directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

impl DataCommand {
    /// Runs the command, and prints what it did.
    pub fn run(&self) -> Result<(), Failure> {
        let (DataCommand::Backup(args) | DataCommand::Restore(args)) = self;
        let data = data_directory(args.data.as_deref())?;
        let file = args.file.display();
        match self {
            DataCommand::Backup(_) => {
                let files = backup(&data, &args.file)?;
                println!("{file}: {files} files");
            }
            DataCommand::Restore(_) => {
                let files = restore(&args.file, &data)?;
                println!("{}: {files} files of {file}", data.display());
            }
        }
        Ok(())
    }
}

const DATABASE: &str = "judge.sqlite";
/// The last file of the archive: without it, the archive is incomplete.
const MANIFEST: &str = "backup.json";

#[derive(Serialize, Deserialize)]
struct Manifest {
    judge_version: String,
    schema: usize,
    time_ms: i64,
    /// Number of the other files.
    files: usize,
}

/// Writes the archive; returns its number of files.
/// Fails when there is no server's data, or the archive exists or cannot be written.
pub(crate) fn backup(data: &Path, to: &Path) -> Result<usize, Failure> {
    let database = data.join(DATABASE);
    if !database.is_file() {
        let what = format!("{}: no data of a server", data.display());
        return Err(Failure::usage(what).help("name its directory with --data"));
    }
    if to.exists() {
        let what = format!("{}: exists already", to.display());
        return Err(Failure::usage(what).help("remove it, or name another file"));
    }
    let temporary = temporary_beside(to);
    let copy = temporary.with_extension("sqlite");
    let written = create_private(&copy)
        .map_err(|e| {
            failed("write", to)(e)
                .help("name a file in a directory that exists and that you can write to")
        })
        .and_then(|_| {
            let copied = copy_database(&database, &copy);
            copied.map_err(|e| match e.is_disk_full() {
                true => failed("write", to)(io::ErrorKind::StorageFull.into()),
                false => Failure::usage(format!("{}: {e}", database.display())),
            })
        })
        .and_then(|()| {
            let written = archive(data, &copy, &temporary);
            let finished = written.and_then(|files| fs::rename(&temporary, to).map(|()| files));
            finished.map_err(failed("write", to))
        });
    let _ = fs::remove_file(&copy);
    // The journal of a copy that failed.
    let _ = fs::remove_file(temporary.with_extension("sqlite-journal"));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Creates a file that only this user may read: it has hashes of passwords, sources and secret cases.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600).open(path)
}

fn archive(data: &Path, database: &Path, to: &Path) -> io::Result<usize> {
    let mut tar = tar::Builder::new(BufWriter::new(create_private(to)?));
    tar.append_path_with_name(database, DATABASE)?;
    let mut files = 1;
    for dir in ["blobs", "packages"] {
        let entries = WalkDir::new(data.join(dir))
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| !blobs::is_temporary(&entry.file_name().to_string_lossy()));
        for entry in entries {
            let entry = entry?;
            if entry.file_type().is_file() {
                let inside = entry.path().strip_prefix(data).map_err(io::Error::other)?;
                tar.append_path_with_name(entry.path(), inside)?;
                files += 1;
            }
        }
    }
    let manifest = Manifest {
        judge_version: env!("CARGO_PKG_VERSION").to_owned(),
        schema: SCHEMA_VERSION,
        time_ms: now_ms(),
        files,
    };
    let manifest = serde_json::to_vec(&manifest)?;
    let mut header = tar::Header::new_gnu();
    header.set_size(manifest.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, MANIFEST, manifest.as_slice())?;
    let mut file = tar.into_inner()?;
    file.flush()?;
    file.get_ref().sync_all()?;
    Ok(files)
}

/// Writes the archive's files into `data`, which must be empty or not exist; returns their number.
/// Everything is verified before it appears there.
/// Fails when the archive is incomplete or damaged, or the directory is not empty.
pub(crate) fn restore(from: &Path, data: &Path) -> Result<usize, Failure> {
    let write = |e: io::Error| failed("write", data)(e);
    let is_new = !data.exists();
    let mut entries = fs::read_dir(data).into_iter().flatten();
    if entries
        .any(|entry| !entry.is_ok_and(|own| NO_DATA.iter().any(|&name| own.file_name() == name)))
    {
        return Err(Failure::usage(format!("{}: is not empty", data.display()))
            .help("name another directory with --data, or move this one away"));
    }
    // A directory that exists is kept: it may be a mount point, or its parent may belong to another user.
    let temporary = match is_new {
        true => temporary_beside(data),
        false => data.join(TEMPORARY),
    };
    if !is_new && temporary.exists() {
        fs::remove_dir_all(&temporary).map_err(write)?;
    }
    let restored = extract(from, &temporary)
        .and_then(|files| verify(&temporary).map(|()| files))
        .map_err(|e| match system_error(&e) {
            Some(full) if judge_os::is_disk_full(full) => write(full.kind().into()),
            _ => Failure::usage(format!("{}: {}", from.display(), defect(&e))),
        })
        .and_then(|files| {
            let moved = match is_new {
                true => fs::rename(&temporary, data),
                false => make_private(data).and_then(|()| move_up(&temporary, data)),
            };
            moved.map(|()| files).map_err(write)
        });
    if restored.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    restored
}

/// Names in a directory that counts as empty: the root of a file system has the first, a killed restore leaves the second.
const NO_DATA: [&str; 2] = ["lost+found", TEMPORARY];
const TEMPORARY: &str = "restored.tmp";

/// Moves what is in a directory to the one above, the database last, and removes it.
fn move_up(from: &Path, to: &Path) -> io::Result<()> {
    for name in ["blobs", "packages", DATABASE] {
        match fs::rename(from.join(name), to.join(name)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            moved => moved?,
        }
    }
    fs::remove_dir_all(from)
}

/// The reason why an archive cannot be restored. Errors of the system and of this module have their own
/// text; all others mean that the file is no archive, or only a part of one.
fn defect(error: &io::Error) -> String {
    match (system_error(error), error.get_ref()) {
        (Some(cause), _) if cause.kind() == io::ErrorKind::NotFound => {
            format!("{cause}\n  help: name an archive that `judge serve backup` wrote")
        }
        (Some(cause), _) => cause.to_string(),
        (None, Some(own)) if own.is::<Defect>() => own.to_string(),
        _ => "is not an archive of `backup`, or is cut short\n  help: decompress it if it is compressed, or copy the \
              whole file again"
            .to_owned(),
    }
}

/// The error of the system among the causes of an error.
fn system_error<'e>(mut error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    loop {
        match error.downcast_ref::<io::Error>() {
            Some(own) if own.raw_os_error().is_some() => return Some(own),
            _ => error = error.source()?,
        }
    }
}

/// Something in the archive that `backup` does not write, or does not write like this.
#[derive(thiserror::Error, Debug)]
#[error("{0}")]
struct Defect(String);

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Defect(what))
}

fn extract(from: &Path, to: &Path) -> io::Result<usize> {
    let mut tar = tar::Archive::new(BufReader::new(File::open(from)?));
    private_directory(to)?;
    for (files, entry) in tar.entries()?.enumerate() {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        if path == Path::new(MANIFEST) {
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            let manifest: Manifest = serde_json::from_str(&text)?;
            return match manifest.files == files {
                true => Ok(files),
                false => Err(invalid(format!(
                    "{files} files instead of {}",
                    manifest.files
                ))),
            };
        }
        let plain = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !plain || !entry.header().entry_type().is_file() || !entry.unpack_in(to)? {
            return Err(invalid(format!(
                "{}: not a file of a backup",
                path.display()
            )));
        }
    }
    let what = "the end is missing\n  help: make the backup again, or copy the whole file";
    Err(invalid(what.to_owned()))
}

/// Checks the database's structure and the hashes of all blobs and snapshots.
fn verify(data: &Path) -> io::Result<()> {
    check_database(&data.join(DATABASE)).map_err(|e| invalid(e.to_string()))?;
    for blob in entries_of_directories(&data.join("blobs"))? {
        if blobs::hash(&fs::read(&blob)?).as_str() != blob.file_name().unwrap_or_default() {
            return Err(invalid(format!("{}: damaged", blob.display())));
        }
    }
    for package in entries_of_directories(&data.join("packages"))? {
        let kept = package.parent().and_then(Path::file_name);
        if kept != Some(packages::tree(&package)?.as_ref()) {
            return Err(invalid(format!("{}: damaged", package.display())));
        }
    }
    Ok(())
}

/// The entries of all directories in a directory, which need not exist.
fn entries_of_directories(dir: &Path) -> io::Result<Vec<PathBuf>> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let entries = WalkDir::new(dir).min_depth(2).max_depth(2);
    let paths = entries.into_iter().map(|entry| Ok(entry?.into_path()));
    paths.collect()
}
