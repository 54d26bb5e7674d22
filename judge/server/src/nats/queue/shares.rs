//! Fair shares as virtual time, for one class of the queue.
//!
//! A unit's rank is one more than that of its share's last unit, but not less than the highest rank
//! that was leased. So the first unit of a share that was idle comes next, however many units of
//! other shares wait.

use std::collections::HashMap;

/// The ranks given and leased.
#[derive(Default)]
pub struct Shares {
    /// The highest rank leased.
    passed: u64,
    /// The last rank of each share, where it matters.
    last: HashMap<String, u64>,
    /// Size of `last` at which it is cleaned.
    most: usize,
}

impl Shares {
    /// The rank of the next unit of a share.
    pub fn assign(&mut self, share: &str) -> u64 {
        let next = self.last.get(share).map_or(0, |last| last + 1);
        let rank = next.max(self.passed);
        self.observe(share, rank);
        rank
    }

    /// A unit of the share has this rank.
    pub fn observe(&mut self, share: &str, rank: u64) {
        match self.last.get_mut(share) {
            Some(last) => *last = rank.max(*last),
            None => {
                self.clean();
                self.last.insert(share.to_owned(), rank);
            }
        }
    }

    /// A unit of this rank was leased: time does not go back.
    pub fn pass(&mut self, rank: u64) {
        self.passed = self.passed.max(rank);
    }

    /// Forgets shares that begin at the present time anyway.
    fn clean(&mut self) {
        if self.last.len() >= self.most.max(64) {
            self.last.retain(|_, last| *last >= self.passed);
            self.most = 2 * self.last.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_were_idle_are_forgotten_and_begin_now() {
        let mut shares = Shares::default();
        for k in 0..10_000 {
            let rank = shares.assign(&format!("team {k}"));
            assert_eq!(rank, k);
            shares.pass(rank + 1);
        }
        assert!(shares.last.len() <= 128, "{}", shares.last.len());
        assert_eq!(shares.assign("team 0"), 10_000);
        assert_eq!(shares.assign("team 0"), 10_001);
    }
}
