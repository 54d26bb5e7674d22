//! Tests of checkers: the default validator and exact comparison against tables that agree with the
//! reference implementations, validator programs of every protocol, interactive problems.

mod builtins;
mod differences;
mod interactive;
mod pairs;
mod rules;
mod support;
mod validators;
