//! Limits of how often somebody may do something.

use super::Result;
use super::error::too_many;
use crate::store::UserId;
use judge_core::parallel::unpoisoned;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Counts in fixed windows, in memory: a restart forgets them.
#[derive(Default)]
pub struct RateLimits {
    windows: Mutex<Windows>,
    /// Keyed hashes of right passwords with their stored hashes: argon2 takes longer than the rest of a program's request.
    right: Mutex<HashSet<String>>,
}

#[derive(Default)]
struct Windows {
    /// Start and count of each.
    counts: HashMap<String, (Instant, u32)>,
    /// When those that were over were last removed.
    swept: Option<Instant>,
}

/// Wrong passwords for one name from one address per window.
pub(super) const FAILURES: u32 = 10;
/// Wrong passwords from one address per window: a school may have one address for all.
pub(super) const FAILURES_OF_MANY: u32 = 200;
const WINDOW: Duration = Duration::from_secs(60);
/// Number of remembered passwords after which they are forgotten.
const MAX_ENTRIES: usize = 10_000;

/// An action of a user, and the number of times per window.
pub(crate) type Limit = (&'static str, u32);
pub(crate) const SUBMISSIONS: Limit = ("submit", 30);
/// Questions and answers.
pub(crate) const CLARIFICATIONS: Limit = ("clarification", 10);
pub(crate) const PRINTS: Limit = ("print", 5);
/// Texts in the editor that are coloured: a team may write at several machines.
pub(crate) const HIGHLIGHTS: Limit = ("highlight", 300);
pub(crate) const NEW_PASSWORDS: Limit = ("password", 10);

impl RateLimits {
    fn windows(&self) -> MutexGuard<'_, Windows> {
        unpoisoned(self.windows.lock())
    }

    /// Whether each of these was counted less often than its limit in the present window.
    /// Fails with `TooMany` if one was not.
    pub(super) fn check_all(&self, keys: &[(String, u32)]) -> Result<()> {
        self.windows().check_all(keys, Instant::now())
    }

    /// Counts each of these, if each may be counted once more.
    /// Fails with `TooMany` if one may not; then none is counted.
    pub(super) fn take_all(&self, keys: &[(String, u32)]) -> Result<()> {
        let (mut windows, now) = (self.windows(), Instant::now());
        windows.check_all(keys, now)?;
        keys.iter().for_each(|(key, _)| windows.count(key, now));
        Ok(())
    }

    /// Takes back a count that [`RateLimits::take_all`] made.
    pub(super) fn give_back(&self, keys: &[(String, u32)]) {
        let mut windows = self.windows();
        for (key, _) in keys {
            if let Some((_, count)) = windows.counts.get_mut(key) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Counts that a user does something.
    /// Fails with `TooMany` if there was too much of it.
    pub(crate) fn take(&self, (what, most): Limit, user: UserId) -> Result<()> {
        self.take_all(&[(format!("{what} {user}"), most)])
    }

    /// Whether a password was found right before. `pair` is a keyed hash of it and the stored hash, so that another
    /// password of the user makes it useless.
    pub(super) fn remembers(&self, pair: &str) -> bool {
        unpoisoned(self.right.lock()).contains(pair)
    }

    /// Remembers a right password.
    pub(super) fn remember(&self, pair: String) {
        let mut right = unpoisoned(self.right.lock());
        if right.len() >= MAX_ENTRIES {
            right.clear();
        }
        right.insert(pair);
    }
}

impl Windows {
    fn check_all(&self, keys: &[(String, u32)], now: Instant) -> Result<()> {
        for (key, most) in keys {
            if let Some((start, count)) = self.counts.get(key) {
                let rest = WINDOW.saturating_sub(now.saturating_duration_since(*start));
                if count >= most && !rest.is_zero() {
                    return Err(too_many(rest.as_secs() + 1));
                }
            }
        }
        Ok(())
    }

    /// Counts something. Windows that are over are removed once per window, so that only those of the last two
    /// take memory.
    fn count(&mut self, key: &str, now: Instant) {
        let is_over = |start: Instant| now.saturating_duration_since(start) >= WINDOW;
        if is_over(*self.swept.get_or_insert(now)) {
            self.counts.retain(|_, (start, _)| !is_over(*start));
            self.counts.shrink_to_fit();
            self.swept = Some(now);
        }
        let window = self.counts.entry(key.to_owned()).or_insert((now, 0));
        if is_over(window.0) {
            *window = (now, 0);
        }
        window.1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    fn keys<const N: usize>(keys: [&str; N]) -> [(String, u32); N] {
        keys.map(|key| (key.to_owned(), FAILURES))
    }

    #[test]
    fn too_many_failures_are_refused() {
        let rates = RateLimits::default();
        for _ in 0..FAILURES {
            rates.take_all(&keys(["a"])).expect("not too many yet");
        }
        let refused = rates.take_all(&keys(["b", "a"])).expect_err("too many");
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(!rates.windows().counts.contains_key("b"), "none is counted");
        rates.take_all(&keys(["b"])).expect("another name");
        rates.give_back(&keys(["a"]));
        rates.check_all(&keys(["a"])).expect("one may fail again");
    }

    #[test]
    fn windows_that_are_over_are_removed() {
        let rates = RateLimits::default();
        let start = Instant::now();
        let mut windows = rates.windows();
        windows.count("a", start);
        windows.count("b", start + WINDOW / 2);
        windows.count("c", start + WINDOW);
        let mut left: Vec<_> = windows.counts.keys().cloned().collect();
        left.sort();
        assert_eq!(left, ["b", "c"]);
        windows.count("c", start + 3 * WINDOW);
        assert_eq!(windows.counts["c"].1, 1, "a new window");
    }
}
