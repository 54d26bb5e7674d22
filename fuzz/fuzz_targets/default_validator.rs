//! The default validator against a plain one: `cargo +nightly fuzz run default_validator`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::validator::compare(data));
