//! How many cases a batch has.

use std::collections::HashMap;

/// Minimum seconds of work per batch: a message costs about a millisecond, and workers get their next batch before they
/// finish one.
const MIN_BATCH_S: f64 = 0.1;
/// Maximum seconds of work per batch. This much is lost when a worker dies.
const MAX_BATCH_S: f64 = 2.0;
/// Overhead per case, in seconds, beside the run of its program.
const CASE_OVERHEAD_S: f64 = 0.002;
/// Maximum number of cases per batch.
const MAX_CASES: usize = 4096;
/// Maximum number of cases in a batch of a submission whose case times are unknown.
const MAX_FIRST_CASES: usize = 8;

/// Seconds that parts of a submission take, and the number of units that workers can judge at once.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub case_s: f64,
    /// The compilation, which each machine repeats.
    pub compile_s: f64,
    pub seats: usize,
}

impl Estimate {
    /// Number of cases in each batch of `left` cases: guided self-scheduling (Polychronopoulos and Kuck, 1987). A batch
    /// is a part of what is left, so that the first ones are large and the last ones, which end at about the same time,
    /// small. The first batch of each seat takes at least as long as the compilation.
    pub fn batches(self, mut left: usize) -> Vec<usize> {
        let cases = |seconds: f64| (seconds / (self.case_s + CASE_OVERHEAD_S)).ceil() as usize;
        let most = cases(MAX_BATCH_S.max(self.compile_s)).clamp(1, MAX_CASES);
        let mut sizes = Vec::new();
        while left > 0 {
            let guided = match self.seats {
                0 | 1 => most,
                seats => left.div_ceil(2 * seats),
            };
            let least = match sizes.len() < self.seats {
                true => MIN_BATCH_S.max(self.compile_s),
                false => MIN_BATCH_S,
            };
            let size = guided.max(cases(least)).clamp(1, most).min(left);
            sizes.push(size);
            left -= size;
        }
        sizes
    }
}

/// Number of cases in a batch of a submission whose case times are unknown.
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

#[derive(Clone, Copy, Default, Debug)]
pub struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
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
    fn batches_become_smaller_and_all_seats_have_work() {
        let batches = |case_s, compile_s, seats, left| {
            let estimate = Estimate {
                case_s,
                compile_s,
                seats,
            };
            let sizes = estimate.batches(left);
            assert_eq!(sizes.iter().sum::<usize>(), left);
            sizes
        };
        // A quarter of what is left, but at least a tenth of a second.
        assert_eq!(batches(0.048, 0.0, 2, 30), [8, 6, 4, 3, 3, 2, 2, 2]);
        // Much work: two seconds each at first, and little at the end.
        let many = batches(0.098, 0.0, 4, 10_000);
        assert_eq!((many[0], many.last()), (20, Some(&1)));
        // The first batch of each seat takes as long as the compilation.
        assert_eq!(batches(0.098, 1.0, 2, 30), [10, 10, 3, 2, 2, 1, 1, 1]);
        // One seat gains nothing by small batches.
        assert_eq!(batches(0.098, 0.0, 1, 50), [20, 20, 10]);
        // A case that takes longer than a batch should.
        assert_eq!(batches(10.0, 0.0, 100, 3), [1, 1, 1]);
        assert_eq!(batches(0.0, 0.0, 1, 2_000), [1000, 1000]);
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
