//! A disk that is full: the server says so, keeps what it has, and goes on when there is room.

use super::{RIGHT, agent, get};
use crate::common::{Data, SmallDisk, slow, sum, until};
use crate::jury::packages::{package, zip};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge_server::store::Role;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;

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

/// The archive has room in the directory for temporary files, its content has not.
#[test]
fn an_archive_without_room_to_unpack_it_is_no_wrong_request() {
    let data = Data::new(&[]);
    let temporary = data.package("tmp");
    std::fs::create_dir_all(&temporary).expect("it is created");
    let Some(disk) = SmallDisk::at(&temporary, 1) else {
        return;
    };
    let mut command = data.command();
    command.env("TMPDIR", &temporary);
    let server = data.serve_by(disk.inside(&command));
    let large = "1\n".repeat(2 << 20);
    let archive = zip(&[
        ("echo/problem.yaml", "name: Echo\n"),
        ("echo/data/secret/1.in", &large),
        ("echo/data/secret/1.ans", "1\n"),
    ]);
    let files = [("file", "echo.zip", archive.as_slice())];
    let upload = server.admin().upload("/jury/packages", &[], &files);
    assert_eq!(upload.status, 507, "{}", upload.body);
    assert!(
        upload.body.contains("no room for temporary files"),
        "{}",
        upload.body
    );
    assert!(data.log().contains("TMPDIR"), "{}", data.log());
    assert!(data.store().uploads().expect("read").is_empty());
    let snapshots = std::fs::read_dir(data.path().join("packages"));
    assert_eq!(snapshots.expect("a directory").count(), 0);
}

/// The status and the body of `/healthz`.
fn health(address: &str) -> (u16, Value) {
    let mut answer = get(address, "/healthz", "ann");
    let text = answer.body_mut().read_to_string().expect("text");
    let body = serde_json::from_str(&text).expect("JSON");
    (answer.status().as_u16(), body)
}

#[test]
fn a_start_on_a_full_disk_serves_pages_and_says_so() {
    let data = Data::new(&[sum("sum")]);
    data.user_with_token("ann", Role::Public, None);
    let Some(disk) = SmallDisk::at(&data.path(), 16) else {
        return;
    };
    let first = data.serve_by(disk.inside(&data.command()));
    assert_eq!(health(&first.address).0, 200);
    assert!(first.stop().success());
    disk.fill();
    let server = data.serve_by(disk.inside(&data.command()));
    let (status, body) = health(&server.address);
    assert_eq!(
        (status, &body["status"]),
        (503, &json!("judging stands still")),
        "{body}"
    );
    assert!(
        body["reason"]
            .as_str()
            .is_some_and(|text| text.contains("full")),
        "{body}"
    );
    assert_eq!(
        get(&server.address, "/api/practice/problems", "ann").status(),
        200
    );
    disk.free();
    until("the disk has room", || health(&server.address).0 == 200);
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn a_full_disk_refuses_submissions_and_loses_none() {
    let data = Data::new(&[sum("sum")]);
    data.user_with_token("ann", Role::Public, None);
    let Some(disk) = SmallDisk::at(&data.path(), 6) else {
        return;
    };
    let server = data.serve_by(disk.inside(&data.command()));
    let address = &server.address;
    let (status, text) = submit(address, &slow(0.4));
    assert_eq!(status, 201, "{text}");
    let admin = server.admin();
    disk.fill();

    let (status, text) = submit(address, &format!("{RIGHT}# another\n"));
    assert_eq!(status, 507, "{text}");
    assert!(text.contains("disk is full"), "{text}");
    let archive = package("7\n");
    let upload = admin.upload("/jury/packages", &[], &[("file", "echo.zip", &archive)]);
    assert_eq!(upload.status, 507, "{}", upload.body);
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

    disk.free();
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
