//! Stages files into the work directory before a run.
//!
//! The judge copies the files, not the zygote, so that the copy is not charged to the program. The
//! file system of a box has only one user. If root judges, the files are created as that user;
//! otherwise the box could not remove them.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat, symlinkat};
use rustix::io::Errno;

use crate::api::{Content, Fault, StagedFile};
use crate::linux::host::box_process::BoxProcess;
use crate::linux::protocol::Isolation;
use crate::linux::protocol::layout::NOBODY;
use crate::linux::sys::{is_root, open_at};
use judge_tempdir::remove_tree::DIRECTORY;

/// Stages `files` into the empty work directory. Returns their size in bytes and the files to keep.
pub fn stage_files(
    process: &BoxProcess,
    files: &[StagedFile<'_>],
) -> Result<(u64, Vec<File>), Fault> {
    let place = match process.isolation {
        // Opened through the zygote's descriptor, because the directory may be read-only under its
        // path.
        Isolation::Namespaces => format!("/proc/{}/fd/{}", process.spawned.pid, process.work_fd),
        _ => process.work.display().to_string(),
    };
    let top = c_string(OsStr::new(&place))
        .and_then(|path| open_at(CWD, &path, OFlags::RDONLY | OFlags::DIRECTORY))
        .map_err(|e| Fault::os("open the work directory", e))?;
    // Opened as the judge, because the user of the box may not have access.
    let mut sources = Vec::new();
    for file in files {
        let source = match file.content {
            Content::Copy(from) => Some(File::open(from).map_err(|e| failed(file, e))?),
            Content::Link(_) | Content::Kept => None,
        };
        sources.push((file, source));
    }
    let _user = (is_root() && process.isolation != Isolation::None).then(BoxUser::become_it);
    let (mut bytes, mut kept) = (0, Vec::new());
    for (file, source) in sources {
        let (directory, name) = directory(&top, file.name).map_err(|e| failed(file, e))?;
        let put = || -> io::Result<()> {
            match (file.content, source) {
                (Content::Link(target), _) => link(&directory, &name, target),
                (_, Some(mut source)) => {
                    let mut made = create(&directory, &name, executable(&source))?;
                    bytes += io::copy(&mut source, &mut made)?;
                    Ok(())
                }
                (_, None) => {
                    kept.push(create(&directory, &name, false)?);
                    Ok(())
                }
            }
        };
        put().map_err(|e| failed(file, e))?;
    }
    Ok((bytes, kept))
}

fn failed(file: &StagedFile<'_>, error: io::Error) -> Fault {
    let full = error.kind() == io::ErrorKind::StorageFull;
    let what = match file.content {
        Content::Copy(from) | Content::Link(from) => from,
        Content::Kept => file.name,
    };
    Fault {
        remedy: full
            .then(|| "the files are larger than the work directory: make it larger".to_owned()),
        ..Fault::os(
            format!("stage {} into the work directory", what.display()),
            error,
        )
    }
}

/// The parent directory of a file, created if missing, and the file's name.
fn directory(top: &OwnedFd, name: &Path) -> io::Result<(OwnedFd, CString)> {
    let mut names = Vec::new();
    for part in name.components() {
        match part {
            Component::Normal(name) => names.push(c_string(name)?),
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
    }
    let last = names.pop().ok_or(io::ErrorKind::InvalidInput)?;
    let mut directory = top.try_clone()?;
    for name in names {
        let made = mkdirat(&directory, &name, Mode::from_raw_mode(0o755));
        match made {
            Err(e) if e != Errno::EXIST => return Err(e.into()),
            _ => directory = open_at(&directory, &name, DIRECTORY)?,
        }
    }
    Ok((directory, last))
}

fn link(directory: &OwnedFd, name: &CStr, target: &Path) -> io::Result<()> {
    Ok(symlinkat(target, directory, name)?)
}

fn executable(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

fn create(directory: &OwnedFd, name: &CStr, executable: bool) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
    Ok(File::from(openat(directory, name, flags, mode)?))
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// A guard: while it exists, this thread creates files as the user of the boxes of a judge that is
/// root.
struct BoxUser;

impl BoxUser {
    fn become_it() -> Self {
        // The group is changed first: after the change of user the thread may not change it.
        //
        // SAFETY: no pointers; affects only the file access rights of this thread. On failure,
        // staging the first file fails.
        unsafe {
            libc::setfsgid(NOBODY);
            libc::setfsuid(NOBODY);
        }
        BoxUser
    }
}

impl Drop for BoxUser {
    fn drop(&mut self) {
        // SAFETY: as above; only root constructs this guard, so the calls restore root.
        unsafe {
            libc::setfsuid(0);
            libc::setfsgid(0);
        }
    }
}
