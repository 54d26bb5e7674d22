//! The table of docs/faults.md over real programs: a submission never makes the judge fail (exit status
//! 1), a package that is broken gives JE and exit status 2.

use crate::common::{Bench, events, run, said, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const LIMITS: &str = "time_limit: 5, output: 1";
const RIGHT: &str = "#include <stdio.h>\nint main(void) { int a, b; \
                     if (scanf(\"%d%d\", &a, &b) != 2) return 9; printf(\"%d\\n\", a + b); }\n";

/// The verdicts of the cases and of the submission, without repetition, and the exit status.
fn judged(bench: &Bench, package: &Path, submission: &Path) -> (Vec<String>, i32, String) {
    let output = run(bench, package, submission)
        .args(["--format", "json"])
        .output()
        .expect("the judge runs");
    let events = events(&output.stdout);
    let mut verdicts: Vec<String> = Vec::new();
    for event in ["case_finished", "submission_finished"] {
        let found = texts(&events, event, "verdict");
        verdicts.extend(found.into_iter().map(str::to_owned));
    }
    verdicts.dedup();
    let shown = said(&output);
    let failed = |event: &Value| event["machine_failed"] == true;
    assert!(
        !events.iter().any(failed),
        "counts against the machine: {shown}"
    );
    (verdicts, output.status.code().unwrap_or(-1), shown)
}

#[track_caller]
fn check(bench: &Bench, package: &Path, submission: &Path, expected: &str) {
    let (verdicts, status, shown) = judged(bench, package, submission);
    assert_eq!(
        (verdicts.join(" ").as_str(), status),
        (expected, 1),
        "{shown}"
    );
    for host in ["judge/programs", "/root", "/home"] {
        assert!(!shown.contains(host), "a path of the host: {shown}");
    }
}

/// The package, a C program in it, and the expected verdict.
#[test]
fn a_program_that_cannot_be_executed_has_a_run_time_error() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let interp =
        |text: &str| format!("__asm__(\".section .interp,\\\"a\\\"\\n{text}\\n.text\");\n{RIGHT}");
    // A second name without NUL follows the linker's own name.
    let source = bench.write("unended.c", &interp(".ascii \\\"/lib64/x\\\""));
    check(&bench, &package, &source, "RTE");
    let source = bench.write(
        "unended.rs",
        "std::arch::global_asm!(\".section .interp,\\\"a\\\"\", \".ascii \\\"/x\\\"\", \".text\");\n\
         fn main() {}\n",
    );
    let (verdicts, status, shown) = judged(&bench, &package, &source);
    // `null` where there is no rustc.
    let is_expected = matches!(verdicts.join(" ").as_str(), "RTE" | "WA" | "");
    assert!(is_expected && status <= 1, "{shown}");
    let changed = |name: &str, change: &dyn Fn(&mut Vec<u8>)| -> PathBuf {
        let mut bytes = fs::read(bench.right()).expect("a program");
        change(&mut bytes);
        let path = bench.path(name);
        fs::copy(bench.path("right"), &path).expect("its mode");
        fs::write(&path, bytes).expect("a file");
        path
    };
    let foreign = changed("foreign", &|bytes| bytes[18] = 8);
    check(&bench, &package, &foreign, "RTE");
    let cut = changed("cut", &|bytes| bytes.truncate(70));
    check(&bench, &package, &cut, "RTE");
}

#[test]
fn what_a_source_includes_is_a_compile_error() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    for (k, line) in [
        "#include \"/dev/random\"",
        "#include \"/dev/urandom\"",
        "#include \"/dev/zero\"",
        "#include \"/dev/full\"",
        "#include \"/dev/stdin\"\n#error end",
        "__asm__(\".incbin \\\"/dev/zero\\\"\");",
    ]
    .iter()
    .enumerate()
    {
        let source = bench.write(&format!("{k}.c"), &format!("{line}\n{RIGHT}"));
        check(&bench, &package, &source, "CE");
    }
}

#[test]
fn names_of_files_are_no_fault_of_the_judge() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    // Too many names for a command line.
    let long = "x".repeat(100);
    bench.write("many/a.c", RIGHT);
    for k in 0..2500 {
        bench.write(&format!("many/{long}{k}.c"), "");
    }
    check(&bench, &package, &bench.path("many"), "CE");
    // A file of the package and a directory of the submission.
    bench.write("sums/include/c/tool", "1\n");
    bench.write("both/a.c", RIGHT);
    bench.write("both/tool/b.txt", "");
    check(&bench, &package, &bench.path("both"), "CE");
    let files = [
        (
            "init.yml",
            "file_io: {input: data.in, output: data.out}\n\
             test_cases: [{in: 1.in, out: 1.ans, points: 1}]\n",
        ),
        ("1.in", "1 4\n"),
        ("1.ans", "5\n"),
    ];
    let package = bench.write_all("files", &files);
    for (k, name) in [
        "data.in",
        "data.in/x",
        "data.in/x/y",
        "data.out",
        "data.out/x",
    ]
    .iter()
    .enumerate()
    {
        let wrong = bench.write_all(&format!("own{k}"), &[("a.c", RIGHT), (name, "7 7\n")]);
        let (verdicts, status, shown) = judged(&bench, &package, &wrong);
        // It reads standard input, which is the input, too.
        assert_eq!(
            (verdicts.join(" ").as_str(), status),
            ("AC", 0),
            "{name}: {shown}"
        );
    }
}

#[test]
fn a_validator_may_quote_all_that_a_submission_may_write() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 5, output: 1, validation_output: 1");
    bench.write(
        "sums/output_validator/check.py",
        "import sys\ntoken = sys.stdin.read()\n\
         for name in 'judgemessage.txt', 'teammessage.txt':\n\
         \x20   with open(sys.argv[3] + name, 'w') as file:\n\
         \x20       file.write('expected ' + token + ' ' + repr(token))\n\
         sys.stderr.write(token)\nsys.exit(43)\n",
    );
    let body = "for (int k = 0; k < 1000000; k++) putchar('x');";
    check(&bench, &package, &bench.program("long", body), "WA");
}

/// Defects of packages: verdict JE, exit status 2.
#[test]
fn a_broken_package_is_not_a_failure_of_the_judge() {
    // One that does not compile is refused before any case runs.
    let validators = [
        ("check.py", "import sys\nsys.exit(1)\n", "JE"),
        ("check.py", "raise ValueError('no')\n", "JE"),
        (
            "check.c",
            "#include \"missing.h\"\nint main(void) { return 42; }\n",
            "",
        ),
        (
            "check.c",
            "int main(void) { *(volatile int *)0 = 1; }\n",
            "JE",
        ),
        ("check.c", "int main(void) { return 42;\n", ""),
    ];
    for (name, text, expected) in validators {
        let bench = Bench::new();
        let package = bench.sums(LIMITS);
        bench.write(&format!("sums/output_validator/{name}"), text);
        let (verdicts, status, shown) = judged(&bench, &package, &bench.right());
        assert_eq!(
            (verdicts.join(" ").as_str(), status),
            (expected, 2),
            "{text}: {shown}"
        );
    }
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let long = "x".repeat(200 << 10);
    bench.write("sums/data/secret/1.yaml", &format!("args: [{long}]\n"));
    let (verdicts, status, shown) = judged(&bench, &package, &bench.right());
    assert!(verdicts.contains(&"JE".to_owned()), "{shown}");
    assert_eq!(status, 2, "{}", &shown[..shown.len().min(2000)]);
}

/// A validator that is left out is named by every run: without it wrong outputs may be accepted.
#[test]
fn a_run_names_a_validator_that_is_left_out() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    bench.write("sums/output_validator/my check.py", "exit(43)\n");
    let output = run(&bench, &package, &bench.right())
        .output()
        .expect("the judge runs");
    let shown = said(&output);
    assert!(
        shown.contains("output_validator/my check.py") && shown.contains("is left out"),
        "{shown}"
    );
}

/// `judge doctor` tries a program of each language.
#[test]
fn doctor_names_the_languages_that_fail() {
    let bench = Bench::new();
    bench.write(
        "config/judge/languages.toml",
        "[broken]\nname = \"Broken\"\npriority = 1\nminimal = \"x\"\nextensions = [\"broken\"]\n[[broken.with]]\n\
         run = \"sh -c 'echo no part >&2; exit 3' {main}\"\nversion = \"sh -c 'echo 1'\"\n",
    );
    let output = crate::common::judge(&bench)
        .env("XDG_CONFIG_HOME", bench.path("config"))
        .args(["doctor", "--format", "json"])
        .output()
        .expect("the judge runs");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let languages: Vec<Value> = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|event: &Value| event["event"] == "language")
        .collect();
    let failure = |name: &str| {
        let found = languages.iter().find(|language| language["name"] == name);
        found.expect("the language is listed")["failure"].clone()
    };
    let broken = failure("Broken");
    let broken = broken.as_str().expect("it fails");
    assert!(
        broken.contains("exit code 3") && broken.contains("no part"),
        "{broken}"
    );
    let is_broken = |language: &&Value| language["name"] == "Broken";
    let found = languages.iter().find(is_broken).expect("it is listed");
    assert_eq!(found["program"], "sh");
    assert_eq!(failure("C"), Value::Null);
    assert_eq!(failure("Bash"), Value::Null);
}
