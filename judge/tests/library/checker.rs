//! Checkers: the default validator and exact comparison against tables that the reference
//! implementations agree with, validator programs of every protocol, interactive problems.

mod builtins;
mod interactive;
mod places;
mod rules;
mod support;
mod validators;
