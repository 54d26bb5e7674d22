//! Idle resources that are expensive to open, between two users.

use crate::parallel::unpoisoned;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Maximum number of resources that [`Idle::trim`] keeps.
const MAX_IDLE: usize = 4;
/// Longest time without a user: idle resources take memory, and keep deleted files on the disk.
pub const MAX_IDLE_TIME: Duration = Duration::from_secs(60);

/// Resources that were opened for one core and are idle. Only [`Idle::trim`] closes them, because
/// closing a box takes as long as a short run.
pub struct Idle<T>(Mutex<Vec<(Instant, T)>>);

impl<T> fmt::Debug for Idle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Idle").field(&self.lock().len()).finish()
    }
}

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Idle(Mutex::default())
    }
}

impl<T> Idle<T> {
    /// Takes the last one that fits.
    pub fn take(&self, fits: impl Fn(&T) -> bool) -> Option<T> {
        let mut things = self.lock();
        let found = things.iter().rposition(|(_, thing)| fits(thing))?;
        Some(things.remove(found).1)
    }

    /// Whether one fits.
    pub fn has(&self, fits: impl Fn(&T) -> bool) -> bool {
        self.lock().iter().any(|(_, thing)| fits(thing))
    }

    /// Gives things back.
    pub fn put(&self, things: impl IntoIterator<Item = T>) {
        let now = Instant::now();
        let things = things.into_iter().map(|thing| (now, thing));
        self.lock().extend(things);
    }

    /// Closes those that waited for too long, then the first ones if there are too many.
    pub fn trim(&self) {
        let mut things = self.lock();
        let most = things.len().saturating_sub(MAX_IDLE);
        let old = things
            .iter()
            .take_while(|(put, _)| put.elapsed() > MAX_IDLE_TIME);
        let end = most.max(old.count());
        let closed: Vec<_> = things.drain(..end).collect();
        // Others need not wait until they are closed.
        drop(things);
        drop(closed);
    }

    /// Closes all.
    pub fn clear(&self) {
        let closed = std::mem::take(&mut *self.lock());
        drop(closed);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Instant, T)>> {
        unpoisoned(self.0.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_last_one_that_fits_is_taken_and_the_first_ones_are_closed() {
        let idle = Idle::default();
        let things: Vec<Arc<usize>> = (0..MAX_IDLE + 2).map(Arc::new).collect();
        idle.put(things.iter().cloned());
        let open = |k: usize| Arc::strong_count(&things[k]) == 2;
        assert!(idle.has(|k| **k == 1));
        assert_eq!(idle.take(|k| **k < 3), Some(things[2].clone()));
        assert!(!idle.has(|k| **k == 2));
        assert!(open(0), "nothing was closed before");
        idle.trim();
        assert!(!open(0));
        assert!((0..things.len()).filter(|k| open(*k)).count() == MAX_IDLE);
        idle.clear();
        assert!((0..things.len()).all(|k| !open(k)));
    }
}
