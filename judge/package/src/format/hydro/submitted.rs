//! `submit_answer`: the parts of a submission that are the outputs of the cases.

use crate::error::PackageError;
use crate::input::text;
use crate::input::yaml::Node;
use crate::model::SubmittedOutput;
use std::path::Path;

/// Which part of a submission is the output of a case, if the submission is the output.
pub enum Submitted {
    /// All of it.
    Whole,
    /// The file with this name, in which `#` stands for the number of the case.
    Named(String),
    /// The file whose name is the text of the input.
    NamedByInput,
}

impl Submitted {
    /// Reads `subType` and `filename` of a problem of type `submit_answer`.
    pub fn parse(yaml: &Node) -> Self {
        let is_multi = yaml.get("subType").is_some_and(|kind| kind.is("multi"));
        let is_name = |name: &&str| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_#.".contains(&byte))
        };
        let name = yaml.get("filename").and_then(Node::scalar);
        match name.filter(is_name).filter(|name| !name.is_empty()) {
            _ if !is_multi => Submitted::Whole,
            Some(name) => Submitted::Named(name.to_owned()),
            None => Submitted::NamedByInput,
        }
    }

    /// The output of the case with this number and input.
    pub fn of_case(&self, id: u64, input: &Path) -> Result<SubmittedOutput, PackageError> {
        Ok(match self {
            Submitted::Whole => SubmittedOutput::Whole,
            Submitted::Named(name) => SubmittedOutput::File(name.replacen('#', &id.to_string(), 1)),
            Submitted::NamedByInput => {
                let bytes = text::read_bytes(input, 1 << 20)?;
                let is_named = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
                let name = bytes.into_iter().filter(is_named).map(char::from);
                SubmittedOutput::File(name.collect())
            }
        })
    }
}
