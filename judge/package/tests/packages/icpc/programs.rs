//! Which files of a package are programs, and which belong to one.

use super::support::{findings, new, old, read};
use judge_package::{Package, Validator};
use std::path::PathBuf;

const C_MAIN: &str = "#include \"util.h\"\nint main() { return 42; }\n";

/// The error of a package of 2025-09 with these files.
fn refused(files: &[(&str, &str)]) -> String {
    let dir = new("", files);
    let error = Package::read(&dir.path().join("sum")).expect_err("it is refused");
    error
        .to_string()
        .replace(&format!("{}/", dir.path().display()), "")
}

fn validators(package: &Package) -> Vec<PathBuf> {
    let root = &package.root;
    let paths = package.validation.validators().iter();
    let paths = paths.filter_map(|validator| match validator {
        Validator::Program { path, .. } => Some(path.strip_prefix(root).unwrap_or(path)),
        _ => None,
    });
    paths.map(PathBuf::from).collect()
}

#[test]
fn a_directory_for_one_program_has_not_two() {
    for (files, named) in [
        (
            &[("a.py", "exit(42)\n"), ("b.py", "exit(43)\n")][..],
            "`a.py`, `b.py`",
        ),
        (
            &[("a/a.py", "exit(42)\n"), ("b/b.py", "exit(43)\n")],
            "`a`, `b`",
        ),
        (
            &[("a/a.py", "exit(42)\n"), ("b.py", "exit(43)\n")],
            "`a`, `b.py`",
        ),
        (
            &[("a.py", "exit(42)\n"), ("b.cpp", C_MAIN), ("util.h", "")],
            "`a.py`, `b.cpp`",
        ),
        (
            &[("a.cpp", C_MAIN), ("b.c", C_MAIN), ("util.h", "")],
            "`a.cpp`, `b.c`",
        ),
        (
            &[
                ("A.java", "void main() {}\n"),
                ("B.java", "void main() {}\n"),
            ],
            "`A.java`, `B.java`",
        ),
    ] {
        for name in ["output_validator", "static_validator"] {
            let files: Vec<(String, &str)> = files
                .iter()
                .map(|(file, text)| (format!("{name}/{file}"), *text))
                .collect();
            let files: Vec<(&str, &str)> = files.iter().map(|(f, text)| (&**f, *text)).collect();
            let expected = format!(
                "sum/{name}: holds several programs, and one is allowed: {named}\n  help: keep one; the \
                 files of one program may be in a directory of their own, `{name}/NAME/`"
            );
            assert_eq!(refused(&files), expected);
        }
    }
    let both = refused(&[
        ("output_validator/a.py", "exit(42)\n"),
        ("output_validators/b.py", "exit(43)\n"),
    ]);
    assert!(both.contains("is a second output validator"), "{both}");
}

#[test]
fn a_directory_for_a_program_holds_one_or_only_a_skeleton() {
    for name in ["output_validator", "output_validators", "static_validator"] {
        for file in ["validate.h", "judge.jar"] {
            let path = format!("{name}/{file}");
            let message = refused(&[(&path, "")]);
            let expected = format!("sum/{name}: holds no program");
            assert!(message.starts_with(&expected), "{path}: {message}");
        }
        for file in [".gitkeep", "README.md", "README", "validate.py.template"] {
            let path = format!("{name}/{file}");
            let dir = new("", &[(&path, "")]);
            let package = Package::read(&dir.path().join("sum")).expect("a skeleton");
            assert!(validators(&package).is_empty(), "{path}");
        }
    }
}

/// Every run warns of what the version leaves out if it decides verdicts.
#[test]
fn what_is_left_out_is_shown_by_every_run() {
    let shown = |package: &Package| {
        let findings = package.findings.iter();
        let shown = findings.filter(|finding| finding.concerns_runs);
        shown.map(ToString::to_string).collect::<Vec<_>>()
    };
    for (yaml, file, text, expected) in [
        (
            "",
            "data/secret/testdata.yaml",
            "grading: default\n",
            "a file of version `legacy`",
        ),
        (
            "",
            "data/secret/test_group.yaml",
            "output_validator_flags: float_tolerance 1e-3\n",
            "is a key of version `legacy`",
        ),
        (
            "validation: custom\n",
            "README",
            "",
            "`validation` is a key",
        ),
        (
            "validator_flags: case_sensitive\n",
            "README",
            "",
            "`validator_flags` is a key",
        ),
    ] {
        let dir = new(yaml, &[(file, text)]);
        let package = Package::read(&dir.path().join("sum")).expect("a package");
        let shown = shown(&package);
        assert!(
            shown.len() == 1 && shown[0].contains(expected),
            "{file}: {shown:?}"
        );
    }
    let dir = old("", &[("output_validators/v.py", "exit(42)\n")]);
    let package = Package::read(&dir.path().join("sum")).expect("a package");
    let shown = shown(&package);
    assert!(
        shown.len() == 1 && shown[0].contains("they are left out"),
        "{shown:?}"
    );
}

#[test]
fn a_program_may_have_several_files() {
    for (files, path) in [
        (&[("v.py", "import util\n"), ("util.py", "")][..], ""),
        (
            &[("__main__.py", ""), ("__init__.py", ""), ("x.py", "")],
            "",
        ),
        (&[("v.py", "from lib.x import f\n"), ("lib/x.py", "")], ""),
        (
            &[
                ("v.cpp", C_MAIN),
                ("util.cpp", "// main()\n"),
                ("util.h", ""),
            ],
            "",
        ),
        (&[("v.cpp", C_MAIN), ("docs/notes.md", "x\n")], ""),
        (
            &[("build", "#!/bin/sh\n"), ("a.py", ""), ("b.cpp", C_MAIN)],
            "",
        ),
        (&[("run", "#!/bin/sh\n"), ("a/a.py", ""), ("b.py", "")], ""),
        (&[("v.py", "exit(42)\n")], "/v.py"),
        (&[("v/a.py", "exit(42)\n"), ("v/b.py", "exit(42)\n")], "/v"),
        (&[("v.py", "exit(42)\n"), ("README", "x\n")], ""),
    ] {
        let files: Vec<(String, &str)> = files
            .iter()
            .map(|(file, text)| (format!("output_validator/{file}"), *text))
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (&**file, *text)).collect();
        let package = read(&new("", &files));
        let expected = PathBuf::from(format!("output_validator{path}"));
        assert_eq!(validators(&package), [expected], "{files:?}");
    }
}

#[test]
fn a_helper_beside_a_validator_is_no_validator() {
    let files = [
        ("input_validators/validate.py", "import helper\nexit(42)\n"),
        ("input_validators/helper.py", ""),
        ("input_validators/other.sh", "exit 42\n"),
    ];
    let dir = new("", &files);
    let package = read(&dir);
    let validators = package.input_validators.iter();
    let paths: Vec<&PathBuf> = validators.map(|validator| &validator.path).collect();
    let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).collect();
    assert_eq!(names, ["other.sh", "validate.py"]);
    // The validator is assembled from both files.
    assert!(paths[1].join("helper.py").is_file() && paths[1].join("validate.py").is_file());
    let own = dir.path().join("sum/input_validators/validate.py");
    assert_eq!(package.original(paths[1]), own);
}

#[test]
fn legacy_may_have_several_output_validators() {
    let several = [
        ("output_validators/a.py", "import util\n"),
        ("output_validators/b.py", "exit(42)\n"),
        ("output_validators/util.py", ""),
    ];
    let package = read(&old("validation: custom\n", &several));
    assert_eq!(validators(&package).len(), 2);
    let one = [several[0], several[2]];
    let package = read(&old("validation: custom\n", &one));
    assert_eq!(validators(&package), [PathBuf::from("output_validators")]);
}

#[test]
fn programs_with_forbidden_names_do_not_count() {
    let dir = new(
        "",
        &[
            ("output_validator/my validator.py", "exit(42)\n"),
            ("submissions/accepted/ök.py", ""),
            ("submissions/wrong_answer/a b.py", ""),
            ("submissions/my dir/a.py", ""),
        ],
    );
    let package = read(&dir);
    let names: Vec<&str> = package.submissions.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["accepted/sum.py"]);
    assert!(validators(&package).is_empty());
    let found = findings(&dir);
    for path in [
        "output_validator/my validator.py: has a name that the format forbids; it is left out",
        "submissions/accepted/ök.py: has a name that the format forbids; it does not count",
        "submissions/wrong_answer/a b.py: has a name",
        "submissions/my dir: has a name",
    ] {
        assert!(found.contains(&format!("error: sum/{path}")), "{found}");
    }
    // Archives of older versions have such names.
    let legacy = old("", &[("submissions/accepted/sum (1).py", "")]);
    assert_eq!(read(&legacy).submissions.len(), 2);
}
