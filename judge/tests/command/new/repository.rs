//! `judge new` beside copies of this repository's problems.

use crate::common::{Bench, asserted, judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;
use std::process::Command;

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
        let solution = puzzle.solve().into_solution().ok_or("no solution")?;
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
         publish = false\n[workspace.dependencies]\nsudoku = {{ package = \"sudoku-engines\", path = {library:?} }}\nprogram = {{ path = \"program\" }}\n\
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
#[ignore = "long: `make test-long` runs it"]
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
    asserted(&bench, &["run", "poj3074"])
        .success()
        .stdout(contains("AC  1 of 1"));
    // It can be submitted, and does not mention the other problem's judge.
    for options in [&["rust", "--minify"][..], &["cpp"]] {
        let output = judge(&bench)
            .args(["bundle", "poj3074", "-o", "bundle", "--to"])
            .args(options)
            .assert()
            .success()
            .stdout(contains("AC  1 of 1"));
        let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(!message.contains("luogu"), "{message}");
        fs::remove_file(bench.path("bundle")).expect("it is there");
    }
}

#[test]
#[ignore = "long: `make test-long` runs it"]
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
        let yaml = bench.read(&format!("testdata/{id}/problem.yaml"));
        assert!(yaml.contains(&url) && !yaml.contains("code:"), "{yaml}");
        // The slow programs of the articles may take twice as long on a busy machine.
        let run = ["run", "--bins", "--time-limit", "300", id];
        judge(&bench).args(run).assert().success();
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
    asserted(
        &bench,
        &["bundle", "newc3", "--to", "cpp", "-o", "newc3.cpp"],
    )
    .success()
    .stdout(contains("AC  10 of 10"));
    let source = bench.read("newc3.cpp");
    assert!(
        source.contains("struct Sudoku") && !source.contains("POJ"),
        "{source}"
    );
    // Every submission has its verdict; only the statement is left to be written.
    let verified = asserted(&bench, &["verify", "newc3"]);
    let only = "not as expected:\n  newc3: 1 error in the package, see above\n";
    let lacks = contains("there is no problem statement");
    verified.stdout(lacks.and(predicates::str::ends_with(only)));
    let tests = bench.read("problems/newa1/tests/samples.rs");
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
