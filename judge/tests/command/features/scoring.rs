//! Points: groups of 2025-09, and the graders of legacy packages.

use super::{judged, judged_with, package};
use crate::common::{Bench, run};
use predicates::str::contains;

/// Prints the names of the accepted cases: those in the list.
fn solver(bench: &Bench, right: &[u32]) -> std::path::PathBuf {
    let script = format!("read n\n[[ '{right:?}' == *$n* ]] || n=-1\necho $n\n");
    bench.write("mine.sh", &script)
}

#[test]
fn a_grader_of_the_package_combines_results() {
    let bench = Bench::new();
    let package = package(
        &bench,
        "legacy",
        "type: scoring\nlimits: {time_limit: 5}\n",
        &[
            ("data/testdata.yaml", "on_reject: continue\n"),
            (
                "data/secret/testdata.yaml",
                "on_reject: continue\ngrading: custom\ngrader_flags: best 2\naccept_score: 10\n\
                 reject_score: 1\n",
            ),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
            ("data/secret/2.in", "2\n"),
            ("data/secret/2.ans", "2\n"),
            ("data/secret/3.in", "3\n"),
            ("data/secret/3.ans", "3\n"),
            (
                "graders/grader.py",
                "import sys\n\
                 assert sys.argv[1:] == ['best', '2']\n\
                 results = [line.split() for line in sys.stdin]\n\
                 assert len(results) == 3, results\n\
                 accepted = [float(score) for code, score in results if code == 'AC']\n\
                 rejected = [score for code, score in results if code == 'WA']\n\
                 assert rejected in ([], ['1'], ['1', '1']), rejected\n\
                 print('AC' if len(accepted) >= 2 else 'WA', sum(accepted))\n",
            ),
        ],
    );
    for (right, verdict, score) in [
        (vec![1, 2, 3], "AC", 30.0),
        (vec![1, 3], "AC", 20.0),
        // The points of a submission that is not accepted do not count.
        (vec![2], "WA", 0.0),
    ] {
        let result = judged(&bench, &package, &solver(&bench, &right));
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, Some(score)), "{right:?} {}", result.said);
    }
    // A grader that crashes, or prints no verdict, causes a judge error that names it.
    bench.write("p/graders/grader.py", "print('fine')\n");
    let result = judged(&bench, &package, &solver(&bench, &[1]));
    assert_eq!(result.verdict, "JE");
    assert!(result.said.contains("grader"), "{}", result.said);
}

#[test]
fn groups_of_2025_give_points() {
    let bench = Bench::new();
    let case = |group: &str, n: u32| {
        [
            (format!("data/secret/{group}/{n}.in"), format!("{n}\n")),
            (format!("data/secret/{group}/{n}.ans"), format!("{n}\n")),
        ]
    };
    let mut files: Vec<(String, String)> = Vec::new();
    for (group, yaml, cases) in [
        ("a", "max_score: 10\n", &[1, 2][..]),
        ("b", "max_score: 30\nscore_aggregation: sum\n", &[3, 4, 5]),
        (
            "c",
            "max_score: 60\nscore_aggregation: min\nrequire_pass: secret/a\n",
            &[6, 7],
        ),
    ] {
        files.push((format!("data/secret/{group}/test_group.yaml"), yaml.into()));
        files.extend(cases.iter().flat_map(|&n| case(group, n)));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let package = package(
        &bench,
        "2025-09",
        "type: scoring\nlimits: {time_limit: 5.0}\n",
        &files,
    );
    for (right, verdict, score) in [
        (vec![1, 2, 3, 4, 5, 6, 7], "AC", 100.0),
        (vec![1, 2], "PAC", 10.0),
        (vec![1, 3, 5], "PAC", 20.0),
        (vec![1, 2, 6, 7], "PAC", 70.0),
        (vec![1, 2, 6], "PAC", 10.0),
        // Without group a, group c gives no points.
        (vec![1, 3, 4, 5, 6, 7], "PAC", 30.0),
        (vec![], "WA", 0.0),
    ] {
        let result = judged(&bench, &package, &solver(&bench, &right));
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, Some(score)), "{right:?} {}", result.said);
    }
    // The cases of group c are not run then.
    let result = judged(&bench, &package, &solver(&bench, &[2, 6, 7]));
    assert!(
        result
            .cases
            .iter()
            .all(|case| !case.0.starts_with("secret/c"))
    );
    run(&bench, &package, &solver(&bench, &[2, 6, 7]))
        .assert()
        .code(1)
        .stdout(contains("secret/c was not run: it requires secret/a"));
    // Groups that were not judged in full give no points for passing.
    for (right, args, verdict, score) in [
        (vec![], &["--fail-fast"][..], "WA", 0.0),
        (vec![2], &["--case", "secret/a/*"], "WA", 0.0),
        (vec![1, 2], &["--case", "secret/a/*"], "AC", 10.0),
        (vec![1, 2], &["--case", "secret/a/1"], "AC", 0.0),
        (vec![3], &["--case", "secret/b/3"], "AC", 10.0),
    ] {
        let submission = solver(&bench, &right);
        let result = judged_with(&bench, &package, &submission, args);
        let found = (result.verdict.as_str(), result.score);
        assert_eq!(found, (verdict, Some(score)), "{args:?} {}", result.said);
    }
}
