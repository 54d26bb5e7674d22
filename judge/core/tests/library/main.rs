//! Tests of the library: building sources and checking outputs.

mod checker;
mod files;
mod language;
