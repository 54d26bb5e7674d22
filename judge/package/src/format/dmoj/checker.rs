//! DMOJ's checkers: built-in ones, Python code and bridged programs.

use super::programs::{Bridged, json};
use crate::error::PackageError;
use crate::format::common::FileName;
use crate::input::yaml::{self, Node, Value};
use crate::model::{BuiltinChecker, FloatMode};

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

/// The checker of the package or of a case.
pub struct Checker<'y> {
    /// The configuration; `None` for DMOJ's default. Equal ones share a validator.
    pub node: Option<&'y Node>,
    pub kind: Kind<'y>,
}

/// What implements a checker.
pub enum Kind<'y> {
    Builtin(BuiltinChecker),
    /// A file that defines `check`, and the arguments for it.
    Python(FileName<'y>, serde_json::Value),
    /// DMOJ's `linematches`, which is reimplemented in Python.
    LineMatches(serde_json::Value),
    Bridged(Bridged<'y>),
}

impl<'y> Checker<'y> {
    /// DMOJ's default.
    pub fn standard() -> Self {
        Checker {
            node: None,
            kind: Kind::Builtin(BuiltinChecker::Standard),
        }
    }

    /// `checker: floats`, or `checker: {name: floats, args: {precision: 9}}`.
    pub fn parse(node: &'y Node) -> Result<Self, PackageError> {
        let (name, args) = match &node.value {
            Value::Map(_) => {
                node.only(&["name", "args"])?;
                let name = node.get("name");
                let name = name.ok_or_else(|| node.error("the checker has no `name`"))?;
                (name, node.get("args"))
            }
            _ => (node, None),
        };
        let given = || args.map_or_else(|| serde_json::json!({}), json);
        let kind = match name.text()? {
            "bridged" => {
                let args = args.ok_or_else(|| {
                    node.error("a `bridged` checker needs `args`")
                        .remedy("add `args: {files: checker.cpp, lang: CPP20, type: testlib}`")
                })?;
                Kind::Bridged(Bridged::parse(args, false)?)
            }
            "linematches" => Kind::LineMatches(given()),
            text if text.ends_with(".py") => Kind::Python(FileName::parse(name)?, given()),
            _ => Kind::Builtin(builtin(name, args)?),
        };
        Ok(Checker {
            node: Some(node),
            kind,
        })
    }
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
            return Err(name_node
                .error(format!("`{name}` is not a checker"))
                .remedy(yaml::advice(name, &CHECKERS)));
        }
    })
}
