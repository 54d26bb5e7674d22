//! Problem packages: reads a directory or an archive of any known format into one model.
//!
//! A reader (one module per format in `format`) turns the files into a [`Package`]. A package that
//! cannot be judged is a [`PackageError`]: file, position, cause and remedy.
//!
//! Nothing here runs a program or decides a verdict.
#![forbid(unsafe_code)]

mod builder;
mod error;
mod format;
mod input;
mod lint;
mod model;
mod override_checker;
mod read;
mod statement;
mod verdict;
pub mod words;

/// YAML (and JSON, which is YAML too) as a tree whose nodes know their positions.
pub mod yaml {
    pub use crate::input::yaml::{Node, Value, nearest, parse, read};
}
/// Small files that are not trusted, and positions in text.
pub mod text {
    pub use crate::input::text::{offset, position, read, read_bytes};
}

/// Bounds of times.
pub mod units {
    pub use crate::input::units::{MAX_SECONDS, duration};
}

pub use error::{Finding, MAKE_ROOM, PackageError, Severity};
pub use format::directories_2025;
pub use format::plain::{directories_of_cases, has_directory_of_cases};
pub use format::settings::FILE as SETTINGS_FILE;
pub use input::archive::{archived_file, is_archive};
pub use input::executable::is_native;
pub use input::source_text::imports;
pub use lint::lint;
pub use model::{
    Aggregation, AnswerOf, AnswersAreOutputs, BridgedArgument, BuiltinChecker, CaseId,
    CorrectAnswers, DEFAULT_VALIDATOR_ARGUMENTS, DataFile, DmojKind, Expectation, FileIo,
    FloatMode, Generation, GeneratorLimits, Group, InputOf, InputValidator, InputValidatorArgs,
    InputValidatorKind, Kind, LanguageLimits, LimitSource, NewCases, NumberSyntax, ONLINE_JUDGE,
    Package, PackageLimits, PackagedSubmission, Part, Points, Policy, Question, Recipe, Rule,
    StaticValidation, SubmittedOutput, TestCase, TestlibChecker, TimeLimit, TimeLimitUse,
    ToolProblem, Validation, Validator, ValidatorCases, ValidatorProtocol, VerdictMode,
    VisualizerArgs,
};
pub use override_checker::tolerance_args;
pub use statement::{
    StatementFile, StatementKind, attachments, describes_solution, interactions, language_name,
    statements,
};
pub use verdict::Verdict;
