//! Problem packages: reads a directory or an archive of any known format into one model.
//!
//! A reader (one module per format in `format`) turns the files into a [`Package`]. A package that
//! cannot be judged is a [`PackageError`]: file, position, cause and remedy.

mod error;
mod finish;
pub(crate) mod format;
pub(crate) mod input;
mod model;
mod override_checker;
mod read;

pub use error::{Finding, PackageError, Severity};
pub use format::icpc::lint;
pub use model::{
    Aggregation, AnswerOf, BridgedArgument, BuiltinChecker, CaseId, Dialect, DmojKind, Expectation,
    FileIo, FloatMode, Generation, GeneratorLimits, Group, InputOf, InputValidator,
    InputValidatorArgs, InputValidatorKind, Kind, Objective, Package, PackageLimits,
    PackagedSubmission, Part, Points, Recipe, Rule, StaticValidation, TestCase, TimeLimit,
    TimeLimitUse, Validator, ValidatorCases, ValidatorProtocol, VerdictMode,
};
