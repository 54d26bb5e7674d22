//! Reports and messages for the author of a program with samples in a folder.

use crate::common::{Bench, again, asserted, judge};
use crate::folder::samples;
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn the_last_lines_of_standard_error_are_shown_for_any_failure() {
    let bench = Bench::new();
    samples(&bench, "mine/test", "out");
    bench.write(
        "mine/sol.py",
        "import sys\nfor k in range(30): print('step', k, file=sys.stderr)\nprint(0)\n",
    );
    asserted(
        &bench,
        &["run", "mine/sol.py", "--case", "1", "--html", "report.html"],
    )
    .code(1)
    .stdout(
        contains("    standard error:\n    [...]\n    step 20\n")
            .and(contains("    step 29\n"))
            .and(contains("step 19\n").not()),
    );
    let html = std::fs::read_to_string(bench.path("report.html")).expect("a report");
    assert!(html.contains("Standard error") && html.contains("step 29"));
    // A run-time error's message has it already.
    bench.write("mine/sol.py", "1 / 0\n");
    asserted(&bench, &["run", "mine/sol.py", "--case", "1"])
        .code(1)
        .stdout(contains("standard error:").count(1));
}

#[test]
fn a_tolerance_accepts_numbers_that_are_near_the_answer() {
    let bench = Bench::new();
    bench.write("mine/1.in", "1\n");
    bench.write("mine/1.out", "0.333333333333\n");
    bench.write("mine/sol.py", "print(0.33333333)\n");
    asserted(&bench, &["run", "mine/sol.py"])
        .code(1)
        .stdout(contains("3.333e-9").and(contains(
            "    help: if the problem allows an error, add it: --tolerance 1e-6\n",
        )));
    asserted(&bench, &["run", "mine/sol.py", "--tolerance", "1e-6"]).success();
    // The command that repeats the case has the option.
    asserted(&bench, &["run", "mine/sol.py", "--tolerance", "1e-9"])
        .code(1)
        .stdout(contains(again("--tolerance 1e-9 ")));
    for wrong in ["-1", "near", "inf"] {
        asserted(&bench, &["run", "mine/sol.py", "--tolerance", wrong])
            .code(2)
            .stderr(contains("expected a number of at least 0, such as 1e-6"));
    }
    bench.write("mine/test/1.in", "1\n");
    bench.write("mine/test/1.out", "0.333333333333\n");
    bench.write("mine/test/checker.py", "");
    asserted(
        &bench,
        &["run", "mine/test", "mine/sol.py", "--tolerance", "1e-9"],
    )
    .code(2)
    .stderr(contains("help: leave out --tolerance"));
}

#[test]
fn a_missing_checker_is_named_with_a_remedy() {
    let bench = Bench::new();
    samples(&bench, "mine/test", "out");
    bench.write("mine/sol.py", "print(0)\n");
    asserted(&bench, &["run", "mine/sol.py", "--checker", "float"])
        .code(2)
        .stderr(
            contains("error: float: failed to read: ").and(contains("\n  help: name a program")),
        );
}

#[test]
fn a_report_to_a_dash_is_refused_with_the_remedy() {
    let bench = Bench::new();
    samples(&bench, "mine/test", "out");
    bench.write("mine/sol.py", "print(0)\n");
    asserted(&bench, &["run", "mine/sol.py", "--json", "-"])
        .code(2)
        .stderr(contains(
            "help: name a file; `--format json` writes to standard output",
        ));
    assert!(!bench.path("-").exists());
}

#[test]
fn a_path_that_leads_nowhere_has_its_own_message() {
    let bench = Bench::new();
    std::os::unix::fs::symlink("loop", bench.path("loop")).expect("a link");
    asserted(&bench, &["run", "loop"]).code(2).stderr(
        contains("error: loop: is a symbolic link that leads nowhere: ")
            .and(contains("\n  help: fix or remove the link")),
    );
    asserted(&bench, &["run", "nothing-like-it"])
        .code(2)
        .stderr(contains("help: name a program, a directory with its cases"));
    let address = "https://atcoder.jp/contests/abc300/tasks/abc300_a";
    for command in ["run", "new"] {
        asserted(&bench, &[command, address])
            .code(2)
            .stderr(contains(address).and(contains(
                "\n  help: take the problem from the browser: `judge new --listen",
            )));
    }
}

#[test]
fn a_case_that_cannot_be_saved_leaves_no_file() {
    let bench = Bench::new();
    bench.write("mine/in/1.txt", "1\n");
    bench.write("mine/out/1.txt", "1\n");
    for (name, text) in [
        ("sol", "print(2)"),
        ("brute", "print(1)"),
        ("gen", "print(5)"),
    ] {
        bench.write(&format!("mine/{name}.py"), &format!("{text}\n"));
    }
    // The answer can be written, the input cannot.
    let link = bench.path("mine/in/stress-1.in");
    std::os::unix::fs::symlink("/nonexistent/1.in", link).expect("a link");
    asserted(&bench, &["stress", "mine/sol.py", "--save", "x"])
        .code(2)
        .stderr(contains("stress-1.in: ").and(contains("\n  help: fix its permissions")));
    assert!(!bench.path("mine/out/stress-1.out").exists());
}

#[test]
fn programs_of_several_folders_are_judged_over_their_own_cases() {
    let bench = Bench::new();
    for (dir, answer) in [("a", "1"), ("b", "2")] {
        bench.write(&format!("{dir}/1.in"), "0\n");
        bench.write(&format!("{dir}/1.out"), &format!("{answer}\n"));
        bench.write(&format!("{dir}/sol.py"), &format!("print({answer})\n"));
    }
    asserted(&bench, &["run", "a/sol.py", "b/sol.py"])
        .success()
        .stdout(contains("a (10.000 s").and(contains("b (10.000 s")))
        .stdout(contains("all accepted: 2 submissions, 2 cases run"));
    // A named package is that of all programs.
    asserted(&bench, &["run", "a", "a/sol.py", "b/sol.py"])
        .code(1)
        .stdout(contains("not accepted: 2 submissions, 2 cases run"));
    // A program that has no cases beside it takes those of the current directory.
    bench.write("other/sol.py", "print(1)\n");
    judge(&bench)
        .current_dir(bench.path("a"))
        .args(["run", "sol.py", "../other/sol.py"])
        .assert()
        .success();
}

#[test]
fn folders_of_the_same_name_have_separate_results() {
    let bench = Bench::new();
    for (dir, text) in [("x/a", "print(1)\n"), ("y/a", "print(2)\n")] {
        bench.write(&format!("{dir}/1.in"), "0\n");
        bench.write(&format!("{dir}/1.out"), "1\n");
        bench.write(&format!("{dir}/sol.py"), text);
    }
    asserted(&bench, &["run", "x/a/sol.py", "y/a/sol.py"])
        .code(1)
        .stdout(contains("a-2  a (10.000 s"))
        // Not x/a, which has other cases.
        .stdout(contains(again("y/a -s y/a/sol.py --case 1\n")));
}

#[test]
fn the_program_of_a_named_folder_has_a_short_name() {
    let bench = Bench::new();
    samples(&bench, "mine/test", "out");
    bench.write("mine/sol.py", "print(0)\n");
    asserted(&bench, &["run", "mine", "--case", "1"])
        .code(1)
        .stdout(
            contains("\n  mine/sol.py\n").and(contains(again("mine -s mine/sol.py --case 1\n"))),
        );
}

#[test]
fn a_program_that_is_named_twice_is_judged_once() {
    let bench = Bench::new();
    samples(&bench, "mine/test", "out");
    bench.write("mine/sol.py", "print(0)\n");
    asserted(
        &bench,
        &["run", "mine/sol.py", "./mine/../mine/sol.py", "--case", "1"],
    )
    .code(1)
    .stdout(contains("1 submission, 1 case run"));
}

#[test]
fn a_key_that_is_given_twice_in_a_package_is_a_warning() {
    let bench = Bench::new();
    bench.write(
        "sum/problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nname: Sums\nlicense: cc0\nrights_owner: nobody\n\
         uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlimits: {time_limit: 5.0}\n",
    );
    bench.write("sum/data/secret/1.in", "1\n");
    bench.write("sum/data/secret/1.ans", "1\n");
    bench.write("sol.py", "print(1)\n");
    asserted(&bench, &["run", "sum", "sol.py"])
        .success()
        .stderr(contains("/sum/problem.yaml:3:1: ").and(contains(
            "key `name` is given twice; the first is in line 2",
        )));
}

#[test]
fn samples_in_the_layout_of_a_package_need_no_problem_yaml() {
    let bench = Bench::new();
    bench.write("mine/data/sample/1.in", "1\n");
    bench.write("mine/data/sample/1.ans", "1\n");
    bench.write("mine/sol.py", "print(input())\n");
    asserted(&bench, &["run", "mine/sol.py"])
        .success()
        .stdout(contains("mine (10.000 s"))
        .stderr(contains("problem.yaml: is missing"));
}

/// The template of many contestants, whose own machine does not define the judges' macro.
#[test]
fn the_macro_of_judges_is_defined_except_for_debugging() {
    let bench = Bench::new();
    bench.write("mine/1.in", "4\n");
    bench.write("mine/1.out", "8\n");
    bench.write(
        "mine/sol.cpp",
        "#include <cstdio>\n#ifndef ONLINE_JUDGE\n#include \"debug.h\"\n#endif\n\
         int main() {\n#ifndef ONLINE_JUDGE\n    freopen(\"input.txt\", \"r\", stdin);\n#endif\n\
         int x; scanf(\"%d\", &x); printf(\"%d\\n\", 2 * x); }\n",
    );
    bench.write(
        "mine/c.c",
        "#include <stdio.h>\nint main(void) {\n#ifndef ONLINE_JUDGE\n    FILE *in = fopen(\"none.txt\", \"r\");\n\
         #else\n    FILE *in = stdin;\n#endif\n    int x; fscanf(in, \"%d\", &x); printf(\"%d\\n\", 2 * x);\n}\n",
    );
    asserted(&bench, &["run", "mine/sol.cpp", "mine/c.c"]).success();
    asserted(&bench, &["bundle", "mine/sol.cpp"]).success();
    asserted(&bench, &["run", "mine/c.c", "-U", "ONLINE_JUDGE"])
        .code(1)
        .stdout(contains("RTE").and(contains(again("-U ONLINE_JUDGE "))));
    asserted(&bench, &["bundle", "mine/sol.cpp", "-U", "ONLINE_JUDGE"])
        .code(1)
        .stdout(contains("debug.h: No such file"));
    bench.write(
        "mine/value.cpp",
        "#include <cstdio>\n#ifdef ONLINE_JUDGE\n#error defined\n#endif\n\
         int main() { int x; scanf(\"%d\", &x); printf(\"%d\\n\", FACTOR * x); }\n",
    );
    asserted(
        &bench,
        &["run", "mine/value.cpp", "--debug", "-D", "FACTOR=2"],
    )
    .success();
    asserted(
        &bench,
        &[
            "run",
            "mine/value.cpp",
            "-D",
            "FACTOR=2",
            "-U",
            "ONLINE_JUDGE",
        ],
    )
    .success();
    asserted(&bench, &["run", "mine/c.c", "-D", "2x"])
        .code(2)
        .stderr(contains("expected the name of a macro, such as LOCAL"));
}

/// A macro of one kind of judge only.
#[test]
fn the_format_decides_which_macros_are_defined() {
    let bench = Bench::new();
    bench.sums("time_limit: 10");
    bench.write(
        "sums/sol.cpp",
        "#include <cstdio>\n#if !defined(ONLINE_JUDGE) || !defined(DOMJUDGE)\n#error not defined\n#endif\n\
         int main() { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n",
    );
    asserted(&bench, &["run", "sums", "sums/sol.cpp"]).success();
    samples(&bench, "mine/test", "out");
    asserted(&bench, &["run", "mine", "sums/sol.cpp"])
        .code(1)
        .stdout(contains("error: #error not defined"));
}

/// One's own library, in a directory that is named, in the environment's, and in the user's.
#[test]
fn headers_are_found_in_the_users_directories() {
    let bench = Bench::new();
    bench.write("mine/1.in", "4\n");
    bench.write("mine/1.out", "9\n");
    let headers = [
        ("lib/twice", "#pragma once\n#include <lib/impl/twice.hpp>\n"),
        (
            "lib/impl/twice.hpp",
            "#pragma once\n#include \"../../base.hpp\"\ninline int twice(int x) { return ONE * 2 * x; }\n",
        ),
        ("base.hpp", "#pragma once\nconst int ONE = 1;\n"),
    ];
    let text = "#include <cstdio>\n#include <lib/twice>\n\
                int main() { int x; scanf(\"%d\", &x); printf(\"%d\\n\", twice(x) + 1); }\n";
    bench.write("mine/sol.cpp", text);
    asserted(&bench, &["run", "mine/sol.cpp"])
        .code(1)
        .stdout(contains("lib/twice: No such file"));
    let named = bench.write_all("inc", &headers);
    let own = bench.write_all("data/judge/include", &headers);
    let data = own.ancestors().nth(2).expect("a parent").to_owned();
    for command in ["run", "bundle"] {
        let program = "mine/sol.cpp";
        asserted(&bench, &[command, program, "-I", "inc"]).success();
        for (name, value) in [("CPLUS_INCLUDE_PATH", &named), ("XDG_DATA_HOME", &data)] {
            judge(&bench)
                .args([command, program])
                .env(name, value)
                .assert()
                .success();
        }
    }
    let bundled = bench.read("mine/sol-bundle.cpp");
    assert!(!bundled.contains("#include <lib"), "{bundled}");
    // The headers are a part of the program that is built.
    bench.write("inc/base.hpp", "#pragma once\nconst int ONE = 3;\n");
    asserted(&bench, &["run", "mine/sol.cpp", "-I", "inc"]).code(1);
    bench.write("inc/base.hpp", "nonsense\n");
    asserted(&bench, &["run", "mine/sol.cpp", "-I", "inc"])
        .code(1)
        .stdout(contains("base.hpp:1:1: error"));
    asserted(&bench, &["run", "mine/sol.cpp", "-I", "none"])
        .code(2)
        .stderr(contains("error: -I none: no such directory\n  help: "));
}

#[test]
fn one_of_several_problems_of_cph_is_judged_only_as_its_kind() {
    let bench = Bench::new();
    for (name, kind, tests) in [
        ("a", true, r#"[{"input": "1\n", "output": "1\n"}]"#),
        ("b", false, r#"[{"input": "1\n", "output": "1\n"}]"#),
        ("c", false, "[]"),
    ] {
        let problem = format!("{{\"interactive\": {kind}, \"tests\": {tests}}}");
        bench.write(&format!(".cph/.{name}.py_0.prob"), &problem);
        bench.write(&format!("{name}.py"), "print(1)\n");
    }
    asserted(&bench, &["run", "b.py"]).success();
    for words in [["run", "a.py"], ["stress", "a.py"]] {
        asserted(&bench, &words).code(2).stderr(contains(
            "a.py: the problem is interactive, and its interactor is missing",
        ));
    }
    asserted(&bench, &["run", "c.py"])
        .code(2)
        .stderr(contains("c.py: no test cases in ").and(contains(".c.py_0.prob")));
    bench.write("inter.py", "import sys\nsys.exit(input() != '1')\n");
    asserted(&bench, &["run", "a.py", "--interactor", "inter.py"])
        .success()
        .stdout(contains("1 submission, 1 case run"));
}
