//! Checkers and graders in Python for DMOJ's judge: they run in a separate process with substitutes
//! for the modules of DMOJ that they import.
//!
//! Source: DMOJ's documentation, "Custom checkers" and "Custom graders", and its judge's source.

use super::init_cases::Case;
use super::init_checkers::{FileName, json};
use super::{BESIDE, OwnChecker, Reader};
use crate::error::PackageError;
use crate::input::staging_dir::base_name;
use crate::input::text;
use crate::input::yaml::Node;
use crate::model::{Package, Validator, ValidatorProtocol};
use serde_json::{Map, Value};
use std::path::Path;

pub struct Python {
    /// The path of the code relative to the runner.
    file: String,
    /// `checker`: a function `check` that judges an output; `grader`: a class `Grader` that
    /// communicates with the submission.
    part: &'static str,
    /// The arguments from the package.
    args: Value,
}

impl Python {
    /// The argument of the runner for a case: its settings as JSON, which Python reads. `common` are
    /// the keys of the file; then the case's index among all cases, and the number of its batch (0:
    /// none).
    pub fn settings(
        &self,
        package: &Package,
        common: &Map<String, Value>,
        case: &Case<'_>,
        (position, batch): (usize, usize),
    ) -> String {
        let mut config = common.clone();
        case.nodes.iter().for_each(|node| merge(&mut config, node));
        let time = package.limits.time.fixed();
        let binary = config.get("binary_data").and_then(Value::as_bool);
        serde_json::json!({
            "file": self.file,
            "part": self.part,
            "args": self.args,
            "problem": package.id,
            "time_limit": time.map_or(0.0, |time| time.as_secs_f64()),
            "memory_limit": package.limits.memory >> 10,
            "common": common,
            "config": config,
            "points": case.points,
            "position": position,
            "batch": batch,
            "binary_data": binary.unwrap_or(false),
        })
        .to_string()
    }
}

/// DMOJ's `linematches`: each correct line gives the points assigned to it.
pub const LINEMATCHES: &str = include_str!("python/linematches.py");

/// The runner, and the substitutes for DMOJ's modules.
const MODULES: [(&str, &str); 16] = [
    ("main.py", include_str!("python/judge_runner.py")),
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
    /// Stages the runner with a file that defines `check` or `Grader`; `args` are those of the package.
    pub fn python(
        &mut self,
        part: &'static str,
        code: &Path,
        args: Value,
    ) -> Result<OwnChecker, PackageError> {
        self.directories += 1;
        let dir = format!("python{}", self.directories);
        for (name, text) in MODULES {
            self.staging_dir
                .write(&format!("{dir}/{name}"), text.as_bytes())?;
        }
        // A directory of its own keeps the name distinct from the runner's.
        let file = format!("judged/{}", base_name(code));
        self.staging_dir.copy(code, &format!("{dir}/{file}"))?;
        let validator = Validator::Program {
            path: self.staging_dir.made_from(&dir, code),
            protocol: ValidatorProtocol::DmojPython,
        };
        Ok(OwnChecker {
            python: Some(Python { file, part, args }),
            ..validator.into()
        })
    }

    /// The grader that `custom_judge` names.
    ///
    /// # Errors
    ///
    /// When it defines no `Grader`, or requires DMOJ's own judge.
    pub fn grader(&mut self, name: FileName<'_>) -> Result<OwnChecker, PackageError> {
        let file = self.find(name, BESIDE)?;
        let code = text::read(&file, 1 << 20)?;
        if !code.contains("Grader") {
            return Err(name
                .node
                .error("defines no class `Grader`")
                .remedy("derive one from `InteractiveGrader` of `dmoj.graders.interactive`"));
        }
        match BEYOND.iter().find(|(word, _)| code.contains(word)) {
            None => self.python("grader", &file, serde_json::json!({})),
            Some((word, what)) => Err(name
                .node
                .error(format!(
                    "this grader {what} (`{word}`), which only DMOJ's own judge can"
                ))
                .remedy(
                    "make it an `interactive` program of type `testlib`, a checker, or a grader \
                     derived from `InteractiveGrader`",
                )),
        }
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

/// Adds the keys of a package, a batch or a case to its configuration, except for the lists of
/// cases.
pub fn merge(config: &mut Map<String, Value>, node: &Node) {
    if let Value::Object(own) = json(node) {
        let lists = ["batched", "test_cases", "pretest_test_cases"];
        config.extend(
            own.into_iter()
                .filter(|(key, _)| !lists.contains(&key.as_str())),
        );
    }
}
