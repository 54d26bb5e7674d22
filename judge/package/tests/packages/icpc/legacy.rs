//! Version legacy, its groups in the draft, and packages without `problem.yaml`.

use super::support::{UUID, directory, find, findings, old, read};
use judge_package::Verdict::{
    Accepted, CompileError, RunTimeError, TimeLimitExceeded, WrongAnswer,
};
use judge_package::{Aggregation, Package, Part, Severity, TimeLimit, Validator, VerdictMode};
use std::time::Duration;

#[test]
fn legacy_validation_and_grading() {
    let dir = old(
        "type: scoring\nvalidation: custom score interactive multi-pass\n\
         validator_flags: a 'b c'\ngrading: {objective: min}\n",
        &[
            ("output_validators/check/check.cpp", ""),
            ("output_validators/other.py", ""),
            (
                "data/testdata.yaml",
                "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 100\n",
            ),
            (
                "data/secret/testdata.yaml",
                "grader_flags: first_error min accept_if_any_accepted\n",
            ),
            (
                "data/secret/10-group/testdata.yaml",
                "accept_score: 30\nreject_score: 1.5\non_reject: break\noutput_validator_flags: d\n",
            ),
            ("data/secret/10-group/1.{in,ans}", ""),
            ("data/secret/3.{in,ans}", ""),
        ],
    );
    let package = read(&dir);
    assert!(package.kind.scoring && package.kind.interactive && package.kind.multi_pass);
    assert_eq!(package.validation.validators().len(), 2);
    assert!(package.data.ignore_sample && !package.data.stop_at_first);
    let secret = &package.data.groups[1];
    assert_eq!(secret.aggregation, Aggregation::Min);
    assert_eq!(secret.verdict_mode, VerdictMode::First);
    assert!(secret.accept_if_any);
    assert_eq!(secret.range, Some((0.0, 100.0)));
    // Cases and groups are in the common order of their names: 10-group, 2, 3.
    let Part::Group(group) = secret.parts()[0] else {
        panic!("the group comes first");
    };
    assert!(group.stop_at_first);
    let inner = &group.cases[0];
    assert_eq!((inner.score, inner.reject_score), (Some(30.0), Some(1.5)));
    assert_eq!(inner.validator_args, ["a", "b c", "d"]);
    assert_eq!(secret.cases[0].score, Some(1.0));
    assert_eq!(secret.cases[0].validator_args, ["a", "b c"]);
}

#[test]
fn legacy_expectations_follow_its_tools() {
    let dir = old(
        "",
        &[
            (
                "submissions/time_limit_exceeded/slow.py",
                "# @EXPECTED_RESULTS@: CORRECT\n",
            ),
            (
                "submissions/mixed/any.py",
                "# @EXPECTED_RESULTS@: COMPILER-ERROR, RUN-ERROR\n",
            ),
            ("submissions/slow_accepted/none.py", ""),
        ],
    );
    let package = read(&dir);
    let find = |name: &str| find(&package, name);
    let slow = &find("time_limit_exceeded/slow.py").expected;
    // The comment has no effect in a directory that determines the result.
    assert!(slow.is_met(&[WrongAnswer, TimeLimitExceeded], WrongAnswer));
    assert!(!slow.is_met(&[Accepted], Accepted));
    let any = &find("mixed/any.py").expected;
    assert_eq!(any.outcome, [CompileError, RunTimeError]);
    assert!(find("slow_accepted/none.py").rules.is_empty());
}

#[test]
fn a_partially_accepted_submission_has_not_the_best_score() {
    for (objective, worst, best) in [("max", 0.0, 100.0), ("min", 100.0, 0.0)] {
        let yaml = format!("type: scoring\ngrading: {{objective: {objective}, range: '0 100'}}\n");
        let dir = old(&yaml, &[("submissions/partially_accepted/some.py", "")]);
        let package = read(&dir);
        let expected = &find(&package, "partially_accepted/some.py").expected;
        let (least, most) = expected.score.expect("a range");
        assert!((least..=most).contains(&worst), "{objective}");
        assert!(!(least..=most).contains(&best), "{objective}");
    }
}

#[test]
fn the_draft_may_have_legacy_groups() {
    let yaml = format!(
        "problem_format_version: 2023-07-draft\nname: {{sv: Summa, en: Sum}}\n{UUID}type: scoring\n"
    );
    let dir = directory(&[
        ("problem.yaml", &yaml),
        ("data/secret/testdata.yaml", "grader_flags: max\n"),
        ("data/secret/g/testdata.yaml", "accept_score: 7\n"),
        ("data/secret/g/1.{in,ans}", ""),
    ]);
    let package = read(&dir);
    assert_eq!(
        (package.format, package.name.as_str()),
        ("2023-07-draft", "Sum")
    );
    let secret = &package.data.groups[0];
    assert_eq!(secret.aggregation, Aggregation::Max);
    assert_eq!(secret.groups[0].cases[0].score, Some(7.0));
}

#[test]
fn defects_that_legacy_tools_ignore_are_findings() {
    let dir = old(
        "type: scoring\nmy-site: {level: hard}\n",
        &[
            ("data/secret/testdata.yaml", "difficulty: 3\n"),
            ("data/secret/stray.out", "12\n"),
        ],
    );
    let messages: Vec<(Severity, String)> = read(&dir)
        .findings
        .iter()
        .map(|finding| (finding.severity, finding.error.what.clone()))
        .collect();
    for (severity, what) in [
        (Severity::Error, "unknown key `my-site`"),
        (Severity::Error, "unknown key `difficulty`"),
        (
            Severity::Warning,
            "belongs to no test case: the input is missing",
        ),
    ] {
        let wanted = (severity, what.to_owned());
        assert!(messages.contains(&wanted), "{wanted:?} not in {messages:?}");
    }
}

#[test]
fn templates_and_disabled_files_are_not_programs() {
    let dir = old(
        "validation: custom\n",
        &[
            ("output_validators/check/check.py", ""),
            ("output_validators/validate.ctd.template", ""),
            ("submissions/accepted/name.cpp.template", ""),
            ("submissions/accepted/slow.py.disabled", ""),
        ],
    );
    let package = read(&dir);
    assert_eq!(package.validation.validators().len(), 1);
    let Validator::Program { path, .. } = &package.validation.validators()[0] else {
        panic!("a program, not {:?}", package.validation);
    };
    assert!(path.ends_with("output_validators/check"));
    let names: Vec<&str> = package
        .submissions
        .iter()
        .map(|submission| submission.name.as_str())
        .collect();
    assert_eq!(names, ["accepted/sum.py"]);
}

#[test]
fn a_package_without_problem_yaml_is_legacy() {
    let dir = directory(&[
        ("domjudge-problem.ini", "name = 'Two Sums'\ntimelimit = 3\n"),
        ("data/secret/1.{in,ans}", ""),
    ]);
    let package = read(&dir);
    assert_eq!(package.name, "Two Sums");
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_secs(3))
    );
    assert_eq!(package.findings[0].severity, Severity::Error);
}

#[test]
fn a_misnamed_or_empty_problem_yaml_is_not_taken_for_legacy_unnoticed() {
    let case = ("data/secret/1.{in,ans}", "");
    let v2025 = "problem_format_version: 2025-09\n";
    for name in ["problem.yml", "Problem.yaml"] {
        let dir = directory(&[(name, v2025), case]);
        let error = Package::read(&dir.path().join("sum")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("rename it to `problem.yaml`"), "{error}");
    }
    let dir = directory(&[("problem.yaml", ""), case, ("statement/problem.en.md", "")]);
    let found = findings(&dir);
    let version = "help: write `problem_format_version: 2025-09`";
    assert!(found.contains("problem.yaml: is empty"), "{found}");
    assert_eq!(found.matches(version).count(), 2, "{found}");
}

#[test]
fn validators_installed_in_domjudge_are_findings() {
    let found = |ini: &str| {
        let dir = directory(&[
            ("problem.yaml", "name: Sum\n"),
            ("domjudge-problem.ini", ini),
            ("data/secret/1.{in,ans}", ""),
        ]);
        findings(&dir)
    };
    let message = found("timelimit = 1 ; s\nspecial_compare = 'sum_cmp' ; ours\n");
    let wanted = "domjudge-problem.ini:2:18: `special_compare` names `sum_cmp`, which is not part";
    assert!(message.contains(wanted), "{message}");
    assert!(found("special_run = talk\n").contains("`validation: custom interactive`"));
    let message = found("special_compare = compare\nspecial_run = ''\n");
    assert!(!message.contains("special_"), "{message}");
}

#[test]
fn a_statement_has_its_own_title_in_another_language_and_may_be_beside_problem_yaml() {
    let titled = [("problem_statement/problem.sv.tex", "\\problemname{Summa}\n")];
    let found = findings(&old("", &titled));
    assert!(!found.contains("is titled"), "{found}");
    let titled = [("problem_statement/problem.en.tex", "\\problemname{Sums}\n")];
    let found = findings(&old("", &titled));
    assert!(found.contains("is titled `Sums`"), "{found}");
    let files = [
        ("problem.yaml", "name: Sum\n"),
        ("problem.pdf", "%PDF"),
        ("data/secret/1.{in,ans}", ""),
    ];
    let found = findings(&directory(&files));
    assert!(
        found.contains("warning: sum/problem.pdf: is the only statement"),
        "{found}"
    );
    assert!(!found.contains("there is no problem statement"), "{found}");
}

#[test]
fn files_with_a_time_limit_contradict_each_other_or_are_misspelt() {
    let beside = |ini: &str| {
        let files = [
            ("problem.yaml", "name: Sum\n"),
            (".timelimit", "1\n"),
            ("domjudge-problem.ini", ini),
            ("data/secret/1.{in,ans}", ""),
        ];
        directory(&files)
    };
    let found = findings(&beside("timelimit = 3\n"));
    let wanted =
        "warning: sum/.timelimit:1:1: says 1 s, but `domjudge-problem.ini` 3 s, which counts";
    assert!(found.contains(wanted), "{found}");
    assert!(!findings(&beside("timelimit='1.0'\n")).contains(".timelimit"));
    let dir = beside("; ours\ntimelimt = 3\n");
    let error = Package::read(&dir.path().join("sum"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("domjudge-problem.ini:2:1: unknown key `timelimt`"),
        "{error}"
    );
    assert!(error.contains("did you mean `timelimit`?"), "{error}");
}

#[test]
fn groups_next_to_sample_are_judged_without_secret() {
    let files = [
        ("problem.yaml", "name: Sum\ntype: scoring\n"),
        ("data/sample/1.{in,ans}", ""),
        ("data/g1/1.{in,ans}", ""),
        ("data/invalid_input/2.in", ""),
    ];
    let names = |files: &[(&str, &str)]| {
        let package = read(&directory(files));
        let complained = package
            .findings
            .iter()
            .any(|finding| finding.error.what.contains("not in `data/secret`"));
        let cases = package.cases().into_iter();
        let names: Vec<String> = cases.map(|case| case.name.clone()).collect();
        (names, complained)
    };
    let (found, complained) = names(&files);
    assert_eq!(found, ["g1/1", "sample/1"]);
    assert!(complained);
    let secret = [("data/secret/3.{in,ans}", "")];
    let (found, complained) = names(&[&files[..], &secret].concat());
    assert_eq!(found, ["sample/1", "secret/3"]);
    assert!(!complained);
}

#[test]
fn keys_of_another_version_are_findings() {
    let dir = old("limits: {time_multipliers: 1, time_multiplier: 3}\n", &[]);
    let package = read(&dir);
    assert_eq!(package.limits.ac_to_time_limit, 3.0);
    assert!(findings(&dir).contains("is a key of version `2025-09` and is left out"));
}
