//! Problem packages: what a judge needs to know of a problem, whatever format it came in.
//!
//! The readers (one file per format) turn a directory or an archive into a [`Package`]; nothing
//! after them knows about formats. A broken package is a [`PackageError`]: file, line, remedy.

mod cases;
mod error;
mod expectation;
mod glob;
mod model;

pub use cases::{
    Aggregation, Group, InputValidatorArgs, StaticValidation, TestCase, ValidatorCases, VerdictMode,
};
pub use error::{Finding, PackageError, Severity};
pub use expectation::{Expectation, PackagedSubmission, Rule, TimeLimitUse};
pub use model::{
    BuiltinChecker, Dialect, FloatMode, InputValidator, InputValidatorKind, Kind, Objective,
    Package, PackageLimits, TimeLimit, Validator, ValidatorProtocol,
};
