//! `judge export`: the verdicts of submissions are the same before and after.

use crate::common::{Bench, asserted, events};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reads two numbers, and decides by what it prints whether they are the answer's, in any order.
const ICPC_CPP: &str = "#include <cstdlib>\n#include <cstring>\n#include <fstream>\n#include <iostream>\n\
    // int main() { is in main.\n\
    int main(int argc, char **argv) {\n\
    \x20 std::ifstream answer(argv[2]); long a, b, c, d; answer >> a >> b;\n\
    \x20 bool strict = argc > 4 && !std::strcmp(argv[4], \"strict\");\n\
    \x20 if (!(std::cin >> c >> d)) return 43;\n\
    \x20 if (a == c && b == d) std::exit(42);\n\
    \x20 return !strict && a == d && b == c ? 42 : 43;\n}\n";
const ICPC_PY: &str = "import sys\nanswer = open(sys.argv[2]).read().split()\n\
    sys.exit(42 if sorted(sys.stdin.read().split()) == sorted(answer) else 43)\n";
/// testlib's protocol, without its header: half of the points for a number that is near.
const TESTLIB: &str = "#include <cstdio>\n#include <cstdlib>\n#include <fstream>\n\
    int main(int, char **v) {\n  std::ifstream out(v[2]), ans(v[3]); long a, b; ans >> a;\n\
    \x20 if (!(out >> b)) { std::fprintf(stderr, \"wrong output format\"); return 2; }\n\
    \x20 if (std::labs(a - b) == 1) { std::fprintf(stderr, \"partially correct (50) near\"); return 7; }\n\
    \x20 if (a != b) std::exit(1);\n}\n";
/// The same with SIO2's protocol.
const SIO2: &str = "#include <cstdlib>\n#include <fstream>\n#include <iostream>\n\
    int main(int, char **v) {\n  std::ifstream out(v[2]), ans(v[3]); long a, b; ans >> a;\n\
    \x20 bool is_near = out >> b && std::labs(a - b) <= 1;\n\
    \x20 std::cout << (is_near ? \"OK\\nseen\\n\" : \"WRONG\\nfar\\n\") << (a == b ? 100 : 50) << \"\\n\";\n}\n";
/// Sends the number of the input, and wants it plus 1.
const INTERACTOR: &str = "#include <fstream>\n#include <iostream>\nint main(int, char **v) {\n\
    \x20 std::ifstream in(v[1]); long n, reply; in >> n; std::cout << n << std::endl;\n\
    \x20 return std::cin >> reply && reply == n + 1 ? 42 : 43;\n}\n";
/// Gives the output of the first pass, which must be the answer, to the second one, which must double it.
const TWO_PASSES: &str = "#include <fstream>\n#include <iostream>\n#include <string>\nint main(int, char **v) {\n\
    \x20 std::ifstream answer(v[2]); std::string dir = v[3]; long a, b; answer >> a;\n\
    \x20 std::ifstream before(dir + \"/first\"); bool second = before.good();\n\
    \x20 if (!(std::cin >> b) || b != (second ? 2 * a : a)) return 43;\n\
    \x20 if (second) return 42;\n\
    \x20 std::ofstream(dir + \"/first\") << 1; std::ofstream(dir + \"/nextpass.in\") << b << \" \" << b << \"\\n\";\n\
    \x20 return 42;\n}\n";

/// A package, and the formats that express how it is judged.
struct Kind {
    name: &'static str,
    /// The files; the text of `problem.yaml` follows [`YAML`].
    files: &'static [(&'static str, &'static str)],
    /// Programs in Python; if the submission is the output, outputs. The first one is accepted, the last one is
    /// not.
    submissions: &'static [&'static str],
    /// Formats that judge it in different ways. Where two write the same files, one of them is enough.
    targets: &'static [&'static str],
    /// Whether the formats give the same points.
    has_points: bool,
}

const YAML: &str = "problem_format_version: 2025-09\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
    license: cc0\nrights_owner: Jo\nlimits: {time_limit: 1}\n";

const SUM: &str = "print(sum(map(int, input().split())))";

static KINDS: [Kind; 16] = [
    Kind {
        name: "tokens",
        files: &[
            ("problem.yaml", "name: Tokens\n"),
            ("data/sample/1.in", "1 2\n"),
            ("data/sample/1.ans", "1 2\n"),
            ("data/secret/1.in", "3 4\n"),
            ("data/secret/1.ans", "3 4\n"),
        ],
        submissions: &[
            "print(input())",
            "print(*input().split(), sep='\\n\\n')",
            "print(7)",
        ],
        targets: &["icpc-2025-09", "domjudge", "hydro", "luogu", "cms", "oj"],
        has_points: false,
    },
    Kind {
        name: "near",
        files: &[
            ("problem.yaml", "name: Near\n"),
            (
                "data/secret/test_group.yaml",
                "output_validator_args: [float_tolerance, 1e-3, case_sensitive]\n",
            ),
            ("data/secret/1.in", "\n"),
            ("data/secret/1.ans", "1.5 abc\n"),
        ],
        submissions: &[
            "print('1.5004 abc')",
            "print('1.6 abc')",
            "print('1.5 ABC')",
        ],
        targets: &["icpc-legacy", "polygon", "cms", "plain"],
        has_points: false,
    },
    Kind {
        name: "compiled",
        files: &[
            ("problem.yaml", "name: Pairs\n"),
            ("output_validator/validate.cpp", ICPC_CPP),
            ("data/secret/1.in", "3 4\n"),
            ("data/secret/1.ans", "3 4\n"),
        ],
        submissions: &["print(*input().split()[::-1])", "print(9)"],
        targets: &["hydro", "polygon"],
        has_points: false,
    },
    Kind {
        name: "strict",
        files: &[
            ("problem.yaml", "name: Pairs\n"),
            ("output_validator/validate.cpp", ICPC_CPP),
            (
                "data/secret/test_group.yaml",
                "output_validator_args: [strict]\n",
            ),
            ("data/secret/1.in", "3 4\n"),
            ("data/secret/1.ans", "3 4\n"),
        ],
        submissions: &["print(input())", "print(*input().split()[::-1])"],
        targets: &["icpc-legacy", "dmoj", "cms"],
        has_points: false,
    },
    Kind {
        name: "scripted",
        files: &[
            ("problem.yaml", "name: Pairs\n"),
            ("output_validator/validate.py", ICPC_PY),
            ("data/secret/1.in", "3 4\n"),
            ("data/secret/1.ans", "3 4\n"),
        ],
        submissions: &["print(*input().split()[::-1])", "print(9)"],
        targets: &["dmoj", "hydro", "oj"],
        has_points: false,
    },
    Kind {
        name: "interactive",
        files: &[
            ("problem.yaml", "name: Next\ntype: interactive\n"),
            ("output_validator/validate.cpp", INTERACTOR),
            ("data/secret/1.in", "5\n"),
            ("data/secret/1.ans", "\n"),
        ],
        submissions: &["print(int(input()) + 1)", "print(5)"],
        targets: &["icpc-legacy", "polygon", "dmoj", "hydro", "plain"],
        has_points: false,
    },
    Kind {
        name: "twice",
        files: &[
            ("problem.yaml", "name: Twice\ntype: multi-pass\n"),
            ("output_validator/validate.cpp", TWO_PASSES),
            ("data/secret/1.in", "5\n"),
            ("data/secret/1.ans", "5\n"),
        ],
        submissions: &[SUM, "print(input())", "print(1)"],
        targets: &["icpc-2025-09", "icpc-legacy", "hydro"],
        has_points: false,
    },
    Kind {
        name: "answers",
        files: &[
            ("problem.yaml", "name: Answers\ntype: submit-answer\n"),
            ("data/secret/1.in", "5\n"),
            ("data/secret/1.ans", "7 8\n"),
        ],
        submissions: &["7\n8\n", "7 9\n"],
        targets: &["icpc-2025-09", "hydro", "cms"],
        has_points: false,
    },
    Kind {
        name: "points",
        files: &[
            ("problem.yaml", "name: Points\ntype: scoring\n"),
            ("data/secret/test_group.yaml", "max_score: 100\n"),
            (
                "data/secret/a/test_group.yaml",
                "max_score: 40\nscore_aggregation: min\n",
            ),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 60\nscore_aggregation: sum\n",
            ),
            ("data/secret/a/1.in", "1 2\n"),
            ("data/secret/a/1.ans", "3\n"),
            ("data/secret/a/2.in", "0 2\n"),
            ("data/secret/a/2.ans", "2\n"),
            ("data/secret/b/1.in", "5 7\n"),
            ("data/secret/b/1.ans", "12\n"),
            ("data/secret/b/2.in", "50 7\n"),
            ("data/secret/b/2.ans", "57\n"),
        ],
        submissions: &[
            SUM,
            "print(3)",
            "a, b = map(int, input().split())\nprint(a + b if a < 10 else 0)",
            "a, b = map(int, input().split())\nprint(a + b if a != 1 else 0)",
        ],
        targets: &[
            "icpc-2025-09",
            "icpc-legacy",
            "polygon",
            "dmoj",
            "hydro",
            "luogu",
            "cms",
        ],
        has_points: true,
    },
    Kind {
        name: "partial",
        files: &[
            (
                "config.yaml",
                "checker_type: testlib\nchecker: c.cpp\ntime: 1s\nmemory: 256m\nsubtasks:\n\
                 - {id: 1, score: 40, type: sum, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}\n\
                 - {id: 2, score: 60, if: [1], cases: [{input: 3.in, output: 3.out}]}\n",
            ),
            ("c.cpp", TESTLIB),
            ("1.in", "1 2"),
            ("1.out", "3"),
            ("2.in", "2 2"),
            ("2.out", "4"),
            ("3.in", "9 9"),
            ("3.out", "18"),
        ],
        submissions: &[SUM, "print(3)", "print()"],
        targets: &["hydro", "polygon", "dmoj"],
        has_points: true,
    },
    Kind {
        name: "shares",
        files: &[
            (
                "config.yml",
                "sinol_task_id: sum\ntime_limit: 1000\nmemory_limit: 262144\nscores: {1: 40, 2: 60}\n",
            ),
            ("prog/sumchk.cpp", SIO2),
            ("in/sum1a.in", "1 2\n"),
            ("out/sum1a.out", "3\n"),
            ("in/sum2a.in", "4 5\n"),
            ("out/sum2a.out", "9\n"),
        ],
        submissions: &[
            SUM,
            "a, b = map(int, input().split())\nprint(a + b + (a == 4))",
            "print()",
        ],
        targets: &["icpc-2025-09", "cms"],
        has_points: true,
    },
    Kind {
        name: "twofold",
        files: &[
            (
                "problem.xml",
                "<problem short-name=\"two\"><names><name language=\"english\" value=\"Two\"/></names><judging>\
                 <testset name=\"tests\"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit>\
                 <test-count>1</test-count><input-path-pattern>tests/%02d</input-path-pattern>\
                 <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test/></tests></testset></judging>\
                 <assets><checker type=\"testlib\"><source path=\"files/check.cpp\" type=\"cpp.g++17\"/></checker>\
                 <interactor><source path=\"files/interactor.cpp\" type=\"cpp.g++17\"/></interactor></assets></problem>\n",
            ),
            // It writes the reply to a file, which the checker reads.
            (
                "files/interactor.cpp",
                "#include <fstream>\n#include <iostream>\n#define N 2\nusing namespace std;\nlong reply[N];\n\
                 int main(int, char **v) {\n  ifstream in(v[1]); ofstream out(v[2]); in >> reply[0];\n\
                 \x20 cout << reply[0] << endl; cin >> reply[1]; out << reply[1] << endl;\n}\n",
            ),
            (
                "files/check.cpp",
                "#include <fstream>\n#define N 3\nlong reply[N];\nint main(int argc, char *argv[]) {\n\
                 \x20 std::ifstream in(argv[1]), out(argv[2]); in >> reply[0]; out >> reply[2];\n\
                 \x20 return reply[2] == 2 * reply[0] ? 0 : 1;\n}\n",
            ),
            ("tests/01", "21\n"),
            ("tests/01.a", "\n"),
        ],
        submissions: &["print(2 * int(input()))", "print(21)"],
        targets: &["polygon", "icpc-2025-09", "dmoj", "hydro"],
        has_points: false,
    },
    Kind {
        name: "lines",
        files: &[
            (
                "config.yml",
                "1.in: {timeLimit: 1000, memoryLimit: 131072}\n",
            ),
            ("1.in", "1\n"),
            ("1.ans", "a  b\nc\n"),
        ],
        submissions: &[
            "print('a  b \\nc\\n\\n')",
            "print('a b\\nc')",
            "print('a  b\\n\\nc')",
        ],
        targets: &["icpc-2025-09", "hydro", "luogu", "cms"],
        has_points: false,
    },
    Kind {
        name: "sorted",
        files: &[
            (
                "init.yml",
                "time_limit: 1\nmemory_limit: 262144\nchecker: {name: sorted, args: {split_on: whitespace}}\n\
                 test_cases:\n- {in: 1.in, out: 1.out, points: 3}\n- {points: 7, batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]}\n",
            ),
            ("1.in", "1 2\n"),
            ("1.out", "1 2\n"),
            ("2.in", "5 4\n"),
            ("2.out", "5 4\n"),
        ],
        submissions: &[
            "print(*input().split()[::-1])",
            "print('1\\n2')",
            "print(1)",
        ],
        targets: &["dmoj", "icpc-2025-09", "hydro", "cms"],
        has_points: true,
    },
    Kind {
        name: "files",
        files: &[
            (
                "init.yml",
                "time_limit: 1\nmemory_limit: 262144\nfile_io: {input: sum.in, output: sum.out}\n\
                 test_cases: [{in: 1.in, out: 1.out, points: 100}]\n",
            ),
            ("1.in", "1 2\n"),
            ("1.out", "3\n"),
        ],
        submissions: &[
            "print(sum(map(int, open('sum.in').read().split())), file=open('sum.out', 'w'))",
            "print(4, file=open('sum.out', 'w'))",
        ],
        targets: &["dmoj", "hydro", "polygon", "cms", "plain"],
        has_points: false,
    },
    Kind {
        name: "whole",
        files: &[
            (
                "config.yaml",
                "type: submit_answer\ncases: [{input: 1.in, output: 1.out}]\n",
            ),
            ("1.in", "1\n"),
            ("1.out", "5\n"),
        ],
        submissions: &["5", "6"],
        targets: &["hydro", "icpc-2025-09", "cms"],
        has_points: true,
    },
];

impl Kind {
    /// Writes the package; returns it and its submissions.
    fn write(&self, bench: &Bench) -> (PathBuf, Vec<PathBuf>) {
        for (name, text) in self.files {
            let text = match *name {
                "problem.yaml" => format!("{YAML}{text}"),
                _ => (*text).to_owned(),
            };
            bench.write(&format!("{}/{name}", self.name), &text);
        }
        let is_output = ["answers", "whole"].contains(&self.name);
        let write = |(k, text): (usize, &&str)| {
            let name = match is_output {
                // The name that CMS wants.
                true => format!("{}-{k}/output_000.txt", self.name),
                false => format!("{}-{k}.py", self.name),
            };
            bench.write(&name, text)
        };
        let submissions = self.submissions.iter().enumerate().map(write);
        (bench.path(self.name), submissions.collect())
    }

    /// Compares the results of the package with those of its exports.
    fn check(&self, bench: &Bench) {
        let (package, submissions) = self.write(bench);
        let before = results(bench, &package, &submissions);
        assert!(
            before[0].0 == "AC" && before[before.len() - 1].0 != "AC",
            "{}: {before:?}",
            self.name
        );
        for target in self.targets {
            let to = bench.path(&format!("{}-{target}", self.name));
            let to_name = to.to_str().expect("UTF-8");
            let args = ["export", self.name, "--to", target, "-o", to_name];
            let output = asserted(bench, &args).success().get_output().clone();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let mut after = results(bench, &to, &submissions);
            for (before, after) in before.iter().zip(&mut after) {
                match self.has_points {
                    // Some formats accept a submission that has some of the points.
                    true => after.0.clone_from(&before.0),
                    // The format may have no problems without points, or the other way round.
                    false => after.1 = before.1,
                }
            }
            assert_eq!(after, before, "{} as {target}: {said}", self.name);
        }
    }
}

/// The verdicts and points of these submissions. A wrong answer in form only, and one with some of the points,
/// is a wrong answer: not every format distinguishes them.
fn results(bench: &Bench, package: &Path, submissions: &[PathBuf]) -> Vec<(String, Option<f64>)> {
    let mut args = vec![
        "run".to_owned(),
        package.display().to_string(),
        "--format".to_owned(),
        "json".to_owned(),
    ];
    for submission in submissions {
        args.extend(["-s".to_owned(), submission.display().to_string()]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = asserted(bench, &args).get_output().clone();
    let finished: Vec<Value> = events(&output.stdout)
        .into_iter()
        .filter(|event| event["event"] == "submission_finished")
        .collect();
    assert_eq!(
        finished.len(),
        submissions.len(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let result = |event: Value| {
        let verdict = event["verdict"].as_str().unwrap_or_default();
        assert!(
            !["JE", "CE"].contains(&verdict),
            "{}: {event}",
            package.display()
        );
        let verdict = match verdict {
            "PE" | "PAC" => "WA",
            verdict => verdict,
        };
        (verdict.to_owned(), event["score"].as_f64())
    };
    finished.into_iter().map(result).collect()
}

// It judges about seventy packages, and compiles most of their checkers.
#[test]
#[ignore = "long: `make test-long` runs it"]
fn verdicts_are_the_same_in_every_format() {
    let bench = Bench::new();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(kind) = KINDS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    kind.check(&bench);
                }
            });
        }
    });
}

#[test]
fn what_is_lost_is_listed_and_refused_by_strict() {
    let bench = Bench::new();
    let package = bench.sums("time_limit: 1");
    bench.write("sums/submissions/accepted/a.py", SUM);
    let to = bench.path("out.zip");
    let args = [
        "export",
        "sums",
        "--to",
        "luogu",
        "-o",
        to.to_str().unwrap(),
        "--strict",
    ];
    let failed = asserted(&bench, &args).code(2);
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(
        said.contains("left out: the licence\nleft out: 1 submission\n"),
        "{said}"
    );
    assert!(
        said.contains("not written: luogu cannot express 2 parts\n"),
        "{said}"
    );
    assert!(!to.exists());
    asserted(&bench, &args[..6]).success();
    assert!(to.is_file());
    // A format that has everything.
    let to = bench.path("again");
    let args = [
        "export",
        "sums",
        "--to",
        "icpc-2025-09",
        "-o",
        to.to_str().unwrap(),
        "--strict",
    ];
    let done = asserted(&bench, &args).success();
    assert!(done.get_output().stderr.is_empty());
    // It is not replaced.
    let failed = asserted(&bench, &args).code(2);
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(said.contains("again: exists and has files in it"), "{said}");
    let args = ["export", "sums", "--to", "hidro", "-o", "x"];
    let failed = asserted(&bench, &args).code(2);
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(said.contains("did you mean `hydro`?"), "{said}");
    let help = asserted(&bench, &["export", "-h"]).success();
    let said = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
    assert!(said.contains("icpc-2025-09, icpc-legacy"), "{said}");
    assert!(package.is_dir());
}

#[test]
fn an_exported_input_validator_meets_the_options_of_testlib() {
    let bench = Bench::new();
    bench.sums("time_limit: 1");
    bench.write("sums/submissions/accepted/a.py", SUM);
    let python = "import sys\nassert len(sys.argv) == 1\nsys.exit(42 if len(sys.stdin.read().split()) == 2 else 43)\n";
    bench.write("sums/input_validators/python.py", python);
    let cpp = "#include <cstdio>\nint main(int argc, char **) {\n  int a, b;\n\
               \x20 return argc == 1 && std::scanf(\"%d%d\", &a, &b) == 2 ? 42 : 43;\n}\n";
    bench.write("sums/input_validators/compiled.cpp", cpp);
    let to = bench.path("polygon");
    let args = [
        "export",
        "sums",
        "--to",
        "polygon",
        "-o",
        to.to_str().unwrap(),
    ];
    asserted(&bench, &args).success();
    let done = asserted(&bench, &["verify", "polygon", "--quick"])
        .get_output()
        .clone();
    let said =
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("all as expected"), "{said}");
}
