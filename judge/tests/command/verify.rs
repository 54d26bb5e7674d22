//! `judge verify`: defects of a package are reported with their position; a correct package passes.

mod interactors;
mod programs;
mod worthless;

use crate::common::{Bench, events, judge, run, texts, verify, verify_quickly};
use predicates::prelude::*;
use predicates::str::contains;

/// The sums with a submission of each kind and an input validator.
fn package(bench: &Bench) -> std::path::PathBuf {
    let package = bench.sums("time_limit: 1.0");
    bench.write(
        "sums/submissions/accepted/right.sh",
        "read a b\necho $((a + b))\n",
    );
    bench.write(
        "sums/submissions/wrong_answer/off_by_one.c",
        "#include <stdio.h>\nint main(void) {\n  int a, b;\n  if (scanf(\"%d%d\", &a, &b) != 2) \
         return 1;\n  printf(\"%d\\n\", a + b + (a > 2));\n  return 0;\n}\n",
    );
    bench.write(
        "sums/input_validators/two_numbers.sh",
        "IFS= read -r line && ! read -r more && [[ $line =~ ^[0-9]+\\ [0-9]+$ ]] && exit 42\nexit 43\n",
    );
    bench.write("sums/statement/problem.en.md", "Add two numbers.\n");
    package
}

#[test]
fn a_sound_package_passes() {
    let bench = Bench::new();
    let package = package(&bench);
    verify(&bench, &package)
        .assert()
        .success()
        .stdout(contains("accepted/right.sh").and(contains("all as expected: 2 submissions")));
}

#[test]
fn a_compile_error_of_one_package_is_not_that_of_another() {
    let bench = Bench::new();
    for (id, helper) in [
        ("bad", "#error no helper\n"),
        ("good", "#define ADDED(a, b) ((a) + (b))\n"),
    ] {
        let package = bench.sums("time_limit: 1.0");
        bench.write("sums/include/c/helper.h", helper);
        std::fs::rename(package, bench.path(id)).expect("it moves");
    }
    bench.write(
        "sol.c",
        "#include <stdio.h>\n#include \"helper.h\"\nint main(void) {\n  int a, b;\n  if \
         (scanf(\"%d%d\", &a, &b) != 2) return 1;\n  printf(\"%d\\n\", ADDED(a, b));\n}\n",
    );
    let output = judge(&bench)
        .args(["verify", "bad", "good", "-s", "sol.c", "--format", "json"])
        .output()
        .expect("the judge runs");
    let events = events(&output.stdout);
    let verdicts = texts(&events, "submission_finished", "verdict");
    assert_eq!(verdicts, ["CE", "AC"]);
}

#[test]
fn a_case_that_becomes_irrelevant_is_cancelled() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 20.0");
    // Where there is a second core, the first secret case runs beside the sample.
    bench.write(
        "sums/submissions/wrong_answer/or_endless.c",
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  int a;\n  if \
         (scanf(\"%d\", &a) != 1) return 1;\n  for (volatile int k = a; k;) {}\n  \
         usleep(300000);\n  printf(\"no\\n\");\n  return 0;\n}\n",
    );
    let output = verify(&bench, &package)
        .args(["--format", "json"])
        .output()
        .expect("the judge runs");
    let events = events(&output.stdout);
    assert_eq!(texts(&events, "case_finished", "case"), ["sample/1"]);
    assert_eq!(texts(&events, "case_finished", "verdict"), ["WA"]);
}

#[test]
fn a_submission_that_surprises_is_named() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/submissions/accepted/wrong.sh", "echo 5\n");
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("accepted/wrong.sh").and(contains("<-- not as expected")));
}

#[test]
fn a_required_verdict_that_no_case_gets_is_not_reported_as_another_verdict() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/submissions/wrong_answer/five.sh", "echo 5\n");
    bench.write(
        "sums/submissions/submissions.yaml",
        "wrong_answer/five.sh: {permitted: [AC, RTE, WA], required: [RTE]}\n",
    );
    let required = "five.sh: WA on sample/1: ";
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains(required).and(contains("but no case\n  gets RTE")))
        .stdout(contains("expected WA, got WA").not());
}

#[test]
fn a_submission_in_python_2_is_not_taken_for_one_in_python_3() {
    let here = |name: &str| {
        let version = std::process::Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    if here("pypy") || here("python2") {
        eprintln!("left out: Python 2 is installed");
        return;
    }
    let bench = Bench::new();
    let package = package(&bench);
    let old = "print sum(map(int, raw_input().split()))\n";
    let path = bench.write("sums/submissions/accepted/old.py", old);
    verify(&bench, &package)
        .assert()
        .success()
        .stdout(contains("accepted/old.py").and(contains("Python 2: pypy not installed")));
    // For a program that the user gives, it is an error.
    run(&bench, &package, &path)
        .assert()
        .code(1)
        .stdout(contains("CE"));
}

#[test]
fn data_that_its_validators_refuse_is_named() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/data/secret/4.in", "4  4\n");
    bench.write("sums/data/secret/4.ans", "8\n");
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("data/secret/4.in").and(contains("two_numbers.sh")));
}

#[test]
fn a_secret_answer_of_legacy_need_not_be_an_output() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 1.0");
    let verified = |yaml: &str| {
        bench.write("sums/problem.yaml", yaml);
        verify_quickly(&bench, &package).assert()
    };
    bench.write("sums/problem_statement/problem.en.tex", "Add.\n");
    bench.write("sums/input_validators/all.sh", "exit 42\n");
    bench.write(
        "sums/submissions/accepted/any.sh",
        "read a b\necho $((a + b))\n",
    );
    // Of a bound for the right answer the validator makes something, but it is no answer.
    bench.write("sums/data/secret/4.in", "4 4\n");
    bench.write("sums/data/secret/4.ans", "at most 9\n");
    bench.write(
        "sums/output_validators/right.py",
        "import sys\nsum_of = sum(map(int, open(sys.argv[1]).read().split()))\n\
         sys.exit(42 if sys.stdin.read().split() == [str(sum_of)] else 43)\n",
    );
    let refused = "data/secret/4.ans: the output validator refuses";
    let limits = "limits: {time_limit: 1}";
    verified(&format!("name: Sums\nvalidation: custom\n{limits}\n"))
        .success()
        .stdout(contains(format!("warning: sums: {refused}")));
    bench.write("sums/data/sample/9.in", "4 4\n");
    bench.write("sums/data/sample/9.ans", "at most 9\n");
    verified(&format!("name: Sums\nvalidation: custom\n{limits}\n"))
        .code(1)
        .stdout(contains("error: sums: data/sample/9.ans: the output"));
}

#[test]
fn the_shown_output_of_a_sample_must_be_right() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/data/sample/1.out", "0\n");
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("error: sums: data/sample/1.out: the output"));
}

#[test]
fn a_submission_in_a_language_that_the_package_does_not_allow_is_named() {
    let bench = Bench::new();
    let package = package(&bench);
    let yaml = std::fs::read_to_string(package.join("problem.yaml")).expect("it is there");
    bench.write("sums/problem.yaml", &format!("{yaml}languages: [c]\n"));
    verify(&bench, &package).assert().success().stdout(
        contains("sums: accepted/right.sh is in Bash, but the package allows only c")
            .and(contains("off_by_one.c is in").not()),
    );
}

#[test]
fn invalid_input_must_be_refused_by_a_validator() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/data/invalid_input/words.in", "one two\n");
    verify(&bench, &package).assert().success();
    bench.write("sums/data/invalid_input/legal.in", "1 2\n");
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("invalid_input/legal.in"));
}

#[test]
fn cases_behind_the_verdict_run_only_when_asked_or_when_it_surprises() {
    let bench = Bench::new();
    let package = package(&bench);
    let verify = |more: &[&str]| {
        let mut command = judge(&bench);
        command.args(["verify", "-j", "1"]).arg(&package).args(more);
        command.assert()
    };
    // 4 cases of the right one, 4 of the one that is wrong in the last.
    verify(&[]).success().stdout(contains("8 cases run"));
    // Wrong in the first case: the other three say nothing more.
    bench.write("sums/submissions/wrong_answer/silent.sh", "read a\n");
    verify(&[]).success().stdout(contains("9 cases run"));
    verify(&["--all-cases"])
        .success()
        .stdout(contains("12 cases run"));
    // If the expectation is not met, all cases run to show why.
    bench.write("sums/submissions/accepted/wrong.sh", "echo 5\n");
    verify(&[]).code(1).stdout(contains("13 cases run"));
}

#[test]
fn a_case_listed_twice_runs_once() {
    let bench = Bench::new();
    let package = package(&bench);
    for end in ["in", "ans"] {
        let data = package.join("data/secret");
        std::fs::copy(data.join(format!("2.{end}")), data.join(format!("9.{end}"))).unwrap();
    }
    let verify = |more: &[&str]| {
        let mut command = judge(&bench);
        command.args(["verify", "-j", "1"]).arg(&package).args(more);
        command.assert()
    };
    verify(&[])
        .success()
        .stdout(contains("4/4").and(contains("8 cases run")));
    verify(&["--all-cases"])
        .success()
        .stdout(contains("10 cases run"));
}

#[test]
fn without_a_submission_no_time_limit_is_missed() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.sums("memory: 512");
    std::fs::remove_dir_all(package.join("submissions")).unwrap();
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("there is no accepted submission"))
        .stderr(contains("no time limit").not());
}

#[test]
fn an_input_validator_that_does_not_compile_is_an_error() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/input_validators/broken.c", "int main(void) {\n");
    bench.write("sums/input_validators/odd.unheard", "");
    verify(&bench, &package).assert().code(1).stdout(
        contains("error: sums: input_validators/broken.c: does not compile: ").and(contains(
            "error: sums: input_validators/odd.unheard: the input validator is not run: no \
                 language is known for \"odd.unheard\"",
        )),
    );
    // By itself, too.
    std::fs::remove_file(package.join("input_validators/broken.c")).unwrap();
    verify(&bench, &package).assert().code(1);
}

#[test]
fn an_input_validator_that_exits_with_0_is_reported_once() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/input_validators/two_numbers.sh", "exit 0\n");
    let output = verify(&bench, &package).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let output = String::from_utf8(output.stdout).unwrap();
    let what =
        "error: sums: input_validators/two_numbers.sh: the input validator exits with code 0";
    assert_eq!(output.matches(what).count(), 1, "{output}");
    assert!(
        output.contains("exit code 42") && !output.contains("refused"),
        "{output}"
    );
}

#[test]
fn verify_without_judged_submissions_is_not_as_expected() {
    let bench = Bench::new();
    bench.write("plain/1.in", "1 2\n");
    bench.write("plain/1.ans", "3\n");
    let plain = bench.path("plain");
    verify(&bench, &plain).assert().code(1).stdout(
        contains("has no submission to judge")
            .and(contains("-s PROGRAM"))
            .and(contains("all as expected").not()),
    );
    let right = bench.write("right.py", "print(sum(map(int, input().split())))\n");
    verify(&bench, &plain)
        .arg("-s")
        .arg(&right)
        .assert()
        .success();
}

#[test]
fn without_a_derived_time_limit_each_failure_is_reported() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.sums("memory: 512");
    bench.write("sums/submissions/accepted/right.sh", "echo 0\n");
    bench.write("sums/submissions/accepted/broken.c", "int main(void) {\n");
    bench.write(
        "sums/submissions/accepted/fails.sh",
        "echo 7 is out of range >&2\nexit 5\n",
    );
    verify(&bench, &package).assert().code(2).stderr(
        contains("no accepted submission that can be run here")
            .and(contains("accepted/broken.c: CE: "))
            .and(contains(
                "accepted/fails.sh: RTE sample/1: exit code 5; 7 is out of range",
            ))
            .and(contains("accepted/right.sh: WA sample/1: "))
            .and(contains("help: fix them, or add")),
    );
}

#[test]
fn the_runs_that_make_the_time_limit_are_not_repeated() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.sums("memory: 512");
    verify(&bench, &package).assert().success().stdout(
        contains("accepted/right.sh")
            .and(contains("8 cases run"))
            .and(contains("(1.000 s (derived from accepted/right.sh: 0.")),
    );
}

#[test]
fn a_submission_that_must_not_be_too_slow_raises_the_time_limit() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.sums("memory: 512");
    bench.write(
        "sums/submissions/wrong_answer/slow.sh",
        "for ((i = 0; i < 200000; i++)); do :; done\necho 0\n",
    );
    verify(&bench, &package)
        .assert()
        .success()
        .stdout(contains("(derived from wrong_answer/slow.sh: "));
}

#[test]
fn the_runs_that_derive_the_time_limit_are_reported_as_they_begin() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.sums("memory: 512");
    let output = verify(&bench, &package)
        .args(["--format", "json"])
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let first = |what: &str| {
        let position = text.lines().position(|line| line.contains(what));
        position.unwrap_or_else(|| panic!("{what}: {text}"))
    };
    let limit = first("\"time_limit_s\":1.0");
    assert!(first("\"case_started\"") < limit, "{text}");
    assert!(first("\"case_finished\"") > limit, "{text}");
}

#[test]
fn in_a_package_of_a_workspace_only_that_package_is_verified() {
    let bench = Bench::new();
    bench.workspace();
    for id in ["one1", "two2"] {
        bench.write(&format!("testdata/{id}/problem.yaml"), "name: Sums\n");
        bench.write(&format!("testdata/{id}/data/secret/1.in"), "1 2\n");
        bench.write(&format!("testdata/{id}/data/secret/1.ans"), "3\n");
        bench.write(
            &format!("testdata/{id}/submissions/accepted/{id}.sh"),
            "echo 3\n",
        );
    }
    let in_dir = |dir: &str| {
        let mut command = judge(&bench);
        command.current_dir(bench.path(dir)).arg("verify").assert()
    };
    let one = || contains("one1.sh").and(contains("two2.sh").not());
    in_dir("testdata/one1").stdout(one());
    in_dir("testdata/one1/data").stdout(one());
    in_dir(".").stdout(contains("one1.sh").and(contains("two2.sh")));
}
