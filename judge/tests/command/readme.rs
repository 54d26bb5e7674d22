//! The transcripts in README.md and in the pages of the book are real output: each command runs, and what it prints is
//! compared, without figures. The translations have the same transcripts, as `tests/repository/translations.rs` checks.

mod picture;

use crate::common::{Bench, judge_program, skipped_without_sandbox};
use regex::Regex;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pages whose commands run in the workspace.
const OF_WORKSPACE: [&str; 2] = ["README.md", "docs/problems.md"];
/// Pages whose commands run in a folder with the files that the page shows.
const OF_CONTESTANTS: [&str; 4] = [
    "docs/start.md",
    "docs/stress.md",
    "docs/debug.md",
    "docs/submit.md",
];
const OF_SETTERS: [&str; 3] = ["docs/languages.md", "docs/events.md", "docs/statements.md"];
/// Likewise; its commands need more than a second of a core.
const FIRST_PACKAGE: &str = "docs/first-package.md";

/// Commands that are not run: they write into the workspace, do not end, or wait for a browser.
const NOT_RUN: [&str; 4] = [
    "judge bundle luogup1784",
    "judge new",
    "judge serve",
    "make serve",
];

/// A command of a transcript and what it printed.
struct Transcript {
    command: String,
    output: String,
}

/// A fenced block of a page.
enum Block {
    /// A block with `file=PATH` behind its language: the content of a file.
    File { path: String, text: String },
    /// A block with lines that begin with `$ `.
    Transcripts(Vec<Transcript>),
}

fn root() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    dir.parent().expect("the workspace").to_owned()
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

/// The fenced blocks of a page that are files or transcripts, in order.
fn blocks(page: &str) -> Vec<Block> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    let block = |fenced: &str| {
        let (info, text) = fenced.split_once('\n')?;
        let text = format!("{text}\n");
        match info.split_once("file=") {
            Some((_, path)) => Some(Block::File {
                path: path.to_owned(),
                text,
            }),
            None => Some(Block::Transcripts(transcripts(&text))),
        }
    };
    fenced.filter_map(block).collect()
}

/// The commands of a block, each with the lines up to the next one.
fn transcripts(block: &str) -> Vec<Transcript> {
    let mut all: Vec<Transcript> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Transcript {
                command: command.to_owned(),
                output: String::new(),
            });
        } else if let Some(last) = all.last_mut() {
            last.output.push_str(line);
            last.output.push('\n');
        }
    }
    all
}

/// The text without figures, line breaks and warnings about the machine; the slowest case depends on the machine.
fn masked(text: &str) -> String {
    let of_machine = [
        "warning: the machine was busy",
        "warning: the sandbox is incomplete",
    ];
    let text: String = text
        .lines()
        .filter(|line| !of_machine.iter().any(|warning| line.starts_with(warning)))
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

/// Whether the output is that of the transcript, where `[...]` stands for any text.
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

/// Runs a command in `dir` until it ends, or until it waits for changes. `bin` has the program `judge`.
fn output_of(command: &str, dir: &Path, bin: &Path) -> String {
    let path = std::env::var("PATH").expect("a search path");
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(dir)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("JUDGE_TEST_PROGRAM", env!("CARGO_BIN_EXE_judge"))
        .env("NO_COLOR", "1")
        // Judges that other tests have killed leave files in the common one, and the next judge says that it removes them.
        .env("TMPDIR", bin)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the shell starts");
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

/// A directory that has only the program `judge`.
fn programs(bench: &Bench) -> PathBuf {
    let bin = bench.path("bin");
    fs::create_dir(&bin).expect("a directory");
    symlink(judge_program(), bin.join("judge")).expect("a link");
    bin
}

/// Writes the files of a page and runs its commands, in order, in a folder that has the name in its reports.
fn check_in_folder(page: &str) {
    if skipped_without_sandbox("report of the page") {
        return;
    }
    let text = read(page);
    let report = Regex::new(r"(?m)^\$ judge (?:run|bundle).*\n(?:judging .*\n)?(\w+) \(")
        .expect("a pattern");
    let name = report
        .captures(&text)
        .map_or("folder", |found| found.get(1).expect("it").as_str());
    let bench = Bench::new();
    let bin = programs(&bench);
    fs::create_dir(bench.path(name)).expect("a directory");
    let mut compared = 0;
    for block in blocks(&text) {
        match block {
            Block::File { path, text } => drop(bench.write(&format!("{name}/{path}"), &text)),
            Block::Transcripts(all) => {
                let run = |transcript: &&Transcript| {
                    !NOT_RUN
                        .iter()
                        .any(|name| transcript.command.starts_with(name))
                };
                for Transcript { command, output } in all.iter().filter(run) {
                    let printed =
                        output_of(&format!("exec 2>&1; {command}"), &bench.path(name), &bin);
                    if let Err(why) = matches(output, &printed) {
                        panic!("{page}: `{command}` prints something else: {why}");
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 0, "{page} has no transcripts");
}

/// A directory that looks like the workspace, with `my.cpp` of docs/problems.md in it.
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

#[test]
#[ignore = "long: `make test-long` runs it"]
fn pages_about_the_workspace_show_real_output() {
    let bench = workspace();
    let bin = programs(&bench);
    let mut compared = 0;
    for page in OF_WORKSPACE {
        let blocks = blocks(&read(page));
        let all = blocks.into_iter().flat_map(|block| match block {
            Block::Transcripts(all) => all,
            Block::File { path, .. } => panic!("{page}: {path} is a file in the workspace"),
        });
        for Transcript { command, output } in all {
            if NOT_RUN.iter().any(|name| command.starts_with(name)) {
                continue;
            }
            let printed = match command.as_str() {
                // As in the Makefile; it builds the problems.
                "make judge" => output_of("judge run", &root(), &bin),
                _ if command.contains("my.cpp") => {
                    output_of(&format!("exec {command}"), &bench.path(""), &bin)
                }
                _ => output_of(&command, &root(), &bin),
            };
            if let Err(why) = matches(&output, &printed) {
                panic!("{page}: `{command}` prints something else: {why}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 3, "{compared} transcripts");
}

#[test]
fn pages_for_contestants_show_real_output() {
    OF_CONTESTANTS.iter().for_each(|page| check_in_folder(page));
}

#[test]
fn pages_for_setters_show_real_output() {
    OF_SETTERS.iter().for_each(|page| check_in_folder(page));
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn the_page_about_the_first_package_shows_real_output() {
    check_in_folder(FIRST_PACKAGE);
}

#[test]
fn every_page_with_transcripts_is_run() {
    let is_run = |page: &String| {
        let lists = [
            &OF_WORKSPACE[..],
            &OF_CONTESTANTS,
            &OF_SETTERS,
            &[FIRST_PACKAGE],
        ];
        lists.iter().any(|pages| pages.contains(&page.as_str()))
    };
    let is_english = |name: &String| name.ends_with(".md") && !name.ends_with(".zh-CN.md");
    let entries = fs::read_dir(root().join("docs")).expect("the pages");
    let names = entries.map(|entry| {
        entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("text")
    });
    let pages = names.filter(is_english).map(|name| format!("docs/{name}"));
    for page in pages.chain(["README.md".to_owned()]) {
        let runs = |transcript: &Transcript| {
            let judge =
                transcript.command.starts_with("judge ") || transcript.command == "make judge";
            judge
                && !NOT_RUN
                    .iter()
                    .any(|name| transcript.command.starts_with(name))
        };
        let has_transcripts = blocks(&read(&page)).iter().any(|block| match block {
            Block::Transcripts(all) => all.iter().any(runs),
            Block::File { .. } => false,
        });
        assert!(
            !has_transcripts || is_run(&page),
            "{page} has transcripts: add it to a list of this file"
        );
    }
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

/// Each layer that `judge doctor` names has a row in docs/troubleshooting.md.
#[test]
fn every_line_of_doctor_is_explained() {
    let bench = Bench::new();
    let bin = programs(&bench);
    let lines = output_of("judge doctor --format json", &bench.path(""), &bin);
    let page = read("docs/troubleshooting.md");
    let table: String = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let mut layers = 0;
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("an object");
        if line["event"] == "layer" {
            let name = line["name"].as_str().expect("a name");
            assert!(table.contains(&format!("`{name}`")), "{name} has no row");
            layers += 1;
        }
    }
    assert!(layers > 10, "{layers} layers");
}
