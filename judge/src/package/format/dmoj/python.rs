//! Checkers and graders that are written for DMOJ's own judge, in Python: they run in a process of
//! their own, with the little of DMOJ's modules that they ask for.
//!
//! Source: DMOJ's documentation, "Custom checkers" and "Custom graders", and its judge's source.

use super::Reader;
use crate::package::error::PackageError;
use crate::package::input::staging_dir::base_name;
use crate::package::input::yaml::Node;
use crate::package::model::{Validator, ValidatorProtocol};
use std::path::PathBuf;

/// A checker or grader in Python: what it is told besides the case.
pub struct Python {
    /// The file, as the runner sees it.
    pub file: String,
    /// What it is.
    pub part: PythonPart,
    /// Arguments that the package gives it.
    pub args: serde_json::Value,
}

/// What a program in Python is.
#[derive(Clone, Copy)]
pub enum PythonPart {
    /// A function `check`, which gets an output.
    Checker,
    /// A class `Grader`, which talks to the submission.
    Grader,
}

impl PythonPart {
    /// Its name in the settings.
    pub fn name(self) -> &'static str {
        match self {
            PythonPart::Checker => "checker",
            PythonPart::Grader => "grader",
        }
    }
}

/// Where the code comes from.
pub enum Code {
    /// A file of the package.
    File(PathBuf),
    /// A checker of DMOJ's that is built in there: its name, and the code that stands for it.
    Own(&'static str, &'static str),
}

/// DMOJ's `linematches`: each line that is right gives the points that belong to it.
pub const LINEMATCHES: &str = include_str!("python/linematches.py");

/// The module that runs them, and what it has of DMOJ's own.
const RUNNER: &str = include_str!("python/judge_runner.py");
const MODULES: [(&str, &str); 15] = [
    ("dmoj/__init__.py", ""),
    (
        "dmoj/graders/__init__.py",
        "from .interactive import *\nfrom .standard import StandardGrader\n",
    ),
    (
        "dmoj/graders/base.py",
        "from .standard import StandardGrader as BaseGrader\n",
    ),
    (
        "dmoj/graders/interactive.py",
        include_str!("python/interactive.py"),
    ),
    ("dmoj/graders/standard.py", include_str!("python/grader.py")),
    ("dmoj/result.py", include_str!("python/result.py")),
    ("dmoj/config.py", include_str!("python/config.py")),
    (
        "dmoj/problem.py",
        "class TestCase:\n    pass\n\n\nclass Problem:\n    pass\n",
    ),
    (
        "dmoj/error.py",
        "class InternalError(Exception):\n    pass\n",
    ),
    ("dmoj/cptbox/__init__.py", "class TracedPopen:\n    pass\n"),
    ("dmoj/cptbox/lazy_bytes.py", "LazyBytes = bytes\n"),
    ("dmoj/utils/__init__.py", ""),
    ("dmoj/utils/unicode.py", include_str!("python/unicode.py")),
    (
        "dmoj/checkers/__init__.py",
        "from dmoj.result import CheckerResult\n\nCheckerOutput = object\n",
    ),
    (
        "dmoj/checkers/standard.py",
        include_str!("python/standard.py"),
    ),
];

impl Reader {
    /// The validator that runs a file with a function `check`, or with a class `Grader`.
    pub fn python(
        &mut self,
        part: PythonPart,
        code: Code,
        args: serde_json::Value,
    ) -> Result<Validator, PackageError> {
        self.programs += 1;
        let dir = format!("python{}", self.programs);
        self.staging_dir
            .write(&format!("{dir}/main.py"), RUNNER.as_bytes())?;
        for (name, text) in MODULES {
            self.staging_dir
                .write(&format!("{dir}/{name}"), text.as_bytes())?;
        }
        // A file of another name than the runner's, wherever it is.
        let file = match &code {
            Code::File(path) => format!("judged/{}", base_name(path)),
            Code::Own(name, _) => format!("judged/{name}"),
        };
        let place = format!("{dir}/{file}");
        match code {
            Code::File(path) => self.staging_dir.copy(&path, &place, "")?,
            Code::Own(_, text) => self.staging_dir.write(&place, text.as_bytes())?,
        };
        self.python = Some(Python { file, part, args });
        Ok(Validator::Program {
            path: self.staging_dir.path(&dir),
            protocol: ValidatorProtocol::DmojPython,
        })
    }
}

/// What a grader may not ask for: it runs apart from the submission's box, and does not see how the
/// submission ends.
const BEYOND: [(&str, &str); 9] = [
    ("dmoj.executors", "compiles programs itself"),
    ("dmoj.judgeenv", "compiles programs itself"),
    ("compile_with_auxiliary_files", "compiles programs itself"),
    ("_generate_binary", "compiles programs itself"),
    ("Result.TLE", "asks how the submission ends"),
    ("Result.MLE", "asks how the submission ends"),
    ("Result.RTE", "asks how the submission ends"),
    (".is_tle", "asks how the submission ends"),
    (".is_rte", "asks how the submission ends"),
];

/// Whether the code of a `custom_judge` can be run.
///
/// # Errors
///
/// When it has no `Grader`, or needs DMOJ's own judge.
pub fn grader_is_run(node: &Node, code: &str) -> Result<(), PackageError> {
    if !code.contains("Grader") {
        return Err(node
            .error("defines no class `Grader`")
            .remedy("derive one from `InteractiveGrader` of `dmoj.graders.interactive`"));
    }
    match BEYOND.iter().find(|(word, _)| code.contains(word)) {
        None => Ok(()),
        Some((word, what)) => Err(node
            .error(format!(
                "this grader {what} (`{word}`), which only DMOJ's own judge can"
            ))
            .remedy(
                "make it an `interactive` program of type `testlib`, a checker, or a grader \
                 derived from `InteractiveGrader`",
            )),
    }
}
