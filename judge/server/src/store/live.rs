//! Announces committed changes to the listeners in this process: open pages and event feeds.

use super::{FeedRow, SubmissionId};
use std::sync::Arc;
use tokio::sync::broadcast;

/// Changes that a slow listener may fall behind, before it has to read the store again.
const CAPACITY: usize = 1024;

/// A committed change.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Something about a submission: its judgings, results or verdict.
    Submission(SubmissionId),
    /// Contests, their problems, teams or groups: objects of the feed may follow.
    Configuration,
    /// New rows of the feed, in order.
    Feed(Arc<[FeedRow]>),
}

/// The sender of changes.
#[derive(Debug)]
pub(crate) struct Live(broadcast::Sender<Change>);

impl Default for Live {
    fn default() -> Self {
        Live(broadcast::channel(CAPACITY).0)
    }
}

impl Live {
    /// Announces a change; there may be no listener.
    pub fn send(&self, change: Change) {
        let _ = self.0.send(change);
    }

    /// Changes from now on. A listener that gets `Lagged` reads the store again.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }
}
