//! What decides about an output: DMOJ's built-in checkers, Python code and bridged programs.

use super::python::{LINEMATCHES, json, merge};
use super::{BESIDE, OwnChecker, Reader};
use crate::error::PackageError;
use crate::input::staging_dir;
use crate::input::text;
use crate::input::yaml::{Node, Value};
use crate::model::{
    BridgedArgument, BuiltinChecker, DmojKind, FloatMode, Points, Validator, ValidatorProtocol,
};
use std::path::PathBuf;

/// The maximum number of different checkers in a package.
const MOST_CHECKERS: usize = 1000;

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

/// The keys of a bridged program.
const BRIDGED_KEYS: [&str; 13] = [
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
    "treat_checker_points_as_percentage",
];

impl Reader<'_> {
    /// Adds the package's checker, interactor or grader.
    pub fn decider(&mut self) -> Result<(), PackageError> {
        let yaml = self.yaml;
        let (grader, interactor) = (yaml.get("custom_judge"), yaml.get("interactive"));
        self.builder.package.kind.interactive = grader.or(interactor).is_some();
        let own = match (grader, interactor, yaml.get("checker")) {
            (Some(name), ..) => self.grader(name)?,
            (None, Some(interactor), _) => self.bridged(interactor, true)?,
            (None, None, Some(checker)) => self.own_checker(checker)?,
            (None, None, None) => Validator::Builtin(BuiltinChecker::Standard).into(),
        };
        self.checkers.push(own);
        merge(&mut self.common, yaml);
        Ok(())
    }

    /// The index of the checker of a case; equal ones share an index.
    pub fn checker(&mut self, node: &Node) -> Result<usize, PackageError> {
        let config = json(node);
        let known = |own: &OwnChecker| own.config.as_ref() == Some(&config);
        if let Some(known) = self.checkers.iter().position(known) {
            return Ok(known);
        }
        // Each case is compared with all of them.
        if self.checkers.len() >= MOST_CHECKERS {
            return Err(node.error(format!("more than {MOST_CHECKERS} different checkers")));
        }
        let own = self.own_checker(node)?;
        self.checkers.push(own);
        Ok(self.checkers.len() - 1)
    }

    /// `checker: floats`, or `checker: {name: floats, args: {precision: 9}}`.
    fn own_checker(&mut self, node: &Node) -> Result<OwnChecker, PackageError> {
        let mut name = node;
        if let Value::Map(_) = &node.value {
            node.only(&["name", "args"])?;
            let given = node.get("name");
            name = given.ok_or_else(|| node.error("the checker has no `name`"))?;
        }
        let args = node.get("args");
        let own = match name.text()? {
            "bridged" => {
                let args = args.ok_or_else(|| {
                    node.error("a `bridged` checker needs `args`")
                        .remedy("add `args: {files: checker.cpp, lang: CPP20, type: testlib}`")
                })?;
                self.bridged(args, false)?
            }
            "linematches" => {
                let file = self
                    .staging_dir
                    .write("linematches.py", LINEMATCHES.as_bytes())?;
                self.python("checker", &file, args)?
            }
            text if text.ends_with(".py") => {
                let file = self.search_path.named(name, BESIDE)?;
                let code = text::read(&file, 1 << 20)?;
                OwnChecker {
                    run_on_error: code.lines().any(runs_on_error),
                    ..self.python("checker", &file, args)?
                }
            }
            _ => {
                let builtin = builtin(name, args)?;
                OwnChecker {
                    run_on_error: builtin == BuiltinChecker::Linecount,
                    ..Validator::Builtin(builtin).into()
                }
            }
        };
        let config = Some(json(node));
        Ok(OwnChecker { config, ..own })
    }

    /// A checker or interactor program: `{files: [...], lang: ..., type: testlib}`.
    fn bridged(&mut self, node: &Node, interactive: bool) -> Result<OwnChecker, PackageError> {
        let files = node.get("files").ok_or_else(|| {
            node.error("names no `files`")
                .remedy("add `files: checker.cpp`")
        })?;
        // DMOJ passes all keys to a function that ignores unknown ones.
        for key in node.unknown_keys(&BRIDGED_KEYS)? {
            self.builder.tree.warning(key.unknown_key(&BRIDGED_KEYS));
        }
        let kinds = [
            ("default", DmojKind::Default),
            ("testlib", DmojKind::Testlib),
            ("coci", DmojKind::Coci),
            ("peg", DmojKind::Peg),
            ("cms", DmojKind::Cms),
            ("themis", DmojKind::Themis),
        ];
        let kind = node.optional("type", |kind| kind.choice(&kinds))?;
        let kind = kind.unwrap_or(DmojKind::Default);
        let arguments = match node.get("args_format_string") {
            Some(format) => arguments_of(format)?,
            None => kind.arguments(interactive),
        };
        let percent = node.flag("treat_checker_points_as_percentage")?;
        let kind = match kind {
            DmojKind::Testlib if percent => DmojKind::TestlibPercent,
            DmojKind::Cms | DmojKind::Themis if interactive => {
                return Err(node
                    .error("an interactor cannot be of this type: its output is not read")
                    .remedy("make it `default`, `testlib` or `coci`"));
            }
            kind => kind,
        };
        let mut flags = node.optional("flags", Node::texts)?.unwrap_or_default();
        if files.one_or_more().iter().all(|file| has_ending(file, &C)) {
            match kind {
                DmojKind::Cms => flags.push("-DCMS".to_owned()),
                DmojKind::Themis => flags.push("-DTHEMIS".to_owned()),
                _ => {}
            }
        }
        let validator = Validator::Program {
            path: self.assembled(files, &flags, "checker")?,
            protocol: ValidatorProtocol::Dmoj { kind, arguments },
        };
        Ok(OwnChecker {
            // For these types DMOJ reduces points to those of the case.
            points: match kind {
                DmojKind::Testlib | DmojKind::TestlibPercent | DmojKind::Coci | DmojKind::Cms => {
                    Points::Bounded
                }
                _ => Points::Granted,
            },
            ..validator.into()
        })
    }

    /// Assembles a program from a file or a list of files, once.
    pub fn assembled(
        &mut self,
        files: &Node,
        flags: &[String],
        role: &str,
    ) -> Result<PathBuf, PackageError> {
        let key = std::ptr::from_ref(files);
        if let Some(path) = self.programs.get(&key) {
            return Ok(path.clone());
        }
        let names = files.one_or_more();
        let found = names
            .iter()
            .map(|name| self.search_path.named(name, BESIDE));
        let found: Vec<PathBuf> = found.collect::<Result<_, _>>()?;
        if names.iter().all(|name| has_ending(name, &HEADERS)) {
            return Err(files.error("names no source file"));
        }
        let root = self.builder.tree.root.clone();
        let (before, others) = staging_dir::defines(flags);
        for flag in others {
            let what = format!("the compiler's flag `{flag}` is left out");
            let error = PackageError::new(root.join("init.yml"), what);
            self.builder.tree.warning(error);
        }
        self.directories += 1;
        let name = format!("{role}{}", self.directories);
        let path = self.staging_dir.program(&root, &name, &found, &before)?;
        self.programs.insert(key, path.clone());
        Ok(path)
    }
}

/// The extensions of sources and headers in C and C++.
const C: [&str; 5] = [".c", ".cc", ".cpp", ".h", ".hpp"];
/// The extensions of headers.
const HEADERS: [&str; 3] = [".h", ".hpp", ".hh"];

fn has_ending(file: &Node, endings: &[&str]) -> bool {
    let name = file.scalar().unwrap_or_default();
    endings.iter().any(|end| name.ends_with(end))
}

fn builtin(name_node: &Node, args: Option<&Node>) -> Result<BuiltinChecker, PackageError> {
    let name = name_node.text()?;
    let arg = |key: &str| args.and_then(|args| args.get(key));
    let flag = |key: &str| arg(key).map(Node::bool).transpose();
    Ok(match name {
        "standard" => BuiltinChecker::Standard,
        "easy" => BuiltinChecker::Easy,
        "floats" | "floatsabs" | "floatsrel" => BuiltinChecker::Floats {
            tolerance: match arg("precision") {
                Some(digits) => 10_f64.powi(-(digits.integer(0)?.min(300) as i32)),
                None => 1e-6,
            },
            mode: match (name, arg("error_mode")) {
                ("floatsabs", _) => FloatMode::Absolute,
                ("floatsrel", _) => FloatMode::Relative,
                (_, Some(mode)) => mode.choice(&[
                    ("default", FloatMode::Either),
                    ("absolute", FloatMode::Absolute),
                    ("relative", FloatMode::Relative),
                ])?,
                _ => FloatMode::Either,
            },
        },
        "identical" => BuiltinChecker::Identical {
            presentation: flag("pe_allowed")?.unwrap_or(true),
        },
        "linecount" => BuiltinChecker::Linecount,
        "rstripped" => BuiltinChecker::EveryLine {
            blank: !flag("filter_new_line")?.unwrap_or(false),
        },
        "sorted" => BuiltinChecker::Sorted {
            lines: match arg("split_on") {
                Some(mode) => mode.choice(&[("lines", true), ("whitespace", false)])?,
                None => true,
            },
        },
        "unordered" => BuiltinChecker::Unordered,
        _ => {
            return Err(name_node.is_not("a checker", name, &CHECKERS));
        }
    })
}

/// `{input_file} {output_file} {answer_file}` in any order, and other words.
fn arguments_of(node: &Node) -> Result<Vec<BridgedArgument>, PackageError> {
    let argument = |word: String| match word.as_str() {
        "{input_file}" => Ok(BridgedArgument::Input),
        "{output_file}" => Ok(BridgedArgument::Output),
        "{answer_file}" => Ok(BridgedArgument::Answer),
        other if other.contains(['{', '}']) => Err(node
            .error(format!("`{other}` is neither a file nor a word"))
            .remedy("a file is `{input_file}`, `{output_file}` or `{answer_file}`, alone")),
        _ => Ok(BridgedArgument::Word(word)),
    };
    node.arguments()?.into_iter().map(argument).collect()
}

/// Matches `check.run_on_error = True`.
fn runs_on_error(line: &str) -> bool {
    let (line, _) = line.split_once('#').unwrap_or((line, ""));
    let rest = line.trim().strip_prefix("check.run_on_error");
    let value = rest.and_then(|rest| rest.trim_start().strip_prefix('='));
    value.is_some_and(|value| matches!(value.trim(), "True" | "1"))
}
