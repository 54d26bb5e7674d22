//! Programs of DMOJ packages: bridged checkers, interactors and generators.

use super::Reader;
use crate::package::error::PackageError;
use crate::package::input::staging_dir::{self, base_name};
use crate::package::input::text::split_arguments;
use crate::package::input::yaml::{Node, Value};
use crate::package::model::{BridgedArgument, DmojKind, Points, Validator, ValidatorProtocol};
use std::path::PathBuf;

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

impl Reader {
    /// Reads a checker or interactor program: `{files: [...], lang: ..., type: testlib}`.
    pub fn bridged(&mut self, node: &Node, interactive: bool) -> Result<Validator, PackageError> {
        let Some(files) = node.get("files") else {
            return Err(node
                .error("names no `files`")
                .remedy("add `files: checker.cpp`"));
        };
        for key in node.unknown_keys(&BRIDGED_KEYS)? {
            // DMOJ passes all keys to a function that ignores unknown ones.
            self.tree.warning(key.unknown_key(&BRIDGED_KEYS));
        }
        let kind = match node.get("type") {
            Some(kind) => kind.choice(&[
                ("default", DmojKind::Default),
                ("testlib", DmojKind::Testlib),
                ("coci", DmojKind::Coci),
                ("peg", DmojKind::Peg),
                ("cms", DmojKind::Cms),
                ("themis", DmojKind::Themis),
            ])?,
            None => DmojKind::Default,
        };
        let arguments = match node.get("args_format_string") {
            Some(format) => arguments_of(format)?,
            None => kind.arguments(interactive),
        };
        let percent = match node.get("treat_checker_points_as_percentage") {
            Some(flag) => flag.bool()?,
            None => false,
        };
        let kind = match kind {
            DmojKind::Testlib if percent => DmojKind::TestlibPercent,
            DmojKind::Cms | DmojKind::Themis if interactive => {
                return Err(node
                    .error("an interactor cannot be of this type: its output is not read")
                    .remedy("make it `default`, `testlib` or `coci`"));
            }
            kind => kind,
        };
        let in_c = files.one_or_more().iter().all(|file| {
            let ends = [".c", ".cc", ".cpp", ".h", ".hpp"];
            file.scalar()
                .is_some_and(|name| ends.iter().any(|end| name.ends_with(end)))
        });
        let define = match kind {
            DmojKind::Cms if in_c => Some("-DCMS"),
            DmojKind::Themis if in_c => Some("-DTHEMIS"),
            _ => None,
        };
        let path = self.assembled(files, node.get("flags"), define, "checker")?;
        // For these types DMOJ reduces points to those of the case.
        if matches!(
            kind,
            DmojKind::Testlib | DmojKind::TestlibPercent | DmojKind::Coci | DmojKind::Cms
        ) {
            self.granted = Points::Bounded;
        }
        Ok(Validator::Program {
            path,
            protocol: ValidatorProtocol::Dmoj { kind, arguments },
        })
    }

    /// Assembles a program from the files in a node, with compiler flags.
    pub fn assembled(
        &mut self,
        files: &Node,
        flags: Option<&Node>,
        define: Option<&str>,
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
        let mut flags = match flags {
            Some(flags) => flags.texts()?,
            None => Vec::new(),
        };
        flags.extend(define.map(str::to_owned));
        let (before, others) = staging_dir::defines(&flags);
        for flag in others {
            self.tree.warning(PackageError::new(
                self.tree.root.join("init.yml"),
                format!("the compiler's flag `{flag}` is left out"),
            ));
        }
        self.programs += 1;
        let name = format!("{name}{}", self.programs);
        staging_dir::program(&self.staging_dir, &self.tree.root, &name, &paths, &before)
    }

    /// The path of the file that a node names.
    pub fn named_file(&self, node: &Node) -> Result<PathBuf, PackageError> {
        let name = node.text()?;
        self.search_path.find(name).ok_or_else(|| {
            node.error(format!("there is no file `{name}`"))
                .remedy("put it beside `init.yml`")
        })
    }
}

/// `{input_file} {output_file} {answer_file}` in any order, and other words.
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

/// Converts a node to JSON, as YAML 1.1 resolves it.
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
