//! `validator` of `init.yml`: a program that must accept every input.
//!
//! Source: the command `validate` of DMOJ's judge.

use super::Reader;
use super::init_checkers::Program;
use crate::error::PackageError;
use crate::input::yaml::{Node, Value};
use crate::model::{InputValidator, InputValidatorArgs, InputValidatorKind, TestCase};

const KEYS: [&str; 8] = [
    "source",
    "language",
    "type",
    "args_format_string",
    "time_limit",
    "memory_limit",
    "compiler_time_limit",
    "read_feedback_from",
];

/// The arguments of the validator, in which `{batch_no}` and `{case_no}` stand for numbers.
pub struct ValidatorArguments(Vec<String>);

impl ValidatorArguments {
    /// The arguments for the case with this index, in the batch with this number (0: none).
    pub fn of_case(&self, position: usize, batch: usize) -> InputValidatorArgs {
        let fill = |word: &String| {
            let word = word.replace("{batch_no}", &batch.to_string());
            word.replace("{case_no}", &position.to_string())
        };
        InputValidatorArgs {
            all: self.0.iter().map(fill).collect(),
            by_name: Vec::new(),
        }
    }
}

/// Reads the arguments.
fn arguments(node: &Node) -> Result<ValidatorArguments, PackageError> {
    let kinds = [
        ("default", "{batch_no} {case_no}"),
        ("testlib", "--group st{batch_no}"),
    ];
    let kind = node.optional("type", |kind| kind.choice(&kinds))?;
    // DMOJ takes an empty text for a missing one.
    let format = node.get("args_format_string");
    let Some(format) = format.filter(|format| !format.is("")) else {
        let words = kind.unwrap_or(kinds[0].1).split(' ').map(str::to_owned);
        return Ok(ValidatorArguments(words.collect()));
    };
    let words = format.arguments()?;
    for word in &words {
        let rest = word.replace("{batch_no}", "").replace("{case_no}", "");
        if rest.contains(['{', '}']) {
            return Err(format
                .error(format!("`{word}` has an unknown placeholder"))
                .remedy("use `{batch_no}` and `{case_no}`"));
        }
    }
    Ok(ValidatorArguments(words))
}

impl Reader<'_> {
    /// Adds the input validator. It does not take part in judging, so a mistake in it is a finding.
    pub fn input_validator(&mut self, node: &Node) {
        match self.assembled_validator(node) {
            Ok((validator, arguments)) => {
                self.builder.package.input_validators.push(validator);
                self.validator_arguments = Some(arguments);
            }
            Err(error) => self.builder.tree.error(error),
        }
    }

    fn assembled_validator(
        &mut self,
        node: &Node,
    ) -> Result<(InputValidator, ValidatorArguments), PackageError> {
        let remedy = "write `validator: {source: validator.cpp, language: CPP20}`";
        let source = match &node.value {
            Value::Map(_) => node.get("source"),
            _ => {
                return Err(node
                    .error("must have `source` and `language`")
                    .remedy(remedy));
            }
        };
        let source = source.ok_or_else(|| node.error("has no `source`").remedy(remedy))?;
        node.only(&KEYS)?;
        let path = self.assembled(&Program::parse(source, node)?, "validator")?;
        let kind = InputValidatorKind::Testlib;
        Ok((InputValidator { path, kind }, arguments(node)?))
    }

    pub fn set_validator_arguments(&self, case: &mut TestCase, position: usize, batch: usize) {
        if let Some(arguments) = &self.validator_arguments {
            case.input_validator_args = arguments.of_case(position, batch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::yaml;
    use std::path::Path;

    #[test]
    fn arguments_have_the_numbers_of_batch_and_case() {
        for (settings, expected) in [
            ("{}", Ok(["2", "7"].as_slice())),
            ("{type: testlib}", Ok(&["--group", "st2"])),
            (
                "{args_format_string: '-n {case_no} \"x {batch_no}\"'}",
                Ok(&["-n", "7", "x 2"]),
            ),
            (
                "{args_format_string: '', type: testlib}",
                Ok(&["--group", "st2"]),
            ),
            ("{args_format_string: ' ', type: testlib}", Ok(&[])),
            (
                "{args_format_string: '{file}'}",
                Err("`{file}` has an unknown placeholder"),
            ),
            ("{type: coci}", Err("`coci` is not")),
        ] {
            let node = yaml::parse(Path::new("init.yml"), settings).unwrap();
            let found = arguments(&node).map(|arguments| arguments.of_case(7, 2).all);
            match (&found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.what.contains(expected), "{found}"),
                _ => panic!("{settings}: {found:?}"),
            }
        }
    }
}
