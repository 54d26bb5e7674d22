//! Languages: from a source file to a program that can be run.
