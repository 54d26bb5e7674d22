//! The output for editors, read by the configurations in docs/editors.md; submitting by hand.

use crate::common::{Bench, judge, of_judge};
use crate::search_path::search_path;
use assert_cmd::cargo::cargo_bin;
use regex::Regex;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const WRONG: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a - b); }\n";
const RIGHT: &str = "#include <cstdio>\nint main() { int a, b; std::scanf(\"%d%d\", &a, &b); std::printf(\"%d\\n\", a + b); }\n";

/// A folder with samples and programs: one that is wrong, one that does not compile, one that is right.
fn folder() -> Bench {
    let bench = Bench::new();
    for k in 1..=2 {
        bench.write(&format!("spring/test/{k}.in"), &format!("{k} 4\n"));
        bench.write(&format!("spring/test/{k}.out"), &format!("{}\n", k + 4));
    }
    bench.write("spring/wrong.c", WRONG);
    bench.write("spring/broken.c", "int main(void) {\n  return x;\n}\n");
    bench.write("spring/sol.cpp", RIGHT);
    bench
}

/// The lines that `judge run FILE --format lines` prints in the folder.
fn lines(bench: &Bench, file: &str, status: i32) -> Vec<String> {
    let run = judge(bench)
        .current_dir(bench.path("spring"))
        .args(["run", file, "--no-history", "--format", "lines"])
        .assert()
        .code(status);
    let text = String::from_utf8(run.get_output().stdout.clone()).expect("text");
    text.lines().map(str::to_owned).collect()
}

/// A block of the page in this language that contains a word.
fn block(language: &str, word: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/editors.md");
    let page = fs::read_to_string(page).expect("the page");
    let fence = format!("```{language}\n");
    let mut blocks = page.split(&fence).skip(1);
    let found = blocks.find_map(|rest| {
        let block = rest.split("```").next()?;
        block.contains(word).then(|| block.to_owned())
    });
    found.unwrap_or_else(|| panic!("a block of {language} with {word}"))
}

/// The pattern of VS Code's problem matcher.
fn pattern() -> Regex {
    let tasks: serde_json::Value = serde_json::from_str(&block("json", "tasks")).expect("JSON");
    let pattern = &tasks["tasks"][0]["problemMatcher"]["pattern"]["regexp"];
    Regex::new(pattern.as_str().expect("a pattern")).expect("a regular expression")
}

#[test]
fn every_finding_is_a_line_that_the_problem_matcher_reads() {
    let bench = folder();
    let pattern = pattern();
    let found = |file: &str, status| {
        let mut lines = lines(&bench, file, status);
        let last = lines.pop().expect("the result");
        assert!(!pattern.is_match(&last), "{last}");
        let parts = lines.iter().map(|line| {
            let parts = pattern.captures(line).unwrap_or_else(|| panic!("{line}"));
            [1, 2, 3, 4, 5].map(|k| parts[k].to_owned())
        });
        parts.collect::<Vec<_>>()
    };
    let wrong = found("wrong.c", 1);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert_eq!(wrong[0][..4], ["wrong.c", "1", "1", "error"]);
    assert!(wrong[0][4].contains("expected"), "{wrong:?}");
    let broken = found("broken.c", 1);
    assert_eq!(broken[0][..4], ["broken.c", "2", "10", "error"]);
    // The locale decides the quotation marks.
    let message = &broken[0][4];
    assert!(
        message.contains("Compile error: ") && message.contains("undeclared"),
        "{broken:?}"
    );
    assert!(found("sol.cpp", 0).is_empty());
}

#[test]
fn vim_goes_to_what_failed() {
    let bench = folder();
    // The small edition of Debian has no quickfix list.
    let has = Command::new("vim")
        .args([
            "-u",
            "NONE",
            "-es",
            "-c",
            "if !has('quickfix') | cquit | endif",
            "-c",
            "quit",
        ])
        .status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no vim with a quickfix list");
        return;
    }
    let format = block("vim", "errorformat");
    let format = format
        .lines()
        .find_map(|line| line.split_once("errorformat="));
    let (_, format) = format.expect("the format");
    let output = lines(&bench, "broken.c", 1).join("\n");
    bench.write("spring/errors.txt", &format!("{output}\n"));
    let list = "call writefile(map(getqflist(), {_, e -> bufname(e.bufnr) . ' ' . e.lnum . ' ' . e.col . ' ' . e.type}), 'list.txt')";
    let status = Command::new("vim")
        .current_dir(bench.path("spring"))
        .args(["-u", "NONE", "-es", "-c"])
        .arg(format!("set errorformat={format}"))
        .args(["-c", "cgetfile errors.txt", "-c", list, "-c", "qall!"])
        .status();
    assert!(status.expect("vim runs").success());
    let list = bench.read("spring/list.txt");
    assert_eq!(list.lines().next(), Some("broken.c 2 10 e"), "{list}");
}

#[test]
fn emacs_goes_to_what_failed() {
    let bench = folder();
    let has = Command::new("emacs").arg("--version").output();
    if !has.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no emacs");
        return;
    }
    bench.write("spring/judge.el", &block("elisp", "defun judge"));
    let script = r#"(progn
        (load (expand-file-name "judge.el") nil t)
        (find-file "broken.c")
        (judge)
        (let ((process (get-buffer-process (compilation-find-buffer))))
          (while (process-live-p process) (accept-process-output process 1)))
        (next-error)
        (princ (format "%s %d %d\n" (buffer-name) (line-number-at-pos) (1+ (current-column)))))"#;
    bench.write("spring/script.el", script);
    // The settings call `judge` by its name.
    let program = cargo_bin("judge");
    let directory = program.parent().expect("a directory").display();
    let path = format!("{directory}:{}", search_path().display());
    let run = of_judge(&bench, "emacs")
        .current_dir(bench.path("spring"))
        .env("PATH", path)
        .args(["-Q", "--batch", "-l", "script.el"])
        .output()
        .expect("emacs runs");
    let place = String::from_utf8_lossy(&run.stdout);
    assert_eq!(place.lines().last(), Some("broken.c 2 10"), "{run:?}");
}

/// Writes a program that stores its input and arguments in a file.
fn fake(bench: &Bench, name: &str) {
    let stored = bench.path(&format!("{name}.stored"));
    let script = format!(
        "#!/bin/sh\n{{ echo \"$@\"; cat; }} > '{}'\n",
        stored.display()
    );
    let path = bench.write(&format!("tools/{name}"), &script);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("an executable");
}

#[test]
fn the_bundle_is_copied_and_the_page_opened() {
    let bench = folder();
    for tool in ["xclip", "xdg-open"] {
        fake(&bench, tool);
    }
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", bench.path("tools").display());
    let submit = |args: &[&str]| {
        let mut judge = judge(&bench);
        judge
            .current_dir(bench.path("spring"))
            .args(["submit", "--open"])
            .args(args);
        judge
            .env("PATH", &path)
            .env("DISPLAY", ":1")
            .env_remove("WAYLAND_DISPLAY");
        judge.assert()
    };
    submit(&["sol.cpp"])
        .code(2)
        .stderr(predicates::str::contains("give it with --url"));
    submit(&["none.cpp"])
        .code(2)
        .stderr(predicates::str::contains("no such file"));
    submit(&["wrong.c", "--url", "https://example.org/1"]).code(1);
    assert!(!bench.path("xclip.stored").exists() && !bench.path("xdg-open.stored").exists());
    bench.write("spring/judge.yaml", "url: https://example.org/spring\n");
    submit(&["sol.cpp"]).code(0);
    assert!(bench.read("xclip.stored").contains("std::scanf"));
    assert_eq!(
        bench.read("xdg-open.stored").trim(),
        "https://example.org/spring"
    );
    submit(&["sol.cpp", "--url", "ftp://example.org"]).code(2);
    bench.write(
        "spring/sol.py",
        "a, b = map(int, input().split())\nprint(a + b)\n",
    );
    submit(&["sol.py", "--url", "https://example.org/2"]).code(0);
    assert!(bench.read("xclip.stored").contains("map(int"));
    assert_eq!(
        bench.read("xdg-open.stored").trim(),
        "https://example.org/2"
    );
}
