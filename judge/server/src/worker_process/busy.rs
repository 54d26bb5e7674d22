//! Whether other programs keep this machine too busy to measure times exactly. Pure: the load is given
//! to it, once per [`INTERVAL`].

use std::time::Duration;

/// Time between two samples of the load.
pub const INTERVAL: Duration = Duration::from_secs(2);
/// Samples in a row that change the decision: one program that starts does not.
const SAMPLES: u32 = 5;
/// Cores that the workers and other programs want beyond those that the machine has.
const TOO_MUCH: f64 = 0.5;
/// Less than this is enough to work again. Between the two nothing changes.
const LITTLE: f64 = 0.25;

/// Decides by the last samples.
#[derive(Debug)]
pub struct Busy {
    cores: usize,
    jobs: usize,
    is_busy: bool,
    /// Samples in a row that contradict the decision.
    against: u32,
}

impl Busy {
    /// For a machine with this number of cores, whose workers use `jobs` of them at once. Not busy at first.
    pub fn new(cores: usize, jobs: usize) -> Self {
        Busy {
            cores,
            jobs,
            is_busy: false,
            against: 0,
        }
    }

    /// Records a sample: the average number of cores that other programs kept busy since the last one.
    /// Returns whether the machine is too busy, if that changes.
    pub fn note(&mut self, others: f64) -> Option<bool> {
        let missing = others + self.jobs as f64 - self.cores as f64;
        let contradicts = match self.is_busy {
            true => missing < LITTLE,
            false => missing > TOO_MUCH,
        };
        self.against = if contradicts { self.against + 1 } else { 0 };
        if self.against < SAMPLES {
            return None;
        }
        self.against = 0;
        self.is_busy = !self.is_busy;
        Some(self.is_busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The decisions after each sample.
    fn decisions(busy: &mut Busy, loads: &[f64]) -> Vec<Option<bool>> {
        loads.iter().map(|load| busy.note(*load)).collect()
    }

    #[test]
    fn it_takes_ten_seconds_of_load_to_rest_and_ten_of_quiet_to_work_again() {
        let mut busy = Busy::new(4, 3);
        let no = None;
        assert_eq!(decisions(&mut busy, &[2.0; 4]), [no; 4]);
        assert_eq!(busy.note(0.1), None, "it was a short one");
        assert_eq!(
            decisions(&mut busy, &[1.6; 5]),
            [no, no, no, no, Some(true)]
        );
        assert_eq!(
            decisions(&mut busy, &[1.4; 20]),
            [no; 20],
            "not quiet enough"
        );
        assert_eq!(
            decisions(&mut busy, &[1.2; 5]),
            [no, no, no, no, Some(false)]
        );
    }

    #[test]
    fn a_core_that_no_worker_uses_is_free_for_others() {
        assert_eq!(decisions(&mut Busy::new(2, 1), &[1.4; 50]), [None; 50]);
        assert_eq!(decisions(&mut Busy::new(2, 2), &[0.4; 50]), [None; 50]);
    }

    proptest! {
        #[test]
        fn decisions_alternate_and_follow_samples_that_agree(
            loads in prop::collection::vec(0.0..3.0, 0..200),
        ) {
            let mut busy = Busy::new(2, 2);
            let mut was_busy = false;
            for (k, load) in loads.iter().enumerate() {
                let Some(is_busy) = busy.note(*load) else { continue };
                prop_assert_ne!(is_busy, was_busy);
                was_busy = is_busy;
                let last = &loads[k + 1 - SAMPLES as usize..=k];
                let agrees = |load: &f64| if is_busy { *load > TOO_MUCH } else { *load < LITTLE };
                prop_assert!(last.iter().all(agrees));
            }
        }

        #[test]
        fn a_quiet_machine_works_however_busy_it_was(
            loads in prop::collection::vec(0.0..8.0, 0..100), cores in 1..5_usize, jobs in 1..5_usize,
        ) {
            let jobs = jobs.min(cores);
            let mut busy = Busy::new(cores, jobs);
            let mut is_busy = false;
            let quiet = [0.0; SAMPLES as usize];
            for load in loads.iter().chain(&quiet) {
                is_busy = busy.note(*load).unwrap_or(is_busy);
            }
            prop_assert!(!is_busy);
        }
    }
}
