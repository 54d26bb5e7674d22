//! Backup of a running server, and restoring it.

use super::{RIGHT, WRONG};
use crate::common::{Data, SmallDisk, judge_server, sum};
use crate::jury::packages::package;
use judge_core::verdict::Verdict;
use judge_server::store::{Store, SubmissionFilter};
use rustix::process::geteuid;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs a command over the data; returns whether it succeeded, and its messages.
fn run(command: &[&str], file: &Path, data: &Path) -> (bool, String) {
    let output = judge_server()
        .args(command)
        .arg(file)
        .arg("--data")
        .arg(data)
        .output()
        .expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("text");
    (output.status.success(), text)
}

#[test]
fn a_backup_while_submissions_arrive_has_everything_accepted_before() {
    let data = Data::new(&[sum("sum")]);
    let scratch = tempfile::tempdir().expect("a directory");
    let archive = scratch.path().join("backup.tar");
    let server = data.serve();
    let admin = server.admin();
    let accepted: Vec<_> = (0..5)
        .map(|k| admin.submit("sum", "a.py", &format!("# {k}\n{RIGHT}")))
        .collect();
    let done = AtomicBool::new(false);
    let (ok, text) = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                // The limit of submissions per minute may be reached.
                admin.try_submit("sum", "a.py", WRONG);
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let result = run(&["backup"], &archive, &data.path());
        done.store(true, Ordering::SeqCst);
        result
    });
    assert!(ok, "{text}");
    let (ok, text) = run(&["serve", "backup"], &archive, &data.path());
    assert!(!ok && text.contains("exists already"), "{text}");
    server.kill();

    let restored = Data::new(&[]);
    let (ok, text) = run(&["serve", "restore"], &archive, &restored.path());
    assert!(ok, "{text}");
    let (ok, text) = run(&["restore"], &archive, &restored.path());
    assert!(!ok && text.contains("is not empty"), "{text}");
    let server = restored.serve();
    let store = restored.store();
    for id in &accepted {
        let judging = server.judged(*id);
        assert_eq!(judging.verdict, Some(Verdict::Accepted), "{judging:?}");
        assert_eq!(store.case_results(judging.id).expect("read").len(), 3);
    }
    let all = store.submissions(&SubmissionFilter::default(), 1000);
    for submission in all.expect("read") {
        server.judged(submission.id);
    }
    assert!(
        server
            .admin()
            .page(&format!("/submissions/{}", accepted[0]))
            .contains("AC")
    );
    // Into a directory that exists and is empty.
    let empty = scratch.path().join("empty");
    fs::create_dir(&empty).expect("it is created");
    let (ok, text) = run(&["restore"], &archive, &empty);
    assert!(ok, "{text}");
    let store = Store::open(&empty.join("judge.sqlite")).expect("it opens");
    assert!(store.submission(accepted[4]).is_ok());
}

#[test]
fn damaged_archives_are_refused() {
    let data = Data::new(&[sum("sum")]);
    assert!(data.serve().stop().success());
    let scratch = tempfile::tempdir().expect("a directory");
    let (archive, target) = (scratch.path().join("a.tar"), scratch.path().join("data"));
    let (ok, text) = run(&["backup"], &archive, &data.path());
    assert!(ok, "{text}");
    let whole = fs::read(&archive).expect("it is read");
    let refuse = |bytes: &[u8], why: &str| {
        fs::write(&archive, bytes).expect("it is written");
        let (ok, text) = run(&["restore"], &archive, &target);
        assert!(!ok && text.contains(why), "{text}");
        assert!(!target.exists(), "a directory is left");
    };
    // Without the manifest: its header, its content, and the two blocks at the end.
    refuse(&whole[..whole.len() - 4 * 512], "the end is missing");
    let answer = whole
        .windows(8)
        .rposition(|bytes| bytes == b"42\n\0\0\0\0\0")
        .expect("the answer of a case");
    let mut changed = whole.clone();
    changed[answer] = b'5';
    refuse(&changed, "damaged");
    let no_archive = "a.tar: is not an archive of `backup`, or is cut short\n  help: ";
    refuse(&package("7\n"), no_archive);
    refuse(b"", "the end is missing");
    // Inside the first file, and inside a header.
    for length in [4096, whole.len() / 2, whole.len() - 5 * 512 - 100] {
        refuse(&whole[..length], "cut short");
    }
    let (ok, text) = run(&["restore"], &scratch.path().join("none.tar"), &target);
    assert!(
        !ok && text.contains("help: name an archive that `judge serve backup` wrote"),
        "{text}"
    );
    let (ok, text) = run(
        &["backup"],
        &scratch.path().join("none/a.tar"),
        &data.path(),
    );
    assert!(
        !ok && text.contains("help: name a file in a directory that exists"),
        "{text}"
    );
    let (ok, text) = run(&["backup"], &archive, &target);
    assert!(!ok && text.contains("no data of a server"), "{text}");
}

/// The data has hashes of passwords, sources and secret cases.
#[test]
fn only_the_user_of_the_server_may_read_data_and_backups() {
    let mode = |path: &Path| {
        let metadata = fs::metadata(path).expect("it is there");
        format!("{:o}", metadata.permissions().mode() & 0o777)
    };
    // Root's programs are another user, which must reach the package's files.
    let private = if geteuid().is_root() { "710" } else { "700" };
    let data = Data::new(&[]);
    data.serve().stop();
    assert_eq!(mode(&data.path()), private);
    assert!(!data.log().contains("chmod"), "{}", data.log());
    let scratch = tempfile::tempdir().expect("a directory");
    let archive = scratch.path().join("backup.tar");
    let (ok, text) = run(&["backup"], &archive, &data.path());
    assert!(ok, "{text}");
    assert_eq!(mode(&archive), "600");
    for name in ["new", "empty"] {
        let restored = scratch.path().join(name);
        if name == "empty" {
            fs::create_dir(&restored).expect("it is created");
        }
        let (ok, text) = run(&["restore"], &archive, &restored);
        assert!(ok, "{text}");
        assert_eq!(mode(&restored), private);
    }

    // Others may have been given access on purpose.
    let open = Permissions::from_mode(0o755);
    fs::set_permissions(data.path(), open).expect("they are set");
    data.serve().stop();
    assert_eq!(mode(&data.path()), "755");
    assert!(
        data.log().contains("all users of this machine"),
        "{}",
        data.log()
    );
}

/// Such as a volume for the data, whose root is not to be replaced.
#[test]
fn a_backup_is_restored_into_a_mount_point() {
    let data = Data::new(&[sum("sum")]);
    assert!(data.serve().stop().success());
    let scratch = tempfile::tempdir().expect("a directory");
    let archive = scratch.path().join("backup.tar");
    let (ok, text) = run(&["backup"], &archive, &data.path());
    assert!(ok, "{text}");
    let volume = scratch.path().join("volume");
    fs::create_dir(&volume).expect("a directory");
    let Some(disk) = SmallDisk::at(&volume, 64) else {
        return;
    };
    let restore: [&Path; 4] = ["restore".as_ref(), &archive, "--data".as_ref(), &volume];
    let (left, status, text) = on_small_disk(&disk, &volume, &restore);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(left, ["judge.sqlite", "packages"], "{text}");
    let (_, status, text) = on_small_disk(&disk, &volume, &restore);
    assert!(status == Some(2) && text.contains("is not empty"), "{text}");
}

#[test]
fn the_files_of_a_killed_restore_are_removed_by_the_next() {
    let data = Data::new(&[sum("sum")]);
    assert!(data.serve().stop().success());
    let scratch = tempfile::tempdir().expect("a directory");
    let archive = scratch.path().join("backup.tar");
    let (ok, text) = run(&["backup"], &archive, &data.path());
    assert!(ok, "{text}");
    let place = scratch.path().join("data");
    fs::create_dir_all(place.join("restored.tmp/blobs")).expect("a directory");
    fs::write(place.join("restored.tmp/judge.sqlite"), "half").expect("a file");
    let (ok, text) = run(&["restore"], &archive, &place);
    assert!(ok, "{text}");
    assert!(place.join("judge.sqlite").exists() && !place.join("restored.tmp").exists());
}

/// The names in a directory of a small disk, after a command of the server ran there, its exit status and its messages.
fn on_small_disk(
    disk: &SmallDisk,
    place: &Path,
    args: &[&Path],
) -> (Vec<String>, Option<i32>, String) {
    let mut command = Command::new("sh");
    let script = "dir=$1; shift; \"$@\"; status=$?; echo left; ls -A \"$dir\"; exit $status";
    command.args(["-c", script, "sh"]).arg(place);
    command.arg(judge_server().get_program()).args(args);
    let output = disk.inside(&command).output().expect("it runs");
    let text = String::from_utf8([output.stderr, output.stdout].concat()).expect("text");
    let (said, left) = text.split_once("left\n").expect("the names");
    let left = left.lines().map(str::to_owned).collect();
    (left, output.status.code(), said.to_owned())
}

#[test]
fn a_full_disk_is_the_machines_fault_and_nothing_is_left() {
    let data = Data::new(&[sum("sum")]);
    assert!(data.serve().stop().success());
    let scratch = tempfile::tempdir().expect("a directory");
    let archive = scratch.path().join("backup.tar");
    let (ok, text) = run(&["backup"], &archive, &data.path());
    assert!(ok, "{text}");
    let small = scratch.path().join("small");
    fs::create_dir(&small).expect("a directory");
    let Some(disk) = SmallDisk::at(&small, 1) else {
        return;
    };
    disk.fill();
    let path = data.path();
    let (new, restored) = (small.join("new.tar"), small.join("data"));
    for (args, place) in [
        (
            ["backup".as_ref(), new.as_path(), "--data".as_ref(), &path],
            &new,
        ),
        (
            ["restore".as_ref(), &archive, "--data".as_ref(), &restored],
            &restored,
        ),
    ] {
        let (left, status, text) = on_small_disk(&disk, &small, &args);
        assert_eq!(status, Some(3), "{text}");
        let place = place.display().to_string();
        assert!(text.contains(&format!("failed to write {place}")), "{text}");
        assert!(text.contains("make room on its disk"), "{text}");
        assert_eq!(left, ["ballast"], "{text}");
    }
}
