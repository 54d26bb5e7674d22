//! Stress testing: runs random inputs until two programs differ, then shrinks the input.
//!
//! Trial `k` uses seed `base + k`, and the failing trial with the smallest seed wins, so the result
//! does not depend on the number of workers.

mod mutate;
mod regenerate;
mod shrink;
mod trial;

pub use shrink::shrink;
pub use trial::{Context, Counterexample, Generator, Measured, Setup, Trial};

use crate::parallel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why stress testing stopped without a result.
#[derive(Debug)]
pub enum StressError {
    /// Ctrl-C.
    Interrupted,
    /// A failure of the generator, the reference or the package, with the seed.
    Broken(String),
    /// The judge itself failed.
    Internal(String),
}

/// The result of a search.
#[derive(Debug)]
pub struct Search {
    /// The failing input with the smallest seed, if any.
    pub found: Option<Counterexample>,
    /// Number of inputs tried.
    pub trials: u64,
    /// Duration of the search.
    pub wall: Duration,
}

/// Tries seeds from `base` until the programs differ, `time` is up, or it is interrupted.
///
/// # Errors
///
/// If the generator, the reference or the sandbox fails.
pub fn search(
    setup: &Setup<'_>,
    base: u64,
    time: Duration,
    jobs: usize,
) -> Result<Search, StressError> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let trials = AtomicU64::new(0);
    // Trials from this number on cannot improve the result.
    let end = AtomicU64::new(u64::MAX);
    let found: Mutex<Option<(u64, Counterexample)>> = Mutex::new(None);
    let failed: Mutex<Option<StressError>> = Mutex::new(None);
    std::thread::scope(|scope| {
        parallel::start(scope, jobs, |worker| {
            let (next, trials, end, found, failed) = (&next, &trials, &end, &found, &failed);
            move || {
                let work = || -> Result<(), StressError> {
                    let mut context = Context::open(setup, worker)?;
                    while start.elapsed() < time {
                        let k = next.fetch_add(1, Ordering::Relaxed);
                        if k >= end.load(Ordering::Relaxed) {
                            break;
                        }
                        let seed = base.wrapping_add(k);
                        let input = context.generate(seed)?;
                        trials.fetch_add(1, Ordering::Relaxed);
                        if let Trial::Differs(how) = context.trial(&input)? {
                            end.fetch_min(k, Ordering::Relaxed);
                            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                            if found.as_ref().is_none_or(|(best, _)| k < *best) {
                                let args = setup.generator.args.clone();
                                *found = Some((
                                    k,
                                    Counterexample {
                                        seed,
                                        args,
                                        input,
                                        how,
                                    },
                                ));
                            }
                        }
                    }
                    Ok(())
                };
                if let Err(error) = work() {
                    end.store(0, Ordering::Relaxed);
                    failed
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .get_or_insert(error);
                }
            }
        });
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    Ok(Search {
        found: found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .map(|(_, found)| found),
        trials: trials.into_inner(),
        wall: start.elapsed(),
    })
}

/// Result of [`slowest`].
#[derive(Debug)]
pub struct Slowest {
    /// The input.
    pub input: Vec<u8>,
    /// Its cost.
    pub cost: Measured,
    /// Number of inputs tried.
    pub trials: u64,
    /// A failure found on the way, if any.
    pub found: Option<Counterexample>,
}

/// Searches for the input on which the submission is slowest: random inputs first, then mutations
/// of the slowest one so far that the package's validators accept.
///
/// # Errors
///
/// If the generator, the reference or the sandbox fails.
pub fn slowest(
    setup: &Setup<'_>,
    base: u64,
    time: Duration,
    jobs: usize,
) -> Result<Slowest, StressError> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let best: Mutex<Slowest> = Mutex::new(Slowest {
        input: Vec::new(),
        cost: Measured::default(),
        trials: 0,
        found: None,
    });
    let failed: Mutex<Option<StressError>> = Mutex::new(None);
    std::thread::scope(|scope| {
        parallel::start(scope, jobs, |worker| {
            let (next, stop, best, failed) = (&next, &stop, &best, &failed);
            move || {
                let work = || -> Result<(), StressError> {
                    let mut context = Context::open(setup, worker)?;
                    let lock = || best.lock().unwrap_or_else(PoisonError::into_inner);
                    while start.elapsed() < time && !stop.load(Ordering::Relaxed) {
                        let k = next.fetch_add(1, Ordering::Relaxed);
                        let seed = base.wrapping_add(k);
                        let worst = lock().input.clone();
                        // The first inputs are random, then every other one is a mutation of the
                        // slowest.
                        let input = if k < 50 || k % 2 == 0 || worst.is_empty() {
                            context.generate(seed)?
                        } else {
                            let mutated = mutate::mutate(&worst, seed);
                            if !context.is_legal(&mutated)? {
                                continue;
                            }
                            mutated
                        };
                        let trial = context.trial(&input)?;
                        let mut best = lock();
                        best.trials += 1;
                        match trial {
                            Trial::Same(cost) if cost.is_more_than(&best.cost) => {
                                best.cost = cost;
                                best.input = input;
                            }
                            Trial::Same(_) | Trial::Unusable => {}
                            Trial::Differs(how) => {
                                let args = setup.generator.args.clone();
                                best.found.get_or_insert(Counterexample {
                                    seed,
                                    args,
                                    input,
                                    how,
                                });
                                stop.store(true, Ordering::Relaxed);
                            }
                        }
                    }
                    Ok(())
                };
                if let Err(error) = work() {
                    stop.store(true, Ordering::Relaxed);
                    failed
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .get_or_insert(error);
                }
            }
        });
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(best.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}
