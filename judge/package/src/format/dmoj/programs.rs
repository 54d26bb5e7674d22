//! Programs of DMOJ packages: bridged checkers, interactors and generators; and what Python code
//! receives of the configuration.

use crate::error::PackageError;
use crate::format::common::FileName;
use crate::input::yaml::{Node, Value};
use crate::model::{BridgedArgument, DmojKind};

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

/// The source files of a program, and flags of its compiler.
#[derive(Clone)]
pub struct Program<'y> {
    /// The node that names the files.
    pub node: &'y Node,
    pub files: Vec<FileName<'y>>,
    pub flags: Vec<String>,
}

impl<'y> Program<'y> {
    /// A file or a list of files.
    pub fn parse(node: &'y Node, flags: Option<&Node>) -> Result<Self, PackageError> {
        let files = node.one_or_more().iter().map(FileName::parse);
        let files: Vec<FileName<'_>> = files.collect::<Result<_, _>>()?;
        if files.iter().all(|file| ends(file, &[".h", ".hpp", ".hh"])) {
            return Err(node.error("names no source file"));
        }
        let flags = flags.map_or(Ok(Vec::new()), Node::texts)?;
        Ok(Program { node, files, flags })
    }
}

fn ends(file: &FileName<'_>, endings: &[&str]) -> bool {
    endings.iter().any(|end| file.text.ends_with(end))
}

/// A checker or interactor program: `{files: [...], lang: ..., type: testlib}`.
pub struct Bridged<'y> {
    pub program: Program<'y>,
    pub kind: DmojKind,
    pub arguments: Vec<BridgedArgument>,
    /// DMOJ passes all keys to a function that ignores unknown ones.
    pub warnings: Vec<PackageError>,
}

impl<'y> Bridged<'y> {
    /// Reads the program.
    pub fn parse(node: &'y Node, interactive: bool) -> Result<Self, PackageError> {
        let files = node.get("files").ok_or_else(|| {
            node.error("names no `files`")
                .remedy("add `files: checker.cpp`")
        })?;
        let unknown = node.unknown_keys(&BRIDGED_KEYS)?;
        let warnings = unknown.map(|key| key.unknown_key(&BRIDGED_KEYS)).collect();
        let kinds = [
            ("default", DmojKind::Default),
            ("testlib", DmojKind::Testlib),
            ("coci", DmojKind::Coci),
            ("peg", DmojKind::Peg),
            ("cms", DmojKind::Cms),
            ("themis", DmojKind::Themis),
        ];
        let kind = node.get("type").map(|kind| kind.choice(&kinds));
        let kind = kind.transpose()?.unwrap_or(DmojKind::Default);
        let arguments = match node.get("args_format_string") {
            Some(format) => arguments_of(format)?,
            None => kind.arguments(interactive),
        };
        let percent = node.get("treat_checker_points_as_percentage");
        let percent = percent.map_or(Ok(false), Node::bool)?;
        let kind = match kind {
            DmojKind::Testlib if percent => DmojKind::TestlibPercent,
            DmojKind::Cms | DmojKind::Themis if interactive => {
                return Err(node
                    .error("an interactor cannot be of this type: its output is not read")
                    .remedy("make it `default`, `testlib` or `coci`"));
            }
            kind => kind,
        };
        let mut program = Program::parse(files, node.get("flags"))?;
        let c = [".c", ".cc", ".cpp", ".h", ".hpp"];
        if program.files.iter().all(|file| ends(file, &c)) {
            match kind {
                DmojKind::Cms => program.flags.push("-DCMS".to_owned()),
                DmojKind::Themis => program.flags.push("-DTHEMIS".to_owned()),
                _ => {}
            }
        }
        Ok(Bridged {
            program,
            kind,
            arguments,
            warnings,
        })
    }
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
