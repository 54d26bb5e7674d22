//! Limits of how often somebody may do something.

use super::Result;
use super::error::too_many;
use crate::secret;
use crate::store::UserId;
use judge::parallel::unpoisoned;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Counts in fixed windows, in memory: a restart forgets them.
#[derive(Default)]
pub struct RateLimits {
    windows: Mutex<Windows>,
    /// Hashes of right passwords: argon2 takes longer than the rest of a program's request.
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
/// Submissions of one user per window.
const SUBMISSIONS: u32 = 30;
/// Questions and answers of one user per window.
const CLARIFICATIONS: u32 = 10;
const WINDOW: Duration = Duration::from_secs(60);
/// Number of remembered passwords after which they are forgotten.
const MAX_ENTRIES: usize = 10_000;

impl RateLimits {
    fn windows(&self) -> MutexGuard<'_, Windows> {
        unpoisoned(self.windows.lock())
    }

    /// Whether something was counted less than `most` times in the present window.
    ///
    /// # Errors
    ///
    /// `TooMany` if it was not.
    pub(super) fn check(&self, key: &str, most: u32) -> Result<()> {
        let windows = self.windows();
        match windows.counts.get(key) {
            Some((start, count)) if *count >= most && start.elapsed() < WINDOW => {
                let rest = WINDOW.saturating_sub(start.elapsed());
                Err(too_many(rest.as_secs() + 1))
            }
            _ => Ok(()),
        }
    }

    /// Counts something.
    pub(super) fn count(&self, key: &str) {
        self.count_at(key, Instant::now());
    }

    /// Counts something at this time. Windows that are over are removed once per window, so that only
    /// those of the last two take memory.
    fn count_at(&self, key: &str, now: Instant) {
        let is_over = |start: Instant| now.saturating_duration_since(start) >= WINDOW;
        let mut windows = self.windows();
        if is_over(*windows.swept.get_or_insert(now)) {
            windows.counts.retain(|_, (start, _)| !is_over(*start));
            windows.counts.shrink_to_fit();
            windows.swept = Some(now);
        }
        let window = windows.counts.entry(key.to_owned()).or_insert((now, 0));
        if is_over(window.0) {
            *window = (now, 0);
        }
        window.1 += 1;
    }

    /// Counts a submission of a user.
    ///
    /// # Errors
    ///
    /// `TooMany` if there were too many.
    pub(crate) fn submission(&self, user: UserId) -> Result<()> {
        self.take(&format!("submit {user}"), SUBMISSIONS)
    }

    /// Counts a question or answer of a user.
    ///
    /// # Errors
    ///
    /// `TooMany` if there were too many.
    pub(crate) fn clarification(&self, user: UserId) -> Result<()> {
        self.take(&format!("clarification {user}"), CLARIFICATIONS)
    }

    fn take(&self, key: &str, most: u32) -> Result<()> {
        self.check(key, most)?;
        self.count(key);
        Ok(())
    }

    /// Whether this password was found right for this hash before.
    pub(crate) fn remembers(&self, stored: Option<&str>, password: &str) -> bool {
        let right = unpoisoned(self.right.lock());
        stored.is_some_and(|stored| right.contains(&pair(stored, password)))
    }

    /// Remembers that this password is right for this hash.
    pub(crate) fn remember(&self, stored: Option<&str>, password: &str) {
        let mut right = unpoisoned(self.right.lock());
        if right.len() >= MAX_ENTRIES {
            right.clear();
        }
        right.extend(stored.map(|stored| pair(stored, password)));
    }
}

fn pair(stored: &str, password: &str) -> String {
    secret::hash(&format!("{stored}\0{password}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    #[test]
    fn too_many_failures_are_refused() {
        let rates = RateLimits::default();
        for _ in 0..FAILURES {
            rates.check("a", FAILURES).expect("not too many yet");
            rates.count("a");
        }
        let refused = rates.check("a", FAILURES).expect_err("too many");
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        rates.check("b", FAILURES).expect("another name");
    }

    #[test]
    fn windows_that_are_over_are_removed() {
        let rates = RateLimits::default();
        let start = Instant::now();
        rates.count_at("a", start);
        rates.count_at("b", start + WINDOW / 2);
        rates.count_at("c", start + WINDOW);
        let mut left: Vec<_> = rates.windows().counts.keys().cloned().collect();
        left.sort();
        assert_eq!(left, ["b", "c"]);
        rates.count_at("c", start + 3 * WINDOW);
        assert_eq!(rates.windows().counts["c"].1, 1, "a new window");
    }

    #[test]
    fn a_changed_password_is_not_remembered() {
        let rates = RateLimits::default();
        rates.remember(Some("hash"), "p");
        assert!(rates.remembers(Some("hash"), "p"));
        assert!(!rates.remembers(Some("other"), "p"));
        assert!(!rates.remembers(None, "p"));
    }
}
