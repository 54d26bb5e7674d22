//! Versions 2025-09 and 2023-07.

use super::support::{UUID, directory, find, findings, new, old, read};
use judge_package::Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
use judge_package::{Aggregation, NumberSyntax, TimeLimit, TimeLimitUse, Validator};
use std::time::Duration;

#[test]
fn visualizers_and_illustrations_belong_to_cases() {
    let draws = [
        ("input_visualizer/draw.py", ""),
        ("output_visualizer/one.py", ""),
        ("output_visualizer/two.py", ""),
        ("data/secret/2.svg", ""),
        (
            "data/secret/test_group.yaml",
            "input_visualizer_args: [a, b]\noutput_visualizer_args: [c]\n",
        ),
        ("data/secret/2.yaml", "output_visualizer_args: []\n"),
    ];
    let dir = new("license: unknown\n", &draws);
    let package = read(&dir);
    let input = package.input_visualizer.as_deref();
    assert!(input.is_some_and(|path| path.ends_with("input_visualizer/draw.py")));
    // Nothing is judged by them, so it is only a warning.
    assert_eq!(package.output_visualizer, None);
    let found = findings(&dir);
    assert!(
        found.starts_with("warning: sum/output_visualizer: holds several programs"),
        "{found}"
    );
    let case = &package.cases()[1];
    assert_eq!(case.visualizer_args.input, ["a", "b"]);
    assert_eq!(case.visualizer_args.output, [""; 0]);
    let illustration = case.illustration.as_deref();
    assert!(illustration.is_some_and(|path| path.ends_with("data/secret/2.svg")));
    assert_eq!(package.cases()[0].illustration, None);
}

#[test]
fn a_package_of_2025_09() {
    let yaml = "type: [interactive, multi-pass]\nlicense: unknown\n\
                limits:\n  time_limit: 2.5\n  time_resolution: 0.5\n  memory: 256\n  output: 16\n  \
                code: 64\n  validation_passes: 3\n  time_multipliers: {ac_to_time_limit: 3}\n\
                languages: [cpp, rust]\nconstants:\n  n: 5\n  m: {value: 7, tex: '7{,}0'}\n";
    let dir = new(
        yaml,
        &[
            ("output_validator/check.py", "exit(42)\n"),
            ("include/default/x", ""),
        ],
    );
    let package = read(&dir);
    assert_eq!((package.id.as_str(), package.name.as_str()), ("sum", "Sum"));
    assert_eq!(package.format, "2025-09");
    assert!(package.kind.interactive && package.kind.multi_pass && !package.kind.scoring);
    let limits = &package.limits;
    assert_eq!(limits.time, TimeLimit::Given(Duration::from_millis(2500)));
    assert_eq!((limits.memory, limits.output), (256 << 20, 16 << 20));
    assert_eq!(limits.code, Some(64 << 10));
    assert_eq!(
        (limits.ac_to_time_limit, limits.time_limit_to_tle),
        (3.0, 1.5)
    );
    assert_eq!(limits.validation_passes, 3);
    assert_eq!(
        package.languages.as_deref(),
        Some(&["cpp".to_owned(), "rust".to_owned()][..])
    );
    assert!(!package.allow_file_writing);
    assert!(
        package
            .constants
            .contains(&("m.tex".to_owned(), "7{,}0".to_owned()))
    );
    assert!(
        package
            .constants
            .contains(&("n.value".to_owned(), "5".to_owned()))
    );
    assert!(
        matches!(&package.validation.validators()[0], Validator::Program { path, .. } if path.ends_with("check.py"))
    );
    assert_eq!(package.cases().len(), 2);
    assert_eq!(package.cases()[0].name, "sample/1");
    assert!(package.cases()[0].sample && !package.cases()[1].sample);
    assert_eq!(findings(&dir), "");
}

#[test]
fn missing_time_limits_are_derived() {
    let derived = |factor| TimeLimit::Derived {
        factor,
        resolution: Duration::from_secs(1),
    };
    assert_eq!(read(&new("", &[])).limits.time, derived(2.0));
    assert_eq!(read(&old("", &[])).limits.time, derived(5.0));
    let multiplied = old("limits: {time_multiplier: 4, time_safety_margin: 3}\n", &[]);
    assert_eq!(read(&multiplied).limits.time, derived(4.0));
    assert_eq!(read(&multiplied).limits.time_limit_to_tle, 3.0);
    // The files next to `problem.yaml`: DOMjudge's own takes precedence.
    let seconds = |n| TimeLimit::Given(Duration::from_secs(n));
    let dotted = [
        (".timelimit", "2\n"),
        ("domjudge-problem.ini", "timelimit='4'\n"),
    ];
    assert_eq!(read(&old("", &dotted[..1])).limits.time, seconds(2));
    assert_eq!(read(&old("", &dotted)).limits.time, seconds(4));
    assert_eq!(
        read(&old("limits: {time_limit: 9}\n", &dotted)).limits.time,
        seconds(9)
    );
}

#[test]
fn numbers_follow_the_grammar_of_the_version() {
    let of = |syntax| [Validator::Default(syntax)];
    let (decimal, c) = (of(NumberSyntax::Decimal), of(NumberSyntax::C));
    assert_eq!(read(&new("", &[])).validation.validators(), decimal);
    assert_eq!(read(&old("", &[])).validation.validators(), c);
}

#[test]
fn cases_inherit_settings_of_groups() {
    let dir = new(
        "",
        &[
            (
                "data/test_group.yaml",
                "output_validator_args: [float_tolerance, 1e-9]\n",
            ),
            (
                "data/secret/test_group.yaml",
                "args: [-x]\ninput_validator_args: {validate: ['5']}\n",
            ),
            ("data/secret/a/1.{in,ans}", ""),
            (
                "data/secret/a/1.yaml",
                "args: ['1', two words]\ndescription: small\n",
            ),
            ("data/secret/b.{in,ans}", ""),
            ("data/secret/b.files/extra.txt", ""),
        ],
    );
    let package = read(&dir);
    let cases = package.cases();
    let names: Vec<&str> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(names, ["sample/1", "secret/a/1", "secret/b"]);
    // Text, not a number: unchanged.
    assert_eq!(cases[0].validator_args, ["float_tolerance", "1e-9"]);
    assert_eq!(cases[1].args, ["1", "two words"]);
    assert_eq!(cases[2].args, ["-x"]);
    assert_eq!(cases[2].input_validator_args.of("validate.py"), ["5"]);
    assert_eq!(cases[2].input_validator_args.of("other"), [""; 0]);
    assert_eq!(cases[1].description.as_deref(), Some("small"));
    assert!(cases[2].files.as_ref().unwrap().ends_with("b.files"));
}

#[test]
fn scores_of_2025_09() {
    let dir = new(
        "type: scoring\n",
        &[
            (
                "data/secret/g1/test_group.yaml",
                "max_score: 40\nscore_aggregation: sum\n",
            ),
            (
                "data/secret/g2/test_group.yaml",
                "max_score: 60\nrequire_pass: [sample]\n",
            ),
            ("data/secret/g1/{a,b}.{in,ans}", ""),
            ("data/secret/g2/c.{in,ans}", ""),
        ],
    );
    let package = read(&dir);
    let secret = &package.data.groups[1];
    assert_eq!(
        (secret.aggregation, secret.max_score),
        (Aggregation::Sum, Some(100.0))
    );
    let [first, second] = &secret.groups[..] else {
        panic!("two groups, not {:?}", secret.groups);
    };
    assert_eq!(first.cases[0].score, Some(20.0));
    assert!(!first.stop_at_first && second.stop_at_first);
    assert_eq!(second.aggregation, Aggregation::PassFail);
    assert_eq!(second.requires, ["sample"]);
    // Samples give no points.
    assert_eq!(package.data.groups[0].max_score, Some(0.0));
    assert!(!findings(&dir).contains("error"), "{}", findings(&dir));
}

#[test]
fn cases_for_the_validators() {
    let dir = new(
        "",
        &[
            ("data/invalid_input/x.in", "1\n"),
            ("data/invalid_output/x.in", "1 2\n"),
            ("data/invalid_output/x.ans", "3\n"),
            ("data/invalid_output/x.out", "4\n"),
            ("data/valid_output/y.in", "1 2\n"),
            ("data/valid_output/y.ans", "3\n"),
            ("data/valid_output/y.out", "3\n"),
        ],
    );
    let own = read(&dir).validator_cases;
    assert_eq!(own.invalid_input[0].answer, None);
    assert_eq!(own.invalid_output[0].name, "invalid_output/x");
    assert!(
        own.valid_output[0]
            .output
            .as_ref()
            .unwrap()
            .ends_with("y.out")
    );
}

#[test]
fn submissions_yaml_replaces_and_adds() {
    let yaml = "time_limit_exceeded:\n  permitted: [AC, WA, TLE]\n\
                mixed/*.py:\n  language: python3\n  entrypoint: main.py\n  \
                secret/*-{hard,big}: {permitted: [AC, TLE], required: [TLE], message: slow}\n\
                mixed/quick.py: {permitted: [AC], use_for_time_limit: false}\n\
                rejected/bad.cpp: {permitted: [AC, TLE, RTE], use_for_time_limit: lower}\n";
    let dir = new(
        "",
        &[
            ("submissions/submissions.yaml", yaml),
            ("submissions/time_limit_exceeded/slow.py", ""),
            ("submissions/mixed/quick.py", ""),
            ("submissions/rejected/bad.cpp", ""),
        ],
    );
    let package = read(&dir);
    let find = |name: &str| find(&package, name);
    let slow = find("time_limit_exceeded/slow.py");
    assert_eq!(
        slow.expected.permitted,
        [Accepted, WrongAnswer, TimeLimitExceeded]
    );
    assert_eq!(slow.expected.required, [TimeLimitExceeded]);
    assert_eq!(slow.rules[0].bounds_time_limit(), TimeLimitUse::Upper);
    let quick = find("mixed/quick.py");
    assert_eq!(quick.language.as_deref(), Some("python3"));
    assert_eq!(quick.entry_point.as_deref(), Some("main.py"));
    assert_eq!(quick.expected.permitted, [Accepted]);
    let scoped = &quick.rules[0];
    assert!(scoped.applies_to("secret/1-big") && !scoped.applies_to("secret/1-small"));
    assert_eq!(scoped.message.as_deref(), Some("slow"));
    assert_eq!(quick.rules[1].bounds_time_limit(), TimeLimitUse::No);
    assert_eq!(
        find("rejected/bad.cpp").expected.required,
        [RunTimeError, TimeLimitExceeded, WrongAnswer]
    );
    // `lower` means that TLE is not permitted.
    let bad = find("rejected/bad.cpp");
    assert_eq!(bad.expected.permitted, [Accepted, RunTimeError]);
    assert_eq!(
        find("accepted/sum.py").rules[0].bounds_time_limit(),
        TimeLimitUse::Lower
    );
}

#[test]
fn findings_are_not_repeated() {
    let doubled = "max_score: 5\nmax_score: 6\n";
    let dir = new(
        "type: scoring\n",
        &[
            ("data/secret/{,a/}test_group.yaml", doubled),
            ("data/secret/a/1.{in,ans}", ""),
        ],
    );
    let package = read(&dir);
    for file in [
        "data/secret/test_group.yaml",
        "data/secret/a/test_group.yaml",
    ] {
        let path = dir.path().join("sum").join(file);
        let errors = package.findings.iter().map(|found| &found.error);
        let of_file = errors.filter(|error| error.path == path);
        let found = of_file.filter(|error| error.what.contains("max_score"));
        assert_eq!(found.count(), 1, "{file}: {:?}", package.findings);
    }
}

#[test]
fn the_draft_has_the_directories_of_2025_09() {
    let yaml = format!("problem_format_version: 2023-07-draft\nname: Sum\n{UUID}");
    let dir = directory(&[
        ("problem.yaml", &yaml),
        ("data/secret/2.{in,ans}", ""),
        ("submissions/time_limit_exceeded/slow.py", ""),
        ("submissions/wrong_answer/wrong.py", ""),
        (
            "submissions/rejected/any.py",
            "# @EXPECTED_RESULTS@: CORRECT\n",
        ),
    ]);
    let package = read(&dir);
    let slow = &find(&package, "time_limit_exceeded/slow.py").expected;
    assert!(slow.is_met(&[Accepted, TimeLimitExceeded], TimeLimitExceeded));
    assert!(!slow.is_met(&[WrongAnswer, TimeLimitExceeded], WrongAnswer));
    let any = &find(&package, "rejected/any.py").expected;
    assert!(any.is_met(&[WrongAnswer], WrongAnswer) && !any.is_met(&[Accepted], Accepted));
    // It bounds the time limit from below.
    let wrong = find(&package, "wrong_answer/wrong.py");
    assert_eq!(wrong.rules[0].time_limit_use, None);
}

#[test]
fn files_without_an_input_are_findings() {
    for ending in [
        "interaction",
        "ans",
        "yaml",
        "files/x",
        "png",
        "in.statement",
    ] {
        let file = format!("data/sample/9.{ending}");
        let found = findings(&new("", &[(&file, "x\n")]));
        let path = file.trim_end_matches("/x");
        let expected = format!("error: sum/{path}: belongs to no test case: the input is missing");
        assert!(found.contains(&expected), "{found}");
    }
    // Legacy has interactions on their own.
    let found = findings(&old("", &[("data/sample/9.interaction", "x\n")]));
    assert!(!found.contains("9.interaction"), "{found}");
}

#[test]
fn a_time_limit_of_legacy_is_a_finding() {
    let found = findings(&old("limits: {time_limit: 2}\n", &[]));
    let expected = "warning: sum/problem.yaml:2:10: `time_limit` is a key of version `2025-09`";
    assert!(found.contains(expected), "{found}");
    assert!(!findings(&new("limits: {time_limit: 2}\n", &[])).contains("time_limit"));
}

#[test]
fn the_draft_may_have_the_keys_of_2025_09_in_the_former_file() {
    let yaml = format!("problem_format_version: 2023-07-draft\nname: Sum\n{UUID}");
    let dir = directory(&[
        ("problem.yaml", &yaml),
        (
            "data/secret/testdata.yaml",
            "output_validator_args: [float_tolerance, 1e-6]\n",
        ),
        ("data/secret/2.{in,ans}", ""),
    ]);
    let package = read(&dir);
    assert_eq!(
        package.cases()[0].validator_args,
        ["float_tolerance", "1e-6"]
    );
}

#[test]
fn the_address_of_the_source_is_that_of_the_problem() {
    let address = "https://example.org/a";
    for (dir, found) in [
        (
            new(&format!("source: {{name: A, url: {address}}}\n"), &[]),
            Some(address),
        ),
        (
            old(&format!("source: A\nsource_url: {address}\n"), &[]),
            Some(address),
        ),
        (new("source: A\n", &[]), None),
    ] {
        assert_eq!(read(&dir).url.as_deref(), found);
    }
}
