//! The readers, one module for each format.

mod common;
pub mod dmoj;
pub mod hydro;
pub mod icpc;
pub mod library_checker;
pub mod luogu;
pub mod plain;
