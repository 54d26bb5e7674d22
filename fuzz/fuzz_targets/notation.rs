//! Every notation, in and out: `cargo +nightly fuzz run notation`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::notation::check(data));
