//! Shrinks a failing input: fewer grids, rows, tokens; smaller numbers; fewer blanks.
//!
//! A change is kept if the package's validators accept the input, the reference gives the same
//! answer twice, and the submission fails in the same way. Passes go from coarse to fine and are
//! repeated until none helps. Without a validator, only the generator produces other inputs
//! (`regenerate`).

use super::regenerate::regenerate;
use super::tokens::{List, nth_token, split, with_lower_count};
use super::trial::Difference;
use super::{Context, Counterexample, Trial};
use judge_core::error::Failure;
use std::time::{Duration, Instant};

/// Shrinks a counterexample for at most `time` or until an interrupt; the result fails in the same way.
pub fn shrink(
    context: &mut Context<'_>,
    found: Counterexample,
    time: Duration,
) -> Result<Counterexample, Failure> {
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
    match work.run() {
        Ok(()) | Err(Failure::Interrupted) => {}
        Err(error) => return Err(error),
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
    /// Whether the reference's output may be empty: it was for the original input.
    may_be_empty: bool,
    input: Vec<u8>,
    how: Difference,
}

type Step = Result<(), Failure>;

impl Work<'_, '_> {
    /// Repeats all passes until none helps.
    fn run(&mut self) -> Step {
        loop {
            let before = self.input.clone();
            self.drop_blocks()?;
            self.drop_lines()?;
            self.drop_listed()?;
            self.drop_tokens()?;
            self.fill_from_answer()?;
            self.lower_numbers()?;
            if self.input == before || self.is_over() {
                return Ok(());
            }
        }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Accepts `candidate` if it still fails in the same way.
    fn accepts(&mut self, candidate: &[u8]) -> Result<bool, Failure> {
        if candidate == self.input || self.is_over() {
            return Ok(false);
        }
        // The trial is cheap and input validators are often slow scripts, so they come last. An
        // illegal input may therefore reach the output validator and crash it.
        let how = match self.context.trial(candidate) {
            Ok(Trial::Differs(how)) if how.verdict == self.how.verdict => how,
            Ok(_) | Err(Failure::Usage(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        // A reference that reads past the end of its input writes nothing or something different
        // each time.
        let is_sound = match self.context.answer(candidate) {
            Ok(again) => again == how.answer && (self.may_be_empty || !again.is_empty()),
            Err(Failure::Usage(_)) => false,
            Err(error) => return Err(error),
        };
        if !is_sound || !self.context.is_legal(candidate)? {
            return Ok(false);
        }
        self.input = candidate.to_vec();
        self.how = how;
        Ok(true)
    }

    /// Tries the parts without some of them, also with a leading count adjusted.
    fn accepts_parts(&mut self, parts: &[&[u8]], between: &[u8]) -> Result<bool, Failure> {
        let joined = parts.join(between);
        if self.accepts(&joined)? {
            return Ok(true);
        }
        // Inputs often begin with the number of parts.
        match with_lower_count(&joined) {
            Some(counted) => self.accepts(&counted),
            None => Ok(false),
        }
    }

    /// Drops blocks separated by empty lines, large runs first.
    fn drop_blocks(&mut self) -> Step {
        self.drop_parts(b"\n\n")
    }

    /// Drops lines, large runs first.
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
                let rest = parts[..from].iter().chain(&parts[from + size..]).copied();
                let rest: Vec<&[u8]> = rest.collect();
                if !self.accepts_parts(&rest, between)? {
                    from += 1;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Drops elements of lists, large runs first, together with their number before them: the list begins
    /// behind the number or on the next line.
    fn drop_listed(&mut self) -> Step {
        let mut k = 0;
        while !self.is_over() && nth_token(&self.input, k).is_some() {
            for is_on_next_line in [false, true] {
                self.drop_of_list(k, is_on_next_line)?;
            }
            k += 1;
        }
        Ok(())
    }

    /// Drops elements of the list whose length is the `k`-th token.
    fn drop_of_list(&mut self, k: usize, is_on_next_line: bool) -> Step {
        let mut size = usize::MAX;
        let mut from = 0;
        while let Some(list) = List::at(&self.input, k, is_on_next_line).filter(|_| !self.is_over())
        {
            size = size.min(list.elements.len() / 2);
            if size == 0 {
                return Ok(());
            }
            if from + size > list.elements.len() {
                (from, size) = (0, size / 2);
                continue;
            }
            let candidate = list.without(&self.input, from, size);
            if !self.accepts(&candidate)? {
                from += size;
            }
        }
        Ok(())
    }

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

    /// Copies characters of the reference's answer into the input, position by position, if the two
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

    /// Lowers a number to 0 or 1, or bisects to a value that still fails while the next lower one passes.
    fn lower_number(&mut self, k: usize, number: i64) -> Step {
        let (sign, size) = (number.signum(), number.unsigned_abs());
        if size == 0 || self.accepts_number(k, 0)? || size == 1 || self.accepts_number(k, sign)? {
            return Ok(());
        }
        let (mut passes, mut fails) = (1, size);
        while fails - passes > 1 {
            let middle = passes + (fails - passes) / 2;
            // Below an `i64` that was parsed, so it fits.
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

    /// Replaces the `k`-th token with a number, if the input still fails in the same way.
    fn accepts_number(&mut self, k: usize, number: i64) -> Result<bool, Failure> {
        let Some((from, to)) = nth_token(&self.input, k) else {
            return Ok(false);
        };
        let mut candidate = self.input.clone();
        candidate.splice(from..to, number.to_string().into_bytes());
        self.accepts(&candidate)
    }
}
