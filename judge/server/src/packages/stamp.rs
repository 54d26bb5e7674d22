//! Fingerprints of packages on the disk: an unchanged one is not read again.

use judge_core::text::hex;
use sha2::{Digest, Sha256};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

/// A file that changed within this time may change again without getting a newer time: file systems
/// count in steps of up to two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// A fingerprint of a package, a directory or an archive: of the name, size, rights, inode and times
/// of each file, links followed. The time of the last change of status is among them, which no program
/// can set back. A new version of this program has other fingerprints, because it may read packages in
/// another way.
///
/// `None`: a file has changed in the last seconds, or cannot be looked at. Then the package has to be
/// read.
pub fn stamp(path: &Path) -> Option<String> {
    stamp_at(path, SystemTime::now()).ok().flatten()
}

fn stamp_at(path: &Path, now: SystemTime) -> io::Result<Option<String>> {
    let now_s = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let newest = now_s.saturating_sub(SETTLED).as_secs() as i64;
    let mut stamp = Sha256::new();
    add(
        &mut stamp,
        Path::new(""),
        &fs::metadata(std::env::current_exe()?)?,
    );
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.ctime() >= newest {
            return Ok(None);
        }
        add(&mut stamp, entry.path(), &metadata);
    }
    Ok(Some(hex(&stamp.finalize())))
}

fn add(stamp: &mut Sha256, path: &Path, metadata: &Metadata) {
    let name = path.as_os_str().as_encoded_bytes();
    stamp.update((name.len() as u64).to_le_bytes());
    stamp.update(name);
    for figure in [metadata.dev(), metadata.ino(), metadata.size()] {
        stamp.update(figure.to_le_bytes());
    }
    stamp.update(metadata.mode().to_le_bytes());
    for time in [
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    ] {
        stamp.update(time.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    fn later() -> SystemTime {
        SystemTime::now() + Duration::from_secs(3600)
    }

    #[test]
    fn any_change_changes_the_stamp() {
        let dir = tempfile::tempdir().expect("a directory");
        let package = dir.path().join("sum");
        fs::create_dir(&package).expect("it is created");
        let answer = package.join("1.ans");
        fs::write(&answer, "3\n").expect("it is written");
        let now = || {
            stamp_at(&package, later())
                .expect("it is read")
                .expect("it is settled")
        };
        let first = now();
        assert_eq!(now(), first);
        // The same size, and the time of modification set back.
        let before = fs::metadata(&answer)
            .expect("metadata")
            .modified()
            .expect("a time");
        let mut seen = vec![first];
        let mut changed = |what: &str| {
            let stamp = now();
            assert!(!seen.contains(&stamp), "{what}");
            seen.push(stamp);
        };
        fs::write(&answer, "4\n").expect("it is written");
        let file = File::options().write(true).open(&answer).expect("it opens");
        file.set_modified(before).expect("it is set");
        changed("content, with the old time");
        fs::write(package.join("2.ans"), "").expect("it is written");
        changed("a new file");
        fs::rename(package.join("2.ans"), package.join("3.ans")).expect("renamed");
        changed("another name");
        let other = dir.path().join("other");
        fs::write(&other, "5\n").expect("it is written");
        fs::remove_file(&answer).expect("removed");
        std::os::unix::fs::symlink(&other, &answer).expect("a link");
        changed("a link");
        fs::write(&other, "6\n").expect("it is written");
        changed("the target of a link");
    }

    #[test]
    fn a_file_that_just_changed_has_no_stamp() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("a.zip");
        fs::write(&file, "x").expect("it is written");
        assert_eq!(stamp(&file), None);
        let known = stamp_at(&file, later()).expect("it is read");
        assert!(known.is_some());
        assert_eq!(stamp(&dir.path().join("missing")), None);
    }
}
