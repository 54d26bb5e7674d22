//! The types that every reader fills and that the rest of the judge works with.

mod cases;
mod expectation;
mod generation;
pub mod glob;
mod package;
mod testlib;
mod validator;

pub use cases::*;
pub use expectation::*;
pub use generation::*;
pub use package::*;
pub use testlib::*;
pub use validator::*;
