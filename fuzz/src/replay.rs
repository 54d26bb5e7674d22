//! Replays the seeds of a target and, on demand, mutations of the seeds, without a fuzzer.

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Calls `check` with every file in `seeds/<target>/`; then, if `FUZZ_SECONDS` is set, with
/// mutations for that time. `FUZZ_SEED` is the seed of the mutations.
///
/// # Panics
///
/// If `check` panics; the input is printed.
pub fn replay(target: &str, check: fn(&[u8])) {
    if env::var("FUZZ_TARGET").is_ok_and(|only| only != target) {
        return;
    }
    let seeds = read_seeds(target);
    assert!(!seeds.is_empty(), "no seeds for {target}");
    for (path, seed) in &seeds {
        attempt(check, seed, &path.display().to_string());
    }
    let number = |name| {
        env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let Some(seconds) = number("FUZZ_SECONDS") else {
        return;
    };
    let words = words(target);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(number("FUZZ_SEED").unwrap_or(1).wrapping_mul(2) | 1);
    let mut tried = 0_u64;
    let mut slowest = Duration::ZERO;
    while Instant::now() < end {
        let (path, seed) = &seeds[random.below(seeds.len())];
        let mut input = seed.clone();
        for _ in 0..=random.below(6) {
            mutate(&mut input, &mut random, &words, &seeds);
        }
        let begun = Instant::now();
        attempt(check, &input, &format!("mutated {}", path.display()));
        slowest = slowest.max(begun.elapsed());
        tried += 1;
    }
    println!("{target}: {tried} inputs without a finding, the slowest took {slowest:.1?}");
}

fn attempt(check: fn(&[u8]), input: &[u8], name: &str) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(input))) {
        let shown = env::temp_dir().join("fuzz-finding");
        let kept = fs::write(&shown, input)
            .map_or(String::new(), |()| format!(", kept in {}", shown.display()));
        eprintln!("{name}{kept}: {}", input.escape_ascii());
        resume_unwind(panic);
    }
}

/// The directory `fuzz/`, independent of the crate into which this module is compiled.
fn fuzz_dir() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut above = here.ancestors().map(|dir| dir.join("fuzz"));
    above
        .find(|dir| dir.join("seeds").is_dir())
        .expect("fuzz/seeds")
}

fn read_seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let dir = fuzz_dir().join("seeds").join(target);
    let mut seeds: Vec<_> = fs::read_dir(&dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.expect("a file").path())
        .map(|path| (path.clone(), fs::read(&path).expect("a file")))
        .collect();
    seeds.sort();
    seeds
}

/// The words of the target's dictionary, if it has one.
fn words(target: &str) -> Vec<Vec<u8>> {
    let path = fuzz_dir()
        .join("dictionaries")
        .join(format!("{target}.dict"));
    let text = fs::read_to_string(path).unwrap_or_default();
    let quoted = text
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescape).collect()
}

/// Decodes a word in libFuzzer's syntax: `\\`, `\"`, `\x0a`.
fn unescape(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, tail) {
            (b'\\', [b'x', high, low, tail @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
                bytes.push(digit(*high) << 4 | digit(*low));
                rest = tail;
            }
            (b'\\', [kept, tail @ ..]) => {
                bytes.push(*kept);
                rest = tail;
            }
            _ => bytes.push(byte),
        }
    }
    bytes
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as usize % limit.max(1)
    }
}

/// Applies one mutation: changes a byte, inserts a word, or removes, duplicates or replaces a
/// piece.
fn mutate(
    input: &mut Vec<u8>,
    random: &mut Random,
    words: &[Vec<u8>],
    seeds: &[(PathBuf, Vec<u8>)],
) {
    const PLAIN: [&[u8]; 16] = [
        b"0",
        b"-1",
        b"1e400",
        b"9007199254740993",
        b"9223372036854775807",
        b"\n",
        b"  ",
        b": ",
        b"- ",
        b"\"",
        b"\xff",
        b"\0",
        b"\r\n",
        b"{",
        b"]",
        b"\xef\xbb\xbf",
    ];
    let at = random.below(input.len() + 1);
    let most = 1 << random.below(7);
    let length = random.below(most).min(input.len() - at);
    let piece = input[at..at + length].to_vec();
    match random.below(8) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        2 => drop(input.drain(at..at + length)),
        3 => drop(input.splice(at..at, piece.repeat(1 + random.below(3)))),
        4 => drop(input.splice(at..at + length, PLAIN[random.below(16)].iter().copied())),
        5 | 6 if !words.is_empty() => {
            let word = words[random.below(words.len())].clone();
            let end = if random.below(2) == 0 {
                at
            } else {
                at + length
            };
            drop(input.splice(at..end, word));
        }
        _ => {
            let other = &seeds[random.below(seeds.len())].1;
            let from = random.below(other.len() + 1);
            let taken = random.below(200).min(other.len() - from);
            drop(input.splice(at..at + length, other[from..from + taken].iter().copied()));
        }
    }
    input.truncate(1 << 16);
}
