//! Tests of the repository: its Makefile, its documents, and the imports of its source.

mod circles;
mod make_test;
mod translations;
