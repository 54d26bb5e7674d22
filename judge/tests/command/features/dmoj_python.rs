//! DMOJ: checkers and graders in Python.

use super::{is, judged};
use crate::common::Bench;
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn a_checker_in_python() {
    let bench = Bench::new();
    let package = bench.write_all("p",
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
    let right = bench.write("right.sh", "cat\n");
    is(&judged(&bench, &package, &right), "AC", 100.0);
    let little = bench.write("little.sh", "echo 5\n");
    is(&judged(&bench, &package, &little), "AC", 65.0);
    let much = bench.write("much.sh", "echo 10\n");
    is(&judged(&bench, &package, &much), "WA", 0.0);
    // A failure of the checker is not the submission's fault.
    let words = bench.write("words.sh", "echo x\n");
    assert_eq!(judged(&bench, &package, &words).verdict, "JE");
}

/// The message names the lines of the package, not the runner's, and no protocol that the author does
/// not use.
#[test]
fn an_exception_of_a_checker_in_python_is_reported_with_its_line() {
    let bench = Bench::new();
    let program = bench.write("mine.sh", "echo x\n");
    for (check, message) in [
        (
            "def check(*args, **kwargs):\n    return 1 / 0\n",
            "the checker failed: check.py, line 2, in check: ZeroDivisionError: division by zero",
        ),
        (
            "import dmoj.nothing\n",
            "the checker failed: check.py, line 1, in <module>: ModuleNotFoundError: ",
        ),
        (
            "def check(*args, **kwargs):\n    raise SystemExit(7)\n",
            "the checker exited with code 7, without a result",
        ),
    ] {
        let package = bench.write_all(
            "p",
            &[
                (
                    "init.yml",
                    "checker: check.py\ntest_cases: [{in: 1.in, out: 1.in, points: 1}]\n",
                ),
                ("1.in", "x\n"),
                ("check.py", check),
            ],
        );
        crate::common::run(&bench, &package, &program)
            .assert()
            .code(2)
            .stdout(contains(message).and(contains("Traceback").not()));
    }
}

/// Many checkers examine one aspect themselves and call DMOJ's standard checker for the rest.
#[test]
fn a_checker_in_python_may_call_the_standard_one() {
    let bench = Bench::new();
    let check = "from dmoj.checkers.standard import check as standard\n\n\n\
                 def check(process_output, judge_output, **kwargs):\n\
                 \x20   return standard(process_output, judge_output, **kwargs)\n";
    let package = bench.write_all(
        "p",
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
        let program = bench.write("mine.sh", &format!("printf '{text}\\n'\n"));
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
    let package = bench.write_all(
        "p",
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
    // The problem is `unbuffered`: flushing is not necessary.
    let lazy = bench.write("lazy.py", &halving.replace(", flush=True", ""));
    is(&judged(&bench, &package, &lazy), "AC", 100.0);
    for (said, complaint) in [
        ("0", "expected int in range [1, 1024], got 0"),
        ("'words'", "expected int, got \"words\""),
        ("'many words'", "expected int, got \"many\""),
        ("'sentences'", "expected int, got \"sente...\""),
    ] {
        let wrong = bench.write("wrong.sh", &format!("echo {said}\nread answer\n"));
        let result = judged(&bench, &package, &wrong);
        assert_eq!(
            (result.verdict.as_str(), result.cases[0].2.as_str()),
            ("WA", complaint)
        );
    }
    let mute = bench.write("mute.sh", ":\n");
    assert_eq!(judged(&bench, &package, &mute).verdict, "WA");
}

/// A checker receives the run, the source and the case's own keys besides the output, and may give
/// points for a wrong output.
#[test]
fn a_checker_in_python_knows_the_run_and_the_source() {
    let bench = Bench::new();
    let check = "from dmoj.result import CheckerResult\n\n\n\
        def check(process_output, judge_output, submission_source, execution_time, case_position,\n\
        \x20         batch, case, result, point_value, **kwargs):\n\
        \x20   assert 0 < execution_time == result.execution_time and result.max_memory > 100\n\
        \x20   assert (case_position, batch) == tuple(case.config.place), (case_position, batch)\n\
        \x20   assert case.config.wall_time_factor == 3 and case.config.kind == 'golf'\n\
        \x20   if b'import' in submission_source:\n\
        \x20       return CheckerResult(False, point_value / 4, 'no imports')\n\
        \x20   return len(submission_source) < 20\n";
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "checker: check.py\nkind: golf\ntest_cases:\n\
                 - {batched: [{place: [0, 1]}], points: 4}\n- {points: 8, place: [1, 0]}\n",
            ),
            ("check.py", check),
        ],
    );
    let short = bench.write("short.py", "print(1)\n");
    is(&judged(&bench, &package, &short), "AC", 12.0);
    let long = bench.write("long.py", "print(1 + 1 + 1 + 1 + 1)\n");
    is(&judged(&bench, &package, &long), "WA", 0.0);
    let imports = bench.write("imports.py", "import os\n");
    let result = judged(&bench, &package, &imports);
    is(&result, "PAC", 3.0);
    assert!(
        result
            .cases
            .iter()
            .all(|case| case.1 == "WA" && case.2 == "no imports")
    );
}

/// Graders that start the submission themselves receive the one that the judge has started.
#[test]
fn graders_that_run_the_submission() {
    let bench = Bench::new();
    let grade = "import subprocess\n\n\
        from dmoj.graders.standard import StandardGrader\nfrom dmoj.result import Result\n\n\n\
        class Grader(StandardGrader):\n\
        \x20   def grade(self, case):\n\
        \x20       result = Result(case)\n\
        \x20       self._current_proc = self.binary.launch(\n\
        \x20           time=self.problem.time_limit, memory=self.problem.memory_limit,\n\
        \x20           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,\n\
        \x20           wall_time=case.config.wall_time_factor * self.problem.time_limit)\n\
        \x20       output, error = self._current_proc.communicate(b'echo\\n')\n\
        \x20       self.binary.populate_result(error, result, self._current_proc)\n\
        \x20       if output == b'echo\\n':\n\
        \x20           result.points = case.points\n\
        \x20       else:\n\
        \x20           result.result_flag |= Result.WA\n\
        \x20           result.feedback = 'no echo'\n\
        \x20       return result\n";
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "custom_judge: grader.py\ntest_cases: [{in: 1.in, points: 10}]\n",
            ),
            ("1.in", "3\n"),
            ("grader.py", grade),
        ],
    );
    let echo = bench.write("echo.sh", "read word\necho $word\n");
    is(&judged(&bench, &package, &echo), "AC", 10.0);
    let other = bench.write("other.sh", "echo 3\n");
    let result = judged(&bench, &package, &other);
    is(&result, "WA", 0.0);
    assert_eq!(result.cases[0].2, "no echo");
    let crash = bench.write("crash.sh", "read word\necho $word\nexit 1\n");
    is(&judged(&bench, &package, &crash), "RTE", 0.0);

    // Only the output is judged; the input comes from the case.
    let checks = "from dmoj.graders import StandardGrader\n\
        from dmoj.result import CheckerResult\n\n\n\
        class Grader(StandardGrader):\n\
        \x20   def check_result(self, case, result):\n\
        \x20       assert result.output == result.proc_output.decode()\n\
        \x20       wanted = int(case.input_data()) + len(self.source)\n\
        \x20       return CheckerResult(int(result.output) == wanted, case.points, 'sum')\n";
    bench.write("p/grader.py", checks);
    let sum = bench.write("sum.py", "print(int(input()) + 25)\n");
    is(&judged(&bench, &package, &sum), "AC", 10.0);
    let result = judged(&bench, &package, &other);
    is(&result, "PAC", 10.0);
    assert_eq!(
        (result.cases[0].1.as_str(), result.cases[0].2.as_str()),
        ("WA", "sum")
    );

    // There is one run for each case.
    let twice = grade.replace(
        "        result = Result",
        "        self.binary.launch()\n        result = Result",
    );
    bench.write("p/grader.py", &twice);
    let result = judged(&bench, &package, &echo);
    assert_eq!(result.verdict, "JE");
    assert!(
        result.cases[0].2.contains("starts the submission twice"),
        "{}",
        result.cases[0].2
    );
}
