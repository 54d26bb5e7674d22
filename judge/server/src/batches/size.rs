//! How many cases a batch has.

use std::collections::HashMap;

/// Minimum seconds of work per batch: messages cost about 10 ms, so at most 2 %.
const MIN_BATCH_S: f64 = 0.5;
/// Target seconds of work per batch when every worker has enough. This much is lost when a worker dies.
const TARGET_BATCH_S: f64 = 2.0;
/// Overhead per case, in seconds, beside the run of its program.
const CASE_OVERHEAD_S: f64 = 0.002;
/// Maximum number of cases per batch.
const MAX_CASES: usize = 4096;
/// Maximum number of cases in the first batch of a submission whose case times are unknown.
const MAX_FIRST_CASES: usize = 8;

/// Number of cases in a batch. `case_s`, `compile_s`: seconds that a case and the compilation take,
/// which each machine repeats; `left`: cases without a result; `seats`: number of units that workers can
/// judge at once.
pub fn of_batch(case_s: f64, compile_s: f64, left: usize, seats: usize) -> usize {
    let cases =
        |seconds: f64| (seconds.max(compile_s) / (case_s + CASE_OVERHEAD_S)).ceil() as usize;
    let most = cases(TARGET_BATCH_S).clamp(1, MAX_CASES);
    let even = left.div_ceil(seats.max(1));
    // All seats have as many batches, so that they end at the same time.
    let even = even.div_ceil(even.div_ceil(most).max(1));
    even.max(cases(MIN_BATCH_S)).clamp(1, most)
}

/// Number of cases in the first batch of a submission whose case times are unknown.
pub fn of_first(cases: usize, seats: usize) -> usize {
    cases.div_ceil(4 * seats.max(1)).min(MAX_FIRST_CASES)
}

/// Minimum seconds of work of a submission that is divided between workers. A shorter one finishes sooner
/// on the worker that has it.
const MIN_DIVIDED_S: f64 = 1.0;
/// Estimate for a case whose time is unknown, as a fraction of the time limit.
const FRACTION_OF_LIMIT: f64 = 0.05;

/// Whether a submission may be worth dividing. `case_s`: seconds that a case takes, if that is known.
pub fn is_large(cases: usize, case_s: Option<f64>, time_limit_s: f64) -> bool {
    let case_s = case_s.unwrap_or(FRACTION_OF_LIMIT * time_limit_s);
    cases > 1 && cases as f64 * (case_s + CASE_OVERHEAD_S) >= MIN_DIVIDED_S
}

/// Decay factor of the slowest submission's time, applied at each new submission: some dozens of quick
/// ones outweigh it.
const DECAY: f64 = 0.9;
/// Submissions take about the same time if the slowest one takes at most this multiple of the mean.
const MAX_SPREAD: f64 = 4.0;

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

/// Times of cases, by the snapshot of the package and the code of the language.
#[derive(Default, Debug)]
pub struct Times(HashMap<(String, Option<String>), Known>);

#[derive(Default, Debug)]
struct Known {
    cases: Mean,
    /// Seconds that a case of the slowest submission of late took.
    slowest: f64,
}

impl Times {
    fn entry(&mut self, tree: &str, language: Option<&str>) -> &mut Known {
        let key = (tree.to_owned(), language.map(str::to_owned));
        self.0.entry(key).or_default()
    }

    fn known(&self, tree: &str, language: Option<&str>) -> Option<&Known> {
        self.0.get(&(tree.to_owned(), language.map(str::to_owned)))
    }

    /// Adds what a case took.
    pub fn add(&mut self, tree: &str, language: Option<&str>, seconds: f64) {
        self.entry(tree, language).cases.add(seconds);
    }

    /// Adds what the cases of a submission took.
    pub fn add_submission(&mut self, tree: &str, language: Option<&str>, cases: &Mean) {
        if let Some(seconds) = cases.get() {
            let known = self.entry(tree, language);
            known.slowest = seconds.max(DECAY * known.slowest);
        }
    }

    /// Seconds that a case takes, if there are figures and submissions take about the same.
    pub fn case_s(&self, tree: &str, language: Option<&str>) -> Option<f64> {
        let known = self.known(tree, language)?;
        let mean = known.cases.get()?;
        (known.slowest <= MAX_SPREAD * mean).then_some(mean)
    }

    /// Seconds that a case of the slowest recent submission took, if there was one.
    pub fn slowest_s(&self, tree: &str, language: Option<&str>) -> Option<f64> {
        let known = self.known(tree, language)?;
        (known.slowest > 0.0).then_some(known.slowest)
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
    fn a_package_with_slow_submissions_is_known_for_them() {
        let mut times = Times::default();
        let language = Some("cpp");
        let mut judge = |seconds: f64| {
            let mut cases = Mean::default();
            cases.add(seconds);
            times.add("t", language, seconds);
            times.add_submission("t", language, &cases);
            (times.case_s("t", language), times.slowest_s("t", language))
        };
        let quick = (Some(0.25), Some(0.25));
        for _ in 0..20 {
            assert_eq!(judge(0.25), quick);
        }
        // One of some dozens is slow: what the next one takes is not known.
        assert_eq!(judge(4.0), (None, Some(4.0)));
        let (case_s, slowest_s) = judge(0.25);
        assert!(case_s.is_none() && slowest_s.is_some_and(|slowest| slowest > 3.0));
        for _ in 0..40 {
            judge(0.25);
        }
        let (case_s, slowest_s) = judge(0.25);
        assert!(case_s.is_some() && slowest_s == Some(0.25));
        assert_eq!(
            (times.case_s("t", None), times.slowest_s("t", None)),
            (None, None)
        );
    }

    #[test]
    fn a_submission_of_a_second_of_work_is_divided() {
        assert!(is_large(40, Some(0.1), 1.0) && !is_large(40, Some(0.02), 1.0));
        assert!(!is_large(1, Some(10.0), 20.0), "one case cannot be divided");
        assert!(is_large(100, None, 1.0) && !is_large(10, None, 1.0));
    }
}
