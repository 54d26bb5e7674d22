//! DMOJ's checkers and graders: built-in ones, Python code and bridged programs.

use super::Reader;
use super::cases::merge;
use super::programs::json;
use super::python::{Code, LINEMATCHES, Python, PythonPart, grader_is_run};
use crate::package::error::PackageError;
use crate::package::input::text;
use crate::package::input::yaml::{self, Node, Value};
use crate::package::model::{
    BuiltinChecker, CaseId, FloatMode, Group, Package, Points, TestCase, TimeLimit, Validator,
};
use std::collections::HashMap;

const CHECKERS: [&str; 12] = [
    "standard",
    "easy",
    "floats",
    "floatsabs",
    "floatsrel",
    "identical",
    "linecount",
    "linematches",
    "rstripped",
    "sorted",
    "unordered",
    "bridged",
];

/// The maximum number of different checkers in a package.
const MOST_CHECKERS: usize = 1000;

/// A checker of the package or of individual cases.
pub struct OwnChecker {
    /// The configuration, if there is one.
    said: Option<serde_json::Value>,
    /// The validator that implements it.
    pub validator: Validator,
    /// Which points it may give.
    pub granted: Points,
    /// Whether it may give points for a failed run.
    pub run_on_error: bool,
    /// The settings of a checker in Python.
    python: Option<Python>,
}

impl Reader {
    /// Stores the checker that was just read and returns its index.
    pub fn keep_checker(&mut self, node: Option<&Node>, validator: Validator) -> usize {
        self.checkers.push(OwnChecker {
            said: node.map(json),
            validator,
            granted: std::mem::replace(&mut self.granted, Points::Granted),
            run_on_error: std::mem::take(&mut self.run_on_error),
            python: self.python.take(),
        });
        self.checkers.len() - 1
    }

    /// The index of the checker configured by `node`; without one, that of the package.
    pub fn case_checker(&mut self, node: Option<&Node>) -> Result<usize, PackageError> {
        // With a grader or an interactor, the checker is not used.
        let Some(node) = node.filter(|_| !self.talks) else {
            return Ok(0);
        };
        let said = json(node);
        let known = |own: &OwnChecker| own.said.as_ref() == Some(&said);
        if let Some(known) = self.checkers.iter().position(known) {
            return Ok(known);
        }
        // Each case is compared with all of them.
        if self.checkers.len() >= MOST_CHECKERS {
            return Err(node.error(format!("more than {MOST_CHECKERS} different checkers")));
        }
        let validator = self.checker(node)?;
        Ok(self.keep_checker(Some(node), validator))
    }

    /// Reads the package's checker, interactor or grader.
    pub fn validator(
        &mut self,
        yaml: &Node,
        package: &mut Package,
    ) -> Result<Validator, PackageError> {
        if let Some(grader) = yaml.get("custom_judge") {
            package.kind.interactive = true;
            let file = self.named_file(grader)?;
            grader_is_run(grader, &text::read(&file, 1 << 20)?)?;
            return self.python(PythonPart::Grader, Code::File(file), serde_json::json!({}));
        }
        if let Some(interactive) = yaml.get("interactive") {
            package.kind.interactive = true;
            return self.bridged(interactive, true);
        }
        match yaml.get("checker") {
            Some(checker) => self.checker(checker),
            None => Ok(Validator::Builtin(BuiltinChecker::Standard)),
        }
    }

    /// Writes the settings that Python code receives into the arguments of each case.
    pub fn tell_python(&self, yaml: &Node, package: &mut Package) {
        if self.checkers.iter().all(|checker| checker.python.is_none()) {
            return;
        }
        let mut common = serde_json::Map::new();
        merge(&mut common, yaml);
        let position: HashMap<CaseId, usize> =
            package.cases().iter().map(|c| c.id).zip(0..).collect();
        let time = match package.limits.time {
            TimeLimit::Given(time) => time.as_secs_f64(),
            TimeLimit::Derived { .. } => 0.0,
        };
        let (id, memory) = (package.id.clone(), package.limits.memory >> 10);
        each_case(&mut package.data, &mut |case, batch| {
            let own = self.checkers.get(case.validator.unwrap_or(0));
            let Some(python) = own.and_then(|own| own.python.as_ref()) else {
                return;
            };
            let mut config = common.clone();
            config.extend(self.configs.get(&case.id).cloned().unwrap_or_default());
            let binary = config
                .get("binary_data")
                .and_then(serde_json::Value::as_bool);
            let settings = serde_json::json!({
                "file": python.file,
                "part": python.part.name(),
                "args": python.args,
                "problem": id,
                "time_limit": time,
                "memory_limit": memory,
                "common": common,
                "config": config,
                "points": case.score,
                "position": position.get(&case.id),
                "batch": batch,
                "binary_data": binary.unwrap_or(false),
            });
            case.validator_args = vec![settings.to_string()];
        });
    }

    /// `checker: floats`, or `checker: {name: floats, args: {precision: 9}}`.
    fn checker(&mut self, node: &Node) -> Result<Validator, PackageError> {
        let (name_node, args) = match &node.value {
            Value::Map(_) => {
                node.only(&["name", "args"])?;
                let name = node
                    .get("name")
                    .ok_or_else(|| node.error("the checker has no `name`"))?;
                (name, node.get("args"))
            }
            _ => (node, None),
        };
        let name = name_node.text()?;
        if name == "bridged" {
            let args = args.ok_or_else(|| {
                node.error("a `bridged` checker needs `args`")
                    .remedy("add `args: {files: checker.cpp, lang: CPP20, type: testlib}`")
            })?;
            return self.bridged(args, false);
        }
        let arg = |key: &str| args.and_then(|args| args.get(key));
        let given = || args.map_or_else(|| serde_json::json!({}), json);
        let tolerance = match arg("precision") {
            Some(digits) => 10_f64.powi(-(digits.integer(0)?.min(300) as i32)),
            None => 1e-6,
        };
        let mode = match (name, arg("error_mode")) {
            ("floatsabs", _) => FloatMode::Absolute,
            ("floatsrel", _) => FloatMode::Relative,
            (_, Some(mode)) => mode.choice(&[
                ("default", FloatMode::Either),
                ("absolute", FloatMode::Absolute),
                ("relative", FloatMode::Relative),
            ])?,
            _ => FloatMode::Either,
        };
        Ok(Validator::Builtin(match name {
            "standard" => BuiltinChecker::Standard,
            "easy" => BuiltinChecker::Easy,
            "floats" | "floatsabs" | "floatsrel" => BuiltinChecker::Floats { tolerance, mode },
            "identical" => BuiltinChecker::Identical {
                presentation: match arg("pe_allowed") {
                    Some(flag) => flag.bool()?,
                    None => true,
                },
            },
            "linecount" => {
                self.run_on_error = true;
                BuiltinChecker::Linecount
            }
            "rstripped" => BuiltinChecker::EveryLine {
                blank: match arg("filter_new_line") {
                    Some(flag) => !flag.bool()?,
                    None => true,
                },
            },
            "sorted" => BuiltinChecker::Sorted {
                lines: match arg("split_on") {
                    Some(mode) => mode.choice(&[("lines", true), ("whitespace", false)])?,
                    None => true,
                },
            },
            "unordered" => BuiltinChecker::Unordered,
            _ if name.ends_with(".py") => {
                let file = self.named_file(name_node)?;
                let code = text::read(&file, 1 << 20)?;
                self.run_on_error = code.lines().any(runs_on_error);
                return self.python(PythonPart::Checker, Code::File(file), given());
            }
            "linematches" => {
                let code = Code::Own("linematches.py", LINEMATCHES);
                return self.python(PythonPart::Checker, code, given());
            }
            _ => {
                return Err(name_node
                    .error(format!("`{name}` is not a checker"))
                    .remedy(yaml::advice(name, &CHECKERS)));
            }
        }))
    }
}

/// Matches `check.run_on_error = True`.
fn runs_on_error(line: &str) -> bool {
    let (line, _) = line.split_once('#').unwrap_or((line, ""));
    let said = line.trim().strip_prefix("check.run_on_error");
    let value = said.and_then(|rest| rest.trim_start().strip_prefix('='));
    value.is_some_and(|value| matches!(value.trim(), "True" | "1"))
}

/// Visits every case with the number of its batch (0: none).
fn each_case(group: &mut Group, tell: &mut impl FnMut(&mut TestCase, usize)) {
    let batch = group
        .name
        .rsplit_once("batch")
        .and_then(|(_, n)| n.parse().ok());
    for case in &mut group.cases {
        tell(case, batch.unwrap_or(0));
    }
    for inner in &mut group.groups {
        each_case(inner, tell);
    }
}
