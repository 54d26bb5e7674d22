//! All engines against each other: `cargo +nightly fuzz run engines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::engines::compare(data));
