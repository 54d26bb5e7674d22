//! Builds the root that the program sees, inside the box's mount namespace. `guest/set_up_box` calls
//! the steps in order.
//!
//! ```text
//! /            tmpfs, read-only
//! /usr, /lib*  the host's, read-only          /etc      a handful of files
//! /dev         null zero full random urandom  /proc     of the box's own processes
//! /work        the empty work directory,  /tmp and /dev/shm: one tmpfs of limited size
//! ```
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use libc::{c_int, c_ulong};
use rustix::fs::{CWD, FileType, Mode, OFlags, StatVfsMountFlags, fstat, mknodat, statvfs};
use rustix::io::Errno;
use rustix::mount::{UnmountFlags, unmount};
use rustix::process::pivot_root;

use crate::linux::protocol::layout::{WORK, WRITABLE};
use crate::linux::protocol::{At, Entry, Setup, StageError};
use crate::linux::sys::{check, check_long, open_at};

const NO_SUID_DEV: c_ulong = libc::MS_NOSUID | libc::MS_NODEV;

/// Keeps the mounts below from propagating to the host.
pub fn make_mounts_private() -> Result<(), StageError> {
    mount(None, "/", None, libc::MS_REC | libc::MS_PRIVATE, "").at("make all mounts private")
}

/// Mounts a tmpfs over a directory that every machine has, and enters it: the paths below are
/// relative to it.
///
/// The directory must not contain any source of a mount, because that bind would include the tmpfs.
pub fn enter_empty_root() -> Result<(), StageError> {
    let places = ["/sys", "/mnt", "/srv", "/media"];
    let place = places
        .into_iter()
        .find(|place| Path::new(place).is_dir())
        .unwrap_or("/");
    let options = "size=4m,nr_inodes=4096,mode=755";
    mount(Some("tmpfs"), place, Some("tmpfs"), NO_SUID_DEV, options).at("mount the root")?;
    std::env::set_current_dir(place).at("enter the root")
}

/// Mounts one tmpfs for all writable directories, so that one size limit covers them, and binds its
/// subdirectories to their paths. Returns a descriptor of the work directory from a private mount:
/// writable even if the mount in the root is read-only.
pub fn mount_writable_directories(setup: &Setup) -> Result<OwnedFd, StageError> {
    const HIDDEN: &str = ".writable";
    let bytes = setup.work_bytes;
    let mut flags = NO_SUID_DEV;
    if setup.uncounted {
        flags |= libc::MS_NOEXEC;
    }
    // One inode per page, within bounds: a file takes at least a page, unless it is empty.
    let files = (bytes / 4096).clamp(64, 64 * 1024);
    let options = format!("size={bytes},nr_inodes={files},mode=755");
    directory(Path::new(HIDDEN))?;
    mount(Some("tmpfs"), HIDDEN, Some("tmpfs"), flags, &options).at("mount /work")?;
    for (i, place) in WRITABLE.into_iter().enumerate() {
        let part = Path::new(HIDDEN).join(i.to_string());
        let place = relative(Path::new(place));
        directory(&part)?;
        directory(&place)?;
        let bind = mount(part.to_str(), path_str(&place), None, libc::MS_BIND, "");
        bind.at(format!("mount /{}", place.display()))?;
    }
    let work = format!("{HIDDEN}/0");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let work = open_at(CWD, work, flags).at("open /work")?;
    unmount(HIDDEN, UnmountFlags::DETACH)
        .map_err(io::Error::from)
        .at("hide /work's root")?;
    fs::remove_dir(HIDDEN).at("hide /work's root")?;
    Ok(work)
}

/// Adds the mounts of the host, and the files and links of the box. `fds` are the sources of the
/// mounts.
pub fn add_entries(entries: &[Entry], fds: &[OwnedFd]) -> Result<(), StageError> {
    let mut fds = fds.iter();
    let mut mounted = Vec::new();
    for entry in entries {
        add(entry, &mut fds, &mut mounted)?;
    }
    for parent in mounted.iter().filter(|m| m.is_parent) {
        // Not recursive: mounts below it may be writable.
        restrict_alone(&parent.place, libc::MOUNT_ATTR_RDONLY)
            .at("make a parent of a mount read-only")?;
    }
    Ok(())
}

/// Makes the work directory read-only if programs may only read there.
pub fn protect_work(setup: &Setup) -> Result<(), StageError> {
    if !setup.work_read_only {
        return Ok(());
    }
    let work = relative(Path::new(WORK));
    restrict_alone(&work, libc::MOUNT_ATTR_RDONLY).at("make /work read-only")
}

/// A mount, relative to the root.
struct Mounted {
    place: PathBuf,
    is_parent: bool,
}

fn add<'a>(
    entry: &Entry,
    fds: &mut impl Iterator<Item = &'a OwnedFd>,
    mounted: &mut Vec<Mounted>,
) -> Result<(), StageError> {
    match entry {
        Entry::Bind { inside, writable } => {
            let stage = || format!("mount {}", inside.display());
            let source = fds
                .next()
                .ok_or(io::ErrorKind::NotFound.into())
                .at(stage())?;
            mount_parent(&relative(inside), mounted).at(stage())?;
            bind(source, inside, *writable).at(stage())?;
            mounted.push(Mounted {
                place: relative(inside),
                is_parent: false,
            });
            Ok(())
        }
        Entry::Link { inside, target } => {
            parents(inside)?;
            symlink(target, relative(inside)).at(format!("link {}", inside.display()))
        }
        Entry::File { inside, text } => {
            parents(inside)?;
            fs::write(relative(inside), text).at(format!("write {}", inside.display()))
        }
    }
}

/// Prepares for a mount deep inside a writable directory, such as `/tmp/a/b`. The program could not
/// rename `b`, which is a mount point, but it could rename `a`, and the next program would not find
/// it. So `a` becomes a mount point too.
fn mount_parent(place: &Path, mounted: &mut Vec<Mounted>) -> io::Result<()> {
    let writable = WRITABLE.map(|w| relative(Path::new(w)));
    let Some(top) = writable.iter().find(|w| place.starts_with(w)) else {
        return Ok(());
    };
    let first: PathBuf = place
        .components()
        .take(top.components().count() + 1)
        .collect();
    if first == place || mounted.iter().any(|m| place.starts_with(&m.place)) {
        return Ok(());
    }
    make_directory(&first)?;
    let options = "size=1m,nr_inodes=1024,mode=755";
    mount(
        Some("tmpfs"),
        path_str(&first),
        Some("tmpfs"),
        NO_SUID_DEV,
        options,
    )?;
    mounted.push(Mounted {
        place: first,
        is_parent: true,
    });
    Ok(())
}

fn bind(source: &OwnedFd, inside: &Path, writable: bool) -> io::Result<()> {
    let place = relative(inside);
    let from = format!("/proc/self/fd/{}", source.as_raw_fd());
    // Creating the target may fail inside another mount; then the target must exist already.
    let made = match FileType::from_raw_mode(fstat(source)?.st_mode) {
        FileType::Directory => make_directory(&place),
        _ => make_file(&place),
    };
    if made.is_err() && !place.exists() {
        return made;
    }
    mount(
        Some(&from),
        path_str(&place),
        None,
        libc::MS_BIND | libc::MS_REC,
        "",
    )?;
    let mut flags = libc::MOUNT_ATTR_NOSUID;
    if !inside.starts_with("/dev") {
        flags |= libc::MOUNT_ATTR_NODEV;
    }
    // On a read-only mount a device stays writable, but its timestamps, which the whole machine
    // sees, cannot be set.
    if !writable {
        flags |= libc::MOUNT_ATTR_RDONLY;
    }
    restrict(&place, flags)
}

/// Adds flags to a mount and all mounts below it.
fn restrict(place: &Path, flags: u64) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: flags,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let path = CString::new(place.as_os_str().as_bytes())?;
    let size = size_of_val(&attributes);
    // SAFETY: the path ends in NUL; the attributes outlive the call and their size is given.
    let set = check_long(unsafe {
        let recursive = libc::AT_RECURSIVE as libc::c_uint;
        let (cwd, path) = (libc::AT_FDCWD, path.as_ptr());
        libc::syscall(
            libc::SYS_mount_setattr,
            cwd,
            path,
            recursive,
            &raw const attributes,
            size,
        )
    });
    match set {
        Err(e) if e.raw_os_error() == Some(libc::ENOSYS) => restrict_alone(place, flags),
        other => other.map(drop),
    }
}

/// Adds flags to a single mount with `MS_REMOUNT`, which requires repeating its current flags.
fn restrict_alone(place: &Path, flags: u64) -> io::Result<()> {
    let present = statvfs(place)?.f_flag;
    let mut all = libc::MS_REMOUNT | libc::MS_BIND;
    let pairs = [
        (
            StatVfsMountFlags::RDONLY,
            libc::MOUNT_ATTR_RDONLY,
            libc::MS_RDONLY,
        ),
        (
            StatVfsMountFlags::NOSUID,
            libc::MOUNT_ATTR_NOSUID,
            libc::MS_NOSUID,
        ),
        (
            StatVfsMountFlags::NODEV,
            libc::MOUNT_ATTR_NODEV,
            libc::MS_NODEV,
        ),
        (
            StatVfsMountFlags::NOEXEC,
            libc::MOUNT_ATTR_NOEXEC,
            libc::MS_NOEXEC,
        ),
        (StatVfsMountFlags::NOATIME, 0, libc::MS_NOATIME),
        (StatVfsMountFlags::NODIRATIME, 0, libc::MS_NODIRATIME),
        (StatVfsMountFlags::RELATIME, 0, libc::MS_RELATIME),
    ];
    for (old, asked, flag) in pairs {
        if present.contains(old) || flags & asked != 0 {
            all |= flag;
        }
    }
    mount(None, path_str(place), None, all, "")
}

/// Mounts `/proc` of the box's PID namespace. The kernel refuses if the host's `/proc` is partly
/// covered, as in many containers; then the box has none.
pub fn mount_proc() -> io::Result<()> {
    make_directory(Path::new("proc"))?;
    let flags = NO_SUID_DEV | libc::MS_NOEXEC | libc::MS_RDONLY;
    let hidden = mount(Some("proc"), "proc", Some("proc"), flags, "hidepid=2");
    hidden.or_else(|_| mount(Some("proc"), "proc", Some("proc"), flags, ""))
}

/// Makes the current directory the root (`pivot_root`). The old root ends up on top of it and is
/// unmounted.
pub fn leave_host_root() -> Result<(), StageError> {
    pivot_root(c".", c".")
        .and_then(|()| unmount(c".", UnmountFlags::DETACH))
        .map_err(io::Error::from)
        .at("leave the host's root")
}

/// Makes the root read-only, without the mounts in it.
pub fn make_read_only() -> Result<(), StageError> {
    let flags = libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY | NO_SUID_DEV;
    mount(None, "/", None, flags, "").at("make the root read-only")
}

/// Enters the work directory.
pub fn enter_work() -> Result<(), StageError> {
    std::env::set_current_dir(WORK).at("enter the work directory")
}

fn mount(
    source: Option<&str>,
    target: &str,
    kind: Option<&str>,
    flags: c_ulong,
    options: &str,
) -> io::Result<()> {
    let (source, kind) = (source.map(c_string), kind.map(c_string));
    let (target, options) = (c_string(target), c_string(options));
    let pointer = |s: &Option<CString>| s.as_deref().map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: every string ends in NUL and outlives the call, or is null where the kernel allows
    // null.
    let done: c_int = unsafe {
        libc::mount(
            pointer(&source),
            target.as_ptr(),
            pointer(&kind),
            flags,
            options.as_ptr().cast(),
        )
    };
    check(done).map(drop)
}

/// Converts a path to a C string. Paths were decoded from C strings, so they contain no NUL.
fn c_string(s: &str) -> CString {
    CString::new(s).unwrap_or_default()
}

fn path_str(path: &Path) -> &str {
    path.to_str().unwrap_or("")
}

/// The path relative to the current directory, which becomes the root.
fn relative(inside: &Path) -> PathBuf {
    inside.strip_prefix("/").unwrap_or(inside).to_path_buf()
}

fn parents(inside: &Path) -> Result<(), StageError> {
    make_parents(&relative(inside)).at(format!("create {}", inside.display()))
}

fn directory(place: &Path) -> Result<(), StageError> {
    make_directory(place).at(format!("create {}", place.display()))
}

fn make_parents(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), make_directory)
}

fn make_directory(place: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o755)
        .create(place)
}

/// Makes an empty file, with the directories above it, unless it exists.
fn make_file(place: &Path) -> io::Result<()> {
    let make = || mknodat(CWD, place, FileType::RegularFile, Mode::from(0o644), 0);
    let made = make().or_else(|e| match e {
        Errno::NOENT => make_parents(place).and_then(|()| Ok(make()?)),
        other => Err(other.into()),
    });
    match made {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}
