//! Packages of the ICPC formats: what each version says comes out in the model.

use judge::package::{
    Aggregation, Dialect, Objective, Package, Part, Severity, TimeLimit, TimeLimitUse, Validator,
    VerdictMode, lint,
};
use judge::verdict::Verdict::{
    Accepted, CompileError, RunTimeError, TimeLimitExceeded, WrongAnswer,
};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const UUID: &str = "uuid: 0a6d1b2e-5b0e-4c1c-9d7a-3f3c1c9b1e11\n";

/// What every version of the format demands besides the data.
const COMMON: [(&str, &str); 2] = [
    ("input_validators/validate.py", "exit(42)\n"),
    ("submissions/accepted/sum.py", "print(3)\n"),
];

fn directory(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in COMMON.iter().chain(files) {
        let path = dir.path().join("sum").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

/// A package of version 2025-09 with these lines in `problem.yaml`, two cases, and more files.
fn new(yaml: &str, more: &[(&str, &str)]) -> TempDir {
    let yaml = format!("problem_format_version: 2025-09\nname: Sum\n{UUID}{yaml}");
    let mut files = vec![
        ("problem.yaml", yaml.as_str()),
        ("statement/problem.en.md", "Add.\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
    ];
    if !more.iter().any(|(name, _)| name.starts_with("data/secret")) {
        files.extend([("data/secret/2.in", "5 7\n"), ("data/secret/2.ans", "12\n")]);
    }
    files.extend(more);
    directory(&files)
}

/// The same of version `legacy`.
fn old(yaml: &str, more: &[(&str, &str)]) -> TempDir {
    let yaml = format!("name: Sum\n{yaml}");
    let mut files = vec![
        ("problem.yaml", yaml.as_str()),
        ("problem_statement/problem.tex", "Add.\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/2.in", "5 7\n"),
        ("data/secret/2.ans", "12\n"),
    ];
    files.extend(more);
    directory(&files)
}

fn read(dir: &TempDir) -> Package {
    Package::read(&dir.path().join("sum")).unwrap()
}

/// What the checks say, a line each, with the package called `sum`.
fn findings(dir: &TempDir) -> String {
    let told: Vec<String> = lint(&read(dir)).iter().map(ToString::to_string).collect();
    told.join("\n")
        .replace(&format!("{}/", dir.path().display()), "")
}

#[test]
fn a_package_of_2025_09() {
    let yaml = "type: [interactive, multi-pass]\n\
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
    assert_eq!(package.dialect, Dialect::V2025);
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
        matches!(&package.validator, Validator::Program { path, .. } if path.ends_with("check.py"))
    );
    assert_eq!(package.cases().len(), 2);
    assert_eq!(package.cases()[0].name, "sample/1");
    assert!(package.cases()[0].sample && !package.cases()[1].sample);
    assert_eq!(findings(&dir), "");
}

#[test]
fn time_limits_are_derived_where_none_is_given() {
    let derived = |factor| TimeLimit::Derived {
        factor,
        resolution: Duration::from_secs(1),
    };
    assert_eq!(read(&new("", &[])).limits.time, derived(2.0));
    assert_eq!(read(&old("", &[])).limits.time, derived(5.0));
    let multiplied = old("limits: {time_multiplier: 4, time_safety_margin: 3}\n", &[]);
    assert_eq!(read(&multiplied).limits.time, derived(4.0));
    assert_eq!(read(&multiplied).limits.time_limit_to_tle, 3.0);
    // The files beside `problem.yaml`: DOMjudge's own before the other.
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
fn settings_of_groups_reach_their_cases() {
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
            ("data/secret/a/1.in", ""),
            ("data/secret/a/1.ans", ""),
            (
                "data/secret/a/1.yaml",
                "args: ['1', two words]\ndescription: small\n",
            ),
            ("data/secret/b.in", ""),
            ("data/secret/b.ans", ""),
            ("data/secret/b.files/extra.txt", ""),
        ],
    );
    let package = read(&dir);
    let cases = package.cases();
    let names: Vec<&str> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(names, ["sample/1", "secret/a/1", "secret/b"]);
    // Text, not a number: as it was written.
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
    let case = |group: &str, name: &str| {
        [
            format!("data/secret/{group}/{name}.in"),
            format!("data/secret/{group}/{name}.ans"),
        ]
    };
    let mut files = vec![
        (
            "data/secret/g1/test_group.yaml".to_owned(),
            "max_score: 40\nscore_aggregation: sum\n",
        ),
        (
            "data/secret/g2/test_group.yaml".to_owned(),
            "max_score: 60\nrequire_pass: [sample]\n",
        ),
    ];
    for (group, name) in [("g1", "a"), ("g1", "b"), ("g2", "c")] {
        files.extend(case(group, name).map(|name| (name, "")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let dir = new("type: scoring\n", &files);
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
    // Samples give nothing.
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
                mixed/quick.py: {permitted: [AC], use_for_time_limit: false}\n";
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
    let find = |name: &str| {
        package
            .submissions
            .iter()
            .find(|one| one.name == name)
            .unwrap()
    };
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
    assert_eq!(
        find("accepted/sum.py").rules[0].bounds_time_limit(),
        TimeLimitUse::Lower
    );
}

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
            ("data/secret/10-group/1.in", ""),
            ("data/secret/10-group/1.ans", ""),
            ("data/secret/3.in", ""),
            ("data/secret/3.ans", ""),
        ],
    );
    let package = read(&dir);
    assert!(package.kind.scoring && package.kind.interactive && package.kind.multi_pass);
    assert_eq!(package.objective, Objective::Minimize);
    assert_eq!(package.more_validators.len(), 1);
    assert!(package.data.ignore_sample && !package.data.stop_at_first);
    let secret = &package.data.groups[1];
    assert_eq!(secret.aggregation, Aggregation::Min);
    assert_eq!(secret.verdict_mode, VerdictMode::First);
    assert!(secret.accept_if_any);
    assert_eq!(secret.range, Some((0.0, 100.0)));
    // Cases and groups are mixed in the order of their names: 10-group, 2, 3.
    let Part::Group(group) = secret.parts()[0] else {
        panic!("the group comes first");
    };
    assert!(group.stop_at_first);
    let inner = &group.cases[0];
    assert_eq!((inner.score, inner.reject_score), (Some(30.0), Some(1.5)));
    assert_eq!(inner.validator_args, ["d"]);
    assert_eq!(secret.cases[0].score, Some(1.0));
    assert_eq!(secret.cases[0].validator_args, ["a", "b c"]);
}

#[test]
fn legacy_submissions_are_expected_as_its_tools_do() {
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
    let find = |name: &str| {
        package
            .submissions
            .iter()
            .find(|one| one.name == name)
            .unwrap()
    };
    let slow = &find("time_limit_exceeded/slow.py").expected;
    // The comment does not count in a directory that says it.
    assert!(slow.is_met(&[WrongAnswer, TimeLimitExceeded], WrongAnswer));
    assert!(!slow.is_met(&[Accepted], Accepted));
    let any = &find("mixed/any.py").expected;
    assert_eq!(any.outcome, [CompileError, RunTimeError]);
    assert!(find("slow_accepted/none.py").rules.is_empty());
}

#[test]
fn the_draft_with_legacys_groups() {
    let yaml = format!(
        "problem_format_version: 2023-07-draft\nname: {{sv: Summa, en: Sum}}\n{UUID}type: scoring\n"
    );
    let dir = directory(&[
        ("problem.yaml", &yaml),
        ("data/secret/testdata.yaml", "grader_flags: max\n"),
        ("data/secret/g/testdata.yaml", "accept_score: 7\n"),
        ("data/secret/g/1.in", ""),
        ("data/secret/g/1.ans", ""),
    ]);
    let package = read(&dir);
    assert_eq!(
        (package.dialect, package.name.as_str()),
        (Dialect::Draft2023, "Sum")
    );
    let secret = &package.data.groups[0];
    assert_eq!(secret.aggregation, Aggregation::Max);
    assert_eq!(secret.groups[0].cases[0].score, Some(7.0));
}

#[test]
fn a_package_without_problem_yaml_is_domjudges() {
    let dir = directory(&[
        ("domjudge-problem.ini", "name = 'Two Sums'\ntimelimit = 3\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
    ]);
    let package = read(&dir);
    assert_eq!(package.name, "Two Sums");
    assert_eq!(
        package.limits.time,
        TimeLimit::Given(Duration::from_secs(3))
    );
    assert_eq!(package.findings[0].severity, Severity::Error);
}

/// Each case: a title, what to add to a sound package, what must be told.
#[test]
fn the_checks_find_what_the_format_forbids() {
    for (yaml, files, told) in [
        ("license: gpl\n", &[][..], "no license of the format"),
        ("license: cc by\n", &[], "needs a rights owner"),
        (
            "license: public domain\nrights_owner: me\n",
            &[],
            "no rights owner",
        ),
        ("credits: {author: me}\n", &[], "did you mean `authors`?"),
        ("credits: {authors: [{email: a@b}]}\n", &[], "has no `name`"),
        ("embargo_until: tomorrow\n", &[], "is no date"),
        ("keywords: a b\n", &[], "must be a list"),
        ("languages: [c++]\n", &[], "no code of a language"),
        ("source_url: x\n", &[], "is a key of version `legacy`"),
        (
            "limits: {validation_passes: 3}\n",
            &[],
            "only for type `multi-pass`",
        ),
        (
            "limits: {time_limit: 1.5}\n",
            &[],
            "not a multiple of `time_resolution`",
        ),
        (
            "limits: {code: 1}\n",
            &[("submissions/accepted/long.py", LONG)],
            "bytes of source code",
        ),
        ("type: interactive\n", &[], "needs its own output validator"),
        (
            "constants: {max_n: 5}\n",
            &[("input_validators/validate.py", "{{maxn}}\n")],
            "did you mean `max_n`?",
        ),
        (
            "",
            &[("statement/problem.sv.md", "x\n")],
            "the names are in en, but the statements in en, sv",
        ),
        (
            "",
            &[("statement/problem.md", "x\n")],
            "rename it to `problem.en.md`",
        ),
        (
            "",
            &[("attachments/tool/x", "")],
            "is a directory in `attachments`",
        ),
        ("", &[("include/pyton3/x", "")], "did you mean `python3`?"),
        (
            "",
            &[("output_validators/x.py", "")],
            "rename it to `output_validator`",
        ),
        (
            "",
            &[("submisions/accepted/x.py", "")],
            "did you mean `submissions`?",
        ),
        (
            "",
            &[("data/secret/testdata.yaml", ""), SECRET[0], SECRET[1]],
            "is a file of version `legacy`",
        ),
        (
            "",
            &[("data/secret/2.in", "5 7\r\n"), SECRET[1]],
            "Windows line ends, first in line 1",
        ),
        (
            "",
            &[("data/secret/2.in", "5 7"), SECRET[1]],
            "does not end with a newline",
        ),
        (
            "",
            &[("data/secret/2.in", "\u{feff}5\n"), SECRET[1]],
            "byte-order mark",
        ),
        (
            "",
            &[("data/secret/2.in", "1 2\n"), SECRET[1]],
            "is the same input as",
        ),
        (
            "",
            &[("data/secret/a b.in", ""), SECRET[0], SECRET[1]],
            "it is left out",
        ),
        (
            "",
            &[("data/secret/3.ans", ""), SECRET[0], SECRET[1]],
            "the input is missing",
        ),
        (
            "",
            &[
                ("data/secret/2.png", ""),
                ("data/secret/2.svg", ""),
                SECRET[0],
                SECRET[1],
            ],
            "illustrations is given twice",
        ),
        (
            "",
            &[("data/sample/1.in.statement", "")],
            "add `.in.download`",
        ),
        (
            "",
            &[
                ("data/valid_output/1.in", ""),
                ("data/valid_output/1.ans", ""),
            ],
            "has no `.out` file",
        ),
        (
            "",
            &[(
                "data/test_group.yaml",
                "output_validator_args: [float_tolerence, '1']\n",
            )],
            "did you mean `float_tolerance`?",
        ),
        (
            "",
            &[
                ("data/secret/test_group.yaml", "max_score: 3\n"),
                SECRET[0],
                SECRET[1],
            ],
            "only for problems of type `scoring`",
        ),
        (
            "",
            &[(
                "data/sample/test_group.yaml",
                "static_validation_score: 3\n",
            )],
            "static_validator",
        ),
        (
            "",
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py: {permitted: [WA]}\n",
            )],
            "no verdict meets all",
        ),
        (
            "",
            &[(
                "submissions/submissions.yaml",
                "accepted/sum.py: {score: 5}\n",
            )],
            "only for problems of type `scoring`",
        ),
        (
            "",
            &[("submissions/submissions.yaml", "wrong_answer/x.py: {}\n")],
            "matches no submission",
        ),
        (
            "",
            &[("submissions/sum.py", "")],
            "it stands in no directory",
        ),
    ] {
        let found = findings(&new(yaml, files));
        assert!(
            found.contains(told),
            "{yaml}{files:?}: {told:?} not in {found:?}"
        );
    }
}

const SECRET: [(&str, &str); 2] = [("data/secret/2.in", "5 7\n"), ("data/secret/2.ans", "12\n")];
const LONG: &str = "#######################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n\
    ############################################################################################\n";

/// Any bytes in the place of any file: an error or a package, never a panic.
#[test]
fn damaged_files_never_panic() {
    let dir = new(
        "limits: {time_limit: 1, time_multipliers: {ac_to_time_limit: 2.5}}\nconstants: {n: {value: 5}}\n",
        &[
            (
                "data/secret/test_group.yaml",
                "args: [a]\noutput_validator_args: &a [x, y]\n",
            ),
            (
                "submissions/submissions.yaml",
                "accepted: {permitted: [AC], secret/*{1,2}: {required: [AC]}}\n",
            ),
            SECRET[0],
            SECRET[1],
        ],
    );
    let root = dir.path().join("sum");
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for name in [
        "problem.yaml",
        "data/secret/test_group.yaml",
        "submissions/submissions.yaml",
    ] {
        let path: &Path = &root.join(name);
        let whole = fs::read(path).unwrap();
        for _ in 0..200 {
            let mut bytes = whole.clone();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = b"{}[]:,&*!|>'\"%@`#-?\n\t \xff0"[random(24)],
                    1 => {
                        bytes.remove(at);
                    }
                    _ => bytes.insert(at, b"{}[]:,&*!|>'\"%@`#-?\n\t \xff0"[random(24)]),
                }
            }
            fs::write(path, bytes).unwrap();
            if let Ok(package) = Package::read(&root) {
                lint(&package);
            }
        }
        fs::write(path, whole).unwrap();
    }
}
