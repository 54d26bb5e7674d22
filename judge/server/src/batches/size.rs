//! How many cases a batch has.

use std::collections::HashMap;

/// Seconds of work of a batch, at least: messages cost about 10 ms, so no more than 2 %.
const LEAST: f64 = 0.5;
/// Seconds of work of a batch, about, if there is enough for everybody: what is lost with a worker.
const USUAL: f64 = 2.0;
/// Seconds that a case takes beside its program.
const CASE: f64 = 0.002;
/// Cases of a batch, at most.
const MOST: usize = 4096;
/// Cases of the first batch of a submission of which nothing is known, at most.
const FIRST: usize = 8;

/// Number of cases in a batch. `case_s`, `compile_s`: seconds that a case and the compilation take,
/// which each machine does again; `left`: cases without a result; `seats`: what workers can do at once.
pub fn of_batch(case_s: f64, compile_s: f64, left: usize, seats: usize) -> usize {
    let cases = |seconds: f64| (seconds.max(compile_s) / (case_s + CASE)).ceil() as usize;
    let most = cases(USUAL).clamp(1, MOST);
    let even = left.div_ceil(seats.max(1));
    // All seats have as many batches, so that they end at the same time.
    let even = even.div_ceil(even.div_ceil(most).max(1));
    even.max(cases(LEAST)).clamp(1, most)
}

/// Number of cases in the first batch of a submission of which nothing is known.
pub fn of_first(cases: usize, seats: usize) -> usize {
    cases.div_ceil(4 * seats.max(1)).min(FIRST)
}

/// Seconds of work of a submission that is divided between workers, at least. One that takes less has
/// its verdict sooner if the worker that has it goes on.
const LARGE: f64 = 1.0;
/// What a case takes of its time limit, if nothing else is known.
const OF_LIMIT: f64 = 0.05;

/// Whether a submission is worth dividing. `case_s`: seconds that a case takes, if that is known.
pub fn is_large(cases: usize, case_s: Option<f64>, time_limit_s: f64) -> bool {
    let case_s = case_s.unwrap_or(OF_LIMIT * time_limit_s);
    cases > 1 && cases as f64 * (case_s + CASE) >= LARGE
}

/// A mean of seconds.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    /// Adds a figure.
    pub fn add(&mut self, seconds: f64) {
        self.sum += seconds;
        self.count += 1;
    }

    /// The mean, if there are figures.
    pub fn get(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// What cases take, by the snapshot of the package and the code of the language.
#[derive(Default, Debug)]
pub struct Means(HashMap<(String, Option<String>), Mean>);

impl Means {
    /// Adds a figure.
    pub fn add(&mut self, tree: &str, language: Option<&str>, seconds: f64) {
        let key = (tree.to_owned(), language.map(str::to_owned));
        self.0.entry(key).or_default().add(seconds);
    }

    /// The mean, if there are figures.
    pub fn get(&self, tree: &str, language: Option<&str>) -> Option<f64> {
        let key = (tree.to_owned(), language.map(str::to_owned));
        self.0.get(&key).and_then(Mean::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_cost_little_and_all_seats_have_work() {
        // Much work: about two seconds each.
        assert_eq!(of_batch(0.098, 0.0, 10_000, 4), 20);
        // As many batches as seats, or twice as many.
        assert_eq!(of_batch(0.098, 0.0, 50, 2), 13);
        assert_eq!(of_batch(0.098, 0.0, 40, 4), 10);
        // Not less than half a second, and not less than compiling takes.
        assert_eq!(of_batch(0.098, 0.0, 10, 4), 5);
        assert_eq!(of_batch(0.098, 1.0, 10, 4), 10);
        // A case that takes longer than a batch should.
        assert_eq!(of_batch(10.0, 0.0, 10, 100), 1);
        assert_eq!(of_batch(0.0, 0.0, 100_000, 1), 1000);
        assert_eq!(
            (of_first(1, 4), of_first(100, 2), of_first(0, 2)),
            (1, 8, 0)
        );
    }

    #[test]
    fn a_submission_of_a_second_of_work_is_divided() {
        assert!(is_large(40, Some(0.1), 1.0) && !is_large(40, Some(0.02), 1.0));
        assert!(!is_large(1, Some(10.0), 20.0), "one case cannot be divided");
        assert!(is_large(100, None, 1.0) && !is_large(10, None, 1.0));
    }
}
