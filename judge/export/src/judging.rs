//! How outputs are judged: a comparison or programs, with the same arguments for all cases.

use crate::comparison::Comparison;
use crate::program::Sources;
use judge_package::{
    InputValidatorKind, Package, PackageError, TestCase, Validation, Validator, ValidatorProtocol,
};

/// A checker or an interactor.
#[derive(Clone, Debug)]
pub struct Checker {
    pub sources: Sources,
    /// How it is called.
    pub protocol: ValidatorProtocol,
    /// The arguments that every case gives it.
    pub args: Vec<String>,
}

impl Checker {
    /// A program that compares outputs.
    pub fn comparing(comparison: &Comparison) -> Self {
        Checker {
            sources: comparison.checker(),
            protocol: ValidatorProtocol::OnlineJudgeTools,
            args: Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Decision {
    /// The output is compared with the answer.
    Compare(Comparison),
    Program(Checker),
}

/// How outputs are judged.
#[derive(Debug)]
pub struct Judging {
    /// The judge of outputs; of an interactive problem, the program that talks to the submission.
    pub decision: Decision,
    /// The programs after the first: a checker that reads what an interactor wrote, or further
    /// validators that must accept, too.
    pub others: Vec<Checker>,
    /// Whether cases have different arguments for the validator.
    pub has_own_args: bool,
    /// Settings that this form cannot express.
    pub losses: Vec<String>,
}

#[derive(Debug)]
pub struct InputValidator {
    /// The base name of its file or directory in the package.
    pub name: String,
    /// Its sources, or its grammar.
    pub sources: Sources,
    /// How it is run.
    pub kind: InputValidatorKind,
}

impl Judging {
    pub fn new(package: &Package) -> Result<Self, PackageError> {
        let cases: Vec<&TestCase> = package.cases();
        let args = usual_args(&cases);
        let mut losses = Vec::new();
        let validators = package.validation.validators();
        // The arguments of DMOJ's functions describe the case to them; only DMOJ starts these.
        let is_function = |validator: &Validator| {
            let protocol = ValidatorProtocol::DmojPython;
            matches!(validator, Validator::Program { protocol: own, .. } if *own == protocol)
        };
        let has_own_args = cases.iter().any(|case| case.validator_args != args)
            && !validators.iter().any(is_function);
        let used = match package.validation {
            Validation::All(_) => 0,
            Validation::PerCase(_) => {
                let first = cases.first().map_or(0, |case| case.validator);
                if cases.iter().any(|case| case.validator != first) {
                    losses
                        .push("the checkers of single cases: the first one checks all".to_owned());
                }
                first
            }
        };
        let Some(first) = validators.get(used) else {
            return Err(PackageError::new(&package.root, "has no output validator"));
        };
        let decision = match Comparison::of(first, args, &mut losses) {
            Some(comparison) => Decision::Compare(comparison),
            None => match checker(package, first, args)? {
                Some(checker) => Decision::Program(checker),
                None => {
                    losses.push("the questions of a form".to_owned());
                    Decision::Compare(Comparison::default())
                }
            },
        };
        let mut others = Vec::new();
        if let Validation::All(_) = package.validation {
            for other in &validators[1..] {
                others.extend(checker(package, other, args)?);
            }
        }
        Ok(Judging {
            decision,
            others,
            has_own_args,
            losses,
        })
    }
}

/// The arguments that most of the secret cases have, or of the samples if there are no others: a format with one set of
/// arguments has these.
fn usual_args<'c>(cases: &[&'c TestCase]) -> &'c [String] {
    let secret: Vec<&TestCase> = cases.iter().copied().filter(|case| !case.sample).collect();
    let cases = if secret.is_empty() { cases } else { &secret };
    let mut counts: Vec<(&[String], usize)> = Vec::new();
    for case in cases {
        let args = &case.validator_args[..];
        match counts.iter_mut().find(|(known, _)| *known == args) {
            Some((_, count)) => *count += 1,
            None => counts.push((args, 1)),
        }
    }
    // The first of equal ones.
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(&[], |(args, _)| args)
}

fn checker(
    package: &Package,
    validator: &Validator,
    args: &[String],
) -> Result<Option<Checker>, PackageError> {
    let Validator::Program { path, protocol } = validator else {
        return Ok(None);
    };
    let takes_args = matches!(
        protocol,
        ValidatorProtocol::Icpc
            | ValidatorProtocol::DmojPython
            | ValidatorProtocol::Testlib
            | ValidatorProtocol::TestlibOf200
    );
    Ok(Some(Checker {
        sources: Sources::read(package, path)?,
        protocol: protocol.clone(),
        args: if takes_args {
            args.to_vec()
        } else {
            Vec::new()
        },
    }))
}

pub fn input_validators(package: &Package) -> Result<Vec<InputValidator>, PackageError> {
    let read = |validator: &judge_package::InputValidator| {
        let name = package.original(&validator.path).file_name();
        Ok(InputValidator {
            name: name.unwrap_or_default().to_string_lossy().into_owned(),
            sources: Sources::read(package, &validator.path)?,
            kind: validator.kind,
        })
    };
    package.input_validators.iter().map(read).collect()
}
