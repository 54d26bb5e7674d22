//! Problem packages: what a judge needs to know of a problem, whatever format it came in.
//!
//! The readers (one file per format) turn a directory or an archive into a [`Package`]; nothing
//! after them knows about formats. A broken package is a [`PackageError`]: file, line, remedy.

mod annotation;
mod archive;
mod cases;
mod contained;
mod data;
mod dmoj;
mod domjudge;
mod error;
mod expectation;
mod files;
mod finish;
mod foreign;
mod generation;
mod glob;
mod groups2025;
mod groups_legacy;
mod hydro;
mod icpc2025;
mod legacy;
mod library_checker;
mod library_checker_tree;
pub(crate) mod limits;
mod lint;
mod luogu;
mod model;
mod override_checker;
mod plain;
mod programs;
mod read;
mod submissions;
mod text;
mod workshop;
pub(crate) mod yaml;

pub use cases::{
    Aggregation, CaseId, Group, InputValidatorArgs, Part, Points, StaticValidation, TestCase,
    ValidatorCases, VerdictMode,
};
pub use error::{Finding, PackageError, Severity};
pub use expectation::{Expectation, PackagedSubmission, Rule, TimeLimitUse};
pub use generation::{AnswerOf, Generation, GeneratorLimits, InputOf, Recipe};
pub use lint::lint;
pub use model::{
    BridgedArgument, BuiltinChecker, Dialect, DmojKind, FileIo, FloatMode, InputValidator,
    InputValidatorKind, Kind, Objective, Package, PackageLimits, TimeLimit, Validator,
    ValidatorProtocol,
};
