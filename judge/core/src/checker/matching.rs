//! Length of the common prefix of two slices: the inner loop of comparing.
//!
//! Fixed-size blocks let the compiler use vector instructions without `unsafe`.

use super::source::is_space;

/// Which bytes count as equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// Upper and lower case are equal.
    pub case: bool,
    /// All white space is equal.
    pub space: bool,
}

/// The length of the common prefix of `a` and `b` under `fold`.
pub fn common_prefix(a: &[u8], b: &[u8], fold: Fold) -> usize {
    match (fold.case, fold.space) {
        (false, false) => identical_prefix(a, b),
        (true, false) => folded_prefix::<true, false>(a, b),
        (false, true) => folded_prefix::<false, true>(a, b),
        (true, true) => folded_prefix::<true, true>(a, b),
    }
}

/// The length of the common prefix of `a` and `b`.
pub fn identical_prefix(a: &[u8], b: &[u8]) -> usize {
    // A mismatch is often near: compares one word before whole blocks.
    const WORD: usize = 8;
    const BLOCK: usize = 128;
    let common = a.len().min(b.len());
    let (a, b) = (&a[..common], &b[..common]);
    let mut at = 0;
    if let (Some(x), Some(y)) = (a.first_chunk::<WORD>(), b.first_chunk::<WORD>()) {
        let different = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if different != 0 {
            return different.trailing_zeros() as usize / 8;
        }
        at = WORD;
    }
    while let (Some(x), Some(y)) = (
        a[at..].first_chunk::<BLOCK>(),
        b[at..].first_chunk::<BLOCK>(),
    ) {
        if x != y {
            break;
        }
        at += BLOCK;
    }
    while let (Some(x), Some(y)) = (a[at..].first_chunk::<WORD>(), b[at..].first_chunk::<WORD>()) {
        let different = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if different != 0 {
            return at + different.trailing_zeros() as usize / 8;
        }
        at += WORD;
    }
    while at < common && a[at] == b[at] {
        at += 1;
    }
    at
}

fn folded_prefix<const CASE: bool, const SPACE: bool>(a: &[u8], b: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let common = a.len().min(b.len());
    let mut at = 0;
    loop {
        at += identical_prefix(&a[at..common], &b[at..common]);
        if at == common || fold::<CASE, SPACE>(a[at]) != fold::<CASE, SPACE>(b[at]) {
            return at;
        }
        // They differ in case or kind of space, and probably continue to do so.
        while let (Some(x), Some(y)) = (
            a[at..common].first_chunk::<BLOCK>(),
            b[at..common].first_chunk::<BLOCK>(),
        ) {
            let mut different = 0;
            for i in 0..BLOCK {
                different |= fold::<CASE, SPACE>(x[i]) ^ fold::<CASE, SPACE>(y[i]);
            }
            if different != 0 {
                break;
            }
            at += BLOCK;
        }
        while at < common && a[at] != b[at] {
            if fold::<CASE, SPACE>(a[at]) != fold::<CASE, SPACE>(b[at]) {
                return at;
            }
            at += 1;
        }
    }
}

#[inline(always)]
fn fold<const CASE: bool, const SPACE: bool>(byte: u8) -> u8 {
    if SPACE && is_space(byte) {
        b' '
    } else if CASE {
        byte.to_ascii_lowercase()
    } else {
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(a: &[u8], b: &[u8], fold: Fold) -> usize {
        let same = |x: u8, y: u8| {
            x == y
                || fold.case && x.eq_ignore_ascii_case(&y)
                || fold.space && is_space(x) && is_space(y)
        };
        a.iter().zip(b).take_while(|&(&x, &y)| same(x, y)).count()
    }

    #[test]
    fn blocks_give_the_same_length_as_a_byte_loop() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let alphabet = b"aA zZ\n\t@`[{09\x85\xa0";
        for round in 0..20_000 {
            let length = random(if round % 10 == 0 { 600 } else { 60 }) as usize;
            let a: Vec<u8> = (0..length)
                .map(|_| alphabet[random(alphabet.len() as u64) as usize])
                .collect();
            let mut b = a.clone();
            for byte in &mut b {
                *byte = match random(40) {
                    0..10 => byte.to_ascii_uppercase(),
                    10..20 if is_space(*byte) => b'\r',
                    20 if random(4) == 0 => b'x',
                    _ => *byte,
                };
            }
            b.truncate(b.len() - random(b.len().min(5) as u64 + 1) as usize);
            for fold in [(false, false), (true, false), (false, true), (true, true)] {
                let fold = Fold {
                    case: fold.0,
                    space: fold.1,
                };
                assert_eq!(
                    common_prefix(&a, &b, fold),
                    naive(&a, &b, fold),
                    "{a:?} {b:?} {fold:?}"
                );
            }
        }
    }
}
