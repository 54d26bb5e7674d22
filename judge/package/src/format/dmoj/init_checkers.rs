//! Checkers and programs of `init.yml` as typed values.

use crate::error::PackageError;
use crate::input::yaml::{Node, Value};
use crate::model::{
    BridgedArgument, BuiltinChecker, DmojKind, FloatMode, Points, ValidatorProtocol,
};

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

/// The extensions of sources and headers in C and C++.
const C: [&str; 5] = [".c", ".cc", ".cpp", ".h", ".hpp"];
/// The extensions of headers.
const HEADERS: [&str; 3] = [".h", ".hpp", ".hh"];

/// The name of a file, with its position.
#[derive(Clone, Copy)]
pub struct FileName<'y> {
    pub text: &'y str,
    pub node: &'y Node,
}

impl<'y> FileName<'y> {
    pub fn parse(node: &'y Node) -> Result<Self, PackageError> {
        let text = node.text()?;
        Ok(FileName { text, node })
    }
}

/// The source files of a program, and flags of its compiler.
#[derive(Clone)]
pub struct Program<'y> {
    pub files: Vec<FileName<'y>>,
    pub flags: Vec<String>,
}

impl<'y> Program<'y> {
    /// Reads a file name or a list of them; `around` may hold `flags`.
    pub fn parse(source: &'y Node, around: &Node) -> Result<Self, PackageError> {
        let files = source.one_or_more().iter().map(FileName::parse);
        let program = Program {
            files: files.collect::<Result<_, _>>()?,
            flags: around.optional("flags", Node::texts)?.unwrap_or_default(),
        };
        match program.only_has(&HEADERS) {
            true => Err(source.error("names no source file")),
            false => Ok(program),
        }
    }

    fn only_has(&self, endings: &[&str]) -> bool {
        let has_one = |name: &str| endings.iter().any(|end| name.ends_with(end));
        self.files.iter().all(|file| has_one(file.text))
    }
}

/// The judge of an output: a checker, or the program that a submission communicates with.
pub enum Checker<'y> {
    Builtin(BuiltinChecker),
    /// DMOJ's `linematches`, which is reimplemented in Python, and the arguments for it.
    LineMatches(serde_json::Value),
    /// A file that defines a function `check`, and the arguments for it.
    Python(FileName<'y>, serde_json::Value),
    /// A file that defines a class `Grader`.
    Grader(FileName<'y>),
    /// A checker or an interactor in any language.
    Bridged(Bridged<'y>),
}

impl<'y> Checker<'y> {
    /// `checker: floats`, or `checker: {name: floats, args: {precision: 9}}`.
    pub fn parse(node: &'y Node) -> Result<Self, PackageError> {
        let mut name = node;
        if let Value::Map(_) = &node.value {
            node.only(&["name", "args"])?;
            let given = node.get("name");
            name = given.ok_or_else(|| node.error("the checker has no `name`"))?;
        }
        let args = node.get("args");
        let for_python = || args.map_or_else(|| serde_json::json!({}), json);
        Ok(match name.text()? {
            "bridged" => {
                let args = args.ok_or_else(|| {
                    node.error("a `bridged` checker needs `args`")
                        .remedy("add `args: {files: checker.cpp, lang: CPP20, type: testlib}`")
                })?;
                Checker::Bridged(Bridged::parse(args, false)?)
            }
            text @ "linematches" => {
                args.map_or(Ok(()), |args| only_arguments(args, text))?;
                Checker::LineMatches(for_python())
            }
            text if text.ends_with(".py") => Checker::Python(FileName::parse(name)?, for_python()),
            _ => Checker::Builtin(builtin(name, args)?),
        })
    }
}

fn builtin(name_node: &Node, args: Option<&Node>) -> Result<BuiltinChecker, PackageError> {
    let name = name_node.text()?;
    let arg = |key: &str| args.and_then(|args| args.get(key));
    let flag = |key: &str| arg(key).map(Node::bool).transpose();
    let checker = match name {
        "standard" => BuiltinChecker::Standard,
        "easy" => BuiltinChecker::Easy,
        "floats" | "floatsabs" | "floatsrel" => BuiltinChecker::Floats {
            tolerance: match arg("precision") {
                Some(digits) => tolerance(digits)?,
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
        _ => return Err(name_node.is_not("a checker", name, &CHECKERS)),
    };
    args.map_or(Ok(()), |args| only_arguments(args, name))?;
    Ok(checker)
}

/// The tolerance of this number of decimals, as Python computes `10 ** -digits`.
fn tolerance(digits: &Node) -> Result<f64, PackageError> {
    let number: Option<i64> = digits.text()?.trim().parse().ok();
    let tolerance = number.and_then(|digits| format!("1e{}", -i128::from(digits)).parse().ok());
    let tolerance = tolerance.filter(|tolerance: &f64| tolerance.is_finite());
    tolerance.ok_or_else(|| {
        digits
            .error("is not a whole number of decimals")
            .remedy("write `6`")
    })
}

/// Returns an error about the first key in `args` that is not an argument of a built-in checker: DMOJ
/// ignores it, so that a misspelling would change what the checker accepts.
fn only_arguments(args: &Node, checker: &str) -> Result<(), PackageError> {
    let known: &[&str] = match checker {
        "floats" => &["precision", "error_mode"],
        "floatsabs" | "floatsrel" => &["precision"],
        "identical" => &["pe_allowed"],
        "linecount" => &["feedback", "match"],
        "linematches" => &["point_distribution", "filler_lines_required"],
        "rstripped" => &["filter_new_line"],
        "sorted" => &["split_on"],
        _ => &[],
    };
    match args.unknown_keys(known)?.next() {
        Some(key) if known.is_empty() => Err(key
            .error(format!("the checker `{checker}` takes no arguments"))
            .remedy("remove `args`")),
        Some(key) => Err(key.unknown_key(known)),
        None => Ok(()),
    }
}

/// A checker or interactor program.
pub struct Bridged<'y> {
    pub program: Program<'y>,
    pub protocol: ValidatorProtocol,
    /// Which points it may give.
    pub points: Points,
    /// Unknown keys: DMOJ passes all keys to a function that ignores those.
    pub warnings: Vec<PackageError>,
}

impl<'y> Bridged<'y> {
    /// `{files: [...], lang: ..., type: testlib}`.
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
        let kind = node.optional("type", |kind| kind.choice(&kinds))?;
        let kind = kind.unwrap_or(DmojKind::Default);
        // DMOJ takes an empty text for a missing one.
        let format = node.get("args_format_string");
        let arguments = match format.filter(|format| !format.is("")) {
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
        let mut program = Program::parse(files, node)?;
        if program.only_has(&C) {
            match kind {
                DmojKind::Cms => program.flags.push("-DCMS".to_owned()),
                DmojKind::Themis => program.flags.push("-DTHEMIS".to_owned()),
                _ => {}
            }
        }
        Ok(Bridged {
            program,
            protocol: ValidatorProtocol::Dmoj { kind, arguments },
            // For these types DMOJ reduces points to those of the case.
            points: match kind {
                DmojKind::Testlib | DmojKind::TestlibPercent | DmojKind::Coci | DmojKind::Cms => {
                    Points::Bounded
                }
                _ => Points::Granted,
            },
            warnings,
        })
    }
}

/// `{input_file} {output_file} {answer_file}` in any order, and other words.
fn arguments_of(node: &Node) -> Result<Vec<BridgedArgument>, PackageError> {
    let remedy =
        "write `{input_file}`, `{output_file}` or `{answer_file}` as an argument of its own";
    let argument = |word: String| match word.as_str() {
        "{input_file}" => Ok(BridgedArgument::Input),
        "{output_file}" => Ok(BridgedArgument::Output),
        "{answer_file}" => Ok(BridgedArgument::Answer),
        other if other.contains(['{', '}']) => Err(node
            .error(format!("`{other}` is neither a file nor a word"))
            .remedy(remedy)),
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
        Value::Scalar { text, plain } => match node.bool() {
            Ok(flag) => flag.into(),
            Err(_) if node.is_null() => serde_json::Value::Null,
            // `12` and `1.5` are numbers in both.
            Err(_) => match serde_json::from_str(text) {
                Ok(number @ serde_json::Value::Number(_)) if *plain => number,
                _ => text.as_str().into(),
            },
        },
    }
}
