//! Library Checker, Luogu and Hydro: generated data, functions, files, checkers.

use super::judged;
use crate::common::{Bench, judge, run, verify};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::path::PathBuf;

/// Files in `repository/`, with the package in `repository/problems/p/`.
fn repository(bench: &Bench, files: &[(&str, &str)]) -> PathBuf {
    bench.write_all("repository", files);
    bench.path("repository/problems/p")
}

const INFO: &str = "title = 'A + B'\ntimelimit = 5.0\n\
    [params]\nMOST = 100\n\
    [[tests]]\nname = 'example.in'\nnumber = 1\n\
    [[tests]]\nname = 'random.cpp'\nnumber = 2\n\
    [[solutions]]\nname = 'wrong.cpp'\nexpect = 'WA'\n\
    [[solutions]]\nname = 'function.cpp'\nfunction = true\n";

#[test]
fn library_checker_data_are_generated() {
    let bench = Bench::new();
    let package = repository(
        &bench,
        &[
            // The parts of the header that this problem needs, in the shared directory.
            (
                "common/testlib.h",
                "#pragma once\n#include <cstdio>\n#include <cstdlib>\n\
                 inline FILE *opened(const char *name) { FILE *f = fopen(name, \"r\"); \
                 if (!f) exit(3); return f; }\n\
                 inline int number(FILE *f) { int n; if (fscanf(f, \"%d\", &n) != 1) exit(2); return n; }\n",
            ),
            ("problems/p/info.toml", INFO),
            (
                "problems/p/checker.cpp",
                "#include \"testlib.h\"\nint main(int, char **argv) { \
                 return number(opened(argv[2])) != number(opened(argv[3])); }\n",
            ),
            (
                "problems/p/verifier.cpp",
                "#include \"testlib.h\"\n#include \"params.h\"\nint main() { int a = number(stdin), \
                 b = number(stdin); return a < 0 || a > MOST || b < 0 || b > MOST; }\n",
            ),
            ("problems/p/gen/example_00.in", "1 2\n"),
            (
                "problems/p/gen/random.cpp",
                "#include \"testlib.h\"\n#include \"../params.h\"\nint main(int, char **argv) { \
                 int k = atoi(argv[1]); printf(\"%d %d\\n\", k, int(MOST) - k); }\n",
            ),
            (
                "problems/p/sol/correct.cpp",
                "#include <cstdio>\nint main() { int a, b; if (scanf(\"%d%d\", &a, &b) != 2) return 1; \
                 printf(\"%d\\n\", a + b); }\n",
            ),
            (
                "problems/p/sol/wrong.cpp",
                "#include <cstdio>\nint main() { puts(\"100\"); }\n",
            ),
            (
                "problems/p/sol/function.cpp",
                "#include \"solve.hpp\"\nint solve(int a, int b) { return a + b; }\n",
            ),
            (
                "problems/p/grader/solve.hpp",
                "#pragma once\nint solve(int, int);\n",
            ),
            (
                "problems/p/grader/grader.cpp",
                "#include \"solve.hpp\"\n#include <cstdio>\nint main() { int a, b; \
                 if (scanf(\"%d%d\", &a, &b) != 2) return 1; printf(\"%d\\n\", solve(a, b)); }\n",
            ),
        ],
    );
    verify(&bench, &package)
        .assert()
        .success()
        .stdout(contains("all as expected: 3 submissions"));
    assert!(!package.join("in").exists() && !package.join("params.h").exists());
    let right = bench.write("right.sh", "read a b\necho $((a + b))\n");
    let result = judged(&bench, &package, &right);
    assert_eq!(
        result.verdicts(),
        [
            ("example_00", "AC"),
            ("random_00", "AC"),
            ("random_01", "AC")
        ],
        "{}",
        result.said
    );
    // SHA-256 of "1 2\n"; no hash is known for the other files.
    bench.write(
        "repository/problems/p/hash.json",
        "{\"example_00.in\": \
         \"f251ddc12234e0da8d3b778bd0f7463fb477f16f47757f5617dc8b4ff4d4f14a\"}",
    );
    verify(&bench, &package)
        .assert()
        .failure()
        .stdout(contains("5 of 6 files differ, first example_00.out"));
    bench.write(
        "repository/problems/p/gen/random.cpp",
        "int main() { return 7; }\n",
    );
    run(&bench, &package, &right)
        .assert()
        .code(2)
        .stderr(contains("cannot be made"));
}

#[test]
fn luogu_functions() {
    let bench = Bench::new();
    bench.write_all(
        "p",
        &[
            ("config.yml", "1.in: {timeLimit: 5000, score: 100}\n"),
            ("1.in", "4\n"),
            ("1.out", "16\n"),
            ("square.h", "int square(int);\n"),
            (
                "interactive_lib.cpp",
                "#include \"square.h\"\n#include <cstdio>\nint main() { int n; \
             if (scanf(\"%d\", &n) != 1) return 1; printf(\"%d\\n\", square(n)); }\n",
            ),
        ],
    );
    let right = bench.write(
        "right.cpp",
        "#include \"square.h\"\nint square(int n) { return n * n; }\n",
    );
    let result = judged(&bench, &bench.path("p"), &right);
    assert_eq!(
        (result.verdict.as_str(), result.score),
        ("AC", Some(100.0)),
        "{}",
        result.said
    );
    let wrong = bench.write("wrong.cpp", "int square(int n) { return n; }\n");
    assert_eq!(judged(&bench, &bench.path("p"), &wrong).verdict, "WA");
    let none = bench.write("none.cpp", "int cube(int n) { return n; }\n");
    assert_eq!(judged(&bench, &bench.path("p"), &none).verdict, "CE");
}

#[test]
fn hydro_files_and_checkers() {
    let bench = Bench::new();
    let case = "cases: [{input: 1.in, output: 1.out, score: 50}]\n";
    let checker =
        |kind: &str, name: &str| format!("checker_type: {kind}\nchecker: {name}\ntime: 5s\n{case}");
    bench.write_all(
        "p",
        &[
            ("1.in", "4\n"),
            ("1.out", "16\n"),
            ("table.txt", "16\n"),
            ("given.h", "const int given = 16;\n"),
            // Half of the points for half of the answer.
            (
                "lemon.py",
                "import sys\n\
             given, found, answer, full, score, message = sys.argv[1:]\n\
             found, answer = int(open(found).read()), int(open(answer).read())\n\
             open(score, 'w').write(str(int(full) // (1 if found == answer else 2)))\n\
             open(message, 'w').write('seen')\n",
            ),
            (
                "syzoj.py",
                "print(100 if open('user_out').read() == open('answer').read() else 33.9)\n",
            ),
            // The points of an accepted output are all of the case's.
            (
                "kattis.py",
                "import sys\nright = sys.stdin.read() == open(sys.argv[2]).read()\n\
                 open(sys.argv[3] + 'score.txt', 'w').write('7')\nsys.exit(42 if right else 43)\n",
            ),
            (
                "qduoj.py",
                "import sys\n\
             given, found = (int(open(name).read()) for name in sys.argv[1:])\n\
             sys.exit(found != given * given)\n",
            ),
        ],
    );
    let package = bench.path("p");
    let right = bench.write("right.sh", "echo 16\n");
    let wrong = bench.write("wrong.sh", "echo 8\n");
    for (config, of_wrong) in [
        (checker("lemon", "lemon.py"), ("PAC", Some(25.0))),
        (checker("syzoj", "syzoj.py"), ("PAC", Some(16.0))),
        (checker("kattis", "kattis.py"), ("PAC", Some(7.0))),
        (checker("testlib", "wcmp"), ("WA", Some(0.0))),
        (checker("strict", "wcmp"), ("WA", Some(0.0))),
        (checker("qduoj", "qduoj.py"), ("WA", Some(0.0))),
    ] {
        bench.write("p/config.yaml", &config);
        let result = judged(&bench, &package, &right);
        assert_eq!(
            (result.verdict.as_str(), result.score),
            ("AC", Some(50.0)),
            "{}",
            result.said
        );
        let result = judged(&bench, &package, &wrong);
        assert_eq!(
            (result.verdict.as_str(), result.score),
            of_wrong,
            "{config} {}",
            result.said
        );
    }
    bench.write(
        "p/config.yaml",
        &format!("filename: square\nuser_extra_files: [table.txt, given.h]\ntime: 5s\n{case}"),
    );
    let files = bench.write(
        "files.c",
        "#include \"given.h\"\n#include <stdio.h>\nint main(void) { int n, t; \
         fscanf(fopen(\"square.in\", \"r\"), \"%d\", &n); fscanf(fopen(\"table.txt\", \"r\"), \"%d\", &t); \
         fprintf(fopen(\"square.out\", \"w\"), \"%d\\n\", n == 4 && t == given ? t : 0); return 0; }\n",
    );
    let result = judged(&bench, &package, &files);
    assert_eq!(
        (result.verdict.as_str(), result.score),
        ("AC", Some(50.0)),
        "{:?} {}",
        result.cases,
        result.said
    );
    bench.write("p/config.yaml", "type: communication\n");
    run(&bench, &package, &right)
        .assert()
        .code(2)
        .stderr(contains("several processes"));
}

/// The argument of `oj test --judge-command`: next to the cases, or on the command line.
#[test]
fn a_checker_of_online_judge_tools() {
    let bench = Bench::new();
    bench.write("p/test/1.in", "10\n");
    bench.write("p/test/1.out", "4 6\n");
    let package = bench.path("p");
    let (right, wrong) = (
        bench.write("right.sh", "echo 7 3\n"),
        bench.write("wrong.sh", "echo 7 4\n"),
    );
    assert_eq!(judged(&bench, &package, &right).verdict, "WA");
    let checks = "import sys\ninput, output, expected = (open(f).read() for f in sys.argv[1:])\n\
                  assert expected == '4 6\\n'\n\
                  sys.exit(sum(map(int, output.split())) != int(input))\n";
    let checker = bench.write("mine/check.py", checks);
    for (program, code) in [(&right, 0), (&wrong, 1)] {
        judge(&bench)
            .args(["run", "--checker"])
            .args([&checker, &package])
            .arg("-s")
            .arg(program)
            .assert()
            .code(code);
    }
    bench.write("p/checker.py", checks);
    assert_eq!(judged(&bench, &package, &right).verdict, "AC");
    assert_eq!(judged(&bench, &package, &wrong).verdict, "WA");
    judge(&bench)
        .args(["run", "--checker", "none.cpp", "-s"])
        .args([&right, &package])
        .assert()
        .code(2)
        .stderr(contains("none.cpp"));
}

/// The submission of Hydro's `objective` problems is a form.
#[test]
fn a_form_of_hydro() {
    let bench = Bench::new();
    let config = "type: objective\nanswers:\n  '1': [A, 5]\n  '2': [[A, C], 7]\n  \
                  3-1: {x: 4, y: 2}\n  4: [12, 8]\n";
    bench.write("p/config.yaml", config);
    let package = bench.path("p");
    for (form, verdict, score) in [
        ("1: A\n2: [C, A]\n3-1: x\n4: 12\n", "AC", 24.0),
        ("1: B\n2: [C]\n3-1: y\n4: ' 12 '\n", "PAC", 3.0 + 2.0 + 8.0),
        ("2: [A, B, C]\n3-1: z\n1: ''\n", "WA", 0.0),
        ("2: C\n", "PAC", 3.0),
        ("no form", "WA", 0.0),
        ("{", "WA", 0.0),
        ("1: [A]\n1: B\n", "WA", 0.0),
    ] {
        let form_file = bench.write("form.yaml", form);
        let result = judged(&bench, &package, &form_file);
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(
            found,
            (verdict, Some(score)),
            "{form:?} {:?} {}",
            result.cases,
            result.said
        );
    }
    // The package's own answers are correct.
    let form = bench.path("form.yaml");
    judge(&bench)
        .args(["verify", "-s"])
        .args([&form, &package])
        .assert()
        .stdout(contains("refuses").not());
    for (text, complaint) in [
        ("type: objective\n", "names no `answers`"),
        (
            "type: objective\nanswers: {1: A}\n",
            "config.yaml:2:14: must be `[ANSWER, POINTS]`",
        ),
        (
            "type: communication\nmanager: m.cpp\n",
            "`communication` are not judged",
        ),
    ] {
        bench.write("p/config.yaml", text);
        judge(&bench)
            .args(["run", "-s"])
            .args([&form, &package])
            .assert()
            .code(2)
            .stderr(contains(complaint));
    }
}

#[test]
fn hydro_cases_of_one_stem_are_distinct() {
    let bench = Bench::new();
    bench.write_all("p", &[
        (
            "config.yaml",
            "time: 5s\ncases: [{input: data.in1, output: data.out1}, {input: data.in2, output: data.out2}]\n",
        ),
        ("data.in1", "1\n"),
        ("data.out1", "2\n"),
        ("data.in2", "2\n"),
        ("data.out2", "2\n"),
    ]);
    let echo = bench.write("echo.sh", "cat\n");
    let result = judged(&bench, &bench.path("p"), &echo);
    assert_eq!(result.verdicts(), [("data", "WA"), ("data-2", "AC")]);
    assert_eq!((&*result.verdict, result.score), ("PAC", Some(50.0)));
}
