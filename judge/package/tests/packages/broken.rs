//! Broken packages: each is rejected with the file, the position, and a remedy.

use crate::files::{self, directory, write};
use crate::icpc::support::new;
use judge_package::Package;
use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use tempfile::TempDir;

const V2025: &str = "problem_format_version: 2025-09\nname: Sum\n";
const LEGACY: &str = "name: Sum\n";

/// A valid package with these files added or replaced.
fn package(changed: &[(&str, &str)]) -> TempDir {
    new("", changed)
}

/// The error about the package, with `sum` for its directory.
fn complaint(dir: &TempDir) -> String {
    files::complaint(dir, "sum")
}

#[test]
fn the_valid_package_has_no_findings() {
    assert_eq!(complaint(&package(&[])), "no error");
}

#[test]
fn errors_have_a_position_and_a_remedy() {
    let yaml = |more: &str| vec![("problem.yaml", format!("{V2025}{more}"))];
    let legacy = |more: &str| vec![("problem.yaml", format!("{LEGACY}{more}"))];
    let file = |name: &'static str, content: &str| vec![(name, content.to_owned())];
    let rules = |text: &str| file("submissions/submissions.yaml", text);
    let with = |yaml: &str, name, content| [legacy(yaml), file(name, content)].concat();
    let group = |content| with("type: scoring\n", "data/secret/testdata.yaml", content);
    let table: Vec<(&str, Vec<(&str, String)>)> = vec![
        ("key misspelt", yaml("limit:\n  memory: 1\n")),
        ("limit misspelt", yaml("limits:\n  tme_limit: 1\n")),
        ("unknown key", yaml("colour: red\n")),
        ("quoted bool", yaml("allow_file_writing: \"true\"\n")),
        ("limit beside limits", yaml("time_limit: 1\n")),
        ("nobody to talk to", yaml("type: interactive\n")),
        ("no decision on passes", yaml("type: [multi-pass]\n")),
        (
            "nobody to talk to, in legacy",
            legacy("type: interactive\n"),
        ),
        (
            "version unknown",
            file("problem.yaml", "problem_format_version: 2025-9\n"),
        ),
        (
            "version without value",
            file("problem.yaml", "problem_format_version:\nname: Sum\n"),
        ),
        (
            "version misspelt",
            file("problem.yaml", "problem_fomat_version: 2025-09\n"),
        ),
        ("not YAML", yaml("limits: [1, 2\n")),
        ("tab", yaml("limits:\n\tmemory: 1\n")),
        ("no map", yaml("limits: 1\n")),
        ("colon in text", yaml("source: NWERC: the finals\n")),
        (
            "indented too deep",
            yaml("limits:\n  time_limit: 2\n   memory: 3\n"),
        ),
        ("tab", yaml("limits:\n\tmemory: 1\n")),
        ("two documents", yaml("---\nname: Other\n")),
        ("limit is text", yaml("limits:\n  time_limit: fast\n")),
        ("limit is 0", yaml("limits:\n  time_limit: 0\n")),
        ("limit too short", yaml("limits:\n  time_limit: 1e-300\n")),
        ("limit has a fraction", yaml("limits:\n  memory: 1.5\n")),
        (
            "limit too large",
            yaml("limits:\n  memory: 99999999999999\n"),
        ),
        (
            "multiplier too small",
            yaml("limits:\n  time_multipliers:\n    ac_to_time_limit: 0.5\n"),
        ),
        ("one pass", yaml("limits:\n  validation_passes: 1\n")),
        ("limits is a list", yaml("limits: [1]\n")),
        ("type unknown", yaml("type: [scorring]\n")),
        (
            "types exclude each other",
            yaml("type: [pass-fail, scoring]\n"),
        ),
        ("type is empty", yaml("type: []\n")),
        (
            "constant without value",
            yaml("constants:\n  n: {tex: 5}\n"),
        ),
        ("constant's name", yaml("constants:\n  2n: 5\n")),
        ("no answer", file("data/secret/3.in", "1 1\n")),
        (
            "case key misspelt",
            file("data/secret/2.yaml", "arg: [x]\n"),
        ),
        ("args are a text", file("data/secret/2.yaml", "args: foo\n")),
        (
            "args are a map",
            file("data/secret/2.yaml", "args: {x: 1}\n"),
        ),
        (
            "group key misspelt",
            file("data/secret/test_group.yaml", "max_scores: 3\n"),
        ),
        (
            "aggregation unknown",
            file("data/secret/test_group.yaml", "score_aggregation: max\n"),
        ),
        (
            "required group misspelt",
            [
                yaml("type: scoring\n"),
                file("data/secret/g1/1.{in,ans}", ""),
                file("data/secret/g1/test_group.yaml", "max_score: 40\n"),
                file("data/secret/g2/2.{in,ans}", ""),
                file(
                    "data/secret/g2/test_group.yaml",
                    "max_score: 60\nrequire_pass: [sample, secret/gl]\n",
                ),
            ]
            .concat(),
        ),
        (
            "rule's verdict unknown",
            rules("accepted: {permitted: [ACC]}\n"),
        ),
        ("rule's key unknown", rules("accepted: {permited: [AC]}\n")),
        ("rule demands nothing", rules("accepted: {permitted: []}\n")),
        ("score range", rules("accepted: {score: [3, 1]}\n")),
        (
            "time limit use",
            rules("accepted: {use_for_time_limit: both}\n"),
        ),
        ("legacy: key misspelt", legacy("validtion: custom\n")),
        ("legacy: validation", legacy("validation: special\n")),
        (
            "legacy: validation word",
            legacy("validation: custom interactiv\n"),
        ),
        ("legacy: no validator", legacy("validation: custom\n")),
        ("time with a unit", yaml("limits: {time_limit: 500ms}\n")),
        ("memory with a unit", yaml("limits: {memory: 1GB}\n")),
        ("code with a unit", yaml("limits: {code: 64kb}\n")),
        ("memory in words", yaml("limits: {memory: much}\n")),
        (
            "legacy: on_reject",
            with("", "data/testdata.yaml", "on_reject: stop\n"),
        ),
        ("legacy: grader flag", group("grader_flags: first_eror\n")),
        ("legacy: range", group("range: 100 0\n")),
        ("legacy: no grader", group("grading: custom\n")),
        ("legacy: .timelimit", with("", ".timelimit", "two\n")),
        (
            "legacy: ini",
            with("", "domjudge-problem.ini", "name='x'\ntimelimit='soon'\n"),
        ),
    ];
    let mut message = String::new();
    for (title, files) in table {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
        writeln!(message, "{title}\n{}\n", complaint(&package(&files))).unwrap();
    }
    insta::assert_snapshot!(message);
}

#[test]
fn the_arguments_of_the_default_validator_are_checked_where_they_are_given() {
    let legacy = |line: &str| vec![("problem.yaml", format!("{LEGACY}{line}\n"))];
    let group = |text: &str| vec![("data/secret/test_group.yaml", format!("{text}\n"))];
    let unknown = |name: &str, near: &str| {
        format!(
            "`{name}` is not an argument of the default validator\n  help: did you mean `{near}`?"
        )
    };
    let table = [
        (
            legacy("validator_flags: case_sensitve"),
            "problem.yaml:2:18",
            unknown("case_sensitve", "case_sensitive"),
        ),
        (
            legacy("validator_flags: float_tolerance"),
            "problem.yaml:2:18",
            "`float_tolerance` lacks its number\n  help: write `float_tolerance 1e-6`".to_owned(),
        ),
        (
            legacy("validator_flags: float_tolerance 1-e6"),
            "problem.yaml:2:18",
            "`float_tolerance` needs a number, found `1-e6`\n  help: write `float_tolerance 1e-6`"
                .to_owned(),
        ),
        (
            [
                legacy(""),
                vec![(
                    "data/secret/testdata.yaml",
                    "on_reject: break\noutput_validator_flags: space_sensitive\n".to_owned(),
                )],
            ]
            .concat(),
            "data/secret/testdata.yaml:2:25",
            unknown("space_sensitive", "case_sensitive"),
        ),
        (
            group("output_validator_args: [case_sensitive, float_tolerence, '1']"),
            "data/secret/test_group.yaml:1:41",
            unknown("float_tolerence", "float_tolerance"),
        ),
        (
            vec![(
                "data/secret/2.yaml",
                "output_validator_args:\n- float_tolerance\n- x\n".to_owned(),
            )],
            "data/secret/2.yaml:3:3",
            "`float_tolerance` needs a number, found `x`\n  help: write `[float_tolerance, 1e-6]`"
                .to_owned(),
        ),
    ];
    for (files, place, what) in table {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
        assert_eq!(complaint(&package(&files)), format!("sum/{place}: {what}"));
    }
    // Only the default validator's arguments are known.
    let custom = "validation: custom\nvalidator_flags: case_sensitve";
    let custom = legacy(custom).remove(0).1;
    let files = [
        ("problem.yaml", custom.as_str()),
        ("output_validators/check.py", "exit(42)\n"),
    ];
    assert_eq!(complaint(&package(&files)), "no error");
    let right = legacy("validator_flags: float_tolerance 0x1p-20 case_sensitive")
        .remove(0)
        .1;
    assert_eq!(
        complaint(&package(&[("problem.yaml", right.as_str())])),
        "no error"
    );
}

#[test]
fn directories_that_are_not_packages() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("sum");
    fs::create_dir(&root).unwrap();
    let mut message = complaint(&dir);
    write(&root, "PROBLEM", b"name: sum");
    message += &format!("\n\n{}", complaint(&dir));
    write(&root, "problem.yaml", V2025.as_bytes());
    message += &format!("\n\n{}", complaint(&dir));
    fs::create_dir_all(root.join("data/secret")).unwrap();
    message += &format!("\n\n{}", complaint(&dir));
    let missing = Package::read(Path::new("/nowhere/sum")).unwrap_err();
    message += &format!("\n\n{missing}");
    let part = Package::read(&root.join("problem.yaml")).unwrap_err();
    message += &format!("\n\n{part}").replace(&format!("{}/", dir.path().display()), "");
    insta::assert_snapshot!(message);
}

#[test]
fn packages_inside_a_directory_are_named() {
    let dir = directory(
        "round",
        &[("a/problem.yaml", V2025), ("b/1.in", ""), ("b/1.out", "")],
    );
    let error = Package::read(&dir.path().join("round")).unwrap_err();
    assert_eq!(error.what, "is not a problem package; in it are: `a`, `b`");
}

#[test]
fn other_archives_are_not_programs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sum.tar.gz");
    fs::write(&path, "x").unwrap();
    let error = Package::read(&path).unwrap_err();
    assert_eq!(error.what, "is an archive of a kind that is not read");
}

#[test]
fn the_tests_of_polygon_are_a_package_by_themselves() {
    let tests = [("tests/01", "1 2\n"), ("tests/01.a", "3\n")];
    let alone = directory("sum", &tests);
    let package = Package::read(&alone.path().join("sum/tests")).unwrap();
    assert_eq!(package.cases()[0].name, "01");
    assert_eq!(complaint(&alone), "no error");
}

#[test]
fn hostile_yaml_is_bounded() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let inner = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(laughs, "a{level}: &a{level} [{inner}]").unwrap();
    }
    let deep = format!("type: {}{}\n", "[".repeat(5000), "]".repeat(5000));
    let deep_block: String = (0..900)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    let wide: String = (0..90_000).map(|key| format!("k{key}: 1\n")).collect();
    let large = format!("name: {}\n", "x".repeat(2 << 20));
    // Half a megabyte, 100,000 times.
    let long = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(1 << 19),
        "*a, ".repeat(100_000)
    );
    for (yaml, expected) in [
        (laughs.as_str(), "more than 200000 values"),
        (&long, "more than 200000 values"),
        (&deep, "limit"),
        (&deep_block, "nested more than 64 deep"),
        (&wide, "unknown key"),
        (&large, "larger than the 1048576 bytes"),
        ("a: &a [*a]\n", "contains itself"),
        ("a: &a\n  b: *a\n", "contains itself"),
        ("a: *nothing\n", "anchor"),
        ("? [a, b]\n: 1\n", "a key must be text"),
    ] {
        let message = complaint(&package(&[("problem.yaml", yaml)]));
        let head: String = yaml.chars().take(30).collect();
        assert!(message.contains(expected), "{head:?}: {message}");
    }
}

#[test]
fn names_and_bytes_that_are_not_utf8() {
    let dir = package(&[]);
    let secret = dir.path().join("sum/data/secret");
    let name = std::ffi::OsStr::from_bytes(b"\xff\xfe.in");
    fs::write(secret.join(name), "1 1\n").unwrap();
    let package = Package::read(&dir.path().join("sum")).unwrap();
    assert_eq!(package.cases().len(), 2);
    assert!(package.findings[0].to_string().contains("not UTF-8"));

    write(
        &dir.path().join("sum"),
        "problem.yaml",
        b"name: Sum\nsource: \xe9t\xe9\n",
    );
    assert_eq!(
        complaint(&dir),
        "sum/problem.yaml:2:9: is not UTF-8: byte 0xe9\n  help: save the file as UTF-8"
    );
}

#[test]
fn links_out_of_the_package_and_loops() {
    let dir = package(&[]);
    let root = dir.path().join("sum");
    let outside = dir.path().join("outside.in");
    fs::write(&outside, "1 1\n").unwrap();
    std::os::unix::fs::symlink(&outside, root.join("data/secret/3.in")).unwrap();
    std::os::unix::fs::symlink("nothing", root.join("data/secret/4.in")).unwrap();
    let package = Package::read(&root).unwrap();
    assert_eq!(package.cases().len(), 2);
    let messages: Vec<String> = package.findings.iter().map(ToString::to_string).collect();
    assert!(
        messages[0].contains("symbolic link out of the package"),
        "{messages:?}"
    );
    assert!(messages[1].contains("leads nowhere"), "{messages:?}");

    std::os::unix::fs::symlink("..", root.join("data/secret/up")).unwrap();
    assert!(complaint(&dir).contains("a directory that holds it"));
}

/// Reading a pipe never ends, and nor does reading the device that a link leads to.
#[test]
fn a_named_pipe_is_no_program() {
    for place in ["submissions/accepted/x.py", "output_validator/x.py"] {
        let dir = package(&[(place, "")]);
        let path = dir.path().join("sum").join(place);
        fs::remove_file(&path).expect("it is there");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|status| status.success()));
        let found = complaint(&dir);
        assert!(found.contains("x.py: is not a regular file"), "{found}");
    }
}

#[test]
fn large_cases_are_never_read() {
    let dir = package(&[]);
    let root = dir.path().join("sum/data/secret");
    for name in ["2.in", "2.ans"] {
        // A sparse file: it uses no disk space, but would use 8 GiB of memory.
        let file = fs::File::options()
            .write(true)
            .open(root.join(name))
            .unwrap();
        file.set_len(8 << 30).unwrap();
    }
    assert_eq!(complaint(&dir), "no error");
}
