//! DMOJ: checkers and graders in Python, bridged programs, generators, signatures, files.

use super::{Told, judged};
use crate::common::{Bench, judge};
use predicates::str::contains;
use std::path::PathBuf;

/// A package in `p/`.
fn package(bench: &Bench, files: &[(&str, &str)]) -> PathBuf {
    for (name, text) in files {
        bench.write(&format!("p/{name}"), text);
    }
    bench.path("p")
}

fn is(told: &Told, verdict: &str, score: f64) {
    let found = (told.verdict.as_str(), told.score);
    assert_eq!(
        found,
        (verdict, Some(score)),
        "{:?} {}",
        told.cases,
        told.said
    );
}

#[test]
fn a_checker_in_python() {
    let bench = Bench::new();
    let package = package(
        &bench,
        &[
            (
                "init.yml",
                "checker: {name: check.py, args: {most: 9}}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 30}, {in: 2.in, out: 1.out, points: 70}]\n",
            ),
            ("1.in", "4\n"),
            ("2.in", "8\n"),
            ("1.out", "the answer\n"),
            (
                "check.py",
                "from dmoj.result import CheckerResult\n\
                 from dmoj.utils.unicode import utf8text\n\n\n\
                 def check(process_output, judge_output, judge_input, point_value, most, **kwargs):\n\
                 \x20   assert judge_output == b'the answer\\n'\n\
                 \x20   n = int(utf8text(process_output))\n\
                 \x20   if n > most:\n\
                 \x20       return False\n\
                 \x20   if n < int(judge_input):\n\
                 \x20       return CheckerResult(True, point_value / 2, 'too little')\n\
                 \x20   return True\n",
            ),
        ],
    );
    let right = bench.write("right.py", "print(input())\n");
    is(&judged(&bench, &package, &right), "AC", 100.0);
    let little = bench.write("little.py", "print(5)\n");
    is(&judged(&bench, &package, &little), "AC", 65.0);
    let much = bench.write("much.py", "print(10)\n");
    is(&judged(&bench, &package, &much), "WA", 0.0);
    // The checker's own failure is no fault of the submission.
    let words = bench.write("words.py", "print('x')\n");
    assert_eq!(judged(&bench, &package, &words).verdict, "JE");
}

/// Many checkers look at one thing themselves and leave the rest to DMOJ's own.
#[test]
fn a_checker_in_python_may_ask_the_standard_one() {
    let bench = Bench::new();
    let check = "from dmoj.checkers.standard import check as standard\n\n\n\
                 def check(process_output, judge_output, **kwargs):\n\
                 \x20   return standard(process_output, judge_output, **kwargs)\n";
    let package = package(
        &bench,
        &[
            (
                "init.yml",
                "checker: check.py\ntest_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
            ),
            ("1.in", "4\n"),
            ("1.out", "a b\nc\n"),
            ("check.py", check),
        ],
    );
    for (text, verdict) in [("a  b\\n\\nc", "AC"), ("a b c", "WA"), ("a b\\nd", "WA")] {
        let program = bench.write("mine.py", &format!("print('{text}')\n"));
        assert_eq!(
            judged(&bench, &package, &program).verdict,
            verdict,
            "{text}"
        );
    }
}

#[test]
fn a_grader_in_python_talks_to_the_submission() {
    let bench = Bench::new();
    let package = package(
        &bench,
        &[
            (
                "init.yml",
                "custom_judge: guess.py\nunbuffered: true\n\
                 test_cases: [{in: 1.in, points: 50}, {in: 2.in, points: 50}]\n",
            ),
            ("1.in", "17\n"),
            ("2.in", "1000\n"),
            (
                "guess.py",
                "from dmoj.graders.interactive import InteractiveGrader\n\n\n\
                 class Grader(InteractiveGrader):\n\
                 \x20   def interact(self, case, interactor):\n\
                 \x20       n = int(case.input_data())\n\
                 \x20       for _ in range(12):\n\
                 \x20           guess = interactor.readint(1, 1024)\n\
                 \x20           if guess == n:\n\
                 \x20               interactor.writeln('OK')\n\
                 \x20               return True\n\
                 \x20           interactor.writeln('HIGH' if guess > n else 'LOW')\n\
                 \x20       return False\n",
            ),
        ],
    );
    let halving = "lo, hi = 1, 1024\nwhile True:\n    mid = (lo + hi) // 2\n    \
                   print(mid, flush=True)\n    said = input()\n    if said == 'OK':\n        break\n    \
                   if said == 'LOW':\n        lo = mid + 1\n    else:\n        hi = mid - 1\n";
    let right = bench.write("right.py", halving);
    is(&judged(&bench, &package, &right), "AC", 100.0);
    // It is `unbuffered`: nobody has to flush.
    let lazy = bench.write("lazy.py", &halving.replace(", flush=True", ""));
    is(&judged(&bench, &package, &lazy), "AC", 100.0);
    let outside = bench.write("outside.py", "print(0, flush=True)\ninput()\n");
    assert_eq!(judged(&bench, &package, &outside).verdict, "WA");
    let mute = bench.write("mute.py", "pass\n");
    assert_eq!(judged(&bench, &package, &mute).verdict, "WA");
}

#[test]
fn bridged_programs() {
    let bench = Bench::new();
    let package = package(
        &bench,
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

    // Words among the files, and keys that DMOJ hands on to a checker that does not ask for them.
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
fn cases_are_made_by_a_generator() {
    let bench = Bench::new();
    let package = package(
        &bench,
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
    // A generator that fails says so.
    bench.write("p/gen.py", "raise SystemExit('no such seed')\n");
    judge(&bench)
        .arg("run")
        .arg(&package)
        .arg("-s")
        .arg(&right)
        .assert()
        .code(2)
        .stderr(contains("no such seed"));
}

#[test]
fn a_submission_that_is_a_function_or_uses_files() {
    let bench = Bench::new();
    let package = package(
        &bench,
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
    let told = judged(&bench, &package, &other);
    assert_eq!(told.verdict, "CE", "{}", told.said);

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
fn a_case_without_points_guards_those_behind_it() {
    let bench = Bench::new();
    let package = package(
        &bench,
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
