//! Snapshots of packages as tar archives, in files without names.

use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

/// The directory of a snapshot as a tar archive in a file without a name.
pub fn pack(dir: &Path) -> io::Result<File> {
    let id = dir.file_name().unwrap_or_default();
    packed(|archive| archive.append_dir_all(id, dir))
}

/// A tar archive in a file without a name.
pub fn packed(fill: impl FnOnce(&mut tar::Builder<File>) -> io::Result<()>) -> io::Result<File> {
    let mut archive = tar::Builder::new(tempfile::tempfile()?);
    fill(&mut archive)?;
    let mut file = archive.into_inner()?;
    file.rewind()?;
    Ok(file)
}

/// Unpacks an archive of one directory; returns the directory.
pub fn unpack(mut file: File, to: &Path) -> io::Result<PathBuf> {
    file.rewind()?;
    fs::create_dir_all(to)?;
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    for entry in tar::Archive::new(io::BufReader::new(file)).entries()? {
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        // A snapshot has no links.
        if !(kind.is_file() || kind.is_dir()) || !entry.unpack_in(to)? {
            return Err(invalid("the archive has other things than files inside it"));
        }
    }
    let mut roots = fs::read_dir(to)?;
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root?.path()),
        _ => Err(invalid("the archive is not one directory")),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::packages::{Packages, tree};

    /// A directory of snapshots with one package, and its hash.
    pub fn packages(dir: &Path) -> (Packages, String) {
        let given = dir.join("given/sum");
        fs::create_dir_all(&given).expect("it is created");
        for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
            fs::write(given.join(name), text).expect("it is written");
        }
        let packages = Packages::open(&dir.join("kept")).expect("it opens");
        let hash = packages.add(&given).expect("it is added").tree;
        (packages, hash)
    }

    #[test]
    fn a_packed_snapshot_is_unpacked_to_the_same_tree() {
        let dir = tempfile::tempdir().expect("a directory");
        let (packages, hash) = packages(dir.path());
        let archive = pack(&packages.snapshot(&hash).expect("it is kept")).expect("it is packed");
        let root = unpack(archive, &dir.path().join("to")).expect("it is unpacked");
        assert_eq!(tree(&root).expect("it is read"), hash);
    }

    #[test]
    fn an_archive_with_a_link_is_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut archive = tar::Builder::new(tempfile::tempfile().expect("a file"));
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        let added = archive.append_link(&mut header, "sum", "/etc");
        added.expect("it is added");
        let file = archive.into_inner().expect("a file");
        assert!(unpack(file, &dir.path().join("to")).is_err());
    }
}
