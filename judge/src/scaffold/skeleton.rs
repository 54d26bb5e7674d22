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

/// The files of a directory of `skeleton/`.
macro_rules! files {
    ($directory:literal: $($path:literal)*) => {
        &[$(($path, include_str!(concat!("skeleton/", $directory, "/", $path)))),*]
    };
}

const SLOW: &[File] = files! { "slow": "submissions/time_limit_exceeded/slow.py" };

/// Submissions that add two numbers.
const SUM: &[File] = files! {
    "sum":
    "submissions/accepted/solution.py"
    "submissions/wrong_answer/wrong.py"
};

const PASS_FAIL: &[File] = files! {
    "pass-fail":
    "problem.yaml"
    "statement/problem.en.md"
    "input_validators/validate.py"
    "generators/generators.yaml"
    "generators/random_pair.py"
    "data/sample/1.in"
    "data/sample/1.ans"
    "data/secret/max.in"
    "data/secret/max.ans"
    "data/secret/min.in"
    "data/secret/min.ans"
};

const SCORING: &[File] = files! {
    "scoring":
    "problem.yaml"
    "statement/problem.en.md"
    "input_validators/validate.py"
    "data/sample/1.in"
    "data/sample/1.ans"
    "data/secret/1-small/test_group.yaml"
    "data/secret/1-small/max.in"
    "data/secret/1-small/max.ans"
    "data/secret/1-small/min.in"
    "data/secret/1-small/min.ans"
    "data/secret/2-large/test_group.yaml"
    "data/secret/2-large/max.in"
    "data/secret/2-large/max.ans"
    "submissions/submissions.yaml"
    "submissions/partial/small.py"
};

const INTERACTIVE: &[File] = files! {
    "interactive":
    "problem.yaml"
    "statement/problem.en.md"
    "input_validators/validate.py"
    "output_validator/interactor.py"
    "data/sample/1.in"
    "data/sample/1.ans"
    "data/sample/1.in.download"
    "data/sample/1.ans.download"
    "data/sample/1.interaction"
    "data/secret/max.in"
    "data/secret/max.ans"
    "data/secret/min.in"
    "data/secret/min.ans"
    "submissions/accepted/solution.py"
    "submissions/wrong_answer/wrong.py"
};

const MULTI_PASS: &[File] = files! {
    "multi-pass":
    "problem.yaml"
    "statement/problem.en.md"
    "input_validators/validate.py"
    "output_validator/validator.py"
    "data/sample/1.in"
    "data/sample/1.ans"
    "data/secret/long.in"
    "data/secret/long.ans"
    "data/secret/short.in"
    "data/secret/short.ans"
    "submissions/accepted/solution.py"
    "submissions/wrong_answer/wrong.py"
};

const SUBMIT_ANSWER: &[File] = files! {
    "submit-answer":
    "problem.yaml"
    "statement/problem.en.md"
    "input_validators/validate.py"
    "output_validator/validator.py"
    "data/sample/first.in"
    "data/sample/first.ans"
    "data/secret/last.in"
    "data/secret/last.ans"
    "submissions/accepted/best/first.out"
    "submissions/accepted/best/last.out"
    "submissions/wrong_answer/zeros/first.out"
    "submissions/wrong_answer/zeros/last.out"
};

impl SkeletonKind {
    fn files(self) -> Vec<File> {
        match self {
            SkeletonKind::PassFail => [PASS_FAIL, SUM, SLOW].concat(),
            SkeletonKind::Scoring => [SCORING, SUM, SLOW].concat(),
            SkeletonKind::Interactive => [INTERACTIVE, SLOW].concat(),
            SkeletonKind::MultiPass => [MULTI_PASS, SLOW].concat(),
            SkeletonKind::SubmitAnswer => SUBMIT_ANSWER.to_vec(),
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
    let is_new = !dir.exists();
    fs::create_dir_all(dir).map_err(failed("create", dir))?;
    let written = write_files(dir, &name, kind);
    if is_new && written.is_err() {
        let _ = fs::remove_dir(dir);
    }
    written
}

/// Writes the files of a package: all, or none.
fn write_files(dir: &Path, name: &str, kind: SkeletonKind) -> Result<Vec<PathBuf>, Failure> {
    let uuid = random_uuid()?;
    let staging = tempfile::Builder::new()
        .prefix(".judge-new-")
        .tempdir_in(dir)
        .map_err(failed("make a directory in", dir))?;
    let mut written = Vec::new();
    for (file, text) in kind.files() {
        let (path, place) = (staging.path().join(file), dir.join(file));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed("create", &place))?;
        }
        let text = text.replace("{{name}}", name).replace("{{uuid}}", &uuid);
        fs::write(&path, text).map_err(failed("write", &place))?;
        written.push(PathBuf::from(file));
    }
    for entry in fs::read_dir(staging.path()).map_err(failed("read", staging.path()))? {
        let entry = entry.map_err(failed("read", staging.path()))?;
        let place = dir.join(entry.file_name());
        fs::rename(entry.path(), &place).map_err(failed("create", &place))?;
    }
    Ok(written)
}
