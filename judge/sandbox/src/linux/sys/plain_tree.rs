//! Makes directory trees that programs wrote plain.

use std::ffi::{CStr, CString, OsStr};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, chmodat, fchmod, fchown, flistxattr,
    fremovexattr, fstat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};

use super::{ids, is_root, open_at};
use judge_tempdir::remove_tree::DIRECTORY;

const MAX_DEPTH: usize = 64;
/// Modes of the result. The directory above the tree keeps other users out; without these bits the
/// boxes of a judge that is root could not read the tree.
const PLAIN_DIRECTORY: Mode = Mode::from_raw_mode(0o755);
const PLAIN_FILE: Mode = Mode::from_raw_mode(0o644);
const PLAIN_PROGRAM: Mode = Mode::from_raw_mode(0o755);

/// Makes the tree below the directory `top` plain, which programs wrote that have ended: it then
/// holds only directories, regular files without other names, and links to these.
///
/// - Every file is readable, and executable if it was for somebody; none is setuid, setgid or
///   sticky, or writable for others. A process that executes an unreadable file detaches the clock
///   that measures it; a setuid program would run as the judge's user.
/// - The judge's user owns everything, so that a program of another user changes nothing, even by
///   path.
/// - A file with several names is replaced by a copy, because another name may lie outside.
/// - Pipes, sockets, devices, and links that lead out of the tree or nowhere are removed, as are
///   access control lists, capabilities and other extended attributes.
///
/// Fails if something cannot be changed, or the tree is deeper than 64 directories.
pub fn make_plain(top: &Path) -> io::Result<()> {
    let directory = open_at(CWD, top, DIRECTORY)?;
    let mut links = Vec::new();
    plain_directory(&directory, &mut PathBuf::new(), &mut links)?;
    let real = top.canonicalize()?;
    for link in links {
        let link = top.join(link);
        if !link.canonicalize().is_ok_and(|to| to.starts_with(&real)) {
            fs::remove_file(link)?;
        }
    }
    Ok(())
}

/// Makes a directory plain, which lies at `path` in the tree, and adds the symbolic links below it to
/// `links`.
fn plain_directory(
    directory: &OwnedFd,
    path: &mut PathBuf,
    links: &mut Vec<PathBuf>,
) -> io::Result<()> {
    if path.components().count() > MAX_DEPTH {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    for name in names(directory)? {
        let stat = statat(directory, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        path.push(OsStr::from_bytes(name.to_bytes()));
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                allow(directory, &name, &stat, Mode::RWXU)?;
                let below = open_at(directory, &name, DIRECTORY)?;
                plain_directory(&below, path, links)?;
            }
            FileType::RegularFile => plain_file(directory, &name, &stat)?,
            FileType::Symlink => links.push(path.clone()),
            _ => unlinkat(directory, &name, AtFlags::empty())?,
        }
        path.pop();
    }
    seal(directory.as_fd(), PLAIN_DIRECTORY)
}

fn plain_file(directory: &OwnedFd, name: &CStr, stat: &Stat) -> io::Result<()> {
    let is_program = stat.st_mode & 0o111 != 0;
    let mode = if is_program {
        PLAIN_PROGRAM
    } else {
        PLAIN_FILE
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    if stat.st_nlink > 1 {
        // Its mode stays: the file may belong to somebody else.
        return match open_at(directory, name, flags) {
            Ok(shared) => replace_by_copy(directory, name, File::from(shared), mode),
            Err(_) => Ok(unlinkat(directory, name, AtFlags::empty())?),
        };
    }
    allow(directory, name, stat, Mode::RUSR)?;
    seal(open_at(directory, name, flags)?.as_fd(), mode)
}

/// Lets the owner use an entry that is not a link, if it does not have these rights.
fn allow(directory: &OwnedFd, name: &CStr, stat: &Stat, rights: Mode) -> io::Result<()> {
    let mode = Mode::from_raw_mode(stat.st_mode);
    match mode.contains(rights) {
        true => Ok(()),
        false => Ok(chmodat(directory, name, rights, AtFlags::empty())?),
    }
}

/// Replaces an entry of a directory by a copy of the file.
fn replace_by_copy(directory: &OwnedFd, name: &CStr, mut file: File, mode: Mode) -> io::Result<()> {
    let create = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mut number = 0_u32;
    let (temporary, copy) = loop {
        let temporary = format!(".copy-{number}");
        match openat(
            directory,
            temporary.as_str(),
            create,
            Mode::RUSR | Mode::WUSR,
        ) {
            Ok(copy) => break (temporary, copy),
            Err(Errno::EXIST) => number += 1,
            Err(e) => return Err(e.into()),
        }
    };
    let mut copy = File::from(copy);
    io::copy(&mut file, &mut copy)?;
    seal(copy.as_fd(), mode)?;
    Ok(renameat(directory, temporary.as_str(), directory, name)?)
}

/// Gives a file or directory to the judge's user, with this mode and no other attributes.
fn seal(fd: BorrowedFd<'_>, mode: Mode) -> io::Result<()> {
    remove_attributes(fd)?;
    if is_root() {
        let (user, group) = ids();
        fchown(fd, Some(Uid::from_raw(user)), Some(Gid::from_raw(group)))?;
    }
    // Last: a change of the owner or of an access control list changes the mode.
    fchmod(fd, mode)?;
    debug_assert_eq!(Mode::from_raw_mode(fstat(fd)?.st_mode), mode);
    Ok(())
}

/// Removes extended attributes, which include access control lists and capabilities. Those of
/// security modules stay: the kernel sets them.
fn remove_attributes(fd: BorrowedFd<'_>) -> io::Result<()> {
    let mut list = vec![0_u8; 64 << 10];
    let length = match flistxattr(fd, &mut list[..]) {
        Ok(length) => length,
        Err(Errno::NOTSUP) => return Ok(()),
        Err(e) => return Err(e.into()),
    };
    for name in list[..length].split_inclusive(|byte| *byte == 0) {
        let name = CStr::from_bytes_with_nul(name).map_err(io::Error::other)?;
        let bytes = name.to_bytes();
        if bytes.starts_with(b"security.") && bytes != b"security.capability" {
            continue;
        }
        match fremovexattr(fd, name) {
            Ok(()) | Err(Errno::NODATA) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// The names in a directory, without `.` and `..`.
fn names(directory: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_owned();
        if name.as_c_str() != c"." && name.as_c_str() != c".." {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn odd_modes_become_plain() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path();
        fs::create_dir_all(path.join("a/locked")).unwrap();
        for (name, given) in [
            ("a/unreadable", 0o111),
            ("a/setuid", 0o6755),
            ("a/open", 0o666),
            ("a/none", 0o000),
            ("a/locked/x", 0o1421),
        ] {
            fs::write(path.join(name), name).unwrap();
            set_mode(&path.join(name), given);
        }
        set_mode(&path.join("a/locked"), 0o000);
        set_mode(&path.join("a"), 0o3777);
        set_mode(path, 0o7777);
        make_plain(path).unwrap();
        for (name, expected) in [
            ("", 0o755),
            ("a", 0o755),
            ("a/locked", 0o755),
            ("a/unreadable", 0o755),
            ("a/setuid", 0o755),
            ("a/open", 0o644),
            ("a/none", 0o644),
            ("a/locked/x", 0o755),
        ] {
            assert_eq!(mode(&path.join(name)), expected, "{name}");
        }
        assert_eq!(
            fs::read(path.join("a/unreadable")).unwrap(),
            b"a/unreadable"
        );
    }

    #[test]
    fn only_files_directories_and_links_inside_stay() {
        let outside = tempfile::tempdir().unwrap();
        set_mode(outside.path(), 0o710);
        let secret = outside.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        set_mode(&secret, 0o600);
        let top = tempfile::tempdir_in(outside.path()).unwrap();
        let path = top.path();
        fs::create_dir(path.join("sub")).unwrap();
        fs::write(path.join("file"), "file").unwrap();
        for (link, to) in [
            ("inside", "file"),
            ("sub/up", "../file"),
            ("chain", "sub/up"),
            ("out", "../secret"),
            ("absolute", "/usr"),
            ("nowhere", "nothing"),
            ("loop", "loop"),
            ("through", "absolute/bin"),
        ] {
            symlink(to, path.join(link)).unwrap();
        }
        rustix::fs::mknodat(CWD, path.join("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path.join("socket")).unwrap();
        make_plain(path).unwrap();
        for link in ["inside", "sub/up", "chain"] {
            assert_eq!(fs::read(path.join(link)).unwrap(), b"file", "{link}");
        }
        let left: Vec<_> = fs::read_dir(path).unwrap().collect();
        assert_eq!(left.len(), 4, "{left:?}");
        assert_eq!(mode(&secret), 0o600);
        assert_eq!(mode(outside.path()), 0o710);
    }

    #[test]
    fn a_file_with_another_name_outside_is_copied() {
        let outside = tempfile::tempdir().unwrap();
        let shared = outside.path().join("shared");
        fs::write(&shared, "text").unwrap();
        set_mode(&shared, 0o4640);
        let path = outside.path().join("tree");
        fs::create_dir(&path).unwrap();
        fs::write(path.join(".copy-0"), "mine").unwrap();
        fs::hard_link(&shared, path.join("name")).unwrap();
        make_plain(&path).unwrap();
        assert_eq!(mode(&shared), 0o4640);
        assert_eq!(fs::metadata(&shared).unwrap().nlink(), 1);
        assert_eq!(fs::read(path.join("name")).unwrap(), b"text");
        assert_eq!(fs::read(path.join(".copy-0")).unwrap(), b"mine");
        assert_eq!(mode(&path.join("name")), 0o644);
    }

    #[test]
    fn extended_attributes_are_removed() {
        use rustix::fs::{XattrFlags, listxattr, setxattr};
        let top = tempfile::tempdir_in("/var/tmp").unwrap();
        let file = top.path().join("file");
        fs::write(&file, "").unwrap();
        let mut set = 0;
        // User 1 may read the file: an access control list in the kernel's format.
        let entry = |tag: u16, rights: u16, id: u32| {
            let (tag, rights, id) = (tag.to_le_bytes(), rights.to_le_bytes(), id.to_le_bytes());
            [&tag[..], &rights, &id].concat()
        };
        let list = [
            2_u32.to_le_bytes().to_vec(),
            entry(1, 6, u32::MAX),
            entry(2, 4, 1),
            entry(4, 0, u32::MAX),
            entry(16, 4, u32::MAX),
            entry(32, 0, u32::MAX),
        ]
        .concat();
        let capability = [0x0200_0000_u32, 0x80, 0, 0, 0]
            .map(u32::to_le_bytes)
            .concat();
        for (name, value) in [
            ("user.note", b"1".as_slice()),
            ("system.posix_acl_access", &list),
            ("security.capability", &capability),
        ] {
            set += usize::from(setxattr(&file, name, value, XattrFlags::empty()).is_ok());
        }
        if set == 0 {
            eprintln!("skipped: no extended attributes here");
            return;
        }
        make_plain(top.path()).unwrap();
        let mut list = vec![0_u8; 1000];
        let length = listxattr(&file, &mut list[..]).unwrap();
        let left = String::from_utf8_lossy(&list[..length]).into_owned();
        let ours = left.split('\0').find(|name| {
            name.starts_with("user.") || name.contains("acl") || name.contains("capability")
        });
        assert_eq!(ours, None);
        assert_eq!(mode(&file), 0o644);
    }

    #[test]
    fn a_tree_that_is_too_deep_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let deep = vec!["d"; MAX_DEPTH + 2].join("/");
        fs::create_dir_all(top.path().join(deep)).unwrap();
        assert!(make_plain(top.path()).is_err());
    }
}
