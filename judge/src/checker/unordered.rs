//! Comparisons that ignore the order.
//!
//! Sorting would need all lines in memory. Instead each line (token) is hashed, and the hashes are
//! added: texts with the same lines in any order have the same sum. The hash is SHA-256, so a
//! collision cannot be constructed.

use super::outcome::Outcome;
use super::source::{Source, Window, is_space};
use sha2::{Digest, Sha256};
use std::io;

/// The hash of a line or token.
pub type Hash = [u128; 2];

/// A sum of hashes and their number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Sum {
    count: u64,
    hashes: Hash,
}

impl Sum {
    fn add(&mut self, hash: Hash) {
        self.count += 1;
        self.hashes[0] = self.hashes[0].wrapping_add(hash[0]);
        self.hashes[1] = self.hashes[1].wrapping_add(hash[1]);
    }
}

fn finish(hash: Sha256) -> Hash {
    let bytes = hash.finalize();
    let half = |range: std::ops::Range<usize>| {
        bytes[range]
            .iter()
            .fold(0_u128, |value, &byte| value << 8 | u128::from(byte))
    };
    [half(0..16), half(16..32)]
}

/// Iterates over the lines that are not blank, each as the hash of its tokens.
pub struct Lines<'a, S: Source + ?Sized> {
    window: Window<'a, S>,
}

impl<'a, S: Source + ?Sized> Lines<'a, S> {
    /// Starts at the first line.
    pub fn new(source: &'a S) -> Self {
        Lines {
            window: Window::new(source),
        }
    }

    /// The next line's hash; white space counts as one blank, and not at all at the ends.
    pub fn next_digest(&mut self) -> io::Result<Option<Hash>> {
        if self.window.skip_space()?.is_none() {
            return Ok(None);
        }
        let mut hash = Sha256::new();
        loop {
            self.window.token(|piece| hash.update(piece))?;
            loop {
                match self.window.peek()? {
                    None | Some(b'\n' | b'\r') => return Ok(Some(finish(hash))),
                    Some(byte) if is_space(byte) => self.window.advance(1),
                    Some(_) => break,
                }
            }
            hash.update(b" ");
        }
    }
}

/// Compares lines in any order, ignoring blank lines and the amount of white space.
pub fn lines<S: Source + ?Sized, T: Source + ?Sized>(
    output: &S,
    answer: &T,
) -> io::Result<Outcome> {
    fn sum<S: Source + ?Sized>(source: &S) -> io::Result<Sum> {
        let (mut sum, mut lines) = (Sum::default(), Lines::new(source));
        while let Some(hash) = lines.next_digest()? {
            sum.add(hash);
        }
        Ok(sum)
    }
    Ok(compare(sum(output)?, sum(answer)?, "lines"))
}

/// Compares tokens in any order.
pub fn tokens<S: Source + ?Sized, T: Source + ?Sized>(
    output: &S,
    answer: &T,
) -> io::Result<Outcome> {
    fn sum<S: Source + ?Sized>(source: &S) -> io::Result<Sum> {
        let (mut sum, mut window) = (Sum::default(), Window::new(source));
        while window.skip_space()?.is_some() {
            let mut hash = Sha256::new();
            window.token(|piece| hash.update(piece))?;
            sum.add(finish(hash));
        }
        Ok(sum)
    }
    Ok(compare(sum(output)?, sum(answer)?, "tokens"))
}

/// Compares characters in any order, ignoring case and white space.
pub fn characters<S: Source + ?Sized, T: Source + ?Sized>(
    output: &S,
    answer: &T,
) -> io::Result<Outcome> {
    fn counts<S: Source + ?Sized>(source: &S) -> io::Result<[u64; 256]> {
        let (mut counts, mut window) = ([0; 256], Window::new(source));
        loop {
            window.fill()?;
            let rest = window.rest();
            if rest.is_empty() {
                return Ok(counts);
            }
            for byte in rest.iter().filter(|&&byte| !is_space(byte)) {
                counts[usize::from(byte.to_ascii_lowercase())] += 1;
            }
            let n = rest.len();
            window.advance(n);
        }
    }
    let (found, wanted) = (counts(output)?, counts(answer)?);
    let Some(byte) = (0..=255_u8).find(|&b| found[usize::from(b)] != wanted[usize::from(b)]) else {
        return Ok(Outcome::accepted());
    };
    Ok(Outcome::rejected(format!(
        "expected \"{}\" {} times, found it {} times",
        super::escape(&[byte]),
        wanted[usize::from(byte)],
        found[usize::from(byte)]
    )))
}

fn compare(found: Sum, wanted: Sum, what: &str) -> Outcome {
    if found == wanted {
        Outcome::accepted()
    } else if found.count != wanted.count {
        Outcome::rejected(format!(
            "expected {} {what}, found {}",
            wanted.count, found.count
        ))
    } else {
        Outcome::rejected(format!(
            "the {} {what} are not those of the answer, in any order",
            found.count
        ))
    }
}
