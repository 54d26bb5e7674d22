//! Checkers and graders in Python for DMOJ's judge: they run in a separate process with substitutes
//! for the modules of DMOJ that they import.
//!
//! Source: DMOJ's documentation, "Custom checkers" and "Custom graders", and its judge's source.

use super::Reader;
use crate::error::PackageError;
use crate::format::common::FileName;
use crate::input::staging_dir::base_name;
use crate::model::{Package, Validator, ValidatorProtocol};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// A checker or grader in Python.
pub struct Python {
    /// The path of the code relative to the runner.
    file: String,
    /// What it is.
    part: PythonPart,
    /// The arguments from the package.
    args: Value,
}

impl Python {
    /// The argument of the runner for a case: its settings as JSON, which Python reads. `common` are
    /// the keys of the file, `config` also those of the case; then its points, its index among all
    /// cases, and the number of its batch (0: none).
    pub fn settings(
        &self,
        package: &Package,
        common: &Map<String, Value>,
        config: &Map<String, Value>,
        (points, position, batch): (f64, usize, usize),
    ) -> String {
        let time = package.limits.time.fixed();
        let binary = config.get("binary_data").and_then(Value::as_bool);
        serde_json::json!({
            "file": self.file,
            "part": self.part.name(),
            "args": self.args,
            "problem": package.id,
            "time_limit": time.map_or(0.0, |time| time.as_secs_f64()),
            "memory_limit": package.limits.memory >> 10,
            "common": common,
            "config": config,
            "points": points,
            "position": position,
            "batch": batch,
            "binary_data": binary.unwrap_or(false),
        })
        .to_string()
    }
}

/// The role of Python code.
#[derive(Clone, Copy)]
pub enum PythonPart {
    /// A function `check` that judges an output.
    Checker,
    /// A class `Grader` that communicates with the submission.
    Grader,
}

impl PythonPart {
    /// The name in the settings.
    fn name(self) -> &'static str {
        match self {
            PythonPart::Checker => "checker",
            PythonPart::Grader => "grader",
        }
    }
}

/// The source of the code.
pub enum Code {
    /// A file of the package.
    File(PathBuf),
    /// A checker built into DMOJ: its name and its reimplementation.
    Own(&'static str, &'static str),
}

/// DMOJ's `linematches`: each correct line gives the points assigned to it.
pub const LINEMATCHES: &str = include_str!("python/linematches.py");

/// The runner, and the substitutes for DMOJ's modules.
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

impl Reader<'_> {
    /// Stages the runner with a file that defines `check` or `Grader`, and returns its validator and settings.
    pub fn python(
        &mut self,
        part: PythonPart,
        code: Code,
        args: Value,
    ) -> Result<(Validator, Python), PackageError> {
        self.directories += 1;
        let dir = format!("python{}", self.directories);
        self.staging_dir
            .write(&format!("{dir}/main.py"), RUNNER.as_bytes())?;
        for (name, text) in MODULES {
            self.staging_dir
                .write(&format!("{dir}/{name}"), text.as_bytes())?;
        }
        // A directory of its own keeps the name distinct from the runner's.
        let file = match &code {
            Code::File(path) => format!("judged/{}", base_name(path)),
            Code::Own(name, _) => format!("judged/{name}"),
        };
        let place = format!("{dir}/{file}");
        match code {
            Code::File(path) => self.staging_dir.copy(&path, &place, "")?,
            Code::Own(_, text) => self.staging_dir.write(&place, text.as_bytes())?,
        };
        let validator = Validator::Program {
            path: self.staging_dir.path(&dir),
            protocol: ValidatorProtocol::DmojPython,
        };
        Ok((validator, Python { file, part, args }))
    }
}

/// Features that a grader may not use: it runs outside of the submission's box and does not learn
/// how the submission ends.
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

/// Checks that the code of a `custom_judge` can be run.
///
/// # Errors
///
/// When it defines no `Grader`, or requires DMOJ's own judge.
pub fn grader_is_run(name: &FileName<'_>, code: &str) -> Result<(), PackageError> {
    if !code.contains("Grader") {
        return Err(name
            .error("defines no class `Grader`")
            .remedy("derive one from `InteractiveGrader` of `dmoj.graders.interactive`"));
    }
    match BEYOND.iter().find(|(word, _)| code.contains(word)) {
        None => Ok(()),
        Some((word, what)) => Err(name
            .error(format!(
                "this grader {what} (`{word}`), which only DMOJ's own judge can"
            ))
            .remedy(
                "make it an `interactive` program of type `testlib`, a checker, or a grader \
                 derived from `InteractiveGrader`",
            )),
    }
}
