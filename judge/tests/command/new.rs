//! `judge new` from the command line.

use crate::common::{Bench, judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A workspace with one problem, whose crate has no dependencies.
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
fn a_new_problem_can_be_judged() {
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
fn an_error_changes_no_file() {
    let bench = workspace();
    bench.write("testdata/half3/note.txt", "mine\n");
    for (args, message) in [
        (["new", "old1", "--like", "old1"], "already exists"),
        (
            ["new", "half3", "--like", "old1"],
            "testdata/half3 already exists",
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
            ["new", "new2", "--like", "missing"],
            "no crate problems/missing",
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

/// Names come from the manifest, not from directories.
#[test]
fn packages_and_binaries_with_names_unlike_their_directories() {
    let bench = workspace();
    bench.write(
        "problems/old1/Cargo.toml",
        "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nname = \"old1\"\n",
    );
    let run = |id: &str| judge(&bench).args(["run", id]).assert();
    run("old1").success().stdout(contains("AC"));
    judge(&bench)
        .args(["new", "new2", "--like", "old1"])
        .assert()
        .success();
    run("new2").success().stdout(contains("AC"));
    let manifest = fs::read_to_string(bench.path("problems/new2/Cargo.toml")).expect("a manifest");
    assert!(
        !manifest.contains("other") && !manifest.contains("old1"),
        "{manifest}"
    );
    bench.write(
        "problems/old1/Cargo.toml",
        "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nname = \"old1\"\n\
         [[bin]]\nname = \"solve\"\npath = \"src/main.rs\"\n",
    );
    run("old1").success().stdout(contains("AC"));
}

/// Replaces the program of a new problem by one that adds numbers.
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
fn a_problem_from_samples() {
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
    new(&["a.txt", "missing.txt"])
        .code(2)
        .stderr(contains("failed to read missing.txt"));
    assert!(!bench.path("problems/poj1000").exists());
    new(&["a.txt", "b.txt"])
        .success()
        .stdout(contains("judge watch poj1000"));
    let yaml = fs::read_to_string(bench.path("testdata/poj1000/problem.yaml")).expect("settings");
    assert!(
        yaml.contains("url: \"http://poj.org/problem?id=1000\""),
        "{yaml}"
    );
    // The template compiles and is judged, but is not accepted.
    let run = || judge(&bench).args(["run", "poj1000"]).assert();
    run().code(1).stdout(contains("WA"));
    solve(&bench, "poj1000");
    run().success();
    new(&["a.txt", "b.txt"])
        .code(2)
        .stderr(contains("already exists"));
}

#[test]
fn a_problem_from_a_package() {
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

#[test]
fn a_problem_from_the_browser() {
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
    let limits = "time_limit: 1.5\n  time_resolution: 0.5\n  memory: 512";
    assert!(yaml.contains(limits), "{yaml}");
    solve(&bench, "luogup1001");
    judge(&bench).args(["run", "luogup1001"]).assert().success();
    // The package lacks cases and submissions, but is valid.
    let verified = judge(&bench).args(["verify", "luogup1001"]).assert();
    let output = String::from_utf8_lossy(&verified.get_output().stderr).into_owned();
    assert!(!output.contains("time_resolution"), "{output}");
}

/// Starts a judge that listens for problems; returns its port too.
fn listening(bench: &Bench) -> (Child, u16) {
    listening_with(bench, &[])
}

fn listening_with(bench: &Bench, args: &[&str]) -> (Child, u16) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(["new", "--listen=0"])
        .args(args)
        .current_dir(bench.path(""))
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
    for (letter, status) in [('A', "200"), ('I', "400"), ('B', "200")] {
        assert_eq!(send(port, EXTENSION, &codeforces(1703, letter, 3)), status);
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("interactive"), "{message}");
    assert!(message.contains("2 of 3 problems"), "{message}");
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
    let line = "round/A: 1 sample, 2.000 s, 256 MiB; \
                judge run round/A/main.py --time-limit 2 --memory 256\n";
    assert!(said.contains(line), "{said}");
    let sample = fs::read_to_string(bench.path("round/B/test/1.ans"));
    assert_eq!(sample.expect("the answer"), "3\n");
    for letter in ["A", "B"] {
        judge(&bench)
            .args(["run", "--time-limit", "2"])
            .current_dir(bench.path("round").join(letter))
            .assert()
            .success()
            .stdout(contains("1 of 1 case"));
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
    let kept = fs::read_to_string(bench.path("round/A/main.py"));
    assert_eq!(kept.expect("it is there"), "mine\n");
    assert!(bench.path("round/C/main.cpp").is_file());
    let names = fs::read_dir(bench.path("round"))
        .expect("a directory")
        .count();
    assert_eq!(names, 4, "nothing is left of the refused problem");
}

#[test]
fn a_plain_folder_from_samples() {
    let bench = Bench::new();
    bench.write("in", "1 2\n");
    bench.write("out", "3\n");
    let new = |words: &[&str]| {
        let mut command = judge(&bench);
        command.arg("new").args(words);
        command.assert()
    };
    new(&["sum", "--into", ".", "--samples", "in", "out"])
        .success()
        .stdout(contains("judge run ./sum/PROGRAM"));
    assert!(bench.path("sum/test/1.in").is_file());
    new(&["../sum", "--into", "."])
        .code(2)
        .stderr(contains("no name of a folder"));
    new(&["a", "--into", ".", "--template", "none.cpp"])
        .code(2)
        .stderr(contains("none.cpp is not a file"));
    new(&["abc"]).code(2).stderr(contains("--into DIR"));
}

/// Adds a problem to a workspace.
fn add_problem(bench: &Bench, id: &str, main: &str) {
    bench.write(
        &format!("problems/{id}/Cargo.toml"),
        &format!("[package]\nname = \"{id}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    );
    bench.write(&format!("problems/{id}/src/main.rs"), main);
    bench.sums("time_limit: 5.0");
    fs::rename(bench.path("sums"), bench.path(&format!("testdata/{id}"))).expect("it moves");
}

#[test]
fn a_name_that_is_also_a_word_is_replaced_only_as_a_name() {
    let bench = workspace();
    let main = "// The numbers: sort them, add them.\nfn main() {\n    \
        let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
        let mut v: Vec<i64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();\n    \
        v.sort();\n    eprint!(\"sort: \");\n    println!(\"{}\", sort::sum(&v));\n}\n";
    add_problem(&bench, "sort", main);
    bench.write(
        "problems/sort/src/lib.rs",
        "//! What `sort` shares.\npub mod resorted;\npub use resorted::sum;\n",
    );
    bench.write(
        "problems/sort/src/resorted.rs",
        "pub fn sum(v: &[i64]) -> i64 {\n    v.iter().sum()\n}\n",
    );
    bench.write("problems/sort/src/bin/sort-slow.rs", "fn main() {}\n");
    judge(&bench)
        .args(["new", "newid", "--like", "sort"])
        .assert()
        .success();
    let new = fs::read_to_string(bench.path("problems/newid/src/main.rs")).expect("a main");
    let expected = main
        .replace("sort::sum", "newid::sum")
        .replace("\"sort: \"", "\"newid: \"");
    assert_eq!(new, expected);
    let library = fs::read_to_string(bench.path("problems/newid/src/lib.rs")).expect("a library");
    assert!(
        library.starts_with("//! What `newid` shares.\n"),
        "{library}"
    );
    assert!(bench.path("problems/newid/src/resorted.rs").is_file());
    assert!(bench.path("problems/newid/src/bin/newid-slow.rs").is_file());
    judge(&bench).args(["run", "newid"]).assert().success();
}

#[test]
fn a_linked_directory_is_copied_with_its_content() {
    let bench = workspace();
    bench.write("shared/common.rs", "pub fn f() {}\n");
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, bench.path(at)).expect("a link");
    };
    link("../../../shared", "problems/old1/src/shared");
    judge(&bench)
        .args(["new", "new2", "--like", "old1"])
        .assert()
        .success();
    let copied = bench.path("problems/new2/src/shared/common.rs");
    assert!(copied.is_file() && !copied.is_symlink());
    // A link in a package from others must not copy other files of this machine.
    bench.write("given/1.in", "1\n");
    bench.write("given/1.out", "1\n");
    link("../shared", "given/attachments");
    judge(&bench)
        .args(["new", "new3", "--from", "given"])
        .assert()
        .code(2)
        .stderr(contains("leads out of"));
    assert!(!bench.path("problems/new3").exists());
}

#[test]
fn a_template_has_the_settings_of_its_workspace() {
    let bench = workspace();
    bench.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n[workspace.package]\n\
         version = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.80\"\nlicense = \"MIT\"\n\
         [workspace.lints.rust]\nmissing_docs = \"warn\"\n",
    );
    judge(&bench)
        .args(["new", "aplusb"])
        .assert()
        .success()
        .stdout(contains("sample/1.in").and(contains("judge run aplusb")));
    let manifest =
        fs::read_to_string(bench.path("problems/aplusb/Cargo.toml")).expect("it is there");
    assert_eq!(
        manifest,
        "[package]\nname = \"aplusb\"\nversion.workspace = true\nedition.workspace = true\n\
         rust-version.workspace = true\nlicense.workspace = true\npublish = false\n\n\
         [dependencies]\n\n[lints]\nworkspace = true\n"
    );
    // The template is not accepted until the sample and the program are replaced.
    let run = || judge(&bench).args(["run", "aplusb"]).assert();
    run().code(1).stdout(contains("WA"));
    bench.write("testdata/aplusb/data/sample/1.in", "1 2\n");
    bench.write("testdata/aplusb/data/sample/1.ans", "3\n");
    solve(&bench, "aplusb");
    run().success();
}

/// A handwritten program for POJ 3074: lines of 81 characters, then `end`.
const POJ3074: &str = r#"
//! POJ 3074: fills Sudokus of one line each, until a line says `end`.
use std::io;
use sudoku::notation::Notation;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lines() {
        let line = line?;
        if line == "end" {
            break;
        }
        let puzzle = Notation::LINE.parse::<9>(&line)?;
        let solution = sudoku::solve(&puzzle).into_solution().ok_or("no solution")?;
        print!("{}", Notation::LINE.format(&solution));
    }
    Ok(())
}
"#;

/// A workspace with copies of these problems of this repository.
fn project(problems: &[&str]) -> Bench {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = library.canonicalize().expect("the library's directory");
    let bench = Bench::new();
    let workspace = format!(
        "[workspace]\nmembers = [\"program\", \"problems/*\"]\nresolver = \"3\"\n[workspace.package]\n\
         version = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.88\"\nlicense = \"MIT\"\n\
         publish = false\n[workspace.dependencies]\nsudoku = {{ path = {library:?} }}\nprogram = {{ path = \"program\" }}\n\
         assert_cmd = \"2.2\"\npredicates = \"3.1\"\nwalkdir = \"2.5\"\n[workspace.lints]\n\
         [profile.release]\nopt-level = 1\n"
    );
    bench.write("Cargo.toml", &workspace);
    let problem = |part: &str, id: &str| Path::new(part).join(id);
    let parts = problems
        .iter()
        .flat_map(|id| [problem("problems", id), problem("testdata", id)])
        .chain(["program", "tests/common"].map(|part| Path::new(part).to_owned()));
    for part in parts {
        fs::create_dir_all(bench.path("").join(&part)).expect("a directory");
        for entry in walkdir::WalkDir::new(library.join(part)) {
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
    // Uses the dependency versions of this workspace, so that nothing is downloaded.
    fs::copy(library.join("Cargo.lock"), bench.path("Cargo.lock")).expect("a copy");
    bench
}

#[test]
fn a_variant_takes_few_lines() {
    let bench = project(&["luogup1784"]);
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let solved =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    bench.write("1.in", &format!("{line}\n{solved}\nend\n"));
    bench.write("1.ans", &format!("{solved}\n{solved}\n"));
    let mut command = judge(&bench);
    command.args(["new", "poj3074", "--like", "luogup1784", "--samples"]);
    command.args(["1.in", "1.ans"]).assert().success();
    let own = POJ3074.trim_start();
    assert!(own.lines().count() <= 20);
    bench.write("problems/poj3074/src/main.rs", own);
    let manifest = bench.path("problems/poj3074/Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    assert!(!text.contains("metadata.judge.bundle"), "{text}");
    let limits = ["rust", "cpp"]
        .map(|target| format!("\n[package.metadata.judge.bundle.{target}]\ncode-limit = 51200\n"));
    fs::write(&manifest, text + &limits.concat()).expect("it is written");
    judge(&bench)
        .args(["run", "poj3074"])
        .assert()
        .success()
        .stdout(contains("AC  1 of 1"));
    // It can be submitted, and does not mention the other problem's judge.
    for target in ["rust", "cpp"] {
        let output = judge(&bench)
            .args([
                "bundle", "poj3074", "--minify", "--to", target, "-o", "bundle",
            ])
            .assert()
            .success()
            .stdout(contains("AC  1 of 1"));
        let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(!message.contains("luogu"), "{message}");
        fs::remove_file(bench.path("bundle")).expect("it is there");
    }
}

#[test]
fn a_copied_problem_does_not_mention_the_other() {
    let about = [
        ("luogup1784", "newa1", ["luogu", "1784"]),
        ("nowcodernc47", "newb2", ["nowcoder", "nc47"]),
        ("poj3074", "newc3", ["poj", "3074"]),
        ("uva1309", "newd4", ["uva", "1309"]),
        ("killer9", "newe5", ["killer9", "killer sudoku"]),
        ("leetcode37", "newf6", ["leetcode37", "sudoku solver"]),
    ];
    let bench = project(&about.map(|(like, ..)| like));
    for (like, id, words) in about {
        let url = format!("https://example.org/{id}");
        judge(&bench)
            .args(["new", id, "--like", like, "--url", &url])
            .assert()
            .success();
        for part in ["problems", "testdata"] {
            for entry in walkdir::WalkDir::new(bench.path(part).join(id)) {
                let entry = entry.expect("an entry");
                let path = entry.path().display().to_string().to_lowercase();
                let text = match entry.file_type().is_file() {
                    true => fs::read(entry.path()).expect("a file"),
                    false => Vec::new(),
                };
                // The data is the same.
                let text = match path.contains("/data/") {
                    true => String::new(),
                    false => String::from_utf8_lossy(&text).to_lowercase(),
                };
                for word in words.iter().chain(&["leetcode"]) {
                    assert!(!path.contains(word), "{path}");
                    let line = text.lines().find(|line| line.contains(word));
                    assert!(line.is_none(), "{path}: {word}: {line:?}");
                }
            }
        }
        let yaml = fs::read_to_string(bench.path(&format!("testdata/{id}/problem.yaml")));
        let yaml = yaml.expect("settings");
        assert!(yaml.contains(&url) && !yaml.contains("code:"), "{yaml}");
        judge(&bench).args(["run", "--bins", id]).assert().success();
        let verified = judge(&bench)
            .args(["verify", id, "--case", "sample/*"])
            .assert();
        let output = verified.get_output();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!message.contains("error"), "{message}");
    }
    // Everything compiles, tests too, and the handwritten C++ is still the bundle.
    let checked = Command::new(env!("CARGO"))
        .args([
            "check",
            "--quiet",
            "--offline",
            "--workspace",
            "--all-targets",
        ])
        .current_dir(bench.path(""))
        .output()
        .expect("cargo starts");
    let message = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(checked.status.success(), "{message}");
    judge(&bench)
        .args(["bundle", "newc3", "--to", "cpp", "-o", "newc3.cpp"])
        .assert()
        .success()
        .stdout(contains("AC  10 of 10"));
    let source = fs::read_to_string(bench.path("newc3.cpp")).expect("a bundle");
    assert!(
        source.contains("struct Sudoku") && !source.contains("POJ"),
        "{source}"
    );
    // Every submission has its verdict; only the statement is left to be written.
    let verified = judge(&bench).args(["verify", "newc3"]).assert();
    let only = "not as expected:\n  newc3: 1 error in the package, see above\n";
    let lacks = contains("there is no problem statement");
    verified.stdout(lacks.and(predicates::str::ends_with(only)));
    let tests = fs::read_to_string(bench.path("problems/newa1/tests/samples.rs")).expect("tests");
    assert!(tests.contains("CARGO_BIN_EXE_newa1"));
    let names = fs::read_dir(bench.path("problems/newb2/src/bin")).expect("binaries");
    let names = names.map(|entry| entry.expect("an entry").file_name());
    let names: Vec<_> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    assert!(names.contains(&"newb2-bitmask.rs".to_owned()), "{names:?}");
    assert!(
        !names.iter().any(|name| name.contains("function")),
        "{names:?}"
    );
}
