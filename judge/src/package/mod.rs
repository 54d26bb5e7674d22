//! Problem packages: what a judge needs to know of a problem, whatever format it came in.
//!
//! The readers (one file per format) turn a directory or an archive into a [`Package`]; nothing
//! after them knows about formats. A broken package is a [`PackageError`]: file, line, remedy.

mod error;
mod model;

pub use error::PackageError;
pub use model::{
    Aggregation, Dialect, Expectation, Group, Kind, Package, PackageLimits, PackagedSubmission,
    TestCase, TimeLimit, Validator, ValidatorProtocol,
};
