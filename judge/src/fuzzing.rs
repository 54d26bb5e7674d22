//! Entry points of the fuzz targets in `fuzz/`; not part of the public interface.

use crate::generate::{spec, words};
use judge_core::checker::number::{self, Scan};
use judge_package::yaml::{self, Node, Value};
use judge_package::{NumberSyntax, PackageError};
use serde_json::json;
use std::path::Path;

/// The content of a YAML text.
#[derive(Clone, PartialEq, Debug)]
pub struct Yaml {
    /// The tree without positions: scalars as text, with a flag for those that are plain and stay
    /// plain when written.
    pub tree: serde_json::Value,
    /// The tree, written as YAML text.
    pub text: String,
}

/// Reads a YAML text like the package readers.
pub fn read_yaml(text: &str) -> Result<Yaml, PackageError> {
    let node = yaml::parse(Path::new("x.yaml"), text)?;
    Ok(Yaml {
        tree: tree(&node),
        text: words::to_yaml(&node),
    })
}

fn tree(node: &Node) -> serde_json::Value {
    match &node.value {
        // Null has three spellings: empty, `~` and `null`.
        _ if node.is_null() => serde_json::Value::Null,
        Value::Scalar { text, plain } => {
            json!({ "text": text, "plain": *plain && words::stays_plain(text) })
        }
        Value::List(items) => items.iter().map(tree).collect(),
        Value::Map(entries) => {
            let pairs = entries.iter().map(|(key, value)| [tree(key), tree(value)]);
            json!({ "map": pairs.collect::<Vec<_>>() })
        }
    }
}

/// Reads a `generators.yaml` and returns the paths of its cases.
pub fn read_generators(text: &str) -> Result<Vec<String>, PackageError> {
    let constants = [("n".to_owned(), "5".to_owned())];
    let node = yaml::parse(Path::new("generators.yaml"), text)?;
    let spec = spec::read(&node, &constants, Some(1))?;
    let commands = spec.cases.iter().filter_map(|case| case.generate.as_ref());
    commands.for_each(|command| drop(command.args(1)));
    Ok(spec.cases.into_iter().map(|case| case.path).collect())
}

/// The value of a token as the default validator reads it; `None` if it is not a finite number.
pub fn read_number(token: &[u8]) -> Option<f64> {
    number::parse(token, NumberSyntax::C)
}

/// The same for a token that is read in pieces of `size` bytes.
pub fn read_number_in_pieces(token: &[u8], size: usize) -> Option<f64> {
    let mut scan = Scan::default();
    token.chunks(size).for_each(|piece| scan.feed(piece));
    scan.finish()
}
