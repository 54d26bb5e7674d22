//! The comparisons of other judges against plain ones: `cargo +nightly fuzz run checkers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::checkers::compare(data));
