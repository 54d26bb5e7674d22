//! A disk that is full: the server says so, keeps what it has, and goes on when there is room.

use super::{RIGHT, agent, get};
use crate::common::{Data, sum};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge_server::store::Role;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A command that serves a copy of the directory from a file system of a few MiB, which only the
/// server sees.
fn on_small_disk(data: &Data, place: &Path) -> Command {
    let serve = data.command();
    let mut command = Command::new("unshare");
    command
        .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
        .arg("mount -t tmpfs -o size=6m tmpfs \"$1\" && cp -a \"$2\"/. \"$1\" && shift 2 && exec \"$@\"")
        .arg("sh")
        .args([place, &data.path()])
        .arg(serve.get_program());
    for arg in serve.get_args() {
        let is_data = arg == data.path().as_os_str();
        command.arg(if is_data { place.as_os_str() } else { arg });
    }
    for (name, value) in serve.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command
}

fn namespaces_work() -> bool {
    let tried = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount"])
        .args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

fn submit(address: &str, source: &str) -> (u16, String) {
    let body = json!({
        "problem": "sum",
        "language": "python3",
        "files": [{ "name": "a.py", "data": BASE64_STANDARD.encode(source) }],
    });
    let answer = agent()
        .post(format!("{address}/api/practice/submissions"))
        .header("Authorization", "Bearer ann")
        .content_type("application/json")
        .send(body.to_string())
        .expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.into_body().read_to_string().expect("text"))
}

fn own(address: &str) -> Vec<Value> {
    let mut answer = get(address, "/api/practice/submissions", "ann");
    let text = answer.body_mut().read_to_string().expect("text");
    serde_json::from_str(&text).expect("a list")
}

/// Writes until there is no room; never more than the small file system has.
fn fill(path: &Path) {
    let mut file = File::create(path).expect("a file");
    let mut left = 16 << 20;
    for size in [1 << 16, 1 << 10, 1] {
        while file.write_all(&vec![b'x'; size]).is_ok() {
            left -= size;
            assert!(left > 1 << 16, "this is not the small file system");
        }
    }
}

#[test]
fn a_full_disk_refuses_submissions_and_loses_none() {
    if !namespaces_work() {
        eprintln!("skipped: no file system can be mounted in a user namespace");
        return;
    }
    let data = Data::new(&[sum("sum")]);
    data.user_with_token("ann", Role::Public, None);
    let place = data.path().with_file_name("small");
    std::fs::create_dir(&place).expect("a directory");
    let server = data.serve_by(on_small_disk(&data, &place));
    let address = &server.address;
    let inside = |name: &str| -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", server.pid()));
        root.join(place.strip_prefix("/").expect("absolute"))
            .join(name)
    };
    let slow = format!("for k in range(20_000_000): pass\n{RIGHT}");
    let (status, text) = submit(address, &slow);
    assert_eq!(status, 201, "{text}");
    fill(&inside("ballast"));

    let (status, text) = submit(address, &format!("{RIGHT}# another\n"));
    assert_eq!(status, 507, "{text}");
    assert!(text.contains("disk is full"), "{text}");
    let page = agent()
        .get(format!("{address}/problems/sum"))
        .header("Authorization", "Bearer ann")
        .header("Accept", "text/html")
        .call()
        .expect("an answer");
    assert_eq!(page.status(), 200, "pages are still read");
    assert_eq!(
        own(address).len(),
        1,
        "nothing of the refused submission is kept"
    );
    // The running judging ends meanwhile, and cannot be written.
    sleep(Duration::from_secs(5));

    std::fs::remove_file(inside("ballast")).expect("there is room again");
    let (status, text) = submit(address, &format!("{RIGHT}# another\n"));
    assert_eq!(status, 201, "{text}");
    for _ in 0..6000 {
        let all = own(address);
        if all.iter().all(|one| one["finished"] == true) {
            let verdicts: Vec<&Value> = all.iter().map(|one| &one["verdict"]).collect();
            assert_eq!(verdicts, ["AC", "AC"], "{}", data.log());
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("still judging: {:?} {}", own(address), data.log());
}
