//! All engines against each other on random input, where there is no fuzzer:
//! `cargo run --release --no-default-features --bin random -- SECONDS [SEED]`.
//!
//! The seed of an input is printed before it is tried only if it fails: a panic names it.

use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(seconds)), seed) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: random SECONDS [SEED]");
        std::process::exit(2);
    };
    let first = seed.and_then(Result::ok).unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seed = first;
    while Instant::now() < end {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let data: Vec<u8> = (0..24)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect();
        let outcome = std::panic::catch_unwind(|| sudoku_fuzz::compare(&data));
        if let Err(panic) = outcome {
            eprintln!("seed {seed}, input {data:?}");
            std::panic::resume_unwind(panic);
        }
        seed += 1;
    }
    println!(
        "{} inputs, from seed {first}, without a finding",
        seed - first
    );
}
