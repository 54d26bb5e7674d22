//! A new problem package in the newest format, without a workspace: an example of its kind that `judge
//! verify` accepts, to be changed.

use super::package::random_uuid;
use clap::ValueEnum;
use judge_core::error::Failure;
use judge_core::files::failed;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The kinds of problems.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SkeletonKind {
    /// A submission is right or wrong.
    #[default]
    PassFail,
    /// A submission gets the points of the test groups that it passes.
    Scoring,
    /// A submission talks to a program of the package.
    Interactive,
    /// A submission runs several times.
    MultiPass,
    /// The outputs are submitted.
    SubmitAnswer,
}

/// A file of a package and its text.
type File = (&'static str, &'static str);

/// The file of `skeleton/` with this name.
macro_rules! template {
    ($name:literal) => {
        include_str!(concat!("skeleton/", $name))
    };
}

const SLOW: File = (
    "submissions/time_limit_exceeded/slow.py",
    template!("common/slow.py"),
);
const SUM_SOLUTION: File = (
    "submissions/accepted/solution.py",
    template!("pass-fail/solution.py"),
);
const SUM_WRONG: File = (
    "submissions/wrong_answer/wrong.py",
    template!("pass-fail/wrong.py"),
);

const PASS_FAIL: &[File] = &[
    ("problem.yaml", template!("pass-fail/problem.yaml")),
    (
        "statement/problem.en.md",
        template!("pass-fail/problem.en.md"),
    ),
    (
        "input_validators/validate.py",
        template!("pass-fail/validate.py"),
    ),
    (
        "generators/generators.yaml",
        template!("pass-fail/generators.yaml"),
    ),
    (
        "generators/random_pair.py",
        template!("pass-fail/random_pair.py"),
    ),
    ("data/sample/1.in", "3 4\n"),
    ("data/sample/1.ans", "7\n"),
    ("data/secret/max.in", "1000000000 1000000000\n"),
    ("data/secret/max.ans", "2000000000\n"),
    ("data/secret/min.in", "0 0\n"),
    ("data/secret/min.ans", "0\n"),
    SUM_SOLUTION,
    SUM_WRONG,
    SLOW,
];

const SCORING: &[File] = &[
    ("problem.yaml", template!("scoring/problem.yaml")),
    (
        "statement/problem.en.md",
        template!("scoring/problem.en.md"),
    ),
    (
        "input_validators/validate.py",
        template!("scoring/validate.py"),
    ),
    ("data/sample/1.in", "3 4\n"),
    ("data/sample/1.ans", "7\n"),
    (
        "data/secret/1-small/test_group.yaml",
        template!("scoring/small_group.yaml"),
    ),
    ("data/secret/1-small/max.in", "1000 1000\n"),
    ("data/secret/1-small/max.ans", "2000\n"),
    ("data/secret/1-small/min.in", "0 0\n"),
    ("data/secret/1-small/min.ans", "0\n"),
    (
        "data/secret/2-large/test_group.yaml",
        template!("scoring/large_group.yaml"),
    ),
    ("data/secret/2-large/max.in", "1000000000 1000000000\n"),
    ("data/secret/2-large/max.ans", "2000000000\n"),
    (
        "submissions/submissions.yaml",
        template!("scoring/submissions.yaml"),
    ),
    (
        "submissions/partial/small.py",
        template!("scoring/partial.py"),
    ),
    SUM_SOLUTION,
    SUM_WRONG,
    SLOW,
];

const INTERACTIVE: &[File] = &[
    ("problem.yaml", template!("interactive/problem.yaml")),
    (
        "statement/problem.en.md",
        template!("interactive/problem.en.md"),
    ),
    (
        "input_validators/validate.py",
        template!("interactive/validate.py"),
    ),
    (
        "output_validator/interactor.py",
        template!("interactive/interactor.py"),
    ),
    ("data/sample/1.in", "42\n"),
    ("data/sample/1.ans", "42\n"),
    ("data/sample/1.in.download", "42\n"),
    ("data/sample/1.ans.download", "42\n"),
    (
        "data/sample/1.interaction",
        template!("interactive/1.interaction"),
    ),
    ("data/secret/max.in", "100\n"),
    ("data/secret/max.ans", "100\n"),
    ("data/secret/min.in", "1\n"),
    ("data/secret/min.ans", "1\n"),
    (
        "submissions/accepted/solution.py",
        template!("interactive/solution.py"),
    ),
    (
        "submissions/wrong_answer/wrong.py",
        template!("interactive/wrong.py"),
    ),
    SLOW,
];

const MULTI_PASS: &[File] = &[
    ("problem.yaml", template!("multi-pass/problem.yaml")),
    (
        "statement/problem.en.md",
        template!("multi-pass/problem.en.md"),
    ),
    (
        "input_validators/validate.py",
        template!("multi-pass/validate.py"),
    ),
    (
        "output_validator/validator.py",
        template!("multi-pass/validator.py"),
    ),
    ("data/sample/1.in", "encode\nhi\n"),
    ("data/sample/1.ans", "hi\n"),
    ("data/secret/long.in", "encode\nzzzzzzzzzzzzzzzzzzzz\n"),
    ("data/secret/long.ans", "zzzzzzzzzzzzzzzzzzzz\n"),
    ("data/secret/short.in", "encode\na\n"),
    ("data/secret/short.ans", "a\n"),
    (
        "submissions/accepted/solution.py",
        template!("multi-pass/solution.py"),
    ),
    (
        "submissions/wrong_answer/wrong.py",
        template!("multi-pass/wrong.py"),
    ),
    SLOW,
];

const SUBMIT_ANSWER: &[File] = &[
    ("problem.yaml", template!("submit-answer/problem.yaml")),
    (
        "statement/problem.en.md",
        template!("submit-answer/problem.en.md"),
    ),
    (
        "input_validators/validate.py",
        template!("submit-answer/validate.py"),
    ),
    (
        "output_validator/validator.py",
        template!("submit-answer/validator.py"),
    ),
    ("data/sample/first.in", "1\n"),
    ("data/sample/first.ans", "1 0 0 0\n"),
    ("data/secret/last.in", "1000\n"),
    ("data/secret/last.ans", "30 10 0 0\n"),
    ("submissions/accepted/best/first.out", "0 0 0 1\n"),
    ("submissions/accepted/best/last.out", "10 30 0 0\n"),
    ("submissions/wrong_answer/zeros/first.out", "0 0 0 0\n"),
    ("submissions/wrong_answer/zeros/last.out", "0 0 0 0\n"),
];

impl SkeletonKind {
    fn files(self) -> &'static [File] {
        match self {
            SkeletonKind::PassFail => PASS_FAIL,
            SkeletonKind::Scoring => SCORING,
            SkeletonKind::Interactive => INTERACTIVE,
            SkeletonKind::MultiPass => MULTI_PASS,
            SkeletonKind::SubmitAnswer => SUBMIT_ANSWER,
        }
    }
}

/// Writes a package into the directory `dir`, which must be new or empty. Returns the paths of its files in it.
/// Fails when the directory has files or a name that the format forbids, or cannot be written.
pub fn write_skeleton(dir: &Path, kind: SkeletonKind) -> Result<Vec<PathBuf>, Failure> {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if name.is_empty() || !name.chars().all(is_fine) {
        let what = format!(
            "the name of {} has more than lower-case letters and digits",
            dir.display()
        );
        return Err(Failure::usage(what).help("judge new --package twosum"));
    }
    match fs::read_dir(dir).map(|mut entries| entries.next().is_some()) {
        Ok(true) => {
            let what = format!("{} is not empty", dir.display());
            return Err(Failure::usage(what).help("name a new directory"));
        }
        Ok(false) => {}
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => {
            let what = format!("{} is a file", dir.display());
            return Err(Failure::usage(what).help("name a new directory"));
        }
        Err(e) => return Err(failed("read", dir)(e)),
    }
    let uuid = random_uuid()?;
    let mut written = Vec::new();
    for (file, text) in kind.files() {
        let path = dir.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed("create", parent))?;
        }
        let text = text.replace("{{name}}", &name).replace("{{uuid}}", &uuid);
        fs::write(&path, text).map_err(failed("write", &path))?;
        written.push(PathBuf::from(file));
    }
    Ok(written)
}
