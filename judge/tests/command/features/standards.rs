//! Programs for older standards of C++, in packages and of one's own.

use super::{judged, package};
use crate::common::{Bench, judge, verify};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// C++17 has done away with `register` and `throw ()`.
const OLD: &str = "#include <cstdio>\nint twice(int x) throw (int) { register int y = x; return 2 * y; }\n\
                   int main() { int n; if (scanf(\"%d\", &n) != 1) return 1; printf(\"%d\\n\", twice(n)); }\n";

fn doubles(bench: &Bench, version: &str) -> std::path::PathBuf {
    let sample = [
        ("data/sample/1.in", "2\n"),
        ("data/sample/1.ans", "4\n"),
        ("data/secret/1.in", "4\n"),
        ("data/secret/1.ans", "8\n"),
        ("submissions/accepted/old.cpp", OLD),
    ];
    let yaml = match version {
        "legacy" => "limits: {time_multiplier: 5}\n",
        _ => "limits: {time_limit: 2.0}\n",
    };
    package(bench, version, yaml, &sample)
}

#[test]
fn a_submission_of_a_legacy_package_uses_the_standard_that_compiles() {
    let bench = Bench::new();
    let legacy = doubles(&bench, "legacy");
    bench.write("p/.timelimit", "2\n");
    bench.write(
        "p/input_validators/old.cpp",
        "#include <cstdio>\nint main() throw (int) { int n; return scanf(\"%d\", &n) == 1 ? 42 : 43; }\n",
    );
    let result = "compiled as gnu++14";
    verify(&bench, &legacy)
        .args(["--format", "json"])
        .assert()
        .stdout(
            contains("\"as_expected\":true")
                .and(contains("old.cpp").and(contains(result)))
                .and(contains("input_validators/old.cpp\"")),
        );
    // Where it shall not compile, it does not.
    bench.write(
        "p/submissions/other/not.cpp",
        &format!("// @EXPECTED_RESULTS@: COMPILER-ERROR\n{OLD}"),
    );
    judge(&bench)
        .args(["run", "--format", "json", "-s"])
        .arg(bench.path("p/submissions/other/not.cpp"))
        .arg(&legacy)
        .assert()
        .stdout(contains("\"verdict\":\"CE\"").and(contains("--language").not()));
}

#[test]
fn a_users_own_program_uses_the_current_standard() {
    let bench = Bench::new();
    let legacy = doubles(&bench, "legacy");
    bench.write("p/.timelimit", "2\n");
    let own = bench.write("own.cpp", OLD);
    let result = judged(&bench, &legacy, &own);
    assert_eq!(result.verdict, "CE");
    let help = "it compiles as gnu++14: add --language cpp14";
    assert!(result.said.contains(help), "{}", result.said);
    judge(&bench)
        .args(["run", "--language", "cpp14", "-s"])
        .args([&own, &legacy])
        .assert()
        .success();
}

#[test]
fn a_submission_of_a_2025_package_uses_the_current_standard() {
    let bench = Bench::new();
    let new = doubles(&bench, "2025-09");
    verify(&bench, &new)
        .args(["--format", "json"])
        .assert()
        .stdout(contains("\"verdict\":\"CE\"").and(contains("add --language cpp14")));
    // It can say what it is.
    bench.write(
        "p/submissions/submissions.yaml",
        "accepted/old.cpp:\n  language: cpp14\n",
    );
    verify(&bench, &new)
        .args(["--format", "json"])
        .assert()
        .stdout(contains("\"as_expected\":true"));
}
