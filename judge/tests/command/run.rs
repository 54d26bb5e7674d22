//! `judge run` as a user meets it: verdicts, messages, exit statuses.

#[path = "../common/schema.rs"]
mod schema;

use crate::common::{Bench, judge, run};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

const LIMITS: &str = "time_limit: 0.5, memory: 64, output: 1";

/// The verdicts of all cases, and the exit status.
fn verdicts(bench: &Bench, body: &str) -> (Vec<String>, Option<i32>) {
    let package = bench.sums(LIMITS);
    let program = bench.program("mine", body);
    let output = run(bench, &package, &program)
        .args(["--format", "json", "-j", "1"])
        .output()
        .expect("the judge runs");
    let verdicts = String::from_utf8(output.stdout)
        .expect("events are UTF-8")
        .lines()
        .inspect(|line| schema::check_event(line))
        .map(|line| serde_json::from_str::<Value>(line).expect("a line is an event"))
        .filter(|event| event["event"] == "case_finished")
        .map(|event| event["verdict"].as_str().expect("a verdict").to_owned())
        .collect();
    (verdicts, output.status.code())
}

#[test]
fn every_verdict_and_its_exit_status() {
    let bench = Bench::new();
    for (body, verdict) in [
        ("printf(\"%d\\n\", a + b);", "AC"),
        ("printf(\"%d\\n\", a + b + (a == 2));", "WA"),
        (
            "if (a == 2) for (;;) sink++; printf(\"%d\\n\", a + b);",
            "TLE",
        ),
        ("if (a == 2) pause(); printf(\"%d\\n\", a + b);", "TLE"),
        ("if (a == 2) abort(); printf(\"%d\\n\", a + b);", "RTE"),
        (
            "printf(\"%d\\n\", a + b); fflush(stdout); return a == 2 ? 3 : 0;",
            "RTE",
        ),
        (
            "if (a == 2) for (;;) puts(\"more and more\"); printf(\"%d\\n\", a + b);",
            "OLE",
        ),
        (
            "if (a == 2) { volatile char *p = malloc(128 << 20); memset((char *)p, 1, 128 << 20); \
             sink = p[77]; } printf(\"%d\\n\", a + b);",
            "MLE",
        ),
    ] {
        let (found, status) = verdicts(&bench, body);
        assert_eq!(found, ["AC", "AC", verdict, "AC"], "{body}");
        assert_eq!(status, Some(i32::from(verdict != "AC")), "{body}");
    }
}

#[test]
fn a_wrong_answer_says_where() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let program = bench.program("mine", "printf(\"%d\\n\", a + b + (a == 2));");
    run(&bench, &package, &program).assert().code(1).stdout(
        contains("WA   secret/2")
            .and(contains("Wrong answer on secret/2"))
            .and(contains("line 1, column 1"))
            .and(contains("expected \"6\", found \"7\""))
            .and(contains("expected (2 bytes)"))
            .and(contains("1 │ 6"))
            .and(contains("1 │ 7"))
            .and(contains("    ^"))
            .and(contains("again: judge run sums -s mine --case secret/2"))
            .and(contains("not accepted: 1 submission, 4 cases"))
            .and(contains("not as expected").not()),
    );
}

#[test]
fn a_crash_shows_standard_error_without_its_escapes() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let program = bench.program("mine", "fprintf(stderr, \"\\033[31mdead\\n\"); return 7;");
    run(&bench, &package, &program)
        .args(["--sample"])
        .assert()
        .code(1)
        .stdout(
            contains("exit code 7")
                .and(contains("dead"))
                .and(contains("\u{1b}").not()),
        );
}

#[test]
fn limits_on_the_command_line_replace_the_packages() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let slow = bench.program(
        "slow",
        "for (long k = 0; k < 300000000; k++) sink = k; printf(\"%d\\n\", a + b);",
    );
    run(&bench, &package, &slow)
        .args(["--sample", "--time-limit", "0.01"])
        .assert()
        .code(1)
        .stdout(contains("TLE"));
    run(&bench, &package, &slow)
        .args(["--sample", "--time-limit", "30", "--memory", "99"])
        .assert()
        .success()
        .stdout(contains("30.000 s, 99.0 MiB"));
}

#[test]
fn cases_are_selected_by_glob() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    run(&bench, &package, &right)
        .args(["--case", "secret/[12]"])
        .assert()
        .success()
        .stdout(contains("2 of 2 cases"));
    run(&bench, &package, &right)
        .args(["--case", "nothing*"])
        .assert()
        .code(2)
        .stderr(contains("no case matches").and(contains("secret/1")));
    run(&bench, &package, &right)
        .args(["--case", "[a"])
        .assert()
        .code(2)
        .stderr(contains("--case"));
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let wrong = bench.program("wrong", "puts(\"no\");");
    let output = run(&bench, &package, &wrong)
        .args(["--fail-fast", "-j", "1", "--format", "json"])
        .output()
        .expect("the judge runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("case_finished").count(), 1, "{text}");
}

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
    std::os::unix::fs::symlink(bench.write("page.html", "old"), &link).expect("a link");
    run(&bench, &package, &right)
        .arg("--html")
        .arg(&link)
        .assert()
        .success();
    assert!(link.is_symlink());
    let page = std::fs::read_to_string(bench.path("page.html")).expect("the page is there");
    assert!(page.contains("</html>"));
}

#[test]
fn where_all_is_skipped_nothing_is_as_expected() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let source = bench.write("mine.c", "int main(void) { return 0; }\n");
    run(&bench, &package, &source)
        .env("PATH", bench.path(""))
        .assert()
        .code(1)
        .stdout(contains("not installed").and(contains("nothing was judged")));
}

#[test]
fn what_is_broken_is_named_with_its_remedy() {
    let bench = Bench::new();
    let right = bench.right();
    judge(&bench)
        .args(["run", "nowhere", "-s"])
        .arg(&right)
        .assert()
        .code(2)
        .stderr(contains("nowhere"));
    let package = bench.sums(LIMITS);
    run(&bench, &package, &bench.path("missing"))
        .assert()
        .code(2)
        .stderr(contains("missing"));
    judge(&bench)
        .arg("run")
        .arg(&package)
        .assert()
        .code(2)
        .stderr(contains("nothing to judge").and(contains("--submission")));
    std::fs::remove_file(bench.path("sums/data/secret/2.ans")).expect("it was there");
    run(&bench, &package, &right)
        .assert()
        .code(2)
        .stderr(contains("2.in").and(contains("help:")));
}

#[test]
fn a_typo_in_problem_yaml_is_found() {
    let bench = Bench::new();
    let package = bench.sums("time_limt: 1");
    let right = bench.right();
    run(&bench, &package, &right).assert().code(2).stderr(
        contains("problem.yaml:6:")
            .and(contains("time_limt"))
            .and(contains("time_limit")),
    );
}

/// Starts `judge run` over the package, with its output in a pipe.
fn piped(package: &Path, submission: &Path, args: &[&str]) -> std::process::Child {
    std::process::Command::new(assert_cmd::cargo::cargo_bin("judge"))
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

#[test]
fn where_the_reader_goes_away_the_status_is_that_of_what_was_judged() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    let wrong = bench.program("wrong", "puts(\"no\");");
    let closed = |submission: &Path, args: &[&str]| {
        let mut child = piped(&package, submission, args);
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
    let child = piped(&package, &program, &args);
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
    let mut child = piped(&package, &program, &args);
    wait_for_runs(&bench, 601);
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill is there").success());
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
    let sleeper = bench.program(
        "sleeper",
        "if (a == 1) for (;;) sink++; printf(\"%d\\n\", a + b);",
    );
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("judge"))
        .arg("run")
        .arg(&package)
        .arg("-s")
        .arg(&sleeper)
        .args(["-j", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the judge runs");
    std::thread::sleep(Duration::from_millis(1500));
    let start = Instant::now();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill is there");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the judge ends");
    assert_eq!(output.status.code(), Some(130));
    // Not a speed claim: without the interrupt it would take a minute.
    assert!(start.elapsed() < Duration::from_secs(30));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("interrupted"), "{text}");
    assert!(text.contains("sample/1"), "{text}");
}

#[test]
fn no_sandbox_is_loud() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let right = bench.right();
    run(&bench, &package, &right)
        .args(["--sandbox", "none"])
        .assert()
        .success()
        .stdout(contains("no sandbox: the programs ran with your rights"));
}

#[test]
fn instructions_rule_or_are_refused() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 1");
    let slow = bench.program(
        "slow",
        "for (long k = 0; k < 600000000; k++) sink = k; printf(\"%d\\n\", a + b);",
    );
    let output = run(&bench, &package, &slow)
        .args(["--sample", "--clock", "instructions", "--time-limit", "0.1"])
        .output()
        .expect("the judge runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        // More than 0.4 thousand million instructions: over a tenth of a second's.
        Some(1) => assert!(
            stdout.contains("TLE") && stdout.contains("instructions"),
            "{stdout}"
        ),
        Some(2) => assert!(errors.contains("--clock instructions"), "{errors}"),
        other => panic!("{other:?}: {stdout}{errors}"),
    }
}

/// A compiler that fails where the disk is full says nothing about the program.
#[test]
fn a_full_disk_is_no_compile_error() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    // The program is larger than the disk.
    let source = bench.write(
        "large.c",
        "char large[1 << 20] = {1};\nint main(void) { return large[7]; }\n",
    );
    let small = bench.path("small");
    std::fs::create_dir(&small).expect("a directory");
    let output = std::process::Command::new("unshare")
        .args(["-Urm", "sh", "-c"])
        .arg(
            "mount -t tmpfs -o size=300k tmpfs \"$1\" || exit 77\n\
             XDG_CACHE_HOME=$1 exec \"$2\" run \"$3\" -s \"$4\" --color never",
        )
        .args(["sh".as_ref(), small.as_os_str()])
        .arg(assert_cmd::cargo::cargo_bin("judge"))
        .args([package, source])
        .output();
    let output = match output {
        Ok(output) if !matches!(output.status.code(), None | Some(77)) => output,
        _ => {
            println!("skipped: no small disk can be mounted here");
            return;
        }
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    if text.contains("unshare:") {
        println!("skipped: {text}");
        return;
    }
    assert_eq!(output.status.code(), Some(3), "{text}");
    // Not the letters alone: the names of temporary directories may have them.
    assert!(text.contains("JE  0 of 4 cases"), "{text}");
    assert!(!text.contains("CE  0 of 4 cases"), "{text}");
    assert!(
        text.contains(&small.display().to_string()) && text.contains("set XDG_CACHE_HOME"),
        "{text}"
    );
}

#[test]
fn limits_that_are_not_given_name_their_origin() {
    let bench = Bench::new();
    let right = bench.right();
    bench.write("folder/test/1.in", "2 3\n");
    bench.write("folder/test/1.out", "5\n");
    let folder = bench.path("folder");
    run(&bench, &folder, &right)
        .assert()
        .success()
        .stdout(contains("(10.000 s (default), 2048 MiB (default), 1 case)"));
    run(&bench, &folder, &right)
        .args(["--time-limit", "2", "--memory", "64"])
        .assert()
        .success()
        .stdout(contains("(2.000 s, 64.0 MiB, 1 case)"));
    let package = bench.sums("memory: 64");
    bench.write(
        "sums/submissions/accepted/a.py",
        "print(sum(map(int, input().split())))\n",
    );
    run(&bench, &package, &right).assert().success().stdout(
        contains(" s (derived from accepted/a.py: 0.")
            .and(contains(" s x 2, in steps of 1 s), 64.0 MiB, 4 cases)")),
    );
    bench.write("hydro/config.yaml", "memory: 64m\n");
    bench.write("hydro/1.in", "2 3\n");
    bench.write("hydro/1.out", "5\n");
    run(&bench, &bench.path("hydro"), &right)
        .assert()
        .success()
        .stdout(contains("(1.000 s (default of Hydro), 64.0 MiB, 1 case)"));
    bench.write(
        "dmoj/init.yml",
        "test_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
    );
    bench.write("dmoj/1.in", "2 3\n");
    bench.write("dmoj/1.out", "5\n");
    run(&bench, &bench.path("dmoj"), &right)
        .assert()
        .success()
        .stdout(contains(
            "(2.000 s (default of DMOJ), 2048 MiB (default), 1 case)",
        ));
}

#[test]
fn endless_recursion_is_reported_as_such() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let source = "int f(int n) { volatile char here[1000]; here[0] = n; return f(n + 1) + here[0]; }\n\
                  int main(void) { return f(0); }\n";
    let submission = bench.write("recursion.c", source);
    run(&bench, &package, &submission)
        .assert()
        .code(1)
        .stdout(contains("MLE").and(contains("the stack: a stack overflow")));
}

/// `judge run` over a workspace crate whose `main` has this body; on a terminal or not.
fn run_crate(body: &str, on_terminal: bool) -> String {
    let bench = Bench::new();
    bench.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n",
    );
    bench.write(
        "problems/sums/Cargo.toml",
        "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    bench.write(
        "problems/sums/src/main.rs",
        &format!("fn main() {{ {body} }}\n"),
    );
    bench.sums(LIMITS);
    std::fs::create_dir_all(bench.path("testdata")).expect("a directory");
    std::fs::rename(bench.path("sums"), bench.path("testdata/sums")).expect("it moves");
    let judge = assert_cmd::cargo::cargo_bin("judge");
    let mut command = match on_terminal {
        true => {
            let mut command = std::process::Command::new("script");
            let words = format!("{} run sums --color never", judge.display());
            command.args(["-qec", &words, "/dev/null"]);
            command
        }
        false => {
            let mut command = std::process::Command::new(judge);
            command.args(["run", "sums"]);
            command
        }
    };
    let output = command
        .current_dir(bench.path(""))
        .stdin(Stdio::null())
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .expect("it is started");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_terminal_shows_the_progress_of_cargo() {
    let sum = "let text = std::io::read_to_string(std::io::stdin()).unwrap(); \
               println!(\"{}\", text.split_whitespace().map(|w| w.parse::<i32>().unwrap()).sum::<i32>());";
    let text = run_crate(sum, false);
    assert!(
        text.contains("4 of 4 cases") && !text.contains("Compiling"),
        "{text}"
    );
    if std::process::Command::new("script")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("skipped: no `script`");
        return;
    }
    let text = run_crate(sum, true);
    assert!(
        text.contains("4 of 4 cases") && text.contains("Compiling sums"),
        "{text}"
    );
    // The compiler's message is in the report, not lost on the terminal.
    let text = run_crate("let x: i32 = \"\";", true);
    assert!(text.contains("CE  0 of 4 cases"), "{text}");
    assert_eq!(text.matches("mismatched types").count(), 1, "{text}");
}

/// Also where the package is the current directory.
#[test]
fn the_command_that_repeats_a_case_works_as_printed() {
    let bench = Bench::new();
    bench.sums(LIMITS);
    bench.program("mine", "printf(\"%d\\n\", a + b + (a == 2));");
    for (dir, name, program) in [("", "sums", "mine"), ("sums", ".", "../mine")] {
        let mut command = judge(&bench);
        command
            .args(["run", name, "-s", program])
            .current_dir(bench.path(dir));
        let output = command.output().expect("the judge runs");
        let text = String::from_utf8(output.stdout).expect("reports are UTF-8");
        let again = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("again: judge "));
        let script = format!("exec \"$0\" {}", again.expect("a command"));
        let again = std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_judge")])
            .current_dir(bench.path(dir))
            .output()
            .expect("the judge runs");
        let text = String::from_utf8_lossy(&again.stdout).into_owned();
        assert_eq!(again.status.code(), Some(1), "{script}: {text}");
        assert!(text.contains("WA  0 of 1 cases"), "{script}: {text}");
    }
}
