//! Programs of DMOJ packages: bridged checkers and interactors, and those that are written for
//! DMOJ's own judge in Python, which run in a process of their own.

use super::Reader;
use crate::package::error::PackageError;
use crate::package::model::{BridgedArgument, DmojKind, Validator, ValidatorProtocol};
use crate::package::text::split_arguments;
use crate::package::workshop::{self, base_name};
use crate::package::yaml::{Node, Value};
use std::path::PathBuf;

/// The module that runs them, and what it has of DMOJ's own.
const RUNNER: &str = include_str!("python/judge_runner.py");
const MODULES: [(&str, &str); 9] = [
    ("dmoj/__init__.py", ""),
    ("dmoj/graders/__init__.py", "from .interactive import *\n"),
    (
        "dmoj/graders/interactive.py",
        include_str!("python/interactive.py"),
    ),
    ("dmoj/result.py", include_str!("python/result.py")),
    (
        "dmoj/error.py",
        "class InternalError(Exception):\n    pass\n",
    ),
    ("dmoj/utils/__init__.py", ""),
    ("dmoj/utils/unicode.py", include_str!("python/unicode.py")),
    (
        "dmoj/checkers/__init__.py",
        "from dmoj.result import CheckerResult\n",
    ),
    (
        "dmoj/checkers/standard.py",
        include_str!("python/standard.py"),
    ),
];

/// What a bridged program may say of itself.
const BRIDGED_KEYS: [&str; 12] = [
    "files",
    "lang",
    "type",
    "flags",
    "feedback",
    "time_limit",
    "memory_limit",
    "compiler_time_limit",
    "preprocessing_time",
    "args_format_string",
    "unbuffered",
    "cached",
];

impl Reader {
    /// A checker or an interactor that is a program: `{files: [...], lang: ..., type: testlib}`.
    pub fn bridged(&mut self, node: &Node, interactive: bool) -> Result<Validator, PackageError> {
        let Some(files) = node.get("files") else {
            return Err(node
                .error("names no `files`")
                .remedy("add `files: checker.cpp`"));
        };
        for key in node.strangers(&BRIDGED_KEYS)? {
            // DMOJ hands them on to a function that takes whatever there is.
            self.tree.warning(key.unknown_key(&BRIDGED_KEYS));
        }
        let kind = match node.get("type") {
            Some(kind) => kind.choice(&[
                ("default", DmojKind::Default),
                ("testlib", DmojKind::Testlib),
                ("coci", DmojKind::Coci),
                ("peg", DmojKind::Peg),
            ])?,
            None => DmojKind::Default,
        };
        let arguments = match node.get("args_format_string") {
            Some(format) => arguments_of(format)?,
            None => kind.arguments(interactive),
        };
        let path = self.assembled(files, node.get("flags"), "checker")?;
        Ok(Validator::Program {
            path,
            protocol: ValidatorProtocol::Dmoj { kind, arguments },
        })
    }

    /// A program of the files that a node names, with flags for its compiler.
    pub fn assembled(
        &mut self,
        files: &Node,
        flags: Option<&Node>,
        name: &str,
    ) -> Result<PathBuf, PackageError> {
        let mut paths = Vec::new();
        for file in files.one_or_more() {
            paths.push(self.named_file(file)?);
        }
        let is_header = |path: &PathBuf| {
            let name = base_name(path);
            [".h", ".hpp", ".hh"].iter().any(|end| name.ends_with(end))
        };
        if paths.iter().all(is_header) {
            return Err(files.error("names no source file"));
        }
        let flags = match flags {
            Some(flags) => flags.texts()?,
            None => Vec::new(),
        };
        let (before, others) = workshop::defines(&flags);
        for flag in others {
            self.tree.warning(PackageError::new(
                self.tree.root.join("init.yml"),
                format!("the compiler's flag `{flag}` is left out"),
            ));
        }
        self.programs += 1;
        let name = format!("{name}{}", self.programs);
        workshop::program(&self.workshop, &self.tree.root, &name, &paths, &before)
    }

    /// A file with a Python function `check`, or a class `Grader` that talks to the submission.
    /// The second part is what the runner is told besides the case.
    pub fn python(
        &mut self,
        node: &Node,
        interactive: bool,
    ) -> Result<(Validator, String), PackageError> {
        let path = self.named_file(node)?;
        let text = crate::package::text::read(&path, 1 << 20)?;
        if interactive && !text.contains("InteractiveGrader") {
            return Err(node
                .error(
                    "this grader runs the submission itself, which only DMOJ's own judge can; \
                     of `custom_judge`, graders derived from `InteractiveGrader` are run",
                )
                .remedy("make it an `interactive` program of type `testlib`, or a checker"));
        }
        self.programs += 1;
        let dir = format!("python{}", self.programs);
        self.workshop
            .write(&format!("{dir}/main.py"), RUNNER.as_bytes())?;
        for (name, text) in MODULES {
            self.workshop
                .write(&format!("{dir}/{name}"), text.as_bytes())?;
        }
        // A file of another name than the runner's, wherever it is.
        self.workshop
            .copy(&path, &format!("{dir}/judged/{}", base_name(&path)), "")?;
        let validator = Validator::Program {
            path: self.workshop.path(&dir),
            protocol: ValidatorProtocol::Icpc,
        };
        Ok((validator, format!("judged/{}", base_name(&path))))
    }

    /// The file that a node names.
    pub fn named_file(&self, node: &Node) -> Result<PathBuf, PackageError> {
        let name = node.text()?;
        self.places.find(name).ok_or_else(|| {
            node.error(format!("there is no file `{name}`"))
                .remedy("put it beside `init.yml`")
        })
    }
}

/// `{input_file} {output_file} {answer_file}` in any order, among words of the package's own.
fn arguments_of(node: &Node) -> Result<Vec<BridgedArgument>, PackageError> {
    let mut arguments = Vec::new();
    for word in split_arguments(node.text()?) {
        arguments.push(match word.as_str() {
            "{input_file}" => BridgedArgument::Input,
            "{output_file}" => BridgedArgument::Output,
            "{answer_file}" => BridgedArgument::Answer,
            other if other.contains(['{', '}']) => {
                return Err(node
                    .error(format!("`{other}` is neither a file nor a word"))
                    .remedy(
                        "a file is `{input_file}`, `{output_file}` or `{answer_file}`, alone",
                    ));
            }
            _ => BridgedArgument::Word(word),
        });
    }
    Ok(arguments)
}

/// A node as JSON, for a program that was made for the values of YAML.
pub fn json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Map(entries) => entries
            .iter()
            .map(|(key, value)| (key.scalar().unwrap_or_default().to_owned(), json(value)))
            .collect(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Scalar { text, plain } => {
            if !plain {
                text.as_str().into()
            } else if node.is_null() {
                serde_json::Value::Null
            } else if let Ok(flag) = node.bool() {
                flag.into()
            } else {
                // `12` and `1.5` are numbers in both.
                match serde_json::from_str(text) {
                    Ok(number @ serde_json::Value::Number(_)) => number,
                    _ => text.as_str().into(),
                }
            }
        }
    }
}
