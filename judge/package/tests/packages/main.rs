//! Tests of reading packages: each format, archives, and the messages about broken ones.
//!
//! Test group: judge.

mod archive;
mod broken;
mod files;
mod foreign;
mod icpc;
