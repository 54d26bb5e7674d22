//! The programs of a package: validators and graders, with their helpers and their arguments.

use super::package;
use crate::common::{Bench, judge, run, said, verify, verify_quickly};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn a_grader_that_cannot_be_run_is_reported_once() {
    let bench = Bench::new();
    bench.write_all(
        "old",
        &[
            (
                "problem.yaml",
                "name: Old\ntype: scoring\nlimits: {time_limit: 1}\n",
            ),
            ("data/testdata.yaml", "grading: custom\n"),
            ("data/sample/1.in", "1\n"),
            ("data/sample/1.ans", "1\n"),
            ("data/secret/2.in", "2\n"),
            ("data/secret/2.ans", "2\n"),
            (
                "graders/sum.py",
                "import sys\nif sys.stdin.read():\n    print 'AC', nothing\n",
            ),
            ("submissions/accepted/a.py", "print(input())\n"),
            ("submissions/accepted/b.py", "print(input() )\n"),
        ],
    );
    let output = verify(&bench, &bench.path("old"))
        .output()
        .expect("the judge runs");
    let all = said(&output);
    if all.contains("NameError") {
        eprintln!("not tested: this machine has Python 2");
        return;
    }
    let reason = "graders/sum.py: Python 2: ";
    assert_eq!(all.matches(reason).count(), 1, "{all}");
    assert!(
        !all.contains("accepted/a.py") && output.status.code() == Some(1),
        "{all}"
    );
    // No case runs.
    let right = bench.path("old/submissions/accepted/a.py");
    let refused = run(&bench, &bench.path("old"), &right).assert().code(2);
    refused.stderr(contains(reason)).stdout("");
}

#[test]
fn a_validator_that_cannot_be_built_is_refused_before_any_case_runs() {
    let bench = Bench::new();
    let package = package(&bench);
    let right = bench.path("sums/submissions/accepted/right.sh");
    for (name, text, reason) in [
        (
            "v.c",
            "int main(void) { return nothing; }\n",
            "v.c: does not compile: v.c:",
        ),
        (
            "v.unknown",
            "",
            "v.unknown: no language is known for \"v.unknown\"",
        ),
    ] {
        let validator = bench.write(&format!("sums/output_validator/{name}"), text);
        let refused = run(&bench, &package, &right).assert().code(2);
        refused.stderr(contains(reason)).stdout("");
        let refused = verify(&bench, &package).assert().code(1);
        refused.stdout(contains(reason).and(contains("accepted/right.sh").not()));
        std::fs::remove_file(validator).expect("a file");
    }
}

#[test]
fn every_output_beside_a_case_is_checked() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/data/secret/1.out", "5\n");
    bench.write("sums/data/secret/2.out", "7\n");
    let wrong = "data/secret/2.out: the output validator refuses this right output";
    verify(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains(wrong).and(contains("1.out").not()));
}

#[test]
fn points_of_samples_are_ignored() {
    let bench = Bench::new();
    let package = package(&bench);
    let yaml = bench.read("sums/problem.yaml");
    bench.write("sums/problem.yaml", &format!("{yaml}type: scoring\n"));
    bench.write(
        "sums/output_validator/v.sh",
        "case $1 in *sample*) echo nan > $3/score.txt; echo 7 > $3/score_multiplier.txt;; esac\n\
         cmp -s - $2 && exit 42\nexit 43\n",
    );
    std::fs::remove_dir_all(bench.path("sums/submissions/wrong_answer")).expect("a directory");
    verify_quickly(&bench, &package)
        .assert()
        .success()
        .stdout(contains("all as expected: 1 submission"));
    // In a problem without points, they never count.
    bench.write("sums/problem.yaml", &yaml);
    bench.write(
        "sums/output_validator/v.sh",
        "echo x > $3/score.txt\nexit 42\n",
    );
    verify_quickly(&bench, &package).assert().success();
}

#[test]
fn arguments_of_invalid_inputs_come_from_their_directory() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write(
        "sums/input_validators/two_numbers.sh",
        "read a b\n[ \"$1\" = --small ] && [ $a -gt 9 ] && exit 43\nexit 42\n",
    );
    bench.write("sums/data/invalid_input/large/1.in", "10 1\n");
    let settings = "sums/data/invalid_input/large/test_group.yaml";
    bench.write(settings, "input_validator_args: [--small]\n");
    verify_quickly(&bench, &package).assert().success();
    bench.write(settings, "");
    verify_quickly(&bench, &package)
        .assert()
        .code(1)
        .stdout(contains("no input validator refuses this invalid input"));
}

#[test]
fn a_helper_beside_a_validator_is_read_by_it() {
    let bench = Bench::new();
    let package = package(&bench);
    std::fs::remove_dir_all(bench.path("sums/input_validators")).expect("a directory");
    for name in ["input_validators", "output_validator"] {
        bench.write(
            &format!("sums/{name}/validate.py"),
            "import common\nexit(common.OK)\n",
        );
        bench.write(&format!("sums/{name}/common.py"), "OK = 42\n");
    }
    std::fs::remove_dir_all(bench.path("sums/submissions/wrong_answer")).expect("a directory");
    verify_quickly(&bench, &package).assert().success();
}

#[test]
fn validators_share_headers_inside_of_a_repository() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("shared.h", "enum { RIGHT = 42 };\n");
    bench.write(
        "sums/output_validator/check.c",
        "#include \"shared.h\"\nint main(void) { return RIGHT; }\n",
    );
    let link = package.join("output_validator/shared.h");
    std::os::unix::fs::symlink("../../shared.h", link).unwrap();
    let run = || {
        let mut command = judge(&bench);
        command.arg("run").arg(&package).assert()
    };
    run().code(2).stderr(contains("leads out of"));
    std::fs::create_dir(package.parent().unwrap().join(".git")).unwrap();
    run().success();
}

#[test]
fn a_validators_script_may_open_its_input_again() {
    let bench = Bench::new();
    let package = package(&bench);
    bench.write("sums/output_validator/build", "#!/bin/sh\n");
    bench.write(
        "sums/output_validator/run",
        "#!/bin/sh\nread answer < /dev/stdin || exit 1\nread right < \"$2\"\n\
         [ \"$answer\" = \"$right\" ] && exit 42\nexit 43\n",
    );
    for script in ["build", "run"] {
        use std::os::unix::fs::PermissionsExt;
        let path = package.join("output_validator").join(script);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    verify_quickly(&bench, &package).assert().success();
}
