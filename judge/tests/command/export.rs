//! `judge export`: the verdicts of submissions are the same before and after.

use crate::common::{Bench, asserted, events};
use serde_json::Value;
use std::path::{Path, PathBuf};

const YAML: &str = "problem_format_version: 2025-09\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n\
    license: cc0\nrights_owner: Jo\n";

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
/// Sends the number of the input, and wants it plus 1.
const INTERACTOR: &str = "#include <fstream>\n#include <iostream>\nint main(int, char **v) {\n\
    \x20 std::ifstream in(v[1]); long n, reply; in >> n; std::cout << n << std::endl;\n\
    \x20 return std::cin >> reply && reply == n + 1 ? 42 : 43;\n}\n";

/// A package, and the formats that express how it is judged.
struct Kind {
    name: &'static str,
    files: Vec<(&'static str, String)>,
    /// Programs in Python.
    submissions: &'static [&'static str],
    targets: &'static [&'static str],
}

const SUM: &str = "print(sum(map(int, input().split())))";

fn kinds() -> Vec<Kind> {
    let own = |text: &str| text.to_owned();
    let data = |files: &mut Vec<(&'static str, String)>, cases: &[(&'static str, &'static str)]| {
        for (name, text) in cases {
            files.push((name, own(text)));
        }
    };
    let pairs: [(&str, &str); 4] = [
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "1 2\n"),
        ("data/secret/1.in", "3 4\n"),
        ("data/secret/1.ans", "3 4\n"),
    ];
    let mut kinds = Vec::new();
    let every = &[
        "icpc-2025-09",
        "icpc-legacy",
        "domjudge",
        "polygon",
        "dmoj",
        "hydro",
        "luogu",
        "cms",
        "oj",
        "plain",
    ];

    let mut tokens = vec![(
        "problem.yaml",
        format!("{YAML}name: Tokens\nlimits: {{time_limit: 1}}\n"),
    )];
    data(&mut tokens, &pairs);
    kinds.push(Kind {
        name: "tokens",
        files: tokens,
        submissions: &[
            "print(input())",
            "print(*input().split(), sep='\\n\\n')",
            "print(7)",
        ],
        targets: every,
    });

    let mut near = vec![
        (
            "problem.yaml",
            format!("{YAML}name: Near\nlimits: {{time_limit: 1}}\n"),
        ),
        (
            "data/secret/test_group.yaml",
            own("output_validator_args: [float_tolerance, 1e-3, case_sensitive]\n"),
        ),
    ];
    data(
        &mut near,
        &[
            ("data/secret/1.in", "\n"),
            ("data/secret/1.ans", "1.5 abc\n"),
        ],
    );
    kinds.push(Kind {
        name: "near",
        files: near,
        submissions: &[
            "print('1.5004 abc')",
            "print('1.6 abc')",
            "print('1.5 ABC')",
        ],
        targets: every,
    });

    for (name, validator, source) in [
        ("compiled", "output_validator/validate.cpp", ICPC_CPP),
        ("strict", "output_validator/validate.cpp", ICPC_CPP),
        ("scripted", "output_validator/validate.py", ICPC_PY),
    ] {
        let mut files = vec![
            (
                "problem.yaml",
                format!("{YAML}name: Pairs\nlimits: {{time_limit: 1}}\n"),
            ),
            (validator, own(source)),
        ];
        data(&mut files, &pairs);
        if name == "strict" {
            let args = own("output_validator_args: [strict]\n");
            files.push(("data/sample/test_group.yaml", args.clone()));
            files.push(("data/secret/test_group.yaml", args));
        }
        kinds.push(Kind {
            name,
            files,
            submissions: &[
                "print(input())",
                "print(*input().split()[::-1])",
                "print(9)",
            ],
            targets: match name {
                // They take no checker in Python.
                "scripted" => &["icpc-legacy", "polygon", "dmoj", "hydro", "oj", "plain"],
                _ => every,
            },
        });
    }

    let mut interactive = vec![
        (
            "problem.yaml",
            format!("{YAML}name: Next\ntype: interactive\nlimits: {{time_limit: 1}}\n"),
        ),
        ("output_validator/validate.cpp", own(INTERACTOR)),
    ];
    data(
        &mut interactive,
        &[("data/secret/1.in", "5\n"), ("data/secret/1.ans", "\n")],
    );
    kinds.push(Kind {
        name: "interactive",
        files: interactive,
        submissions: &["print(int(input()) + 1)", "print(5)"],
        targets: &[
            "icpc-2025-09",
            "icpc-legacy",
            "domjudge",
            "polygon",
            "dmoj",
            "hydro",
            "plain",
        ],
    });

    let mut scoring = vec![
        (
            "problem.yaml",
            format!("{YAML}name: Points\ntype: scoring\nlimits: {{time_limit: 1}}\n"),
        ),
        ("data/secret/test_group.yaml", own("max_score: 100\n")),
        (
            "data/secret/a/test_group.yaml",
            own("max_score: 40\nscore_aggregation: min\n"),
        ),
        (
            "data/secret/b/test_group.yaml",
            own("max_score: 60\nscore_aggregation: sum\n"),
        ),
    ];
    data(
        &mut scoring,
        &[
            ("data/secret/a/1.in", "1 2\n"),
            ("data/secret/a/1.ans", "3\n"),
            ("data/secret/a/2.in", "0 2\n"),
            ("data/secret/a/2.ans", "2\n"),
            ("data/secret/b/1.in", "5 7\n"),
            ("data/secret/b/1.ans", "12\n"),
            ("data/secret/b/2.in", "50 7\n"),
            ("data/secret/b/2.ans", "57\n"),
        ],
    );
    kinds.push(Kind {
        name: "points",
        files: scoring,
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
    });

    let mut hydro = vec![
        (
            "config.yaml",
            own(
                "checker_type: testlib\nchecker: c.cpp\ntime: 1s\nmemory: 256m\nsubtasks:\n\
            - {id: 1, score: 30, type: sum, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}\n\
            - {id: 2, score: 70, if: [1], cases: [{input: 3.in, output: 3.out}]}\n",
            ),
        ),
        ("c.cpp", own(TESTLIB)),
    ];
    data(
        &mut hydro,
        &[
            ("1.in", "1 2"),
            ("1.out", "3"),
            ("2.in", "2 2"),
            ("2.out", "4"),
            ("3.in", "9 9"),
            ("3.out", "18"),
        ],
    );
    kinds.push(Kind {
        name: "hydro",
        files: hydro,
        submissions: &[SUM, "print(4)", "print()"],
        targets: &["hydro", "polygon", "dmoj"],
    });

    let polygon = vec![
        (
            "problem.xml",
            own(
                "<problem short-name=\"two\"><names><name language=\"english\" value=\"Two\"/></names><judging>\
                 <testset name=\"tests\"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit>\
                 <test-count>1</test-count><input-path-pattern>tests/%02d</input-path-pattern>\
                 <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test/></tests></testset></judging>\
                 <assets><checker type=\"testlib\"><source path=\"files/check.cpp\" type=\"cpp.g++17\"/></checker>\
                 <interactor><source path=\"files/interactor.cpp\" type=\"cpp.g++17\"/></interactor></assets></problem>\n",
            ),
        ),
        // It writes the reply to a file, which the checker reads.
        (
            "files/interactor.cpp",
            own(
                "#include <fstream>\n#include <iostream>\n#define N 2\nusing namespace std;\nlong reply[N];\n\
                 int main(int, char **v) {\n  ifstream in(v[1]); ofstream out(v[2]); in >> reply[0];\n\
                 \x20 cout << reply[0] << endl; cin >> reply[1]; out << reply[1] << endl;\n}\n",
            ),
        ),
        (
            "files/check.cpp",
            own(
                "#include <fstream>\n#define N 3\nlong reply[N];\nint main(int argc, char *argv[]) {\n\
                 \x20 std::ifstream in(argv[1]), out(argv[2]); in >> reply[0]; out >> reply[2];\n\
                 \x20 return reply[2] == 2 * reply[0] ? 0 : 1;\n}\n",
            ),
        ),
        ("tests/01", own("21\n")),
        ("tests/01.a", own("\n")),
    ];
    kinds.push(Kind {
        name: "twofold",
        files: polygon,
        submissions: &["print(2 * int(input()))", "print(21)"],
        targets: &[
            "polygon",
            "icpc-2025-09",
            "domjudge",
            "dmoj",
            "hydro",
            "plain",
        ],
    });

    let luogu = vec![
        (
            "config.yml",
            own("1.in: {timeLimit: 1000, memoryLimit: 131072}\n"),
        ),
        ("1.in", own("1\n")),
        ("1.ans", own("a  b\nc\n")),
    ];
    kinds.push(Kind {
        name: "lines",
        files: luogu,
        submissions: &[
            "print('a  b \\nc\\n\\n')",
            "print('a b\\nc')",
            "print('a  b\\n\\nc')",
        ],
        targets: every,
    });

    let dmoj = vec![
        (
            "init.yml",
            own(
                "time_limit: 1\nmemory_limit: 262144\nchecker: {name: sorted, args: {split_on: whitespace}}\n\
            test_cases:\n- {in: 1.in, out: 1.out, points: 3}\n- {points: 7, batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]}\n",
            ),
        ),
        ("1.in", own("1 2\n")),
        ("1.out", own("1 2\n")),
        ("2.in", own("5 4\n")),
        ("2.out", own("5 4\n")),
    ];
    kinds.push(Kind {
        name: "sorted",
        files: dmoj,
        submissions: &[
            "print(*input().split()[::-1])",
            "print('1\\n2')",
            "print(1)",
        ],
        targets: &["dmoj", "icpc-2025-09", "polygon", "hydro", "luogu", "cms"],
    });
    kinds
}

/// The verdicts and points of these submissions.
fn results(bench: &Bench, package: &Path, submissions: &[PathBuf]) -> Vec<(bool, Option<f64>)> {
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
        (verdict == "AC", event["score"].as_f64())
    };
    finished.into_iter().map(result).collect()
}

// It judges about eighty packages.
#[test]
#[ignore = "long: `make test-long` runs it"]
fn verdicts_are_the_same_in_every_format() {
    let bench = Bench::new();
    for kind in kinds() {
        let files: Vec<(&str, &str)> = kind
            .files
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        let package = bench.write_all(kind.name, &files);
        let write = |(k, text): (usize, &&str)| bench.write(&format!("{}-{k}.py", kind.name), text);
        let submissions: Vec<PathBuf> = kind.submissions.iter().enumerate().map(write).collect();
        let before = results(&bench, &package, &submissions);
        assert!(
            before[0].0 && !before[before.len() - 1].0,
            "{}: {before:?}",
            kind.name
        );
        for target in kind.targets {
            let to = bench.path(&format!("{}-{target}", kind.name));
            let args = [
                "export",
                kind.name,
                "--to",
                target,
                "-o",
                to.to_str().unwrap(),
            ];
            let output = asserted(&bench, &args).success().get_output().clone();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let after = results(&bench, &to, &submissions);
            // A format without points or partial verdicts has the same accepted submissions.
            let accepted =
                |list: &[(bool, Option<f64>)]| list.iter().map(|one| one.0).collect::<Vec<_>>();
            let points =
                |list: &[(bool, Option<f64>)]| list.iter().map(|one| one.1).collect::<Vec<_>>();
            let has_points = ["points", "hydro", "sorted"].contains(&kind.name);
            match has_points {
                true => assert_eq!(
                    points(&after),
                    points(&before),
                    "{} as {target}: {said}",
                    kind.name
                ),
                false => assert_eq!(
                    accepted(&after),
                    accepted(&before),
                    "{} as {target}: {said}",
                    kind.name
                ),
            }
        }
    }
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
    assert!(said.contains("left out: 1 submission\n"), "{said}");
    assert!(
        said.contains("not written: luogu cannot express 1 part\n"),
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
    assert!(package.is_dir());
}
