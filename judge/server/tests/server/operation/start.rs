//! Restarts of the server: the work that a start repeats, and the state that it keeps.

use crate::common::{Data, sum, until};
use judge_server::packages::Packages;
use judge_server::secret::hash_password;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

fn current_tree(data: &Data) -> String {
    let problem = data.store().problem_by_ext("sum").expect("it is read");
    problem.expect("a problem").version.tree
}

/// An unchanged package is not read again, so a version that the jury published since stays; a changed
/// one is, though its size and time of modification are the old ones.
#[test]
fn only_a_changed_package_is_read_again() {
    let data = Data::new(&[sum("sum")]);
    // A package that was written just now is read again at the next start, to be safe.
    sleep(Duration::from_millis(4100));
    data.serve().stop();
    let first = current_tree(&data);

    let uploaded = sum("sum")
        .case("secret/3", "5 5\n", "10\n")
        .write(&data.path().join("upload"));
    let packages = Packages::open(&data.path().join("packages")).expect("it opens");
    let version = packages.add(&uploaded).expect("it is added");
    data.store().put_version(&version).expect("it is published");
    data.serve().stop();
    assert_eq!(
        current_tree(&data),
        version.tree,
        "the published version stays"
    );

    // A snapshot that is gone is made again.
    let snapshot = data.path().join("packages").join(&first);
    fs::remove_dir_all(&snapshot).expect("it is removed");
    data.serve().stop();
    assert!(snapshot.is_dir());

    let answer = data.package("sum").join("data/secret/1.ans");
    let before = fs::metadata(&answer)
        .expect("metadata")
        .modified()
        .expect("a time");
    fs::write(&answer, "43\n").expect("it is written");
    let file = fs::File::options()
        .write(true)
        .open(&answer)
        .expect("it opens");
    file.set_modified(before).expect("it is set");
    data.serve().stop();
    let changed = current_tree(&data);
    assert!(
        changed != version.tree && changed != first,
        "the changed package is served"
    );
}

#[test]
fn no_workers_without_nats_are_refused() {
    let data = Data::new(&[]);
    let output = data.command().args(["--jobs", "0"]).output();
    let output = output.expect("it runs");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("--jobs 0 needs --nats"), "{text}");
}

/// The second start serves with the languages that the first one found, and looks again meanwhile.
#[test]
fn languages_are_looked_for_while_pages_are_served() {
    let data = Data::new(&[sum("sum")]);
    data.serve().stop();
    let found = data
        .store()
        .setting("languages")
        .expect("read")
        .expect("found");
    assert!(found.contains("cpp"), "{found}");
    // A language that is not there any more disappears; one that is missing appears.
    let old = r#"[{"code":"gone","name":"Gone","extensions":["gone"]}]"#;
    data.store()
        .set_setting("languages", old)
        .expect("it is set");
    let server = data.serve();
    let served = || server.client().get("/api/practice/languages").body;
    for _ in 0..3000 {
        let now = served();
        // They are kept just after they are served.
        let kept = data.store().setting("languages").expect("it is read");
        if now.contains("cpp") && !now.contains("gone") && kept.as_ref() == Some(&found) {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("still the old languages: {} {}", served(), data.log());
}

#[test]
fn one_sign_in_link_works_and_none_is_printed_once_the_admin_has_a_password() {
    let data = Data::new(&[]);
    let first = data.serve();
    let old = first.link.clone();
    assert!(first.stop().success());
    let second = data.serve();
    let status = |link: &str| second.client().post(link, &[]).status;
    assert_eq!(status(&old), 404, "the link of the start before");
    assert_eq!(status(&second.link), 303);
    assert!(second.stop().success());
    let store = data.store();
    let admin = store
        .user_named("admin")
        .expect("it is read")
        .expect("the admin");
    let hash = hash_password("a password").expect("a hash");
    store
        .set_password(admin.id, Some(&hash))
        .expect("it is set");
    let third = data.serve();
    assert_eq!(third.link, "");
    assert!(third.stop().success());
    assert_ne!(data.serve_with(&["--sign-in-link"]).link, "");
}

#[test]
fn a_package_that_is_not_there_is_an_error_with_a_remedy() {
    let data = Data::new(&[]);
    let mut command = data.command();
    let output = command.arg("none.zip").output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text.contains("none.zip") && text.contains("help: give the path of a package"),
        "{text}"
    );
}

#[test]
fn what_a_killed_server_was_writing_is_removed() {
    let data = Data::new(&[]);
    data.serve().stop();
    let hash = "0".repeat(64);
    let package = data.path().join(format!("packages/{hash}.1-0.tmp"));
    let blob = data.path().join(format!("blobs/00/{hash}.1-1.tmp"));
    for file in [&package.join("six/problem.yaml"), &blob] {
        fs::create_dir_all(file.parent().expect("a directory")).expect("it is created");
        fs::write(file, "half").expect("it is written");
    }
    let kept = data.path().join(format!("blobs/00/{hash}"));
    fs::write(&kept, "whole").expect("it is written");
    let _server = data.serve();
    until("they are removed", || !package.exists() && !blob.exists());
    assert!(kept.exists());
}
