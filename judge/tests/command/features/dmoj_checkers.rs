//! DMOJ: checkers that are programs, of the package or of a case.

use super::{is, judged};
use crate::common::{Bench, verify};
use predicates::str::contains;

#[test]
fn bridged_programs() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "checker: {name: bridged, args: {files: [check.py], lang: PY3, type: coci}}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
            ),
            ("1.in", "4\n"),
            ("1.out", "8"),
            (
                "check.py",
                "import sys\n\
                 given, found, expected = (open(name).read() for name in sys.argv[1:4])\n\
                 assert given == '4\\n' and expected == '8\\n'\n\
                 if int(found) == 4:\n    sys.stderr.write('partial 2/5\\n')\n    sys.exit(7)\n\
                 sys.exit(int(found) != int(expected))\n",
            ),
        ],
    );
    let right = bench.write("right.sh", "echo 8\n");
    is(&judged(&bench, &package, &right), "AC", 10.0);
    let half = bench.write("half.sh", "echo 4\n");
    is(&judged(&bench, &package, &half), "AC", 4.0);
    let wrong = bench.write("wrong.sh", "echo 9\n");
    is(&judged(&bench, &package, &wrong), "WA", 0.0);

    // Points in the format of VNOJ's checkers.
    let directories = "import os, sys\n\
        data, output = input(), input()\n\
        assert sorted(os.listdir(data)) == ['1.in', '1.out'] and os.listdir(output) == ['1.out']\n\
        print('close')\n\
        print(int(open(output + '1.out').read()) / int(open(data + '1.out').read()))\n";
    for (kind, program) in [
        ("themis", directories),
        (
            "cms",
            "import sys\nprint(int(open(sys.argv[3]).read()) / int(open(sys.argv[2]).read()))\n",
        ),
        (
            "testlib, treat_checker_points_as_percentage: true",
            "import sys\nfound, wanted = (int(open(name).read()) for name in sys.argv[2:4])\n\
             sys.stderr.write('points %s\\n' % (found / wanted * 100))\nsys.exit(7 if found else 1)\n",
        ),
    ] {
        bench.write(
            "p/init.yml",
            &format!(
                "checker: {{name: bridged, args: {{files: check.py, lang: PY3, type: {kind}}}}}\n\
                 test_cases: [{{in: 1.in, out: 1.out, points: 10}}]\n"
            ),
        );
        bench.write("p/check.py", program);
        is(&judged(&bench, &package, &right), "AC", 10.0);
        is(&judged(&bench, &package, &half), "AC", 5.0);
        let none = bench.write("none.sh", "echo 0\n");
        is(&judged(&bench, &package, &none), "WA", 0.0);
        // More points than the case has.
        assert_eq!(judged(&bench, &package, &wrong).verdict, "JE", "{kind}");
    }

    // Words among the files, and keys that DMOJ passes to a checker that ignores them.
    bench.write(
        "p/init.yml",
        "checker: {name: bridged, args: {files: words.py, lang: PY3, cached: true, stranger: 1, \
         args_format_string: \"'two words' {answer_file} --x=1 {output_file}\"}}\n\
         test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
    );
    bench.write(
        "p/words.py",
        "import sys\n_, words, answer, option, output = sys.argv\n\
         assert (words, option) == ('two words', '--x=1')\n\
         sys.exit(open(answer).read().split() != open(output).read().split())\n",
    );
    is(&judged(&bench, &package, &right), "AC", 10.0);
    is(&judged(&bench, &package, &wrong), "WA", 0.0);

    bench.write(
        "p/init.yml",
        "interactive: {files: talk.c, type: default, flags: [-DFACTOR=2]}\n\
         test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
    );
    bench.write(
        "p/talk.c",
        "#include <stdio.h>\n\
         int main(int argc, char **argv) {\n  int n, answer, found = 0;\n  \
         if (argc != 3) return 3;\n  fscanf(fopen(argv[1], \"r\"), \"%d\", &n);\n  \
         fscanf(fopen(argv[2], \"r\"), \"%d\", &answer);\n  printf(\"%d\\n\", n);\n  fflush(stdout);\n  \
         scanf(\"%d\", &found);\n  return found != answer || n * FACTOR != answer;\n}\n",
    );
    let talks = bench.write("talks.sh", "read n\necho $((2 * n))\n");
    is(&judged(&bench, &package, &talks), "AC", 10.0);
    is(&judged(&bench, &package, &wrong), "WA", 0.0);
}

/// A case or a batch may have its own checker.
#[test]
fn cases_may_have_their_own_checkers() {
    let bench = Bench::new();
    let position = "def check(process_output, judge_output, case_position, **kwargs):\n    \
                 return process_output.split()[-1] == b'%d' % case_position\n";
    let package = bench.write_all("p",
        &[
            (
                "init.yml",
                "checker: identical\ntest_cases:\n\
                 - {in: 1.in, out: 1.out, points: 1}\n\
                 - {in: 1.in, out: 1.out, points: 2, checker: standard}\n\
                 - {batched: [{in: 1.in, out: 1.out}], points: 4, checker: {name: position.py}}\n\
                 - {in: 1.in, out: 1.out, points: 8, checker: {name: floats, args: {precision: 1}}}\n\
                 - {in: 1.in, out: 1.out, points: 16, checker: {name: position.py}}\n",
            ),
            ("1.in", "7\n"),
            ("1.out", "3  2\n"),
            ("position.py", position),
        ],
    );
    for (text, score) in [
        ("3  2", 15.0),
        ("3 2", 14.0),
        ("3.04 2", 12.0),
        ("3 4", 16.0),
        ("x 2", 4.0),
        ("x 3", 0.0),
    ] {
        let program = bench.write("mine.sh", &format!("echo '{text}'\n"));
        let result = judged(&bench, &package, &program);
        assert_eq!(
            result.score,
            Some(score),
            "{text}: {:?} {}",
            result.cases,
            result.said
        );
    }
}

/// A checker with `run_on_error` gives points for a failed run; the verdict is unchanged.
#[test]
fn checkers_may_see_failed_runs() {
    let bench = Bench::new();
    let check = "from dmoj.result import CheckerResult, Result\n\n\n\
                 def check(process_output, judge_output, result, point_value, **kwargs):\n\
                 \x20   failed = result.result_flag & Result.RTE\n\
                 \x20   return CheckerResult(bool(failed), point_value / 2 if failed else 0)\n\n\n\
                 check.run_on_error = True  # also after a failure\n";
    let files = [
        ("1.in", "7\n"),
        ("1.out", "1\n2\n"),
        ("check.py", check),
        (
            "init.yml",
            "checker: check.py\ntest_cases: [{in: 1.in, out: 1.out, points: 8}]\n",
        ),
    ];
    let package = bench.write_all("p", &files);
    let crash = bench.write("crash.sh", "echo 1\nexit 3\n");
    let result = judged(&bench, &package, &crash);
    is(&result, "PAC", 4.0);
    assert_eq!(result.cases[0].1, "RTE");
    let fine = bench.write("fine.sh", "echo 1\n");
    is(&judged(&bench, &package, &fine), "WA", 0.0);
    // Without `run_on_error`, a checker does not see failed runs.
    bench.write(
        "p/check.py",
        &check.replace("check.run_on", "check.runs_on"),
    );
    is(&judged(&bench, &package, &crash), "RTE", 0.0);
    // DMOJ's `linecount` sees them.
    bench.write(
        "p/init.yml",
        "checker: linecount\ntest_cases: [{in: 1.in, out: 1.out, points: 8}]\n",
    );
    let half = bench.write("half.sh", "printf '1\\n3\\n'\nexit 3\n");
    let result = judged(&bench, &package, &half);
    is(&result, "PAC", 4.0);
    assert_eq!(result.cases[0].1, "RTE");
}

/// `judge verify` runs the validator, which does not take part in judging.
#[test]
fn verify_runs_the_validator() {
    let bench = Bench::new();
    let validator = "import sys\nassert sys.argv[1:] == [sys.stdin.readline().strip(), '7']\n";
    let package = bench.write_all(
        "p",
        &[
            ("1.in", "0\n"),
            ("1.out", "0\n"),
            ("2.in", "1\n"),
            ("2.out", "1\n"),
            ("3.in", "2\n"),
            ("3.out", "2\n"),
            ("val.py", validator),
            ("broken.cpp", "int main() { return x; }\n"),
        ],
    );
    let cases = "test_cases:\n- {batched: [{in: 2.in, out: 2.out}]}\n- {in: 1.in, out: 1.out}\n\
                 pretest_test_cases: [{batched: [{in: 3.in, out: 3.out}]}]\n";
    let right = bench.write("right.sh", "cat\n");
    let form = "source: val.py, language: PY3";
    let numbers = "args_format_string: '{batch_no} 7'";
    for (validator, complaint) in [
        (format!("{{{form}, {numbers}}}"), None),
        (format!("{{{form}}}"), Some("the input is refused: val.py")),
        (
            "{source: none.cpp}".to_owned(),
            Some("init.yml:1:21: there is no file `none.cpp`"),
        ),
        ("{source: broken.cpp}".to_owned(), Some("broken.cpp")),
        (
            "val.py".to_owned(),
            Some("init.yml:1:12: must have `source` and `language`"),
        ),
        (format!("{{{form}, args: x}}"), Some("init.yml:1:44: ")),
    ] {
        bench.write("p/init.yml", &format!("validator: {validator}\n{cases}"));
        is(&judged(&bench, &package, &right), "AC", 2.0);
        let verified = verify(&bench, &package).arg("-s").arg(&right).assert();
        match complaint {
            None => verified.code(0),
            Some(complaint) => verified.code(1).stdout(contains(complaint)),
        };
    }
    bench.write("p/init.yml", &format!("grader: none.py\n{cases}"));
    verify(&bench, &package)
        .arg("-s")
        .arg(&right)
        .assert()
        .code(1)
        .stdout(contains("init.yml:1:9: `grader` is not a key"));
}
