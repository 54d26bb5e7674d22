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
type Hash = [u128; 2];

/// A sum of hashes and their number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sum {
    count: u64,
    hashes: Hash,
}

impl Sum {
    /// Adds an element that these bytes represent.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(finish(Sha256::new_with_prefix(bytes)));
    }

    /// How it differs from the sum of the answer; `what` are the elements.
    pub fn difference(&self, wanted: &Sum, what: &str) -> Option<String> {
        (self != wanted).then(|| match self.count == wanted.count {
            true => format!(
                "the {} {what} are not those of the answer, in any order",
                self.count
            ),
            false => format!("expected {} {what}, found {}", wanted.count, self.count),
        })
    }

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

/// The hash of the tokens of the next line that is not empty; a line of blanks has none. White space
/// counts as one blank, and not at all at the ends.
fn next_line(window: &mut Window<'_>) -> io::Result<Option<Hash>> {
    while let Some(b'\n' | b'\r') = window.peek()? {
        window.advance(1);
    }
    if window.peek()?.is_none() {
        return Ok(None);
    }
    let (mut hash, mut has_token) = (Sha256::new(), false);
    loop {
        match window.peek()? {
            None | Some(b'\n' | b'\r') => return Ok(Some(finish(hash))),
            Some(byte) if is_space(byte) => window.advance(1),
            Some(_) => {
                if has_token {
                    hash.update(b" ");
                }
                window.token(|piece| hash.update(piece))?;
                has_token = true;
            }
        }
    }
}

fn next_token(window: &mut Window<'_>) -> io::Result<Option<Hash>> {
    if window.skip_space()?.is_none() {
        return Ok(None);
    }
    let mut hash = Sha256::new();
    window.token(|piece| hash.update(piece))?;
    Ok(Some(finish(hash)))
}

/// Compares lines in any order, ignoring empty lines and the amount of white space.
pub fn lines(output: Source<'_>, answer: Source<'_>) -> io::Result<Outcome> {
    compare(output, answer, "lines", next_line)
}

/// Compares tokens in any order.
pub fn tokens(output: Source<'_>, answer: Source<'_>) -> io::Result<Outcome> {
    compare(output, answer, "tokens", next_token)
}

/// Compares characters in any order, ignoring case and white space.
pub fn characters(output: Source<'_>, answer: Source<'_>) -> io::Result<Outcome> {
    fn counts(source: Source<'_>) -> io::Result<[u64; 256]> {
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

fn compare(
    output: Source<'_>,
    answer: Source<'_>,
    what: &str,
    next: fn(&mut Window<'_>) -> io::Result<Option<Hash>>,
) -> io::Result<Outcome> {
    let sum = |source| -> io::Result<Sum> {
        let (mut sum, mut window) = (Sum::default(), Window::new(source));
        while let Some(hash) = next(&mut window)? {
            sum.add(hash);
        }
        Ok(sum)
    };
    let difference = sum(output)?.difference(&sum(answer)?, what);
    Ok(difference.map_or_else(Outcome::accepted, Outcome::rejected))
}
