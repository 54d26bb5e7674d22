//! `judge new`: from a name to a problem that is judged.

mod common;

use common::{Bench, judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

/// A workspace with one problem, whose crate needs nothing.
fn workspace() -> Bench {
    let bench = Bench::new();
    bench.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n",
    );
    bench.write(
        "problems/old1/Cargo.toml",
        "[package]\nname = \"old1\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    bench.write(
        "problems/old1/src/lib.rs",
        "pub fn sum(text: &str) -> i64 {\n    text.split_whitespace().filter_map(|w| \
         w.parse::<i64>().ok()).sum()\n}\n",
    );
    bench.write(
        "problems/old1/src/main.rs",
        "fn main() {\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
         println!(\"{}\", old1::sum(&text));\n}\n",
    );
    bench.write("problems/old1/src/bin/old1-slow.rs", "fn main() {}\n");
    bench.sums("time_limit: 5.0");
    fs::create_dir_all(bench.path("testdata")).expect("a directory");
    fs::rename(bench.path("sums"), bench.path("testdata/old1")).expect("it moves");
    bench
}

fn uuid(bench: &Bench, id: &str) -> String {
    let text = fs::read_to_string(bench.path(&format!("testdata/{id}/problem.yaml")));
    let text = text.expect("a problem.yaml");
    let line = text.lines().find_map(|line| line.strip_prefix("uuid: "));
    line.expect("a uuid").to_owned()
}

#[test]
fn a_new_problem_is_judged_at_once() {
    let bench = workspace();
    judge(&bench)
        .args(["new", "new2", "--like", "old1"])
        .assert()
        .success()
        .stdout(
            contains("judge run new2")
                .and(predicate::function(|text: &str| text.lines().count() == 5)),
        );
    assert!(bench.path("problems/new2/src/bin/new2-slow.rs").is_file());
    let main = fs::read_to_string(bench.path("problems/new2/src/main.rs")).expect("a main");
    assert!(main.contains("new2::sum") && !main.contains("old1"));
    assert_ne!(uuid(&bench, "new2"), uuid(&bench, "old1"));
    assert_eq!(uuid(&bench, "new2").len(), 36);
    judge(&bench)
        .args(["run", "new2"])
        .assert()
        .success()
        .stdout(contains("AC"));
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_behind() {
    let bench = workspace();
    bench.write("testdata/half3/note.txt", "mine\n");
    for (args, message) in [
        (["new", "old1", "--like", "old1"], "is there already"),
        (
            ["new", "half3", "--like", "old1"],
            "testdata/half3 is there already",
        ),
        (
            ["new", "New2", "--like", "old1"],
            "only lower-case letters and digits",
        ),
        (
            ["new", "../x", "--like", "old1"],
            "only lower-case letters and digits",
        ),
        (
            ["new", "match", "--like", "old1"],
            "a crate cannot have this name",
        ),
        (
            ["new", "new2", "--like", "nobody"],
            "no crate problems/nobody",
        ),
    ] {
        judge(&bench)
            .args(args)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    judge(&bench)
        .args(["new", "new2", "--like", "old1", "--url", "ftp://x"])
        .assert()
        .code(2)
        .stderr(contains("expected an address"));
    let names = |dir: &str| {
        let entries = fs::read_dir(bench.path(dir)).expect("a directory");
        let names = entries.map(|e| e.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("problems"), ["old1"]);
    assert_eq!(names("testdata"), ["half3", "old1"]);
    assert_eq!(names(""), ["Cargo.toml", "problems", "testdata"]);
}

/// Makes the program of a new problem one that adds up.
fn solve(bench: &Bench, id: &str) {
    let main = fs::read_to_string(bench.path("problems/old1/src/lib.rs")).expect("a library");
    bench.write(
        &format!("problems/{id}/src/main.rs"),
        &format!(
            "{main}\nfn main() {{\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
             println!(\"{{}}\", sum(&text));\n}}\n"
        ),
    );
}

#[test]
fn a_problem_begins_with_samples() {
    let bench = workspace();
    bench.write("a.txt", "1 2\n");
    bench.write("b.txt", "3\n");
    bench.write("c.txt", "5 5\n");
    let new = |files: &[&str]| {
        let mut command = judge(&bench);
        command.args(["new", "--url", "http://poj.org/problem?id=1000"]);
        command.arg("--samples").args(files).assert()
    };
    new(&["a.txt", "b.txt", "c.txt"])
        .code(2)
        .stderr(contains("expected pairs of files"));
    new(&["a.txt", "nobody.txt"])
        .code(2)
        .stderr(contains("failed to read nobody.txt"));
    assert!(!bench.path("problems/poj1000").exists());
    new(&["a.txt", "b.txt"])
        .success()
        .stdout(contains("judge watch poj1000"));
    let yaml = fs::read_to_string(bench.path("testdata/poj1000/problem.yaml")).expect("settings");
    assert!(
        yaml.contains("url: \"http://poj.org/problem?id=1000\""),
        "{yaml}"
    );
    // It compiles and is judged, but its program is still to be written.
    let run = || judge(&bench).args(["run", "poj1000"]).assert();
    run().code(1).stdout(contains("WA"));
    solve(&bench, "poj1000");
    run().success();
    new(&["a.txt", "b.txt"])
        .code(2)
        .stderr(contains("is there already"));
}

#[test]
fn a_problem_begins_with_a_package() {
    let bench = workspace();
    bench.write("plain/x.in", "1 2\n");
    bench.write("plain/x.out", "3\n");
    let from = |id: &str, path: &str| {
        let mut command = judge(&bench);
        command.args(["new", id, "--from", path]).assert()
    };
    from("new3", "plain").success();
    assert!(bench.path("testdata/new3/x.in").is_file());
    from("new4", "testdata/old1").success();
    assert_ne!(uuid(&bench, "new4"), uuid(&bench, "old1"));
    solve(&bench, "new4");
    judge(&bench).args(["run", "new4"]).assert().success();
    from("new5", "nowhere").code(2).stderr(contains("nowhere"));
    assert!(!bench.path("problems/new5").exists());
}

/// Sends a request to the judge that listens; gives the status of its answer.
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

#[test]
fn a_problem_comes_from_the_browser() {
    let bench = workspace();
    let mut listening = Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(["new", "--listen=0"])
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the judge starts");
    let mut out = BufReader::new(listening.stdout.take().expect("its output"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    let (_, after) = line.rsplit_once("127.0.0.1:").expect("an address");
    let (port, _) = after.split_once(';').expect("what to do");
    let port: u16 = port.parse().expect("a port");
    let problem = r#"{"name": "Sum \"of\" two", "group": "Luogu", "url": "https://www.luogu.com.cn/problem/P1001",
        "interactive": false, "memoryLimit": 512, "timeLimit": 1500, "testType": "single",
        "tests": [{"input": "20 30\n", "output": "50"}], "input": {"type": "stdin"}}"#;
    let extension = "chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl";
    assert_eq!(send(port, "https://evil.example", problem), "403");
    assert_eq!(send(port, extension, "{}"), "400");
    assert_eq!(send(port, extension, problem), "200");
    let status = listening.wait().expect("it ends");
    assert!(status.success());
    let yaml = fs::read_to_string(bench.path("testdata/luogup1001/problem.yaml"));
    let yaml = yaml.expect("settings");
    assert!(yaml.contains("en: \"Sum \\\"of\\\" two\""), "{yaml}");
    assert!(yaml.contains("time_limit: 1.5\n  memory: 512"), "{yaml}");
    solve(&bench, "luogup1001");
    judge(&bench).args(["run", "luogup1001"]).assert().success();
}

/// POJ 3074: a line of 81 characters each, and `end`. What a person writes for it.
const POJ3074: &str = r#"
//! POJ 3074: fills Sudokus of one line each, until a line says `end`.
use std::io;
use sudoku::engine::{Engine, nine::Bands};
use sudoku::notation::Notation;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Bands::new();
    for line in io::stdin().lines() {
        let line = line?;
        if line == "end" {
            break;
        }
        let puzzle = Notation::LINE.parse::<9>(&line)?;
        let solution = engine.first(&puzzle).ok_or("no solution")?;
        print!("{}", Notation::LINE.format(&solution));
    }
    Ok(())
}
"#;

#[test]
fn a_variant_takes_few_lines() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = library.canonicalize().expect("the library's directory");
    let bench = Bench::new();
    let workspace = format!(
        "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n[workspace.package]\n\
         version = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.88\"\nlicense = \"MIT\"\n\
         publish = false\n[workspace.dependencies]\nsudoku = {{ path = {library:?} }}\n\
         assert_cmd = \"2.2\"\npredicates = \"3.1\"\nwalkdir = \"2.5\"\n[workspace.lints]\n\
         [profile.release]\nopt-level = 1\n"
    );
    bench.write("Cargo.toml", &workspace);
    for part in ["problems", "testdata"] {
        for entry in walkdir::WalkDir::new(library.join(part).join("luogup1784")) {
            let entry = entry.expect("an entry");
            let inside = entry.path().strip_prefix(&library).expect("it is inside");
            let to = bench.path("").join(inside);
            if entry.file_type().is_dir() {
                fs::create_dir_all(to).expect("a directory");
            } else {
                fs::copy(entry.path(), to).expect("a copy");
            }
        }
    }
    // The versions of the dependencies that this workspace has: nothing is to be downloaded.
    fs::copy(library.join("Cargo.lock"), bench.path("Cargo.lock")).expect("a copy");

    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let solved =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    bench.write("1.in", &format!("{line}\n{solved}\nend\n"));
    bench.write("1.ans", &format!("{solved}\n{solved}\n"));
    let mut command = judge(&bench);
    command.args(["new", "poj3074", "--like", "luogup1784", "--samples"]);
    command.args(["1.in", "1.ans"]).assert().success();
    let own = POJ3074.trim_start();
    assert!(own.lines().count() <= 25);
    bench.write("problems/poj3074/src/main.rs", own);
    judge(&bench)
        .args(["run", "poj3074"])
        .assert()
        .success()
        .stdout(contains("AC  1 of 1"));
}
