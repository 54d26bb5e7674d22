//! rbx and sinol-make: generated tests, variables, limits of languages, checkers that give a percentage.

use super::judged;
use crate::common::{Bench, verify};
use predicates::str::contains;

const RBX: &str = "name: double\ntimeLimit: 5000\nmemoryLimit: 24\nmodifiers: {py: {memory: 512}}\n\
    scoring: points\nvalidator: {path: validator.cpp}\nvars: {N: {min: 1, max: 'py`10**2`'}}\n\
    generators: [{name: gen, path: gens/gen.py}]\n\
    testcases:\n- {name: samples, testcaseGlob: samples/*.in}\n\
    - {name: small, score: 40, vars: {N: {max: 10}}, generators: [{name: gen, args: '5'}]}\n\
    - {name: large, score: 60, deps: [small], generatorScript: {path: plan.txt}}\n\
    solutions:\n- {path: sols/main.py, outcome: accepted}\n\
    - {path: sols/wa-*.py, outcome: wrong answer, score: 40}\n";

#[test]
fn problems_of_rbx_are_generated_and_validated() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            ("problem.rbx.yml", RBX),
            ("gens/gen.py", "import sys\nprint(sys.argv[1])\n"),
            ("plan.txt", "gen 50\n@testgroup large {\n@input \"100\\n\"\n}\n"),
            ("samples/000.in", "1\n"),
            ("samples/000.ans", "2\n"),
            // Too much for the limit of other languages.
            ("sols/main.py", "x = bytearray(100 << 20)\nprint(2 * int(input()))\n"),
            ("sols/wa-large.py", "n = int(input())\nprint(2 * n if n < 60 else 0)\n"),
            (
                "validator.cpp",
                "#include \"rbx.h\"\n#include <iostream>\nint main() {\n  long n;\n\
                 \x20 bool valid = std::cin >> n && n >= getVar<long>(\"N\", \"min\") && n <= getVar<int>(\"N.max\");\n\
                 \x20 return valid ? 0 : 3;\n}\n",
            ),
        ],
    );
    let right = judged(&bench, &package, &bench.path("p/sols/main.py"));
    assert_eq!(
        (right.verdict.as_str(), right.score),
        ("AC", Some(100.0)),
        "{}",
        right.said
    );
    let partial = judged(&bench, &package, &bench.path("p/sols/wa-large.py"));
    assert_eq!(partial.score, Some(40.0), "{}", partial.said);
    verify(&bench, &package)
        .assert()
        .success()
        .stdout(contains("say in the configuration that it must fail"))
        .stdout(contains("all as expected: 2 submissions"));
    // The group has a smaller bound.
    let config = RBX.replace("args: '5'", "args: '50'");
    bench.write("p/problem.rbx.yml", &config);
    verify(&bench, &package)
        .arg("--quick")
        .assert()
        .code(1)
        .stdout(contains(
            "small/000: the input is refused: validator: exit code 3",
        ));
}

#[test]
fn packages_of_sinol_make_give_shares_of_points() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "config.yml",
                "title: Suma\nsinol_task_id: sum\ntime_limit: 5000\nmemory_limit: 262144\nscores: {1: 40, 2: 60}\n\
                 sinol_expected_scores:\n  sum.py: {expected: {1: {points: 40, status: OK}, 2: {points: 60, status: OK}}, points: 100}\n  \
                 sumb1.py: {expected: {1: {points: 0, status: WA}, 2: {points: 60, status: OK}}, points: 60}\n",
            ),
            ("prog/sum.py", "print(sum(map(int, input().split())))\n"),
            ("prog/sumb1.py", "a, b = map(int, input().split())\nprint(a + b if a > 1 else 9)\n"),
            (
                "prog/sumchk.py",
                "import sys\na, b = (open(name).read().strip() for name in sys.argv[2:4])\n\
                 near = a.lstrip('-').isdigit() and abs(int(a) - int(b)) == 1\n\
                 print('OK\\nnear\\n50' if near else 'OK' if a == b else 'WRONG\\nnot near')\n",
            ),
            (
                "prog/suminwer.py",
                "import sys\na, b = map(int, sys.stdin.read().split())\nassert sys.argv[1].startswith('sum')\nassert a >= 0\n",
            ),
            ("in/sum0.in", "0 0\n"),
            ("out/sum0.out", "0\n"),
            ("in/sum1a.in", "1 2\n"),
            ("out/sum1a.out", "3\n"),
            ("in/sum2a.in", "4 5\n"),
            ("out/sum2a.out", "9\n"),
        ],
    );
    let near = bench.write(
        "near.py",
        "a, b = map(int, input().split())\nprint(a + b + (a == 4))\n",
    );
    let result = judged(&bench, &package, &near);
    assert_eq!(result.score, Some(70.0), "{}", result.said);
    let wrong = bench.write("wrong.py", "print('x')\n");
    let result = judged(&bench, &package, &wrong);
    assert_eq!((result.verdict.as_str(), result.score), ("WA", Some(0.0)));
    assert!(
        result
            .cases
            .iter()
            .all(|(_, _, message)| message.contains("not near")),
        "{:?}",
        result.cases
    );
    verify(&bench, &package)
        .arg("--quick")
        .assert()
        .success()
        .stdout(contains("all as expected: 2 submissions"));
    bench.write("p/in/sum1a.in", "-1 4\n");
    verify(&bench, &package)
        .arg("--quick")
        .assert()
        .code(1)
        .stdout(contains("in/sum1a.in: the input is refused: suminwer.py"));
}
