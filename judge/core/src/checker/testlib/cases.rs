//! Checkers of outputs in the form `Case 1: ...`, `Case 2: ...`.

use super::stream::{Stop, Stream};
use crate::checker::outcome::Outcome;
use sha2::{Digest, Sha256};

/// Reads the number of a case; `Case` precedes it, unless it is the token that ended the case before.
fn header(stream: &mut Stream<'_>, case: usize, is_word_read: bool) -> Result<(), Stop> {
    if !is_word_read {
        stream.read_token("`Case`")?;
        if stream.token != b"Case" {
            return Err(stream.malformed("`Case`"));
        }
    }
    let expected = format!("{case}:");
    let shown = format!("`{expected}`");
    stream.read_token(&shown)?;
    match stream.token == expected.as_bytes() {
        true => Ok(()),
        false => Err(stream.malformed(&shown)),
    }
}

/// `caseicmp`: one integer in each case.
pub fn integer_each(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    let read = |stream: &mut Stream<'_>| -> Result<Vec<i64>, Stop> {
        let mut numbers = Vec::new();
        while !stream.only_space_follows()? {
            header(stream, numbers.len() + 1, false)?;
            numbers.push(stream.long()?);
        }
        Ok(numbers)
    };
    let (wanted, found) = (read(wanted)?, read(found)?);
    for (case, (expected, given)) in (1..).zip(wanted.iter().zip(&found)) {
        if expected != given {
            let what = format!("case {case}: expected {expected}, found {given}");
            return Err(Stop::wrong(what));
        }
    }
    match wanted.len() == found.len() {
        true => Ok(Outcome::accepted()),
        false => Err(Stop::format(format!(
            "expected {} cases, found {}",
            wanted.len(),
            found.len()
        ))),
    }
}

/// Number and digest of the tokens of a case.
type Sequence = (u64, [u8; 32]);

/// `casencmp` and `casewcmp`: a sequence of tokens in each case; `canonical` returns the bytes that
/// are compared for the last token.
pub fn sequences(
    found: &mut Stream<'_>,
    wanted: &mut Stream<'_>,
    canonical: &dyn Fn(&Stream<'_>) -> Result<Vec<u8>, Stop>,
) -> Result<Outcome, Stop> {
    let read =
        |stream: &mut Stream<'_>, case: usize, is_word_read: &mut bool| -> Result<Sequence, Stop> {
            header(stream, case, *is_word_read)?;
            // testlib never forgets that it has read the word.
            let (mut count, mut hash) = (0, Sha256::new());
            while !stream.only_space_follows()? {
                stream.read_token("a token")?;
                if stream.token == b"Case" {
                    *is_word_read = true;
                    break;
                }
                let token = canonical(stream)?;
                count += 1;
                hash.update((token.len() as u64).to_le_bytes());
                hash.update(&token);
            }
            Ok((count, hash.finalize().into()))
        };
    let (mut found_word, mut wanted_word) = (false, false);
    let mut case = 0;
    while !wanted.only_space_follows()? {
        case += 1;
        let expected = read(wanted, case, &mut wanted_word)?;
        let given = read(found, case, &mut found_word)?;
        if expected != given {
            let what = match expected.0 == given.0 {
                true => format!("case {case}: the {} tokens differ", given.0),
                false => format!(
                    "case {case}: expected {} tokens, found {}",
                    expected.0, given.0
                ),
            };
            return Err(Stop::wrong(what));
        }
    }
    Ok(Outcome::accepted())
}
