//! Whole packages of other judges: as `package`, with other seeds and words: `cargo +nightly fuzz run foreign`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::package::check(data));
