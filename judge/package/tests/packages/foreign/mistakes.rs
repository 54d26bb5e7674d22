//! The same mistakes in the configurations of several formats.

use super::{files, read};
use crate::files::complaint;
use judge_package::Package;

type Files<'f> = &'f [(&'f str, &'f str)];

const TPS: (&str, &str) = (
    "problem.json",
    "{\"name\": \"m\", \"type\": \"Batch\", \"time_limit\": 1, \"memory_limit\": 64}",
);
const TPS_TESTS: (&str, &str) = ("tests/{0-1.in,0-1.out,1-1.in,1-1.out}", "1\n");
const SINOL: &str = "sinol_task_id: sum\ntime_limit: 1000\nmemory_limit: 65536\n";
const SINOL_TESTS: (&str, &str) = (
    "{in/sum1a.in,in/sum2a.in,out/sum1a.out,out/sum2a.out}",
    "1\n",
);
const RBX: &str = "name: sum\ntimeLimit: 1000\nmemoryLimit: 64\nscoring: points\n\
    solutions:\n- {path: main.cpp, outcome: accepted}\ntestcases:\n";
const RBX_FILES: (&str, &str) = ("{main.cpp,a/1.in,b/1.in}", "1\n");
const CMS: &str = "name: sum\ntitle: Sum\ntime_limit: 1\nn_input: 2\n";
const CMS_TESTS: (&str, &str) = (
    "{input/input0.txt,input/input1.txt,output/output0.txt,output/output1.txt}",
    "1\n",
);

#[test]
fn negative_points_are_refused() {
    let sinol = format!("{SINOL}scores: {{1: -40, 2: 140}}\n");
    let rbx = format!("{RBX}- {{name: a, testcaseGlob: a/*.in, score: -4}}\n");
    for list in [
        &[
            TPS,
            TPS_TESTS,
            (
                "subtasks.json",
                "{\"subtasks\": {\"a\": {\"index\": 0, \"score\": -1}}}",
            ),
        ][..],
        &[("config.yml", &sinol), SINOL_TESTS],
        &[("problem.rbx.yml", &rbx), RBX_FILES],
        &[
            ("config.yml", "1.in: {score: -5}\n"),
            ("{1.in,1.out}", "1\n"),
        ],
        &[
            (
                "config.yaml",
                "subtasks: [{score: -5, cases: [{input: 1.in, output: 1.out}]}]\n",
            ),
            ("{1.in,1.out}", "1\n"),
        ],
    ] {
        let error = complaint(&files(list), "");
        assert!(
            error.contains("must not be negative"),
            "{}: {error}",
            list[0].1
        );
    }
    let list = [
        ("task.yaml", CMS),
        CMS_TESTS,
        ("gen/GEN", "#ST: -40\n1\n#ST: 140\n2\n"),
    ];
    let error = complaint(&files(&list), "");
    assert!(
        error.contains("gen/GEN:1:1: `-40` is not a number of points"),
        "{error}"
    );
}

/// Half of the readers of YAML take it for 8.
#[test]
fn a_number_with_a_zero_in_front_is_refused() {
    let list = |text| [("init.yml", text), ("{1.in,1.out}", "1\n")];
    let case = "test_cases: [{in: 1.in, out: 1.out, points: 010}]\n";
    let error = complaint(&files(&list(case)), "");
    assert!(
        error.contains("init.yml:1:45: `010` is 8 in YAML 1.1, and 10 in YAML 1.2\n  help: remove the zeros in front"),
        "{error}"
    );
    let limit =
        "time_limit: 1\nmemory_limit: 0200000\ntest_cases: [{in: 1.in, out: 1.out, points: 1}]\n";
    let error = complaint(&files(&list(limit)), "");
    assert!(
        error.contains("init.yml:2:15: `0200000` is 65536 in"),
        "{error}"
    );
    // These are the same numbers everywhere.
    let case =
        "test_cases: [{in: 1.in, out: 1.out, points: 07}, {in: 1.in, out: 1.out, points: 0}]\n";
    assert_eq!(complaint(&files(&list(case)), ""), "no error");
}

#[test]
fn misspelt_keys_are_refused_and_others_are_not() {
    for (list, message) in [
        (
            &[
                ("config.yml", &*format!("{SINOL}memory_limts: {{1: 3}}\n")),
                SINOL_TESTS,
            ][..],
            "config.yml:4:1: unknown key `memory_limts`\n  help: did you mean `memory_limits`?",
        ),
        (
            &[
                (
                    TPS.0,
                    &*TPS.1.replace("\"type\"", "\"memory_limt\": 64, \"type\""),
                ),
                TPS_TESTS,
                ("subtasks.json", "{}"),
            ],
            "unknown key `memory_limt`\n  help: did you mean `memory_limit`?",
        ),
    ] {
        let error = complaint(&files(list), "");
        assert!(error.contains(message), "{error}");
    }
    let more = format!("{SINOL}title_pl: Suma\nfake_time: 3\nanything: 1\n");
    let list = [("config.yml", &*more), SINOL_TESTS, ("prog/sum.cpp", "")];
    assert_eq!(complaint(&files(&list), ""), "no error");
}

#[test]
fn groups_do_not_require_themselves() {
    let rbx = |a: &str, b: &str| {
        format!(
            "{RBX}- {{name: a, testcaseGlob: a/*.in, score: 40, deps: [{a}]}}\n\
             - {{name: b, testcaseGlob: b/*.in, score: 60, deps: [{b}]}}\n"
        )
    };
    let of_rbx = |config: &str| complaint(&files(&[("problem.rbx.yml", config), RBX_FILES]), "");
    for (a, b) in [("b", "a"), ("a", ""), ("", "b")] {
        let error = of_rbx(&rbx(a, b));
        assert!(error.contains("requires itself"), "{a} {b}: {error}");
    }
    assert_eq!(of_rbx(&rbx("b", "")), "no error");
    let error = of_rbx(&rbx("", "").replace("name: b", "name: a"));
    assert!(error.contains("there are two groups `a`"), "{error}");

    let sinol = |dependencies: &str| {
        let text = format!("{SINOL}subtask_dependencies: {dependencies}\n");
        complaint(
            &files(&[("config.yml", &text), SINOL_TESTS, ("prog/sum.cpp", "")]),
            "",
        )
    };
    let error = sinol("{1: [2], 2: [1]}");
    assert!(error.contains("depends on itself"), "{error}");
    assert_eq!(sinol("{1: [2]}"), "no error");
}

/// Some judges give the points to every submission, others to none.
#[test]
fn every_run_reports_groups_with_points_and_without_tests() {
    let rbx = format!(
        "{RBX}- {{name: a, testcaseGlob: a/*.in, score: 40}}\n- {{name: b, testcaseGlob: c/*.in, score: 60}}\n"
    );
    let lists: [(Files<'_>, &str); 4] = [
        (&[("problem.rbx.yml", &rbx), RBX_FILES], "b"),
        (
            &[
                (
                    "init.yml",
                    "test_cases: [{in: 1.in, out: 1.out, points: 40}, {points: 60, batched: []}]\n",
                ),
                ("{1.in,1.out}", "1\n"),
            ],
            "batch1",
        ),
        (
            &[
                (
                    "config.yaml",
                    "subtasks: [{score: 40, cases: [{input: 1.in, output: 1.out}]}, {score: 60, cases: []}]\n",
                ),
                ("{1.in,1.out}", "1\n"),
            ],
            "subtask2",
        ),
        (
            &[
                (
                    "problem.yaml",
                    "problem_format_version: 2025-09\nname: P\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\ntype: scoring\n\
                     limits: {time_limit: 1}\n",
                ),
                ("data/secret/{a/1.in,a/1.ans}", "1\n"),
                ("data/secret/a/test_group.yaml", "max_score: 40\n"),
                ("data/secret/b/test_group.yaml", "max_score: 60\n"),
            ],
            "secret/b",
        ),
    ];
    for (list, group) in lists {
        let (_dir, package): (_, Package) = read(list);
        let mut findings = package.findings.iter();
        let what = format!("the group `{group}` has 60 points and no test case");
        let is_shown = findings.any(|finding| finding.concerns_runs && finding.error.what == what);
        assert!(is_shown, "{group}: {:?}", package.findings);
    }
}

#[test]
fn an_exception_of_tps_names_a_subtask() {
    let (_dir, package) = read(&[
        TPS,
        TPS_TESTS,
        (
            "subtasks.json",
            "{\"subtasks\": {\"a\": {\"index\": 0, \"score\": 100}}}",
        ),
        (
            "solutions.json",
            "{\"m.cpp\": {\"verdict\": \"incorrect\", \"except\": {\"b\": \"correct\"}}}",
        ),
        ("solution/m.cpp", ""),
    ]);
    let findings: Vec<String> = package.findings.iter().map(ToString::to_string).collect();
    assert!(
        findings
            .iter()
            .any(|text| text.contains("there is no subtask `b`")),
        "{findings:?}"
    );
}
