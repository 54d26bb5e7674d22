//! `generators.yaml`: `cargo +nightly fuzz run generators`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_fuzz::yaml::check_generators(data));
