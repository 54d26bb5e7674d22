//! Makes a failing input small: fewer grids, rows, tokens; smaller numbers; fewer blanks.
//!
//! A change stays when the package's validators accept the input, the reference solves it, twice in the
//! same way, and the submission still fails in the same way. Passes go from coarse to fine and start
//! again until none helps. Where no validator can say whether an input is legal, only the generator
//! makes other ones.

use super::regenerate::regenerate;
use super::trial::Difference;
use super::{Context, Counterexample, StressError, Trial};
use std::time::{Duration, Instant};

/// Shrinks what was found, for at most `time`; the result fails in the same way.
///
/// # Errors
///
/// When the sandbox fails or it is interrupted.
pub fn shrink(
    context: &mut Context<'_>,
    found: Counterexample,
    time: Duration,
) -> Result<Counterexample, StressError> {
    let end = Instant::now() + time;
    if !context.has_validators() {
        return regenerate(context, found, end);
    }
    let mut work = Work {
        context,
        end,
        may_be_empty: found.how.answer.is_empty(),
        input: found.input,
        how: found.how,
    };
    loop {
        let before = work.input.clone();
        work.drop_blocks()?;
        work.drop_lines()?;
        work.drop_tokens()?;
        work.fill_from_answer()?;
        work.lower_numbers()?;
        if work.input == before || work.is_over() {
            break;
        }
    }
    Ok(Counterexample {
        input: work.input,
        how: work.how,
        ..found
    })
}

struct Work<'d, 'a> {
    context: &'d mut Context<'a>,
    end: Instant,
    /// Whether the reference may write nothing: it did so on the input that was found.
    may_be_empty: bool,
    input: Vec<u8>,
    how: Difference,
}

type Step = Result<(), StressError>;

impl Work<'_, '_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Takes `candidate` if it still fails in the same way.
    fn accepts(&mut self, candidate: &[u8]) -> Result<bool, StressError> {
        if candidate == self.input || self.is_over() {
            return Ok(false);
        }
        // The trial is cheap, the input validators are often scripts: they come last. So an illegal
        // input may get this far, and it may be more than the output validator bears.
        let how = match self.context.trial(candidate) {
            Ok(Trial::Differs(how)) if how.verdict == self.how.verdict => how,
            Ok(_) | Err(StressError::Broken(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        // A reference that reads what is not there writes nothing, or something else each time.
        let is_sound = match self.context.answer(candidate) {
            Ok(again) => again == how.answer && (self.may_be_empty || !again.is_empty()),
            Err(StressError::Broken(_)) => false,
            Err(error) => return Err(error),
        };
        if !is_sound || !self.context.is_legal(candidate)? {
            return Ok(false);
        }
        self.input = candidate.to_vec();
        self.how = how;
        Ok(true)
    }

    /// Takes the parts without some of them, or that with a leading count brought in line.
    fn accepts_parts(&mut self, parts: &[&[u8]], between: &[u8]) -> Result<bool, StressError> {
        let joined = parts.join(between);
        if self.accepts(&joined)? {
            return Ok(true);
        }
        // Inputs often begin with how many there are.
        match with_lower_count(&joined, 1) {
            Some(counted) => self.accepts(&counted),
            None => Ok(false),
        }
    }

    /// Drops blocks that empty lines part, large runs of them first.
    fn drop_blocks(&mut self) -> Step {
        self.drop_parts(b"\n\n")
    }

    /// Drops lines, large runs of them first.
    fn drop_lines(&mut self) -> Step {
        self.drop_parts(b"\n")
    }

    fn drop_parts(&mut self, between: &[u8]) -> Step {
        let mut size = split(&self.input, between).len() / 2;
        while size > 0 {
            let mut from = 0;
            loop {
                let text = self.input.clone();
                let parts = split(&text, between);
                if from + size > parts.len() || parts.len() == 1 || self.is_over() {
                    break;
                }
                let rest: Vec<&[u8]> = parts[..from]
                    .iter()
                    .chain(&parts[from + size..])
                    .copied()
                    .collect();
                if !self.accepts_parts(&rest, between)? {
                    from += 1;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Drops single tokens of lines.
    fn drop_tokens(&mut self) -> Step {
        let mut k = 0;
        while !self.is_over() {
            let Some((from, to)) = nth_token(&self.input, k) else {
                break;
            };
            let mut candidate = self.input.clone();
            let end = if candidate.get(to) == Some(&b' ') {
                to + 1
            } else {
                to
            };
            candidate.drain(from..end);
            if !self.accepts(&candidate)? {
                k += 1;
            }
        }
        Ok(())
    }

    /// Puts characters of the reference's answer into the input, place by place, where the two
    /// have the same shape: a grid gets fewer blanks.
    fn fill_from_answer(&mut self) -> Step {
        let answer = self.how.answer.clone();
        let same_shape = |input: &[u8]| {
            split(input, b"\n")
                .iter()
                .zip(split(&answer, b"\n"))
                .all(|(a, b)| a.trim_ascii_end().len() == b.trim_ascii_end().len())
        };
        if !same_shape(&self.input) {
            return Ok(());
        }
        let differing: Vec<usize> = (0..self.input.len().min(answer.len()))
            .filter(|&k| self.input[k] != answer[k])
            .collect();
        let mut size = differing.len();
        while size > 0 && !self.is_over() {
            for chunk in differing.chunks(size) {
                let mut candidate = self.input.clone();
                for &k in chunk {
                    candidate[k] = answer[k];
                }
                self.accepts(&candidate)?;
            }
            size /= 2;
        }
        Ok(())
    }

    /// Makes numbers smaller.
    fn lower_numbers(&mut self) -> Step {
        let mut k = 0;
        while !self.is_over() && nth_token(&self.input, k).is_some() {
            if let Some(number) = self.number(k) {
                self.lower_number(k, number)?;
            }
            k += 1;
        }
        Ok(())
    }

    /// Makes a number 0 or 1, or else as small as halving the distance finds: with one less it does
    /// not fail.
    fn lower_number(&mut self, k: usize, number: i64) -> Step {
        let (sign, size) = (number.signum(), number.unsigned_abs());
        if size == 0 || self.accepts_number(k, 0)? || size == 1 || self.accepts_number(k, sign)? {
            return Ok(());
        }
        let (mut passes, mut fails) = (1, size);
        while fails - passes > 1 {
            let middle = passes + (fails - passes) / 2;
            // Smaller than the size of a number that was read, so it is one.
            match self.accepts_number(k, sign * middle as i64)? {
                true => fails = middle,
                false => passes = middle,
            }
        }
        Ok(())
    }

    /// The `k`-th token, if it is a number.
    fn number(&self, k: usize) -> Option<i64> {
        let (from, to) = nth_token(&self.input, k)?;
        std::str::from_utf8(&self.input[from..to])
            .ok()?
            .parse()
            .ok()
    }

    /// Puts a number in place of the `k`-th token, if it still fails in the same way.
    fn accepts_number(&mut self, k: usize, number: i64) -> Result<bool, StressError> {
        let Some((from, to)) = nth_token(&self.input, k) else {
            return Ok(false);
        };
        let mut candidate = self.input.clone();
        candidate.splice(from..to, number.to_string().into_bytes());
        self.accepts(&candidate)
    }
}

/// The parts between separators.
fn split<'t>(text: &'t [u8], between: &[u8]) -> Vec<&'t [u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest
        .windows(between.len())
        .position(|window| window == between)
    {
        parts.push(&rest[..at]);
        rest = &rest[at + between.len()..];
    }
    parts.push(rest);
    parts
}

/// Where the `k`-th token of the text stands.
fn nth_token(text: &[u8], k: usize) -> Option<(usize, usize)> {
    let mut seen = 0;
    let mut from = None;
    for (at, byte) in text.iter().chain(b"\n").enumerate() {
        match (byte.is_ascii_whitespace(), from) {
            (false, None) => from = Some(at),
            (true, Some(start)) => {
                if seen == k {
                    return Some((start, at));
                }
                seen += 1;
                from = None;
            }
            _ => {}
        }
    }
    None
}

/// The text with its first token, a number, lowered by `by`.
fn with_lower_count(text: &[u8], by: u64) -> Option<Vec<u8>> {
    let (from, to) = nth_token(text, 0)?;
    let count: u64 = std::str::from_utf8(&text[from..to]).ok()?.parse().ok()?;
    let lower = count.checked_sub(by)?;
    let mut changed = text.to_vec();
    changed.splice(from..to, lower.to_string().into_bytes());
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_parts() {
        assert_eq!(nth_token(b" ab c\nd", 1), Some((4, 5)));
        assert_eq!(nth_token(b" ab c\nd", 2), Some((6, 7)));
        assert_eq!(nth_token(b"", 0), None);
        assert_eq!(split(b"a\n\nb\n", b"\n\n"), [&b"a"[..], b"b\n"]);
        assert_eq!(with_lower_count(b"10\nx", 1).as_deref(), Some(&b"9\nx"[..]));
        assert_eq!(with_lower_count(b"x\n", 1), None);
    }
}
