//! Small packages for the tests.

use crate::files;
use judge_package::{Package, PackagedSubmission, lint};
use tempfile::TempDir;

pub const UUID: &str = "uuid: 0a6d1b2e-5b0e-4c1c-9d7a-3f3c1c9b1e11\n";

/// The files besides the data that every version of the format requires.
const COMMON: [(&str, &str); 2] = [
    ("input_validators/validate.py", "exit(42)\n"),
    ("submissions/accepted/sum.py", "print(3)\n"),
];

pub fn directory(files: &[(&str, &str)]) -> TempDir {
    files::directory("sum", COMMON.iter().chain(files))
}

/// A package of version 2025-09 with these lines in `problem.yaml`, two cases, and the given files.
pub fn new(yaml: &str, more: &[(&str, &str)]) -> TempDir {
    let yaml = format!("problem_format_version: 2025-09\nname: Sum\n{UUID}{yaml}");
    let mut files = vec![
        ("problem.yaml", yaml.as_str()),
        ("statement/problem.en.md", "Add.\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
    ];
    let is_case = |name: &str| {
        let ends = [".in", ".{in,ans}"].iter().any(|end| name.ends_with(end));
        name.starts_with("data/secret") && ends
    };
    if !more.iter().any(|(name, _)| is_case(name)) {
        files.extend([("data/secret/2.in", "5 7\n"), ("data/secret/2.ans", "12\n")]);
    }
    files.extend(more);
    directory(&files)
}

/// A package of version `legacy`, with the same parameters.
pub fn old(yaml: &str, more: &[(&str, &str)]) -> TempDir {
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

pub fn read(dir: &TempDir) -> Package {
    Package::read(&dir.path().join("sum")).unwrap()
}

/// The submission of this name.
pub fn find<'p>(package: &'p Package, name: &str) -> &'p PackagedSubmission {
    let mut submissions = package.submissions.iter();
    submissions.find(|one| one.name == name).expect(name)
}

/// The findings of the lint, one per line, with `sum` for the package.
pub fn findings(dir: &TempDir) -> String {
    let messages: Vec<String> = lint(&read(dir)).iter().map(ToString::to_string).collect();
    messages
        .join("\n")
        .replace(&format!("{}/", dir.path().display()), "")
}
