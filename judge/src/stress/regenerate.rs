//! Searches for smaller failing inputs if the package has no validator: only the generator knows
//! the format of inputs, so it generates all of them, from other seeds and with smaller numbers as
//! arguments.

use super::{Context, Counterexample, Origin, Trial};
use judge_core::error::Failure;
use std::time::{Duration, Instant};

/// Number of seeds tried with unchanged arguments.
const SEEDS: u64 = 400;
/// Number of seeds tried with a lowered argument.
const SEEDS_PER_ARGUMENT: u64 = 20;
/// Number of consecutive seeds without a smaller input after which the other seeds are skipped: the generator prints
/// inputs of one size, or the best one is among the smallest twentieth.
const SEEDS_WITHOUT_SMALLER: u64 = 50;
/// How long the search continues without a smaller input. A generator in Python makes fifteen inputs
/// a second, so all seeds would take half a minute.
const PATIENCE: Duration = Duration::from_secs(3);
/// Number of inputs without a smaller one that are generated in any case: a busy machine makes few in that time.
const MIN_INPUTS: u64 = 20;

/// The smallest failing input found until `end` or an interrupt, or until none was found for three
/// seconds and among twenty inputs.
pub fn regenerate(
    context: &mut Context<'_>,
    found: Counterexample,
    end: Instant,
) -> Result<Counterexample, Failure> {
    let mut work = Work {
        context,
        end,
        found_at: Instant::now(),
        inputs: 0,
        best: found,
    };
    match work.run() {
        Ok(()) | Err(Failure::Interrupted) => Ok(work.best),
        Err(error) => Err(error),
    }
}

struct Work<'d, 'a> {
    context: &'d mut Context<'a>,
    end: Instant,
    /// When the best input was found.
    found_at: Instant,
    /// Number of inputs generated since the best one.
    inputs: u64,
    best: Counterexample,
}

impl Work<'_, '_> {
    /// Lowers arguments, then tries other seeds.
    fn run(&mut self) -> Result<(), Failure> {
        while self.lower_an_argument()? {}
        let args = self.best.args.clone();
        self.try_seeds(&args, SEEDS)?;
        Ok(())
    }

    fn is_over(&self) -> bool {
        let is_patient = self.inputs < MIN_INPUTS || self.found_at.elapsed() < PATIENCE;
        !is_patient || Instant::now() >= self.end
    }

    /// Tries smaller numbers for each numeric argument; returns whether a smaller input was found.
    fn lower_an_argument(&mut self) -> Result<bool, Failure> {
        let args = self.best.args.clone();
        for (k, arg) in args.iter().enumerate() {
            for lower in lower(arg) {
                let mut changed = args.clone();
                changed[k] = lower.to_string();
                if self.try_seeds(&changed, SEEDS_PER_ARGUMENT)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Generates inputs with these arguments and keeps the smallest that fails in the same way as
    /// the original; returns whether a smaller one was found.
    fn try_seeds(&mut self, args: &[String], count: u64) -> Result<bool, Failure> {
        let mut is_smaller = false;
        let mut without_smaller = 0;
        for seed in 1..=count {
            if self.is_over() || without_smaller >= SEEDS_WITHOUT_SMALLER {
                break;
            }
            self.inputs += 1;
            let input = match self.context.generate_with(args, seed) {
                Ok(input) => input,
                // The generator rejects these arguments.
                Err(Failure::Usage(_)) => return Ok(is_smaller),
                Err(error) => return Err(error),
            };
            if input.len() >= self.best.input.len() {
                without_smaller += 1;
                continue;
            }
            without_smaller = 0;
            match self.context.trial(&input) {
                Ok(Trial::Differs(how)) if how.verdict == self.best.how.verdict => {
                    is_smaller = true;
                    (self.found_at, self.inputs) = (Instant::now(), 0);
                    self.best = Counterexample {
                        origin: Origin::Seed(seed),
                        args: args.to_vec(),
                        input,
                        how,
                    };
                }
                Ok(_) | Err(Failure::Usage(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(is_smaller)
    }
}

/// Numbers smaller than a numeric argument, in ascending order.
fn lower(arg: &str) -> Vec<u64> {
    let number: u64 = arg.parse().unwrap_or(0);
    let mut lower = vec![
        1,
        2,
        number / 8,
        number / 4,
        number / 2,
        number.saturating_sub(1),
    ];
    lower.retain(|&lower| (1..number).contains(&lower));
    lower.sort_unstable();
    lower.dedup();
    lower
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn only_numbers_are_lowered() {
        assert_eq!(lower("100"), [1, 2, 12, 25, 50, 99]);
        assert_eq!(lower("2"), [1]);
        assert!(lower("1").is_empty() && lower("{seed}").is_empty() && lower("-5").is_empty());
    }
}
