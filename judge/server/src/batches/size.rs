//! How many cases a batch has.

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
/// which each machine does again; `open`: cases in no batch; `seats`: what workers can do at once.
pub fn of_batch(case_s: f64, compile_s: f64, open: usize, seats: usize) -> usize {
    let cases = |seconds: f64| (seconds.max(compile_s) / (case_s + CASE)).ceil() as usize;
    let even = open.div_ceil(seats.max(1));
    let most = cases(USUAL).clamp(1, MOST);
    even.max(cases(LEAST)).clamp(1, most)
}

/// Number of cases in the first batch of a submission of which nothing is known.
pub fn of_first(cases: usize, seats: usize) -> usize {
    cases.div_ceil(4 * seats.max(1)).min(FIRST)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_cost_little_and_all_seats_have_work() {
        // Much work: about two seconds each.
        assert_eq!(of_batch(0.098, 0.0, 10_000, 4), 20);
        // As many batches as seats.
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
}
