//! Packages of version legacy, rewritten as 2025-09.
#![allow(missing_docs)]

use judge_export::upgrade;
use judge_package::{Aggregation, Package};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn a_package_keeps_its_meaning_and_its_comments() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("sum");
    write(
        &root,
        &[
            (
                "problem.yaml",
                "# About sums\nname: Sum # the title\nauthor: A. Author and B. Other\nsource: Finals\n\
                 source_url: http://example.org\nkeywords: easy maths\nlicense: cc by\nvalidation: custom\n\
                 validator_flags: strict 'a b'\nlimits:\n    # small\n    memory: 64\n    time_multiplier: 3\n",
            ),
            (".timelimit", "2\n"),
            ("problem_statement/problem.tex", "Text\n"),
            ("output_validators/v.py", "import sys\nsys.exit(42)\n"),
            ("input_format_validators/v.py", "import sys\nsys.exit(42)\n"),
            ("data/sample/1.in", "1\n"),
            ("data/sample/1.ans", "1\n"),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
            ("submissions/accepted/a.py", "print(1)\n"),
            ("submissions/compiler_error/a.cpp", "x\n"),
        ],
    );
    let before = Package::read(&root).unwrap();
    let checks = upgrade(&before).unwrap();
    let after = Package::read(&root).unwrap();
    assert_eq!(after.format, "2025-09");
    // Nothing is expected of the submission that does not compile.
    let findings: Vec<String> = after.findings.iter().map(ToString::to_string).collect();
    assert!(
        findings.len() == 1 && findings[0].contains("compiler_error/a.cpp"),
        "{findings:?}"
    );
    assert_eq!(after.limits.time.fixed(), Some(Duration::from_secs(2)));
    assert_eq!(after.limits.memory, 64 << 20);
    assert_eq!(
        (
            after.limits.ac_to_time_limit,
            after.limits.time_limit_to_tle
        ),
        (3.0, 2.0)
    );
    assert_eq!(after.cases()[0].validator_args, ["strict", "a b"]);
    let programs: Vec<_> = after.validation.programs().collect();
    assert!(
        programs[0].ends_with("output_validator/v.py"),
        "{programs:?}"
    );
    assert_eq!(after.input_validators.len(), 1);
    assert!(root.join("statement/problem.en.tex").is_file());
    let yaml = read(&root, "problem.yaml");
    for part in [
        "problem_format_version: 2025-09\n",
        "# About sums\n",
        "name: Sum # the title\n",
        "authors: [\"A. Author\", \"B. Other\"]",
        "    # small\n    memory: 64\n",
        "keywords: [\"easy\", \"maths\"]\n",
        "  url: \"http://example.org\"\n",
    ] {
        assert!(yaml.contains(part), "no {part} in {yaml}");
    }
    assert!(
        !yaml.contains("validat") && !yaml.contains("time_multiplier:"),
        "{yaml}"
    );
    assert!(
        checks.iter().any(|check| check.contains("compiler_error")),
        "{checks:?}"
    );
    // Nothing else is left, and it is not done twice.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let error = upgrade(&after).unwrap_err();
    assert!(error.what.contains("only version legacy"), "{error}");
}

#[test]
fn points_become_those_of_groups() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("points");
    let case = |name: &str| [format!("{name}.in"), format!("{name}.ans")];
    write(
        &root,
        &[
            (
                "problem.yaml",
                "name: Points\ntype: scoring\nlimits: {memory: 64, time_safety_margin: 4}\n",
            ),
            (
                "data/testdata.yaml",
                "on_reject: continue\ngrader_flags: ignore_sample\n",
            ),
            (
                "data/secret/a/testdata.yaml",
                "# easy\naccept_score: 30\ngrader_flags: min\n",
            ),
            ("data/secret/b/testdata.yaml", "accept_score: 35\n"),
            ("submissions/partially_accepted/a.py", ""),
        ],
    );
    for name in [
        "data/sample/1",
        "data/secret/a/1",
        "data/secret/a/2",
        "data/secret/b/1",
        "data/secret/b/2",
    ] {
        for file in case(name) {
            write(&root, &[(&file, "1\n")]);
        }
    }
    upgrade(&Package::read(&root).unwrap()).unwrap();
    let after = Package::read(&root).unwrap();
    assert_eq!(after.limits.time_limit_to_tle, 4.0);
    let secret = &after.data.groups[1];
    assert_eq!(secret.max_score, Some(100.0));
    let groups: Vec<_> = secret
        .groups
        .iter()
        .map(|group| (group.aggregation, group.max_score))
        .collect();
    assert_eq!(
        groups,
        [
            (Aggregation::Min, Some(30.0)),
            (Aggregation::Sum, Some(70.0))
        ]
    );
    assert!(read(&root, "data/secret/a/test_group.yaml").starts_with("# easy\n"));
    assert!(!root.join("data/testdata.yaml").exists());
}

#[test]
fn a_package_that_cannot_be_converted_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("two");
    write(
        &root,
        &[
            (
                "problem.yaml",
                "name: Two\nvalidation: custom interactive\n",
            ),
            ("output_validators/a.py", "x = 1\n"),
            ("output_validators/b.py", "y = 1\n"),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
        ],
    );
    let package = Package::read(&root).unwrap();
    let protocols: Vec<_> = package.validation.programs().collect();
    assert_eq!(protocols.len(), 2);
    let error = upgrade(&package).unwrap_err();
    assert!(error.what.contains("cannot be converted"), "{error}");
    assert!(read(&root, "problem.yaml").contains("custom interactive"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// The arguments of a group are in its file; where the groups of version 2025-09 are missing, in those of the cases.
#[test]
fn arguments_stay_with_their_cases() {
    for kind in ["type: scoring\n", ""] {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        let yaml = format!("name: P\n{kind}limits:\n  time_multiplier: 3 # slow machines\n");
        write(
            &root,
            &[
                ("problem.yaml", &yaml),
                ("data/sample/1.in", ""),
                ("data/sample/1.ans", ""),
                (
                    "data/secret/a/testdata.yaml",
                    "input_validator_flags: \"1000\"\n",
                ),
                ("data/secret/a/1.in", ""),
                ("data/secret/a/1.ans", ""),
                (
                    "data/secret/b/testdata.yaml",
                    "output_validator_flags: case_sensitive\n",
                ),
                ("data/secret/b/1.desc", "the \"small\" one\n"),
                ("data/secret/b/1.hint", "think\n"),
                ("data/secret/b/1.in", ""),
                ("data/secret/b/1.ans", ""),
            ],
        );
        let arguments = |package: &Package| -> Vec<_> {
            let cases = package.cases().into_iter();
            cases
                .map(|case| {
                    (
                        case.name.clone(),
                        case.input_validator_args.clone(),
                        case.validator_args.clone(),
                        case.hint.as_deref().map(str::trim).map(str::to_owned),
                    )
                })
                .collect()
        };
        let package = Package::read(&root).unwrap();
        let before = arguments(&package);
        let checks = upgrade(&package).unwrap();
        assert_eq!(arguments(&Package::read(&root).unwrap()), before, "{kind}");
        assert!(
            !checks.iter().any(|check| check.contains("arguments")),
            "{checks:?}"
        );
        let text = read(&root, "data/secret/b/1.yaml");
        let texts = "description: \"the \\\"small\\\" one\"\nhint: \"think\"\n";
        assert!(text.ends_with(texts), "{text}");
        assert!(!root.join("data/secret/b/1.hint").exists());
        let text = read(&root, "problem.yaml");
        assert!(
            text.contains("ac_to_time_limit: 3 # slow machines\n"),
            "{text}"
        );
    }
}
