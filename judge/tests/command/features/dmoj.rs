//! DMOJ: bridged programs, generators, signatures, files, cases and batches.

use super::{RunResult, judged};
use crate::common::{Bench, judge, run};
use predicates::str::contains;

pub fn is(result: &RunResult, verdict: &str, score: f64) {
    let found = (result.verdict.as_str(), result.score);
    assert_eq!(
        found,
        (verdict, Some(score)),
        "{:?} {}",
        result.cases,
        result.said
    );
}

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
    let right = bench.write("right.py", "print(8)\n");
    is(&judged(&bench, &package, &right), "AC", 10.0);
    let half = bench.write("half.py", "print(4)\n");
    is(&judged(&bench, &package, &half), "AC", 4.0);
    let wrong = bench.write("wrong.py", "print(9)\n");
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
        let none = bench.write("none.py", "print(0)\n");
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
        "interactive: {files: talk.cpp, type: default, flags: [-DFACTOR=2]}\n\
         test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
    );
    bench.write(
        "p/talk.cpp",
        "#include <fstream>\n#include <iostream>\n\
         int main(int argc, char **argv) {\n  int n, answer, found;\n  \
         if (argc != 3) return 3;\n  std::ifstream(argv[1]) >> n;\n  \
         std::ifstream(argv[2]) >> answer;\n  std::cout << n << '\\n';\n  \
         std::cin >> found;\n  return found != answer || n * FACTOR != answer;\n}\n",
    );
    let talks = bench.write("talks.py", "print(2 * int(input()), flush=True)\n");
    is(&judged(&bench, &package, &talks), "AC", 10.0);
    is(&judged(&bench, &package, &wrong), "WA", 0.0);
}

#[test]
fn a_generator_makes_cases() {
    let bench = Bench::new();
    let package = bench.write_all("p",
        &[
            (
                "init.yml",
                "generator: gen.py\n\
                 test_cases:\n- {generator_args: [3, 'a b', true], points: 40}\n\
                 - {generator_in: seed.txt, points: 60}\n",
            ),
            ("seed.txt", "5\n"),
            (
                "gen.py",
                "import sys\n\
                 if len(sys.argv) == 1:\n    n = int(input())\n\
                 else:\n    assert sys.argv[2:] == ['a b', 'True'], sys.argv\n    n = int(sys.argv[1])\n\
                 print(n, end='\\r\\n')\nsys.stderr.write(str(n * n))\n",
            ),
        ],
    );
    let right = bench.write("right.py", "print(int(input()) ** 2)\n");
    is(&judged(&bench, &package, &right), "AC", 100.0);
    let three = bench.write("three.py", "print(9)\n");
    is(&judged(&bench, &package, &three), "PAC", 40.0);
    let names: Vec<_> = std::fs::read_dir(&package).unwrap().collect();
    assert_eq!(names.len(), 3, "nothing is written into the package");
    // The limits in the package apply to it.
    let init = "generator: {source: gen.py, time_limit: 1, memory_limit: 131072}\n\
                test_cases: [{generator_args: [1], points: 1}]\n";
    let usual = std::fs::read_to_string(package.join("init.yml")).unwrap();
    for (program, said) in [
        ("while True:\n    pass\n", "exceeded its time limit"),
        (
            "x = bytearray(500 << 20)\nfor i in range(0, len(x), 4096):\n    x[i] = 1\n",
            "exceeded its memory limit",
        ),
    ] {
        bench.write("p/init.yml", init);
        bench.write("p/gen.py", program);
        let mut run = judge(&bench);
        run.arg("run").arg(&package).arg("-s").arg(&right);
        run.assert().code(2).stderr(contains(said));
    }
    bench.write("p/init.yml", &usual);
    // The error of a generator that fails names it.
    bench.write("p/gen.py", "raise SystemExit('no such seed')\n");
    run(&bench, &package, &right)
        .assert()
        .code(2)
        .stderr(contains("no such seed"));
}

#[test]
fn a_submission_that_is_a_function_or_uses_files() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "signature_grader: {entry: handler.c, header: header.h}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
            ),
            ("1.in", "4\n"),
            ("1.out", "16\n"),
            ("header.h", "int square(int);\n"),
            (
                "handler.c",
                "#include <stdio.h>\n#include \"header.h\"\n\
                 int main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; \
                 printf(\"%d\\n\", square(n)); return 0; }\n",
            ),
        ],
    );
    let right = bench.write(
        "right.c",
        "#ifdef SIGNATURE_GRADER\nint square(int n) { return n * n; }\n#endif\n\
         int main(void) { return 1; }\n",
    );
    is(&judged(&bench, &package, &right), "AC", 10.0);
    let other = bench.write("other.py", "print(16)\n");
    let result = judged(&bench, &package, &other);
    assert_eq!(result.verdict, "CE", "{}", result.said);

    bench.write(
        "p/init.yml",
        "file_io: {input: square.in, output: square.out}\n\
         test_cases: [{in: 1.in, out: 1.out, points: 10}]\n",
    );
    let files = bench.write(
        "files.py",
        "n = int(open('square.in').read())\nprint('noise')\nopen('square.out', 'w').write(str(n * n))\n",
    );
    is(&judged(&bench, &package, &files), "AC", 10.0);
    let streams = bench.write("streams.py", "print(int(input()) ** 2)\n");
    is(&judged(&bench, &package, &streams), "AC", 10.0);
    let wrong = bench.write(
        "wrong.py",
        "print(16)\nopen('square.out', 'w').write('17')\n",
    );
    is(&judged(&bench, &package, &wrong), "WA", 0.0);
}

#[test]
fn a_case_of_zero_points_gates_later_ones() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "test_cases:\n- {in: 1.in, out: 1.out, points: 0}\n\
                 - {in: 2.in, out: 2.out, points: 10}\n",
            ),
            ("1.in", "1\n"),
            ("1.out", "1\n"),
            ("2.in", "2\n"),
            ("2.out", "2\n"),
        ],
    );
    let two = bench.write("two.py", "print(2)\n");
    is(&judged(&bench, &package, &two), "WA", 0.0);
    let one = bench.write("one.py", "print(1)\n");
    is(&judged(&bench, &package, &one), "WA", 0.0);
    let both = bench.write("both.py", "print(input())\n");
    is(&judged(&bench, &package, &both), "AC", 10.0);
}

/// The same input and case name with two answers; keys of a batch apply to its cases.
#[test]
fn cases_may_share_files_and_keys() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "test_cases:\n- {in: 1.in, out: 1.out, points: 3}\n\
                 - {in: 1.in, out: 2.out, points: 4}\n\
                 - out: 1.out\n  points: 5\n  batched: [{in: 1.in}, {in: 2.in}]\n",
            ),
            ("1.in", "1\n"),
            ("1.out", "1\n"),
            ("2.in", "2\n"),
            ("2.out", "2\n"),
        ],
    );
    let one = bench.write("one.py", "print(1)\n");
    let result = judged(&bench, &package, &one);
    is(&result, "PAC", 8.0);
    let expected = [
        ("1", "AC"),
        ("1-2", "WA"),
        ("batch1/1", "AC"),
        ("batch1/2", "AC"),
    ];
    assert_eq!(result.verdicts(), expected);
    let two = bench.write("two.py", "print(2)\n");
    is(&judged(&bench, &package, &two), "PAC", 4.0);
}

#[test]
fn each_line_gives_points() {
    let bench = Bench::new();
    let cases = "test_cases: [{in: 1.in, out: 1.out, points: 8}]\n";
    let package = bench.write_all("p", &[("1.in", "\n"), ("1.out", "a\nb\n\nc\nd\n")]);
    for (checker, output, verdict, score) in [
        ("linecount", "a\\nb\\nc\\nd", "AC", 8.0),
        ("linecount", "a\\nx\\nc\\nd\\n", "PAC", 6.0),
        ("linecount", "x\\nx\\nx\\nx\\n", "WA", 0.0),
        ("linecount", "a\\nb\\nc\\nd\\ne\\n", "WA", 0.0),
        ("linematches", "a\\nx\\nx\\nx\\n", "AC", 1.0),
        ("linematches", "a\\nb\\nc\\nd\\n", "AC", 8.0),
        ("linematches", "a\\nb\\nc\\n", "WA", 0.0),
        ("rstripped", "a  \\nb\\n\\nc\\nd\\n", "AC", 8.0),
        ("rstripped", "a\\nb\\nc\\nd\\n", "WA", 0.0),
        ("rstripped", "a\\nb\\n\\nc\\nd\\n\\n", "WA", 0.0),
        ("rstripped", " a\\nb\\n\\nc\\nd\\n", "WA", 0.0),
        ("filtered", "a\\nb\\nc \\nd\\n\\n", "AC", 8.0),
        ("filtered", "a b\\nc\\nd\\n", "WA", 0.0),
    ] {
        let given = match checker {
            "linematches" => "{name: linematches, args: {point_distribution: [1, 2, 2, 3]}}",
            "filtered" => "{name: rstripped, args: {filter_new_line: true}}",
            name => name,
        };
        bench.write("p/init.yml", &format!("checker: {given}\n{cases}"));
        let program = format!("import sys\nsys.stdout.write('{output}')\n");
        let result = judged(&bench, &package, &bench.write("mine.py", &program));
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, Some(score)), "{checker} {output}");
    }
}

/// A virtual machine exits by itself when its heap, which the judge limits, is full.
#[test]
fn an_out_of_memory_error_of_the_runtime_is_mle() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[(
            "init.yml",
            "memory_limit: 256m\ntest_cases: [{points: 1}]\n",
        )],
    );
    let languages = bench.write(
        "languages.toml",
        "[c]\n[[c.with]]\ncompile = 'gcc -o {binary} {files}'\nrun = '{binary}'\n\
         version = 'gcc -dumpversion'\nout-of-memory = 'Runtime: heap is full'\n",
    );
    let ends = |said: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{ fputs(\"{said}\\n\", stderr); return 1; }}\n"
        )
    };
    let full = bench.write("full.c", &ends("Runtime: heap is full"));
    let other = bench.write("other.c", &ends("Runtime: no such thing"));
    for (program, verdict) in [(&full, "MLE"), (&other, "RTE")] {
        let mut run = judge(&bench);
        run.arg("run").arg(&package).arg("-s").arg(program);
        run.arg("--languages").arg(&languages);
        run.assert().code(1).stdout(contains(verdict));
    }
}

/// A case or a batch may have its own checker.
#[test]
fn cases_may_have_their_own_checkers() {
    let bench = Bench::new();
    let tells = "def check(process_output, judge_output, case_position, **kwargs):\n    \
                 return process_output.split()[-1] == b'%d' % case_position\n";
    let package = bench.write_all("p",
        &[
            (
                "init.yml",
                "checker: identical\ntest_cases:\n\
                 - {in: 1.in, out: 1.out, points: 1}\n\
                 - {in: 1.in, out: 1.out, points: 2, checker: standard}\n\
                 - {batched: [{in: 1.in, out: 1.out}], points: 4, checker: {name: tells.py}}\n\
                 - {in: 1.in, out: 1.out, points: 8, checker: {name: floats, args: {precision: 1}}}\n\
                 - {in: 1.in, out: 1.out, points: 16, checker: {name: tells.py}}\n",
            ),
            ("1.in", "7\n"),
            ("1.out", "3  2\n"),
            ("tells.py", tells),
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
        let program = bench.write("mine.py", &format!("print('{text}')\n"));
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
                 check.run_on_error = True  # whatever happens\n";
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
    let crash = bench.write("crash.py", "print(1, flush=True)\nraise SystemExit(3)\n");
    let result = judged(&bench, &package, &crash);
    is(&result, "PAC", 4.0);
    assert_eq!(result.cases[0].1, "RTE");
    let fine = bench.write("fine.py", "print(1)\n");
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
    let half = bench.write(
        "half.py",
        "print('1\\n3', flush=True)\nraise SystemExit(3)\n",
    );
    let result = judged(&bench, &package, &half);
    is(&result, "PAC", 4.0);
    assert_eq!(result.cases[0].1, "RTE");
}

/// `symlinks` are file names for the streams.
#[test]
fn symlinks_name_the_streams() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "symlinks: {in_link: /dev/stdin, out_link: /dev/stdout}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 8}]\n",
            ),
            ("1.in", "7\n"),
            ("1.out", "14\n"),
        ],
    );
    for (name, text) in [
        (
            "links.py",
            "open('out_link', 'w').write(str(2 * int(open('in_link').read())))\n",
        ),
        ("plain.py", "print(2 * int(input()))\n"),
    ] {
        let program = bench.write(name, text);
        is(&judged(&bench, &package, &program), "AC", 8.0);
    }
}
