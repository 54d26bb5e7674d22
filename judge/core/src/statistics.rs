//! Compares measurements: the ratio of two sets of times, with an interval.

use std::fmt;

/// The part of the resamples that the interval covers.
pub const LEVEL: f64 = 0.99;
/// The number of resamples.
const RESAMPLES: usize = 2000;
/// Fewer measurements or cases do not give an interval.
const FEWEST: usize = 5;

/// How much longer the second of two programs takes than the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The geometric mean over the cases of the ratio of the medians.
    pub value: f64,
    /// The interval that holds it at [`LEVEL`]; `None` for too few measurements.
    pub interval: Option<(f64, f64)>,
}

impl Ratio {
    /// The ratio and what may be concluded from it.
    pub fn words(&self) -> String {
        let conclusion = match (self.interval, self.is_clear()) {
            (None, _) => {
                return format!("{self}, too few measurements to tell it from noise: --repeat 10");
            }
            (Some(_), false) => "no difference beyond noise",
            (Some(_), true) if self.value > 1.0 => "slower",
            (Some(_), true) => "faster",
        };
        format!("{self} at {} %: {conclusion}", LEVEL * 100.0)
    }

    /// Whether the interval excludes equal times.
    pub fn is_clear(&self) -> bool {
        self.interval
            .is_some_and(|(low, high)| low > 1.0 || high < 1.0)
    }
}

/// `1.42x (1.35 to 1.50)`.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}x", self.value)?;
        match self.interval {
            Some((low, high)) => write!(f, " ({low:.2} to {high:.2})"),
            None => Ok(()),
        }
    }
}

/// The ratio of the second times to the first ones. Each pair has the measurements of a case by
/// both programs. The interval is a percentile bootstrap: it draws measurements within each case
/// and, for several cases, the cases themselves. It is the same for the same measurements. `None`
/// without a case that both measured with a time above zero.
pub fn ratio(cases: &[(Vec<f64>, Vec<f64>)]) -> Option<Ratio> {
    let positive = |times: &[f64]| !times.is_empty() && times.iter().all(|time| *time > 0.0);
    let cases: Vec<&(Vec<f64>, Vec<f64>)> = cases
        .iter()
        .filter(|(a, b)| positive(a) && positive(b))
        .collect();
    if cases.is_empty() {
        return None;
    }
    let logs = cases.iter().map(|(a, b)| (median(b) / median(a)).ln());
    let value = mean(logs).exp();
    let repeated = cases.iter().all(|(a, b)| a.len().min(b.len()) >= FEWEST);
    if cases.len() < FEWEST && !repeated {
        return Some(Ratio {
            value,
            interval: None,
        });
    }
    let mut random = Random(0x5eed);
    let mut resampled: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = (0..cases.len()).map(|own| {
                let chosen = match cases.len() < FEWEST {
                    true => own,
                    false => random.below(cases.len()),
                };
                let (a, b) = cases[chosen];
                (median(&random.draw(b)) / median(&random.draw(a))).ln()
            });
            mean(drawn)
        })
        .collect();
    resampled.sort_by(f64::total_cmp);
    let tail = ((1.0 - LEVEL) / 2.0 * RESAMPLES as f64) as usize;
    let interval = (resampled[tail].exp(), resampled[RESAMPLES - 1 - tail].exp());
    Some(Ratio {
        value,
        interval: Some(interval),
    })
}

/// The middle value, or the mean of the two in the middle; 0 without any.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => 0.0,
        (count, middle) if count % 2 == 1 => sorted[middle],
        (_, middle) => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0 => 0,
            n => (self.next_u64() % n as u64) as usize,
        }
    }

    /// As many values as there are, drawn with replacement.
    fn draw(&mut self, values: &[f64]) -> Vec<f64> {
        values
            .iter()
            .map(|_| values[self.below(values.len())])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times around `center`, with noise of one percent.
    fn times(random: &mut Random, center: f64, count: usize) -> Vec<f64> {
        let noise = |random: &mut Random| random.below(2001) as f64 / 1e5 - 0.01;
        (0..count).map(|_| center * (1.0 + noise(random))).collect()
    }

    #[test]
    fn a_difference_above_the_noise_is_clear() {
        let mut random = Random(1);
        let cases: Vec<_> = (1..=3)
            .map(|k| {
                let a = times(&mut random, f64::from(k), 10);
                (a, times(&mut random, f64::from(k) * 1.1, 10))
            })
            .collect();
        let found = ratio(&cases).expect("there are measurements");
        assert!((found.value - 1.1).abs() < 0.01, "{found:?}");
        assert!(found.is_clear(), "{found:?}");
        let backwards: Vec<_> = cases.into_iter().map(|(a, b)| (b, a)).collect();
        let back = ratio(&backwards).expect("there are measurements");
        assert!((back.value * found.value - 1.0).abs() < 1e-9);
    }

    /// The interval must exclude equal times about once in a hundred comparisons of equal programs.
    #[test]
    fn noise_is_rarely_called_a_difference() {
        let mut random = Random(2);
        let trials = 300;
        let clear = (0..trials)
            .filter(|_| {
                let cases = [(times(&mut random, 1.0, 10), times(&mut random, 1.0, 10))];
                ratio(&cases).expect("there are measurements").is_clear()
            })
            .count();
        assert!(clear <= trials / 20, "{clear} of {trials}");
    }

    #[test]
    fn few_measurements_give_no_interval() {
        let pair = |a: &[f64], b: &[f64]| (a.to_vec(), b.to_vec());
        assert_eq!(ratio(&[]), None);
        assert_eq!(ratio(&[pair(&[], &[1.0]), pair(&[0.0], &[1.0])]), None);
        let one = ratio(&[pair(&[1.0], &[2.0])]).expect("a ratio");
        assert!(one.interval.is_none() && !one.is_clear());
        // Five cases give one even if each was measured once.
        let cases: Vec<_> = (1..=5)
            .map(|k| pair(&[f64::from(k)], &[f64::from(k) * 2.0]))
            .collect();
        assert!(ratio(&cases).is_some_and(|ratio| ratio.is_clear()));
        assert_eq!(median(&[3.0, 1.0, 2.0, 4.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
    }
}
