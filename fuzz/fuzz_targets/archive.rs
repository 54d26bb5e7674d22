//! Packages in archives: `cargo +nightly fuzz run archive`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::archive::check(data));
