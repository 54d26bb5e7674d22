//! `judge new --listen`: problems from a browser's extension.

use super::{solve, workspace};
use crate::common::{Bench, asserted, judge, judge_program, of_judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// Sends a request to the listening judge; returns the status of the reply.
fn send(port: u16, origin: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    write!(
        stream,
        "POST / HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: {origin}\r\nContent-Length: \
         {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer[9..12].to_owned()
}

/// Starts a judge that listens for problems; returns its port too.
fn listening(bench: &Bench) -> (Child, u16) {
    listening_with(bench, &[])
}

fn listening_with(bench: &Bench, args: &[&str]) -> (Child, u16) {
    let mut child = of_judge(bench, judge_program())
        .args(["new", "--listen=0"])
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the judge starts");
    let mut line = String::new();
    let out = child.stdout.as_mut().expect("its output");
    // Byte by byte, because other code reads the rest of the stream.
    while !line.ends_with('\n') {
        let mut byte = [0];
        out.read_exact(&mut byte).expect("a line");
        line.push(byte[0].into());
    }
    let (_, after) = line.rsplit_once("127.0.0.1:").expect("an address");
    let (port, _) = after.split_once(';').expect("what to do");
    (child, port.parse().expect("a port"))
}

/// The extension's message for a problem of Codeforces.
fn codeforces(contest: u32, letter: char, batch: usize) -> String {
    format!(
        r#"{{"name": "{letter}. Sum", "url": "https://codeforces.com/contest/{contest}/problem/{letter}",
        "interactive": {}, "memoryLimit": 256, "timeLimit": 2000, "tests": [{{"input": "1 2\n",
        "output": "3\n"}}], "batch": {{"id": "b-{contest}", "size": {batch}}}}}"#,
        letter == 'I'
    )
}

const EXTENSION: &str = "chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl";

#[test]
fn a_problem_from_the_browser() {
    let bench = workspace();
    let (mut judging, port) = listening(&bench);
    let problem = r#"{"name": "Sum \"of\" two", "group": "Luogu", "url": "https://www.luogu.com.cn/problem/P1001",
        "interactive": false, "memoryLimit": 512, "timeLimit": 1500, "testType": "single",
        "tests": [{"input": "20 30\n", "output": "50"}], "input": {"type": "stdin"}}"#;
    assert_eq!(send(port, "https://evil.example", problem), "403");
    assert_eq!(send(port, EXTENSION, "{}"), "400");
    assert_eq!(send(port, EXTENSION, problem), "200");
    assert!(judging.wait().expect("it ends").success());
    let yaml = bench.read("testdata/luogup1001/problem.yaml");
    assert!(yaml.contains("en: \"Sum \\\"of\\\" two\""), "{yaml}");
    let limits = "time_limit: 1.5\n  time_resolution: 0.5\n  memory: 512";
    assert!(yaml.contains(limits), "{yaml}");
    solve(&bench, "luogup1001");
    asserted(&bench, &["run", "luogup1001"]).success();
    // The package lacks cases and submissions, but is valid.
    let verified = asserted(&bench, &["verify", "luogup1001"]);
    let output = String::from_utf8_lossy(&verified.get_output().stderr).into_owned();
    assert!(!output.contains("time_resolution"), "{output}");
}

#[test]
fn problems_of_different_contests_have_different_names() {
    let bench = workspace();
    for contest in [1700, 1701] {
        let (mut child, port) = listening(&bench);
        assert_eq!(send(port, EXTENSION, &codeforces(contest, 'A', 1)), "200");
        assert!(child.wait().expect("it ends").success());
        let package = format!("testdata/codeforces{contest}a/problem.yaml");
        assert!(bench.path(&package).is_file(), "{package}");
    }
    // A problem that is not created is not confirmed.
    let (child, port) = listening(&bench);
    assert_eq!(send(port, EXTENSION, &codeforces(1701, 'A', 1)), "409");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("already exists"));
}

#[test]
fn a_contest_from_the_browser() {
    let bench = workspace();
    let (mut child, port) = listening(&bench);
    for letter in ['A', 'B', 'C'] {
        assert_eq!(send(port, EXTENSION, &codeforces(1702, letter, 3)), "200");
    }
    assert!(child.wait().expect("it ends").success());
    for id in ["codeforces1702a", "codeforces1702b", "codeforces1702c"] {
        assert!(
            bench.path(&format!("problems/{id}/src/main.rs")).is_file(),
            "{id}"
        );
        assert!(
            bench
                .path(&format!("testdata/{id}/data/sample/1.in"))
                .is_file(),
            "{id}"
        );
    }
    // A rejected problem is reported and does not end the contest.
    let (child, port) = listening(&bench);
    for (letter, status) in [('A', "200"), ('I', "409"), ('B', "200")] {
        assert_eq!(send(port, EXTENSION, &codeforces(1703, letter, 3)), status);
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("interactive"), "{message}");
    assert!(message.contains("2 of 3 problems"), "{message}");
    assert!(
        message.contains("start the refused ones by hand"),
        "{message}"
    );
    assert!(bench.path("testdata/codeforces1703b").is_dir());
}

#[test]
fn a_contest_becomes_plain_folders_in_the_users_language() {
    let bench = Bench::new();
    bench.write(
        "round/template.py",
        "print(sum(map(int, input().split())))\n",
    );
    let (mut child, port) = listening_with(&bench, &["--into", "round"]);
    for letter in ['A', 'B'] {
        assert_eq!(send(port, EXTENSION, &codeforces(1704, letter, 2)), "200");
    }
    assert!(child.wait().expect("it ends").success());
    let mut said = String::new();
    let mut out = child.stdout.take().expect("its output");
    out.read_to_string(&mut said).expect("text");
    let line = "round/A: 1 sample, 2.000 s, 256 MiB; judge run round/A/main.py\n";
    assert!(said.contains(line), "{said}");
    assert_eq!(bench.read("round/B/test/1.ans"), "3\n");
    for letter in ["A", "B"] {
        judge(&bench)
            .arg("run")
            .current_dir(bench.path("round").join(letter))
            .assert()
            .success()
            .stdout(contains("A. Sum (2.000 s, 256 MiB").or(contains("B. Sum (2.000 s, 256 MiB")));
    }
    // Another language; a folder that exists is not touched.
    bench.write("round/A/main.py", "mine\n");
    bench.write("my.cpp", "int main() {}\n");
    let args = ["--into", "round", "--template", "my.cpp"];
    let (child, port) = listening_with(&bench, &args);
    for (letter, status) in [('A', "409"), ('C', "200")] {
        assert_eq!(send(port, EXTENSION, &codeforces(1704, letter, 2)), status);
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("round/A already exists"), "{message}");
    assert_eq!(bench.read("round/A/main.py"), "mine\n");
    assert!(bench.path("round/C/main.cpp").is_file());
    let names = std::fs::read_dir(bench.path("round"))
        .expect("a directory")
        .count();
    assert_eq!(names, 4, "nothing is left of the refused problem");
}

/// File input, an interactive problem, and one without an address.
#[test]
fn a_folder_knows_what_the_browser_sent() {
    let bench = Bench::new();
    let plant = r#"{"name": "Problem 1. Watering", "url": "http://www.usaco.org/index.php?page=viewproblem2&cpid=891",
        "interactive": false, "memoryLimit": 256, "timeLimit": 4000, "tests": [{"input": "2 3\n", "output": "5\n"}],
        "input": {"type": "file", "fileName": "plant.in"}, "output": {"type": "file", "fileName": "plant.out"}}"#;
    let guess = codeforces(1999, 'I', 1);
    let other = codeforces(2000, 'I', 1);
    let long = format!(
        r#"{{"name": "{}", "url": "", "tests": []}}"#,
        "x".repeat(400)
    );
    let nowhere = r#"{"name": "Сумма двух", "url": "", "timeLimit": 1500, "memoryLimit": 256,
        "tests": [{"input": "1\n", "output": "2\n"}]}"#;
    for (problem, folder) in [
        (plant, "usaco891"),
        (guess.as_str(), "I"),
        // The letter of another contest.
        (other.as_str(), "codeforces2000i"),
        (long.as_str(), &"x".repeat(60)),
        (nowhere, "problem"),
        (nowhere, "problem2"),
    ] {
        let (mut child, port) = listening_with(&bench, &["--into", "d"]);
        assert_eq!(send(port, EXTENSION, problem), "200");
        assert!(child.wait().expect("it ends").success());
        assert!(
            bench.path(&format!("d/{folder}/judge.yaml")).is_file(),
            "{folder}"
        );
    }
    let text = "read a b < plant.in\necho $((a + b)) > plant.out\n";
    bench.write("d/usaco891/sol.sh", text);
    asserted(&bench, &["run", "d/usaco891/sol.sh"])
        .success()
        .stdout(contains("Problem 1. Watering (4.000 s, 256 MiB"));
    bench.write("d/I/sol.sh", "");
    asserted(&bench, &["run", "d/I/sol.sh"])
        .code(2)
        .stderr(contains("its interactor is missing"));
}

#[test]
fn a_problem_of_a_judge_without_a_domain_is_named_by_its_title() {
    let bench = workspace();
    let (mut child, port) = listening(&bench);
    let problem = r#"{"name": "Two Sums", "url": "http://192.168.1.2/problem/7",
        "tests": [{"input": "1\n", "output": "1\n"}]}"#;
    assert_eq!(send(port, EXTENSION, problem), "200");
    assert!(child.wait().expect("it ends").success());
    assert!(bench.path("problems/twosums").is_dir());
    // Packages of the workspace read standard input.
    let (child, port) = listening(&bench);
    let with_file = problem.replace(
        "\"url\"",
        r#""input": {"type": "file", "fileName": "x.in"}, "url""#,
    );
    assert_eq!(
        send(port, EXTENSION, &with_file.replace("Two", "Of")),
        "409"
    );
    let output = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stderr).contains("open files"));
    // Without the check it listens, and does not end.
    asserted(&bench, &["new", "", "--listen"])
        .code(2)
        .stderr(contains("the ID is empty"));
    asserted(&bench, &["new", "--listen", "10042"])
        .code(2)
        .stderr(contains("help: write --listen=10042 if it is the port"));
    for address in ["oj.example/1", "https://"] {
        asserted(&bench, &["new", "--url", address])
            .code(2)
            .stderr(contains("is not the address of a web page"));
    }
}
