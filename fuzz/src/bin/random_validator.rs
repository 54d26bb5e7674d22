//! The default validator on random input, where there is no fuzzer:
//! `cargo run --release --no-default-features --bin random_validator -- SECONDS [SEED]`.

use std::time::{Duration, Instant};

/// What makes tokens differ in interesting ways.
const PIECES: [&str; 24] = [
    "1",
    "0",
    "-",
    "+",
    ".",
    "e",
    "5",
    "a",
    "A",
    "b",
    " ",
    " ",
    "\n",
    "\r\n",
    "\t",
    "inf",
    "nan",
    "1.5",
    "1.50",
    "0x1",
    "\0",
    "\u{feff}",
    "\u{ff}",
    "99999999999999999999",
];

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(seconds)), seed) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: random_validator SECONDS [SEED]");
        std::process::exit(2);
    };
    let first = seed.and_then(Result::ok).unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seed = first;
    while Instant::now() < end {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as usize % below
        };
        // Long texts are slow and find the same.
        let mut data = vec![random(256) as u8 & if random(50) == 0 { 0xff } else { !32 }];
        for _ in 0..2 {
            for _ in 0..random(12) {
                data.extend(PIECES[random(PIECES.len())].bytes());
            }
            data.push(0xff);
        }
        let outcome = std::panic::catch_unwind(|| sudoku_fuzz::validator::compare(&data));
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
