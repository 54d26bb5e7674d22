//! The transcripts in README.md and its translation are real output: each command runs, and what it prints is compared,
//! without figures.

use crate::common::Bench;
use regex::Regex;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Commands whose transcripts are not compared: they write into the workspace, search at random, or
/// do not end.
const NOT_RUN: [&str; 5] = [
    "ls",
    "judge stress",
    "judge bundle",
    "judge new",
    "make serve",
];

/// A command of a transcript and what it printed.
struct Transcript {
    command: String,
    output: String,
}

fn root() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    dir.parent().expect("the workspace").to_owned()
}

/// The commands in the code blocks that begin with `$ `.
fn transcripts(readme: &str) -> Vec<Transcript> {
    let mut all: Vec<Transcript> = Vec::new();
    let mut inside = false;
    let mut is_transcript = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = !inside;
            is_transcript = false;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            is_transcript = true;
            all.push(Transcript {
                command: command.replace("cargo run -q -p judge --", "judge"),
                output: String::new(),
            });
        } else if let Some(last) = all.last_mut().filter(|_| is_transcript) {
            last.output.push_str(line);
            last.output.push('\n');
        }
    }
    all
}

/// The text without figures and line breaks; the slowest case depends on the machine.
fn masked(text: &str) -> String {
    let text: String = text
        .lines()
        .filter(|line| !line.starts_with("warning: the machine was busy"))
        .map(|line| format!("{line}\n"))
        .collect();
    let replaced = [
        (r"·", " "),
        (r"[0-9]+(\.[0-9]+)?", "#"),
        (r"# (ms|s)\b", "# t"),
        (r"(slowest # t) \([^ ]+,", "$1 (*,"),
        (r"\s+", " "),
    ];
    replaced.iter().fold(text, |text, (pattern, by)| {
        let pattern = Regex::new(pattern).expect("a valid pattern");
        pattern.replace_all(&text, *by).into_owned()
    })
}

/// Whether the output is that of the transcript, where `[...]` stands for any lines.
fn matches(transcript: &str, output: &str) -> Result<(), String> {
    let output = masked(output);
    let mut rest = output.trim();
    for (k, part) in transcript.split("[...]").enumerate() {
        let part = masked(part);
        let part = part.trim();
        let at = rest.find(part);
        match at {
            Some(at) if k > 0 || at == 0 => rest = &rest[at + part.len()..],
            _ => return Err(format!("not found: {part}\nin: {rest}")),
        }
    }
    match rest.trim() {
        "" => Ok(()),
        more => Err(format!("not in the transcript: {more}")),
    }
}

/// Runs a command of the judge in `dir` until it ends, or until it waits for changes.
fn output_of(command: &str, dir: &Path) -> String {
    let script = command.replacen("judge", "exec \"$0\"", 1);
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_judge")])
        .current_dir(dir)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the judge starts");
    let mut text = String::new();
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    for line in lines.map_while(Result::ok) {
        text.push_str(&line);
        text.push('\n');
        if line.starts_with("waiting for changes") {
            kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
        }
    }
    child.wait().expect("it ends");
    text
}

/// A directory that looks like the workspace, with `my.cpp` of the README in it.
fn workspace() -> Bench {
    let bench = Bench::new();
    for name in ["Cargo.toml", "testdata", "problems", "src"] {
        symlink(root().join(name), bench.path(name)).expect("a link");
    }
    bench.write(
        "my.cpp",
        "#include <cstdio>\nint main() {\n    int d;\n    while (scanf(\"%d\", &d) == 1) \
         printf(\"%d \", d);\n}\n",
    );
    bench
}

/// The folder of a contestant: a program and two samples.
fn folder(bench: &Bench) -> PathBuf {
    bench.write(
        "spring/sol.cpp",
        "#include <iostream>\nint main() {\n    long a, b;\n    std::cin >> a >> b;\n    \
         std::cout << a + b << '\\n';\n}\n",
    );
    for k in 1..=2 {
        bench.write(&format!("spring/test/sample-{k}.in"), &format!("{k} 2\n"));
        bench.write(
            &format!("spring/test/sample-{k}.out"),
            &format!("{}\n", k + 2),
        );
    }
    bench.path("spring")
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn the_readme_shows_real_output() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("a README");
    let readme = ["README.md", "README.zh-CN.md"].map(read).join("\n");
    let mut outputs: HashMap<String, String> = HashMap::new();
    let bench = workspace();
    let folder = folder(&bench);
    let mut compared = 0;
    for Transcript { command, output } in transcripts(&readme) {
        if NOT_RUN.iter().any(|name| command.starts_with(name)) {
            continue;
        }
        let run = || match command.as_str() {
            // As in the Makefile; it builds the problems.
            "make judge" => output_of("judge run", &root()),
            "judge run sol.cpp" => output_of(&command, &folder),
            _ if command.contains("my.cpp") => output_of(&command, &bench.path("")),
            _ => output_of(&command, &root()),
        };
        let printed = outputs.entry(command.clone()).or_insert_with(run);
        if let Err(why) = matches(&output, printed) {
            panic!("README: `{command}` prints something else: {why}");
        }
        compared += 1;
    }
    assert!(compared >= 4, "{compared} transcripts");
}

#[test]
fn a_changed_transcript_is_found() {
    let output = "a\n  AC  x/1   1.5 ms\n  AC  x/2   2 s\nend: 3 cases\n";
    assert!(matches("a\n  AC  x/1  9 s\n[...]\nend: 4 cases\n", output).is_ok());
    for wrong in [
        "a\n[...]\nend: cases\n",
        "b\n[...]\nend: 3 cases\n",
        "a\n[...]\nAC x/2 2 s\n",
    ] {
        assert!(matches(wrong, output).is_err(), "{wrong}");
    }
}
