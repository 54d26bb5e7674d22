//! Packages in zip archives: valid ones are read and removed, hostile ones are rejected.

use judge_package::Package;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The files of a valid package.
const SOUND: [(&str, &str); 5] = [
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: 1\n",
    ),
    ("data/sample/1.in", "1 2\n"),
    ("data/sample/1.ans", "3\n"),
    ("data/secret/2.in", "5 7\n"),
    ("data/secret/2.ans", "12\n"),
];

struct Archive {
    dir: tempfile::TempDir,
    path: PathBuf,
}

/// An archive `sum.zip` with the files of a valid package below `prefix`, and the entries that
/// `more` adds.
fn archive(prefix: &str, more: impl FnOnce(&mut ZipWriter<File>)) -> Archive {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sum.zip");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    for (name, text) in SOUND {
        add(&mut zip, &format!("{prefix}{name}"), text.as_bytes());
    }
    more(&mut zip);
    zip.finish().unwrap();
    Archive { dir, path }
}

fn add(zip: &mut ZipWriter<File>, name: &str, content: &[u8]) {
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(content).unwrap();
}

/// The error about the archive, with a stable name for it.
fn complaint(archive: &Archive) -> String {
    let error = Package::read(&archive.path).unwrap_err().to_string();
    error.replace(&archive.path.display().to_string(), "sum.zip")
}

#[test]
fn a_name_that_two_entries_have_is_a_finding() {
    let archive = archive("", |zip| add(zip, "data/secret/3.in", b"1 1\n"));
    let mut bytes = std::fs::read(&archive.path).unwrap();
    // The library does not write such an archive.
    let mut at = 0;
    let name = b"data/secret/3.in";
    while let Some(next) = bytes[at..]
        .windows(name.len())
        .position(|part| part == name)
    {
        bytes[at + next + 12] = b'2';
        at += next + name.len();
    }
    std::fs::write(&archive.path, bytes).unwrap();
    let package = Package::read(&archive.path).unwrap();
    let findings = judge_package::lint(&package);
    let of_name = "`data/secret/2.in` is in the archive twice";
    let found = findings
        .iter()
        .filter(|one| one.error.what.contains(of_name));
    assert_eq!(found.count(), 1, "{findings:?}");
}

#[test]
fn unpacked_files_are_removed_with_the_package() {
    for prefix in ["", "twosum/"] {
        let archive = archive(prefix, |_| {});
        let package = Package::read(&archive.path).unwrap();
        let id = if prefix.is_empty() { "sum" } else { "twosum" };
        assert_eq!(package.id, id);
        assert_eq!(package.cases().len(), 2);
        let copy = package.clone();
        let root = package.root.clone();
        drop(package);
        let mut text = String::new();
        File::open(&copy.cases()[0].input)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "1 2\n");
        drop(copy);
        assert!(!root.exists());
    }
}

#[test]
fn no_file_is_written_outside_the_directory() {
    for name in [
        "../evil.txt",
        "data/../../evil.txt",
        "/tmp/judge-evil.txt",
        "..\\evil.txt",
    ] {
        let archive = archive("", |zip| add(zip, name, b"evil"));
        let message = complaint(&archive);
        assert!(
            message.contains("outside of the package"),
            "{name}: {message}"
        );
        assert!(!archive.dir.path().join("evil.txt").exists());
        assert!(!Path::new("/tmp/judge-evil.txt").exists());
        assert!(!std::env::temp_dir().join("evil.txt").exists());
    }
}

#[test]
fn an_entry_in_many_directories_is_rejected() {
    let deep = |depth: usize| format!("{}x.txt", "d/".repeat(depth));
    let message = complaint(&archive("", |zip| add(zip, &deep(2000), b"")));
    assert!(
        message.contains("lies in more than 63 directories"),
        "{message}"
    );
    let sound = archive("", |zip| add(zip, &deep(60), b""));
    assert!(Package::read(&sound.path).is_ok());
}

#[test]
fn links_out_of_the_package_are_rejected_and_links_inside_followed() {
    let link = |name: &'static str, target: &'static str| {
        move |zip: &mut ZipWriter<File>| {
            zip.add_symlink(name, target, SimpleFileOptions::default())
                .unwrap();
        }
    };
    for (name, target) in [
        ("data/secret/3.in", "/etc/passwd"),
        ("data/secret/3.in", "../../../../etc/passwd"),
    ] {
        let message = complaint(&archive("", link(name, target)));
        assert!(
            message.contains("symbolic link out of the package"),
            "{message}"
        );
    }
    // Each link alone stays inside; one through the other leads out.
    let message = complaint(&archive("", |zip| {
        link("data/secret/up", "../..")(zip);
        link("data/out", "secret/up/../sum.zip/..")(zip);
        link("data/up2", "secret/up/..")(zip);
    }));
    assert!(
        message.contains("symbolic link out of the package"),
        "{message}"
    );

    let inside = archive("", |zip| {
        link("data/secret/3.in", "2.in")(zip);
        link("data/secret/3.ans", "../secret/2.ans")(zip);
    });
    assert_eq!(Package::read(&inside.path).unwrap().cases().len(), 3);
}

#[test]
fn a_million_entries_are_rejected_before_they_are_read() {
    let archive = archive("", |_| {});
    // Only the end record is examined: raises its two counts to 65,535 and adds a 64-bit end record
    // with a million.
    let mut bytes = std::fs::read(&archive.path).unwrap();
    let end = bytes.len() - 22;
    let tail = bytes.split_off(end);
    let mut end64 = b"PK\x06\x06".to_vec();
    end64.extend(44_u64.to_le_bytes());
    end64.extend([0; 12]);
    end64.extend(1_000_000_u64.to_le_bytes());
    end64.extend(1_000_000_u64.to_le_bytes());
    end64.extend([0; 16]);
    bytes.extend(end64);
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend((end as u64).to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(tail);
    std::fs::write(&archive.path, bytes).unwrap();
    let message = complaint(&archive);
    assert!(message.contains("holds 1000000 files"), "{message}");
}

#[test]
fn damaged_archives_are_errors() {
    let whole = archive("", |zip| add(zip, "statement/problem.en.md", &[b'x'; 5000]));
    let length = std::fs::metadata(&whole.path).unwrap().len();
    for keep in (0..length).step_by(31) {
        let copy = whole.dir.path().join("cut.zip");
        std::fs::copy(&whole.path, &copy).unwrap();
        let file = File::options().write(true).open(&copy).unwrap();
        file.set_len(keep).unwrap();
        assert!(Package::read(&copy).is_err(), "cut off at {keep}");
    }
    // One flipped byte at any offset gives an error or a package, never a panic.
    for at in (0..length).step_by(13) {
        let copy = whole.dir.path().join("flipped.zip");
        std::fs::copy(&whole.path, &copy).unwrap();
        let mut file = File::options().read(true).write(true).open(&copy).unwrap();
        let mut byte = [0];
        file.seek(SeekFrom::Start(at)).unwrap();
        file.read_exact(&mut byte).unwrap();
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&[byte[0] ^ 0x41]).unwrap();
        let _ = Package::read(&copy);
    }
}

#[test]
fn errors_name_the_archive() {
    let archive = archive("", |zip| add(zip, "data/secret/3.in", b"1 1\n"));
    insta::assert_snapshot!(complaint(&archive), @r"
    sum.zip/data/secret/3.in: the input has no answer: sum.zip/data/secret/3.ans is missing
      help: add the answer file; a problem that needs none has an empty one
    ");
    let of_file = |name: &str, content: &str| {
        let path = archive.dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        let message = Package::read(&path).unwrap_err().to_string();
        message.replace(&path.display().to_string(), name)
    };
    let message = of_file("text.zip", "no archive");
    insta::assert_snapshot!(message, @r"
    text.zip: is not a zip archive, or its end is missing
      help: a package is a directory, or a zip archive of one; download or pack it again
    ");
    let message = of_file("sol.cpp", "int main() {}");
    insta::assert_snapshot!(message, @r"
    sol.cpp: is a file, not a package
      help: to judge it as a program, name the package first: `judge run PACKAGE -s sol.cpp`
    ");
}
