//! The numbers of the default validator against a plain reading: `cargo +nightly fuzz run number`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::number::check(data));
