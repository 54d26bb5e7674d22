//! `judge run` as a user meets it: verdicts, messages, exit statuses.

mod output;
mod workspace;

use crate::common::{
    Bench, again, events, has_sandbox, judge, judge_program, of_judge, run, said, texts,
};
use predicates::prelude::*;
use predicates::str::contains;

const LIMITS: &str = "time_limit: 0.5, memory: 64, output: 1";

/// The verdicts of all cases, and the exit status.
fn verdicts(bench: &Bench, body: &str) -> (Vec<String>, Option<i32>) {
    let package = bench.sums(LIMITS);
    let program = bench.program("mine", body);
    let output = run(bench, &package, &program)
        .args(["--format", "json", "-j", "1"])
        .output()
        .expect("the judge runs");
    let events = events(&output.stdout);
    let verdicts = texts(&events, "case_finished", "verdict").into_iter();
    (verdicts.map(str::to_owned).collect(), output.status.code())
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
            .and(contains(again("sums -s mine --case secret/2")))
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

/// Warnings and losses are shown by another function than errors and reports.
#[test]
fn names_of_a_package_give_no_commands_to_the_terminal() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let name = "data/secret/z\u{1b}]0;title\u{7}\u{202e}.in";
    std::fs::write(package.join(name), "1 2\n").expect("it is written");
    let program = bench.program("mine", "printf(\"%d\\n\", a + b);");
    let hidden = |text: &str| text.contains(['\u{1b}', '\u{7}', '\u{202e}']);
    let output = run(&bench, &package, &program).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("\\u{1b}]0;title\\u{7}\\u{202e}.in"), "{said}");
    assert!(!hidden(&said), "{said:?}");
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
    run(&bench, &package, &slow)
        .args(["--sample", "--time-limit", "29500ms", "--memory", "1GB"])
        .assert()
        .success()
        .stdout(contains("29.500 s, 1024 MiB"));
    for (option, text, what) in [
        ("--memory", "256KB", "expected a number of MiB, such as 256"),
        ("--memory", "0", "expected 1 MiB or more"),
        ("--time-limit", "1x", "expected a number of seconds"),
        ("--time-limit", "s", "expected a number of seconds"),
        ("--time-limit", "NaN", "expected a number of seconds"),
        ("--time-limit", "-1", "expected 0.001 to 86400 seconds"),
    ] {
        let refused = run(&bench, &package, &slow).args([option, text]).assert();
        refused.code(2).stderr(contains(what));
    }
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
    let wrong = bench.program("wrong", r#"printf("%d\n", a == 2 ? 0 : a + b);"#);
    run(&bench, &package, &wrong).assert().code(1);
    run(&bench, &package, &wrong)
        .args(["--case", "nothing*"])
        .assert()
        .code(2)
        .stderr(contains("the last run failed \"secret/2\""));
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
fn a_run_with_only_skipped_submissions_is_not_as_expected() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let source = bench.write("mine.c", "int main(void) { return 0; }\n");
    run(&bench, &package, &source)
        .env("PATH", bench.path(""))
        .assert()
        .code(1)
        .stdout(
            contains("gcc not installed")
                .and(contains(
                    "help: use the package manager of this system (Debian: apt install gcc)",
                ))
                .and(contains("nothing was judged")),
        );
}

#[test]
fn errors_name_the_cause_and_a_remedy() {
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
    let said = said(&output);
    match output.status.code() {
        // More than 0.4 thousand million instructions: over a tenth of a second's.
        Some(1) => assert!(
            said.contains("TLE") && said.contains("instructions"),
            "{said}"
        ),
        Some(2) => assert!(said.contains("--clock instructions"), "{said}"),
        other => panic!("{other:?}: {said}"),
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
    let output = of_judge(&bench, "unshare")
        .args(["-Urm", "sh", "-c"])
        .arg(
            "mount -t tmpfs -o size=300k tmpfs \"$1\" || exit 77\n\
             XDG_CACHE_HOME=$1 exec \"$2\" run \"$3\" -s \"$4\" --color never",
        )
        .args(["sh".as_ref(), small.as_os_str()])
        .arg(judge_program())
        .args([package, source])
        .output();
    let output = match output {
        Ok(output) if !matches!(output.status.code(), None | Some(77)) => output,
        _ => {
            println!("skipped: no small disk can be mounted here");
            return;
        }
    };
    let text = said(&output);
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
    let pair = |dir: &str| bench.write_all(dir, &[("1.in", "2 3\n"), ("1.out", "5\n")]);
    pair("folder/test");
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
    run(&bench, &pair("hydro"), &right)
        .assert()
        .success()
        .stdout(contains("(1.000 s (default of Hydro), 64.0 MiB, 1 case)"));
    bench.write(
        "dmoj/init.yml",
        "test_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
    );
    run(&bench, &pair("dmoj"), &right)
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
    // Only the sandbox finds the address of the access.
    let reason = match has_sandbox() {
        true => "the stack: a stack overflow",
        false => "it ended by signal 11 (SIGSEGV)",
    };
    run(&bench, &package, &submission)
        .assert()
        .code(1)
        .stdout(contains("MLE").and(contains(reason)));
}
