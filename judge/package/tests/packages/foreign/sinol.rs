//! Packages of sinol-make.

use super::{all_names, files, has_finding, read};
use crate::files::complaint;
use judge_package::{
    Aggregation, Expectation, LanguageLimits, Points, TestlibChecker, Validator, ValidatorProtocol,
    Verdict, lint,
};
use std::time::Duration;

const CONFIG: &str = "title: Suma\nsinol_task_id: sum\ntime_limit: 1000\ntime_limits: {2: 3000}\n\
    memory_limit: 65536\nscores: {1: 30, 2: 70}\n";
const TESTS: [(&str, &str); 2] = [
    (
        "in/{sum0.in,sum1a.in,sum1ocen.in,sum2a.in,sum10a.in}",
        "1\n",
    ),
    (
        "out/{sum0.out,sum1a.out,sum1ocen.out,sum2a.out,sum10a.out}",
        "2\n",
    ),
];

fn with<'f>(config: &'f str, more: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    [("config.yml", config), ("prog/sum.cpp", "")]
        .iter()
        .chain(&TESTS[..])
        .chain(more)
        .copied()
        .collect()
}

#[test]
fn tests_have_groups_with_points_and_limits() {
    let config = CONFIG.replace("2: 70", "2: 50, 10: 20");
    let (_dir, package) = read(&with(&config, &[]));
    assert_eq!(
        (package.format, package.name.as_str()),
        ("sinol-make", "Suma")
    );
    assert_eq!(
        all_names(&package),
        ["0/0", "0/1ocen", "1/1a", "2/2a", "10/10a"]
    );
    let cases = package.cases();
    assert!(cases[1].sample && !cases[2].sample);
    assert_eq!(package.limits.time.fixed(), Some(Duration::from_secs(1)));
    assert_eq!(package.limits.memory, 64 << 20);
    let own: Vec<Option<Duration>> = cases.iter().map(|case| case.time_limit).collect();
    assert_eq!(own, [None, None, None, Some(Duration::from_secs(3)), None]);
    let points: Vec<Option<f64>> = package
        .data
        .groups
        .iter()
        .map(|group| group.max_score)
        .collect();
    assert_eq!(points, [Some(0.0), Some(30.0), Some(50.0), Some(20.0)]);
    assert!(package.kind.scoring);
    assert!(
        package
            .data
            .groups
            .iter()
            .all(|group| group.aggregation == Aggregation::Min)
    );
    assert_eq!(
        package.validation.validators(),
        [Validator::Testlib(TestlibChecker::Lcmp)]
    );
    // Without `scores`, the last group has the rest of 100.
    let (_dir, package) = read(&with(&CONFIG.replace("scores: {1: 30, 2: 70}\n", ""), &[]));
    let points: Vec<Option<f64>> = package
        .data
        .groups
        .iter()
        .map(|group| group.max_score)
        .collect();
    assert_eq!(points, [Some(0.0), Some(33.0), Some(33.0), Some(34.0)]);
}

#[test]
fn contests_of_icpc_have_no_points() {
    let (_dir, package) = read(&with(
        "sinol_task_id: sum\nsinol_contest_type: icpc\ntime_limit: 1000\nmemory_limit: 65536\n",
        &[],
    ));
    assert!(!package.kind.scoring);
    assert!(
        package
            .data
            .groups
            .iter()
            .all(|group| group.aggregation == Aggregation::PassFail)
    );
    for (points, count) in [
        ("2: 50, 10: 10", 1),
        ("2: 50, 10: 10}\nsinol_total_score: 90\nx: {", 0),
    ] {
        let config = CONFIG.replace("2: 70", points);
        let (_dir, package) = read(&with(&config, &[]));
        let found = package.findings.iter().map(ToString::to_string);
        let found = found.filter(|text| text.contains("add up to 90 instead of 100"));
        assert_eq!(found.count(), count, "{:?}", package.findings);
    }
    // The Olympiad gives fewer points to slow programs.
    let config = format!("{CONFIG}sinol_contest_type: oi\nscores: {{1: 1, 2: 2, 10: 3}}\n");
    let (_dir, package) = read(&with(
        &config.replacen("scores: {1: 30, 2: 70}\n", "", 1),
        &[],
    ));
    let findings = lint(&package);
    assert!(
        findings
            .iter()
            .any(|found| found.error.what.starts_with("the points do not decrease")),
        "{findings:?}"
    );
}

#[test]
fn languages_have_limits() {
    let config = format!(
        "{CONFIG}override_limits: {{py: {{time_limit: 5000, memory_limit: 131072}}, cpp: {{time_limit: 900}}, zz: {{}}}}\n"
    )
    .replace("2: 70", "2: 50, 10: 20");
    let (_dir, package) = read(&with(&config, &[]));
    let own = LanguageLimits {
        time: Some(Duration::from_secs(5)),
        memory: Some(128 << 20),
        ..LanguageLimits::new("python3")
    };
    assert_eq!(package.limits.languages[0], own);
    assert_eq!(
        package.limits.languages[1].time,
        Some(Duration::from_millis(900))
    );
    let of = |code| {
        package
            .limits
            .of_language(code, Duration::from_secs(1), 64 << 20)
    };
    assert_eq!(of("python3"), (Duration::from_secs(5), 128 << 20));
    assert_eq!(of("cpp"), (Duration::from_millis(900), 64 << 20));
    assert_eq!(of("java"), (Duration::from_secs(1), 64 << 20));
    has_finding(&package, "no language has the extension `zz`");
}

#[test]
fn dependencies_are_requirements_if_they_say_the_same() {
    let config = |dependencies: &str| {
        format!("{CONFIG}subtask_dependencies: {dependencies}\n").replace("2: 70", "2: 50, 10: 20")
    };
    let (_dir, package) = read(&with(&config("{2: [1], 10: [1, 2]}"), &[]));
    assert_eq!(package.data.groups[3].requires, ["1", "2"]);
    assert_eq!(package.cases().len(), 5);
    // The group 10 does not depend on the group 1.
    let (_dir, package) = read(&with(&config("{2: [1], 10: [2]}"), &[]));
    assert!(
        package
            .data
            .groups
            .iter()
            .all(|group| group.requires.is_empty())
    );
    assert_eq!(
        all_names(&package)[3..],
        ["2/2a", "2/1a", "10/10a", "10/2a"]
    );
    // Partial points.
    let (_dir, package) = read(&with(&config("{2: [1]}"), &[("prog/sumchk.py", "")]));
    assert_eq!(all_names(&package)[3..5], ["2/2a", "2/1a"]);
    assert_eq!(package.cases()[3].points, Points::Bounded);
    let error = complaint(&files(&with(&config("{2: [0]}"), &[])), "");
    assert!(error.contains("`0` is no group with points"), "{error}");
}

#[test]
fn programs_have_roles() {
    let config = format!(
        "{CONFIG}extra_compilation_files: [sumlib.h, sumlib.cpp]\nextra_compilation_args: {{cpp: [sumlib.cpp, -O3]}}\n"
    )
    .replace("2: 70", "2: 50, 10: 20");
    let list = with(
        &config,
        &[
            ("prog/sumchk.cpp", "#include \"oi.h\"\n"),
            ("prog/suminwer.cpp", "int main() {}\n"),
            ("prog/{oi.h,sumlib.h,sumlib.cpp}", ""),
        ],
    );
    let (_dir, package) = read(&list);
    let [Validator::Program { path, protocol }] = package.validation.validators() else {
        panic!("a program, not {:?}", package.validation);
    };
    assert_eq!(*protocol, ValidatorProtocol::Sio2);
    assert!(path.join("oi.h").is_file());
    let validator = &package.input_validators[0].path;
    let text = std::fs::read_to_string(validator.join("suminwer.cpp")).unwrap();
    assert!(text.starts_with("#define _INWER 1\n"), "{text}");
    let name = validator.file_name().unwrap().to_string_lossy();
    assert_eq!(
        package.cases()[2].input_validator_args.of(&name),
        ["sum1a.in"]
    );
    let include = package.include.clone().expect("the library");
    for name in ["cpp/sumlib.h", "cpp/sumlib.cpp", "c/sumlib.h"] {
        assert!(include.join(name).is_file(), "{name}");
    }
    has_finding(&package, "the argument `-O3` of the compiler is not used");

    let error = complaint(&files(&with(CONFIG, &[("prog/sumsoc.cpp", "")])), "");
    assert!(
        error.contains("prog/sumsoc.cpp: interactive tasks are not judged"),
        "{error}"
    );
}

#[test]
fn solutions_have_expected_scores() {
    let config = format!(
        "{CONFIG}sinol_expected_scores:\n  sum.cpp: {{expected: {{1: {{points: 30, status: OK}}}}, points: 100}}\n  \
         sum2.cpp: {{expected: {{1: {{points: 30, status: OK}}, 2: {{points: 0, status: TL}}}}, points: 30}}\n  \
         sum9.cpp: {{expected: {{}}, points: 0}}\n"
    )
    .replace("2: 70", "2: 50, 10: 20");
    let (_dir, package) = read(&with(
        &config,
        &[("prog/{sum2.cpp,sumb1.py,sums1.cpp,sumingen.cpp}", "")],
    ));
    let [right, partial, wrong, slow] = &package.submissions[..] else {
        panic!("four submissions, not {:?}", package.submissions);
    };
    assert_eq!(right.name, "accepted/sum.cpp");
    assert_eq!(right.expected, Expectation::accepted());
    assert_eq!(partial.name, "prog/sum2.cpp");
    assert_eq!(partial.expected.required, [Verdict::TimeLimitExceeded]);
    assert_eq!(partial.expected.score, Some((30.0, 30.0)));
    assert_eq!(partial.rules[1].scope.as_deref(), Some("1"));
    assert_eq!(partial.rules[1].expected, Expectation::accepted());
    assert_eq!(
        (&*wrong.name, &*slow.name),
        ("prog/sumb1.py", "prog/sums1.cpp")
    );
    assert!(wrong.expected.required.contains(&Verdict::WrongAnswer));
    assert!(!slow.expected.required.contains(&Verdict::WrongAnswer));
    has_finding(&package, "`prog/` has no solution `sum9.cpp`");
}

#[test]
fn errors_have_remedies() {
    let none = [("config.yml", CONFIG), ("prog/sum.cpp", "")];
    for (list, message) in [
        (
            &none[..],
            "in: has no test: sinol-make generates them\n  help: run `sinol-make gen`",
        ),
        (
            &[none[0], none[1], ("in/sum1a.in", "")],
            "in/sum1a.in: there is no answer `out/sum1a.out`\n  help: run `sinol-make outgen`",
        ),
        (
            &[none[0], none[1], ("in/sum3a.in", ""), ("out/sum3a.out", "")],
            "config.yml:6:9: has no points for the group 3\n  help: add `3: 10` to `scores`",
        ),
        (
            &[
                ("config.yml", "title: A\ntime_limit: 1000\n"),
                ("prog/abc.cpp", ""),
                ("in/abc1a.in", ""),
            ],
            "no program in `prog/` is called",
        ),
        (
            &[
                ("config.yml", "sinol_task_id: abc\nmemory_limit: 1\n"),
                ("in/abc1a.in", ""),
                ("out/abc1a.out", ""),
            ],
            "config.yml: has no time limit for the test `1a`",
        ),
        (
            &[(
                "config.yml",
                "sinol_task_id: abc\nsinol_contest_type: ioi\n",
            )],
            "config.yml:2:21: `ioi` is not a type of contests",
        ),
    ] {
        let error = complaint(&files(list), "");
        assert!(error.contains(message), "{error}");
    }
}
