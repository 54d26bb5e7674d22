//! Landlock: restricts which files a process and its children may open.
//!
//! With namespaces it is a second barrier: without it a descriptor of a file outside the box, such
//! as standard input, could be reopened through `/proc/self/fd`. Without namespaces it is the only
//! barrier.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;

use rustix::fs::{CWD, OFlags};

use crate::linux::protocol::layout::WRITABLE;
use crate::linux::protocol::{Entry, Setup};
use crate::linux::sys::{self, check_long, open_at, prctl};

const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const READ: u64 = EXECUTE | READ_FILE | READ_DIR;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const TRUNCATE: u64 = 1 << 14;
/// All rights of the first version.
const VERSION_1: u64 = (1 << 13) - 1;
/// Moving files between directories, from version 2 on; truncation from version 3 on.
const REFER: u64 = 1 << 13;
/// Abstract sockets and signals to other processes, from version 6 on.
const SCOPES: u64 = 0b11;

/// Rights below a directory, or on a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    /// Read, execute and remove files. Removing is needed because the zygote has the same rules and
    /// must empty the work directory.
    Remove,
    Write,
}

/// A set of rules. [`enforce`](Self::enforce) puts it into effect.
pub struct Ruleset {
    fd: OwnedFd,
    handled: u64,
}

/// Whether Landlock restricts `truncate`, which it does from version 3 on.
pub fn restricts_truncation() -> bool {
    sys::landlock_version() >= 3
}

impl Ruleset {
    /// An empty set, which denies every access. If `scoped`, the set also forbids signals to
    /// outside processes and connections to their abstract sockets, where the kernel supports it.
    pub fn new(scoped: bool) -> io::Result<Self> {
        let version = sys::landlock_version();
        let mut handled = VERSION_1;
        if version >= 2 {
            handled |= REFER;
        }
        if version >= 3 {
            handled |= TRUNCATE;
        }
        let scopes = if scoped && version >= 6 { SCOPES } else { 0 };
        // Rights on files, rights on network ports (none: a namespace or seccomp blocks the
        // network), and scopes.
        let attributes = [handled, 0, scopes];
        // Older versions know fewer fields and reject a longer structure.
        let size = if scopes != 0 { 24_usize } else { 8 };
        let attributes = attributes.as_ptr();
        // SAFETY: `attributes` points to at least `size` bytes.
        let fd = check_long(unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, attributes, size, 0)
        })?;
        // SAFETY: just opened; nothing else owns it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd as RawFd) };
        Ok(Ruleset { fd, handled })
    }

    /// Allows `access` below the directory, or on the file, behind the descriptor `path`.
    pub fn allow(
        &self,
        path: BorrowedFd<'_>,
        is_directory: bool,
        access: Access,
    ) -> io::Result<()> {
        #[repr(C, packed)]
        struct Beneath {
            allowed: u64,
            parent: RawFd,
        }
        const PATH_BENEATH: u32 = 1;
        let wanted = match access {
            Access::Read => READ,
            Access::Remove => READ | REMOVE_DIR | REMOVE_FILE,
            Access::Write => u64::MAX,
        };
        let of_files = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;
        let of_kind = if is_directory { u64::MAX } else { of_files };
        let rule = Beneath {
            allowed: wanted & of_kind & self.handled,
            parent: path.as_raw_fd(),
        };
        let fd = self.fd.as_raw_fd();
        // SAFETY: the rule outlives the call and has the type that the kind states.
        check_long(unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                fd,
                PATH_BENEATH,
                &raw const rule,
                0,
            )
        })?;
        Ok(())
    }

    fn allow_path(&self, path: &Path, access: Access) -> io::Result<()> {
        let fd = open_at(CWD, path, OFlags::PATH)?;
        self.allow_fd(fd.as_fd(), access)
    }

    fn allow_fd(&self, fd: BorrowedFd<'_>, access: Access) -> io::Result<()> {
        let is_directory = std::fs::File::from(fd.try_clone_to_owned()?)
            .metadata()?
            .is_dir();
        self.allow(fd, is_directory, access)
    }

    /// Enforces the rules on this process and its future descendants, irrevocably.
    pub fn enforce(&self) -> io::Result<()> {
        prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
        // SAFETY: no pointers.
        check_long(unsafe {
            libc::syscall(libc::SYS_landlock_restrict_self, self.fd.as_raw_fd(), 0)
        })?;
        Ok(())
    }

    /// The descriptor, for a caller that enforces the rules itself.
    pub fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

/// The rules for a box with its own root: read access everywhere, write access to the writable
/// directories.
pub fn rules_of_root(setup: &Setup) -> io::Result<Ruleset> {
    let rules = Ruleset::new(false)?;
    rules.allow_path(Path::new("/"), Access::Read)?;
    for place in WRITABLE {
        rules.allow_path(Path::new(place), Access::Write)?;
    }
    for entry in &setup.entries {
        match entry {
            Entry::Bind { inside, writable } if *writable || inside.starts_with("/dev") => {
                rules.allow_path(inside, Access::Write)?;
            }
            _ => {}
        }
    }
    Ok(rules)
}

/// The rules for a box without its own root: access to the binds, whose descriptors are in `fds`,
/// and to the work directory.
pub fn rules_of_entries(setup: &Setup, fds: &[OwnedFd]) -> io::Result<Ruleset> {
    let rules = Ruleset::new(true)?;
    let work = if setup.work_read_only {
        Access::Remove
    } else {
        Access::Write
    };
    rules.allow_path(&setup.work, work)?;
    if setup.fork {
        // The zygote reads `/proc` to find the processes to kill.
        rules.allow_path(Path::new("/proc"), Access::Read)?;
    }
    let binds = setup.entries.iter().filter_map(|entry| match entry {
        Entry::Bind { inside, writable } => Some(*writable || inside.starts_with("/dev")),
        _ => None,
    });
    for (writable, fd) in binds.zip(fds) {
        let access = if writable {
            Access::Write
        } else {
            Access::Read
        };
        rules.allow_fd(fd.as_fd(), access)?;
    }
    Ok(rules)
}
