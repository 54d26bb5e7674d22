//! The YAML reader: `cargo +nightly fuzz run yaml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::yaml::check(data));
