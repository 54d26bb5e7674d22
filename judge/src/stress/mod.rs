//! Stress testing: runs random inputs until two programs differ, then shrinks the input.
//!
//! Trial `k` uses seed `base + k`, and the failing trial with the smallest seed wins, so the result
//! does not depend on the number of workers.

mod mutate;
mod regenerate;
mod shrink;
mod tokens;
mod trial;

pub use shrink::shrink;
pub use trial::{Context, Counterexample, Generator, Measured, Origin, Setup, Trial};

use judge_core::error::Failure;
use judge_core::parallel::{self, unpoisoned};
use judge_core::text::shown;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Adds seed and input to the failure of a trial that the reference or the package caused.
fn with_input(seed: u64, input: &[u8]) -> impl Fn(Failure) -> Failure {
    move |failure| match failure {
        Failure::Usage(usage) => {
            let input = shown(input);
            Failure::usage(format!(
                "with seed {seed} {usage}\ninput:\n{}",
                input.trim_end()
            ))
        }
        other => other,
    }
}

/// Fails if the package's validators refuse an input of the generator: the programs may differ on it.
fn refuse_illegal(context: &mut Context<'_>, input: &[u8]) -> Result<(), Failure> {
    match context.is_legal(input)? {
        true => Ok(()),
        false => Err(Failure::usage(
            "the generator's input is refused by the package's input validator",
        )),
    }
}

#[derive(Debug)]
pub struct Search {
    /// The failing input with the smallest seed, if any.
    pub found: Option<Counterexample>,
    /// Number of inputs tried.
    pub trials: u64,
    /// Number of different ones.
    pub different: usize,
    /// Time since the first worker was ready.
    pub wall: Duration,
}

/// Measures a search from the moment when the first worker is ready, so that a short search on a busy machine
/// is not over before its boxes are open.
#[derive(Default)]
struct Timer(OnceLock<Instant>);

impl Timer {
    fn elapsed(&self) -> Duration {
        self.0.get_or_init(Instant::now).elapsed()
    }
}

/// Tries seeds from `base` until the programs differ, `time` is up, or it is interrupted. After an
/// interrupt, the result is what was found before it.
pub fn search(
    setup: &Setup<'_>,
    base: u64,
    time: Duration,
    jobs: usize,
) -> Result<Search, Failure> {
    let timer = Timer::default();
    let next = AtomicU64::new(0);
    let trials = AtomicU64::new(0);
    // Hashes of the inputs.
    let different = Mutex::new(HashSet::new());
    let hasher = RandomState::new();
    // Trials from this number on cannot improve the result.
    let end = AtomicU64::new(u64::MAX);
    let found: Mutex<Option<(u64, Counterexample)>> = Mutex::new(None);
    let failed = || end.store(0, Ordering::Relaxed);
    on_all_workers(setup, jobs, failed, |context| {
        while timer.elapsed() < time {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= end.load(Ordering::Relaxed) {
                break;
            }
            let seed = base.wrapping_add(k);
            let input = context.generate(seed)?;
            trials.fetch_add(1, Ordering::Relaxed);
            unpoisoned(different.lock()).insert(hasher.hash_one(&input));
            let trial = context.trial(&input).map_err(with_input(seed, &input))?;
            if let Trial::Differs(how) = trial {
                refuse_illegal(context, &input).map_err(with_input(seed, &input))?;
                end.fetch_min(k, Ordering::Relaxed);
                let mut found = unpoisoned(found.lock());
                if found.as_ref().is_none_or(|(best, _)| k < *best) {
                    let args = setup.generator.args.clone();
                    *found = Some((
                        k,
                        Counterexample {
                            origin: Origin::Seed(seed),
                            args,
                            input,
                            how,
                        },
                    ));
                }
            }
        }
        Ok(())
    })?;
    Ok(Search {
        found: unpoisoned(found.into_inner()).map(|(_, found)| found),
        trials: trials.into_inner(),
        different: unpoisoned(different.into_inner()).len(),
        wall: timer.elapsed(),
    })
}

/// Result of [`slowest`].
#[derive(Debug)]
pub struct Slowest {
    pub input: Vec<u8>,
    /// Output of the reference for it.
    pub answer: Vec<u8>,
    pub cost: Measured,
    /// Number of inputs tried.
    pub trials: u64,
    /// A failure found on the way, if any.
    pub found: Option<Counterexample>,
}

/// Searches for the input on which the submission is slowest: random inputs first, then mutations
/// of the slowest one so far that the package's validators accept. After an interrupt, the result is
/// the slowest input before it.
pub fn slowest(
    setup: &Setup<'_>,
    base: u64,
    time: Duration,
    jobs: usize,
) -> Result<Slowest, Failure> {
    let timer = Timer::default();
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let best: Mutex<Slowest> = Mutex::new(Slowest {
        input: Vec::new(),
        answer: Vec::new(),
        cost: Measured::default(),
        trials: 0,
        found: None,
    });
    let failed = || stop.store(true, Ordering::Relaxed);
    on_all_workers(setup, jobs, failed, |context| {
        let lock = || unpoisoned(best.lock());
        while timer.elapsed() < time && !stop.load(Ordering::Relaxed) {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let seed = base.wrapping_add(k);
            let worst = lock().input.clone();
            // The first inputs are random, then every other one is a mutation of the
            // slowest.
            let is_random = k < 50 || k.is_multiple_of(2) || worst.is_empty();
            let input = if is_random {
                context.generate(seed)?
            } else {
                let mutated = mutate::mutate(&worst, seed);
                if !context.is_legal(&mutated)? {
                    continue;
                }
                mutated
            };
            let trial = match context.trial(&input) {
                // A mutation need not be an input of the problem.
                Err(Failure::Usage(_)) if !is_random => continue,
                trial => trial.map_err(with_input(seed, &input))?,
            };
            let mut best = lock();
            best.trials += 1;
            match trial {
                Trial::Same { cost, answer } if cost.is_more_than(&best.cost) => {
                    best.cost = cost;
                    best.input = input;
                    best.answer = answer;
                }
                Trial::Same { .. } => {}
                // Without a validator a mutation may be no input of the problem.
                Trial::Differs(_) if !is_random && setup.validators.is_empty() => {}
                Trial::Differs(how) => {
                    if is_random {
                        refuse_illegal(context, &input).map_err(with_input(seed, &input))?;
                    }
                    let args = setup.generator.args.clone();
                    let origin = match is_random {
                        true => Origin::Seed(seed),
                        false => Origin::Mutation,
                    };
                    best.found.get_or_insert(Counterexample {
                        origin,
                        args,
                        input,
                        how,
                    });
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    })?;
    Ok(unpoisoned(best.into_inner()))
}

/// Runs `work` in a context on each of `jobs` workers until all return. Calls `failed` after the
/// first failure of each worker, so that the others can end early. An interrupt ends the workers and is
/// no failure: the caller has the results so far.
fn on_all_workers(
    setup: &Setup<'_>,
    jobs: usize,
    failed: impl Fn() + Sync,
    work: impl Fn(&mut Context<'_>) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let work = |core: &mut Option<usize>, (): &()| {
        let result = Context::open(setup, *core).and_then(|mut context| work(&mut context));
        match result {
            Err(Failure::Interrupted) => Ok(()),
            result => result.inspect_err(|_| failed()),
        }
    };
    parallel::each(jobs, &vec![(); jobs], Ok, work, |_, ()| {})
}
