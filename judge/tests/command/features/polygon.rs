//! Packages of Polygon: generated tests, groups, validators, interactors followed by a checker.

use super::judged;
use crate::common::{Bench, judge, verify_quickly};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// A configuration with these tests and assets.
fn problem(tests: &str, assets: &str) -> String {
    format!(
        "<problem short-name=\"sum\"><judging input-file=\"\" output-file=\"\"><testset name=\"tests\">\
         <time-limit>5000</time-limit><memory-limit>268435456</memory-limit>\
         <input-path-pattern>tests/%02d</input-path-pattern>\
         <answer-path-pattern>tests/%02d.a</answer-path-pattern>{tests}</testset></judging>\
         <files><executables><executable><source path=\"files/gen.py\" type=\"python.3\"/></executable>\
         </executables></files><assets><checker><source path=\"files/check.py\"/></checker>{assets}\
         </assets></problem>"
    )
}

/// A checker that compares two files as `testlib`'s checkers are called.
const CHECKER: &str = "import sys\n_, output, answer = sys.argv[1:4]\n\
    sys.exit(0 if open(output).read().split() == open(answer).read().split() else 1)\n";

const TESTS: &str = "<tests><test sample=\"true\" group=\"0\" points=\"0\"/>\
    <test cmd=\"gen 3\" method=\"generated\" group=\"1\" points=\"60\"/>\
    <test cmd=\"gen 4\" method=\"generated\" group=\"1\" points=\"0\"/>\
    <test cmd=\"gen 5\" method=\"generated\" group=\"2\" points=\"40\"/></tests>\
    <groups><group name=\"0\" points-policy=\"each-test\"/>\
    <group name=\"1\" points-policy=\"complete-group\" points=\"60\"/>\
    <group name=\"2\" points-policy=\"each-test\"/></groups>";

const SOLUTIONS: &str = "<validators><validator><source path=\"files/val.py\"/></validator></validators>\
    <solutions><solution tag=\"main\"><source path=\"solutions/main.py\"/></solution>\
    <solution tag=\"rejected\"><source path=\"solutions/four.py\"/></solution>\
    <solution tag=\"time-limit-exceeded-or-accepted\"><source path=\"solutions/main.py\"/></solution>\
    </solutions>";

#[test]
fn a_package_without_its_generated_tests() {
    let bench = Bench::new();
    let xml = problem(TESTS, SOLUTIONS);
    let validator = "import sys\nassert sys.argv[1:4] == ['--testset', 'tests', '--group']\n\
        assert sys.stdin.read().endswith(' 1\\n') and sys.argv[4] in '012'\n";
    bench.write_all(
        "sum",
        &[
            ("problem.xml", &*xml),
            ("files/gen.py", "import sys\nprint(sys.argv[1], 1)\n"),
            ("files/check.py", CHECKER),
            ("files/val.py", validator),
            (
                "solutions/main.py",
                "print(sum(map(int, input().split())))\n",
            ),
            (
                "solutions/four.py",
                "a, b = map(int, input().split())\nprint(a + b + (a == 4))\n",
            ),
            // Written by hand on Windows.
            ("tests/01", "1 1\r\n"),
        ],
    );
    let package = bench.path("sum");
    verify_quickly(&bench, &package)
        .assert()
        .success()
        .stdout(contains("all as expected: 3 submissions"));
    let result = judged(&bench, &package, &package.join("solutions/four.py"));
    assert_eq!(
        result.verdicts(),
        [
            ("0/01", "AC"),
            ("1/02", "AC"),
            ("1/03", "WA"),
            ("2/04", "AC")
        ],
        "{}",
        result.said
    );
    // A test of a complete group that fails costs the points of all of its tests.
    assert_eq!(result.score, Some(40.0));
    assert!(!package.join("tests/02").exists());
    // Without `-s`, the main solution and others that must be accepted are judged.
    judge(&bench)
        .args(["run", "sum"])
        .assert()
        .success()
        .stdout(contains("accepted/main.py").and(contains("100 points")));
    // The validator refuses generated tests by their names.
    bench.write("sum/files/gen.py", "import sys\nprint(sys.argv[1], 2)\n");
    verify_quickly(&bench, &package)
        .assert()
        .failure()
        .stdout(contains("sum: 1/02: the input is refused"));
}

#[test]
fn the_checker_reads_what_the_interactor_wrote() {
    let bench = Bench::new();
    let interactor = "<interactor><source path=\"files/interactor.py\"/></interactor>";
    let xml = problem("<tests><test/></tests>", interactor);
    // It accepts every number and leaves the decision to the checker.
    let talk = "import sys\nprint(open(sys.argv[1]).read(), flush=True)\n\
        print(input(), file=open(sys.argv[2], 'w'))\n";
    bench.write_all(
        "guess",
        &[
            ("problem.xml", &*xml),
            ("files/gen.py", ""),
            ("files/check.py", CHECKER),
            ("files/interactor.py", talk),
            ("tests/01", "20\n"),
            ("tests/01.a", "21\n"),
        ],
    );
    for (program, verdict) in [
        ("print(int(input()) + 1)\n", "AC"),
        ("print(int(input()))\n", "WA"),
    ] {
        let program = bench.write("program.py", program);
        let result = judged(&bench, &bench.path("guess"), &program);
        assert_eq!(result.verdicts(), [("01", verdict)], "{}", result.said);
    }
    // An interactor that writes nothing leaves an empty file.
    bench.write(
        "guess/files/interactor.py",
        "import sys\nprint(1, flush=True)\ninput()\n",
    );
    let program = bench.write("program.py", "print(int(input()) + 1)\n");
    let result = judged(&bench, &bench.path("guess"), &program);
    assert_eq!(result.verdicts(), [("01", "WA")], "{}", result.said);
}
