//! Bounds how often a message is logged.

use judge_core::parallel::unpoisoned;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Minimum time between two messages.
const INTERVAL: Duration = Duration::from_secs(10);

/// When a message was logged last.
#[derive(Default)]
pub struct Seldom(Mutex<Option<Instant>>);

impl Seldom {
    /// Whether the message is to be logged now.
    pub fn is_due(&self) -> bool {
        let mut last = unpoisoned(self.0.lock());
        let is_due = last.is_none_or(|last| last.elapsed() >= INTERVAL);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
