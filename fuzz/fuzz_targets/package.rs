//! Whole packages of the ICPC formats: `cargo +nightly fuzz run package`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::package::check(data));
