//! Tests of the repository: its Makefile, its documents, and the imports of its source.
//!
//! Test group: judge.

mod book;
mod circles;
mod figures;
mod make_test;
mod translations;
