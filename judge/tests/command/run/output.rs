//! Where the reports of `judge run` go: files, devices, pipes whose readers pause or leave; interrupts.

use super::LIMITS;
use crate::common::{Bench, judge_program, of_judge, run};
use predicates::prelude::*;
use predicates::str::contains;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn reports_are_written_whole_or_not_at_all() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    let (junit, html) = (bench.path("out.xml"), bench.path("out.html"));
    run(&bench, &package, &right)
        .arg("--junit")
        .arg(&junit)
        .arg("--html")
        .arg(&html)
        .assert()
        .success();
    let xml = std::fs::read_to_string(&junit).expect("the report is there");
    assert!(xml.contains("<testsuite") && xml.trim_end().ends_with("</testsuites>"));
    let page = std::fs::read_to_string(&html).expect("the page is there");
    assert!(page.contains("<title>") && page.contains("secret/3"));

    run(&bench, &package, &right)
        .args(["--html", "no/such/directory/out.html"])
        .assert()
        .code(2)
        .stderr(contains("no/such/directory"));
    run(&bench, &package, &right)
        .args(["--junit", "sums"])
        .assert()
        .code(2)
        .stderr(contains("sums: is a directory"));
}

#[test]
fn a_report_to_a_device_does_not_replace_it() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    run(&bench, &package, &right)
        .args(["--html", "/dev/stdout", "--junit", "/dev/null"])
        .assert()
        .success()
        .stdout(contains("all accepted").and(contains("</html>")));
    assert!(!Path::new("/dev/null").is_file());
    // What a link leads to is written, and the link stays.
    let link = bench.path("link.html");
    std::os::unix::fs::symlink(bench.write("page.html", "<!DOCTYPE html>old"), &link)
        .expect("a link");
    run(&bench, &package, &right)
        .arg("--html")
        .arg(&link)
        .assert()
        .success();
    assert!(link.is_symlink());
    let page = bench.read("page.html");
    assert!(page.contains("</html>"));
}

/// Starts `judge run` over the package, with its output in a pipe.
fn piped(bench: &Bench, package: &Path, submission: &Path, args: &[&str]) -> std::process::Child {
    of_judge(bench, judge_program())
        .arg("run")
        .arg(package)
        .arg("-s")
        .arg(submission)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the judge runs")
}

fn interrupt(judge: &std::process::Child) {
    let killed = std::process::Command::new("kill")
        .args(["-INT", &judge.id().to_string()])
        .status();
    assert!(killed.expect("kill is there").success());
}

#[test]
fn a_closed_pipe_keeps_the_status_of_the_results_so_far() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    let wrong = bench.program("wrong", "puts(\"no\");");
    let closed = |submission: &Path, args: &[&str]| {
        let mut child = piped(&bench, &package, submission, args);
        let out = child.stdout.take().expect("its output");
        let mut first = String::new();
        BufReader::new(out)
            .read_line(&mut first)
            .expect("there is a line");
        // The reader is gone now.
        let output = child.wait_with_output().expect("the judge ends");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.is_empty(), "{errors}");
        output.status.code()
    };
    assert_eq!(closed(&right, &["--format", "json"]), Some(0));
    assert_eq!(closed(&right, &[]), Some(0));
    assert_eq!(closed(&wrong, &[]), Some(1));
    // A file is written all the same, and has everything.
    let events = bench.path("events");
    let file = events.to_str().expect("a path");
    assert_eq!(
        closed(&wrong, &["--format", "json", "--json", file]),
        Some(1)
    );
    let events = std::fs::read_to_string(events).expect("it is there");
    assert_eq!(events.matches("case_finished").count(), 4, "{events}");
    assert!(events.contains("\"interrupted\":false"), "{events}");
}

/// Many cases whose results are more than a pipe holds.
fn many_cases(bench: &Bench) -> PathBuf {
    let package = bench.sums("time_limit: 5");
    for k in 4..=600 {
        let name = format!("{k}-{}", "x".repeat(200));
        bench.write(&format!("sums/data/secret/{name}.in"), &format!("{k} 4\n"));
        let answer = format!("{}\n", k + 4);
        bench.write(&format!("sums/data/secret/{name}.ans"), &answer);
    }
    package
}

/// A right program that notes each of its runs in `runs`, where it is not in a box.
fn noted(bench: &Bench) -> PathBuf {
    let runs = bench.path("runs");
    let body = format!(
        "FILE *f = fopen(\"{}\", \"a\"); fputs(\"run\\n\", f); fclose(f); printf(\"%d\\n\", a + b);",
        runs.display()
    );
    bench.program("noted", &body)
}

/// Waits until there were `count` runs; the timeout of a minute allows for a busy machine.
fn wait_for_runs(bench: &Bench, count: usize) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let runs = std::fs::read_to_string(bench.path("runs")).unwrap_or_default();
        match runs.lines().count() {
            found if found >= count => return,
            found => assert!(Instant::now() < end, "{found} of {count} runs"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_reader_that_pauses_does_not_stop_judging() {
    let bench = Bench::new();
    let package = many_cases(&bench);
    let program = noted(&bench);
    let args = ["--format", "json", "-j", "1", "--sandbox", "none"];
    let child = piped(&bench, &package, &program, &args);
    // Nothing has been read at this point.
    wait_for_runs(&bench, 601);
    let output = child.wait_with_output().expect("the judge ends");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("case_finished").count(), 601);
    assert!(
        text.trim_end()
            .lines()
            .next_back()
            .is_some_and(|line| line.contains("run_finished"))
    );
}

#[test]
fn an_interrupt_ends_the_judge_though_the_reader_never_reads_again() {
    let bench = Bench::new();
    let package = many_cases(&bench);
    let program = noted(&bench);
    let events = bench.path("events");
    let file = events.to_str().expect("a path");
    let args = [
        "--format",
        "json",
        "-j",
        "1",
        "--sandbox",
        "none",
        "--json",
        file,
    ];
    let mut child = piped(&bench, &package, &program, &args);
    wait_for_runs(&bench, 601);
    interrupt(&child);
    // Its output is open, but not read.
    let status = child.wait().expect("the judge ends");
    assert_eq!(status.code(), Some(130));
    let events = std::fs::read_to_string(events).expect("the file is written");
    // The signal may arrive before the last run ends.
    let finished = events.matches("case_finished").count();
    assert!((600..=601).contains(&finished), "{finished}");
}

#[test]
fn an_interrupt_ends_it_with_what_is_known() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 60");
    let mark = bench.path("runs");
    let waits = format!(
        "if (a == 1) {{ FILE *f = fopen(\"{}\", \"w\"); fputs(\"run\\n\", f); fclose(f); pause(); }} printf(\"%d\\n\", a + b);",
        mark.display()
    );
    let sleeper = bench.program("sleeper", &waits);
    let child = piped(
        &bench,
        &package,
        &sleeper,
        &["-j", "1", "--sandbox", "none"],
    );
    wait_for_runs(&bench, 1);
    let start = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().expect("the judge ends");
    assert_eq!(output.status.code(), Some(130));
    // Not a speed claim: without the interrupt it would take a minute.
    assert!(start.elapsed() < Duration::from_secs(30));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("interrupted"), "{text}");
    assert!(text.starts_with("sums  Sums"), "{text}");
    assert!(text.contains("sample/1"), "{text}");
}

#[test]
fn a_report_that_cannot_be_written_is_named() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    run(&bench, &package, &right)
        .args(["--html", "no/such/a.html"])
        .assert()
        .code(2)
        .stderr(contains("there is no directory no/such"));
    let page = bench.path("page.html");
    for option in ["--html", "--json", "--junit"] {
        let mut command = run(&bench, &package, &right);
        command.args([option, "/dev/full"]);
        if option != "--html" {
            command.arg("--html").arg(&page);
        }
        command
            .assert()
            .code(3)
            .stdout(contains("AC  4 of 4 cases"))
            .stderr(contains("failed to write /dev/full: No space left"));
    }
    // The reports that can be written are complete.
    let page = std::fs::read_to_string(page).expect("the page is there");
    assert!(page.contains("secret/3"));
}
