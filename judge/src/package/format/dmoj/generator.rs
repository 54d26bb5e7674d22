//! DMOJ's generators: programs that print a case's input, and its answer to standard error.

use super::Reader;
use super::programs::json;
use crate::package::error::PackageError;
use crate::package::input::units::seconds;
use crate::package::input::yaml::{Node, Value};
use crate::package::model::GeneratorLimits;
use std::path::PathBuf;

/// A program that generates cases.
#[derive(Clone)]
pub struct Generator {
    /// Its source.
    pub path: PathBuf,
    /// Its arguments, if configured.
    pub args: Option<Vec<String>>,
    /// The limits of one run.
    pub limits: GeneratorLimits,
}

impl Reader {
    /// `generator: gen.cpp`, a list of files, or `{source: ..., flags: ...}`.
    pub fn generator(&mut self, node: &Node) -> Result<Generator, PackageError> {
        match &node.value {
            Value::Map(_) => {
                node.only(&[
                    "source",
                    "language",
                    "flags",
                    "args",
                    "compiler_time_limit",
                    "time_limit",
                    "memory_limit",
                ])?;
                let source = node.get("source").ok_or_else(|| {
                    node.error("the generator has no `source`")
                        .remedy("add `source: gen.cpp`")
                })?;
                let kilobytes = |limit: &Node| limit.integer(1).map(|kib| kib << 10);
                Ok(Generator {
                    path: self.assembled(source, node.get("flags"), None, "generator")?,
                    args: node.get("args").map(|args| texts(Some(args))).transpose()?,
                    limits: GeneratorLimits {
                        time: node.get("time_limit").map(seconds).transpose()?,
                        memory: node.get("memory_limit").map(kilobytes).transpose()?,
                    },
                })
            }
            _ => Ok(Generator {
                path: self.assembled(node, None, None, "generator")?,
                args: None,
                limits: GeneratorLimits::default(),
            }),
        }
    }
}

/// Reads a list of scalars, each formatted like Python's `str`.
pub fn texts(node: Option<&Node>) -> Result<Vec<String>, PackageError> {
    let Some(node) = node else {
        return Ok(Vec::new());
    };
    let text = |item: &Node| -> Result<String, PackageError> {
        Ok(match json(item) {
            serde_json::Value::Bool(true) => "True".to_owned(),
            serde_json::Value::Bool(false) => "False".to_owned(),
            _ => item.text()?.to_owned(),
        })
    };
    node.items()?.iter().map(text).collect()
}
