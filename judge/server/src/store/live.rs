//! Announces committed changes to the listeners in this process: open pages and event feeds.

use super::{FeedRow, SubmissionId};
use judge_core::parallel::unpoisoned;
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast;

/// Number of changes that a slow listener may lag behind before it has to read the store again.
const CAPACITY: usize = 1024;

/// A committed change.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// The judgings, results or verdict of this submission.
    Submission(SubmissionId),
    /// Contests, their problems, teams or groups. Computed objects of the feed may change with them.
    Configuration,
    /// New rows of the feed, in order.
    Feed(Arc<[FeedRow]>),
}

/// The sender of changes; `None`: closed.
#[derive(Debug)]
pub(crate) struct Live(Mutex<Option<broadcast::Sender<Change>>>);

impl Default for Live {
    fn default() -> Self {
        Live(Mutex::new(Some(broadcast::channel(CAPACITY).0)))
    }
}

impl Live {
    /// Announces a change; there may be no listener.
    pub fn send(&self, change: Change) {
        if let Some(sender) = &*unpoisoned(self.0.lock()) {
            let _ = sender.send(change);
        }
    }

    /// Subscribes to changes from now on. A listener that gets `Lagged` has to read the store again.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        match &*unpoisoned(self.0.lock()) {
            Some(sender) => sender.subscribe(),
            None => broadcast::channel(1).1,
        }
    }

    /// Announces nothing any more, and ends all listeners, because the server stops.
    pub fn close(&self) {
        *unpoisoned(self.0.lock()) = None;
    }
}
