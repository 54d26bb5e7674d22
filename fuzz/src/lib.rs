//! The properties that the fuzz targets check, one module per target; README.md explains how to run
//! them.
//!
//! The modules are independent: the tests of the project replay the seeds in `seeds/` without a
//! fuzzer.

pub mod archive;
pub mod checkers;
pub mod engines;
pub mod notation;
pub mod number;
pub mod package;
pub mod replay;
pub mod validator;
pub mod yaml;
