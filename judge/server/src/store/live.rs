//! Announces committed changes to the listeners in this process: open pages of submissions, each woken by its own
//! submission only, and the tasks of event feeds and scoreboards.

use super::{FeedRow, SubmissionId};
use judge_core::parallel::unpoisoned;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::{broadcast, watch};

/// Number of changes that a slow listener may lag behind before it has to read the store again.
const CAPACITY: usize = 1024;
/// Smallest number of watched submissions at which those without listeners are removed.
const MIN_SWEEP: usize = 64;

/// A committed change of contests.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Contests, their problems, teams or groups. Computed objects of the feed may change with them.
    Configuration,
    /// New rows of the feed, in order.
    Feed(Arc<[FeedRow]>),
}

/// The senders of changes; `None`: closed.
#[derive(Debug)]
pub(crate) struct Live(Mutex<Option<Senders>>);

#[derive(Debug)]
struct Senders {
    changes: broadcast::Sender<Change>,
    /// Any judging or submission changed.
    judging: watch::Sender<()>,
    /// An uploaded package or its verification changed.
    uploads: watch::Sender<()>,
    /// Senders of submissions with an open page, and of some whose last page was closed.
    submissions: HashMap<SubmissionId, watch::Sender<()>>,
    /// Number of watched submissions at which those without listeners are removed next.
    sweep_at: usize,
}

impl Default for Live {
    fn default() -> Self {
        Live(Mutex::new(Some(Senders {
            changes: broadcast::channel(CAPACITY).0,
            judging: watch::channel(()).0,
            uploads: watch::channel(()).0,
            submissions: HashMap::new(),
            sweep_at: MIN_SWEEP,
        })))
    }
}

impl Live {
    /// Announces a change; there may be no listener.
    pub fn send(&self, change: Change) {
        if let Some(senders) = &*unpoisoned(self.0.lock()) {
            let _ = senders.changes.send(change);
        }
    }

    /// Announces that the judgings, results or verdicts of these submissions changed.
    pub fn send_submissions(&self, changed: impl IntoIterator<Item = SubmissionId>) {
        if let Some(senders) = &mut *unpoisoned(self.0.lock()) {
            senders.judging.send_replace(());
            for id in changed {
                // Without a listener it fails: the last page was closed.
                if senders
                    .submissions
                    .get(&id)
                    .is_some_and(|own| own.send(()).is_err())
                {
                    senders.submissions.remove(&id);
                }
            }
        }
    }

    /// Announces that an upload changed.
    pub fn send_uploads(&self) {
        if let Some(senders) = &*unpoisoned(self.0.lock()) {
            senders.uploads.send_replace(());
        }
    }

    /// Subscribes to changes of any judgings from now on. Several changes may be seen as one.
    pub fn judging(&self) -> watch::Receiver<()> {
        self.subscribe(|senders| &senders.judging)
    }

    /// Subscribes to changes of uploads from now on. Several changes may be seen as one.
    pub fn uploads(&self) -> watch::Receiver<()> {
        self.subscribe(|senders| &senders.uploads)
    }

    fn subscribe(&self, sender: fn(&Senders) -> &watch::Sender<()>) -> watch::Receiver<()> {
        match &*unpoisoned(self.0.lock()) {
            Some(senders) => sender(senders).subscribe(),
            None => watch::channel(()).1,
        }
    }

    /// Subscribes to changes of contests from now on. A listener that gets `Lagged` has to read the store again.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        match &*unpoisoned(self.0.lock()) {
            Some(senders) => senders.changes.subscribe(),
            None => broadcast::channel(1).1,
        }
    }

    /// Subscribes to changes of a submission from now on. Several changes may be seen as one.
    pub fn watch(&self, id: SubmissionId) -> watch::Receiver<()> {
        match &mut *unpoisoned(self.0.lock()) {
            Some(senders) => senders.watch(id),
            None => watch::channel(()).1,
        }
    }

    /// Announces nothing any more, and ends all listeners, because the server stops.
    pub fn close(&self) {
        *unpoisoned(self.0.lock()) = None;
    }
}

impl Senders {
    fn watch(&mut self, id: SubmissionId) -> watch::Receiver<()> {
        if self.submissions.len() >= self.sweep_at {
            self.submissions.retain(|_, own| own.receiver_count() > 0);
            self.sweep_at = MIN_SWEEP.max(2 * self.submissions.len());
        }
        let sender = self
            .submissions
            .entry(id)
            .or_insert_with(|| watch::channel(()).0);
        sender.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_woken_by_its_own_submission_only() {
        let live = Live::default();
        let (mut own, other) = (live.watch(SubmissionId(1)), live.watch(SubmissionId(2)));
        live.send_submissions([SubmissionId(1), SubmissionId(3)]);
        assert!(own.has_changed().is_ok_and(|changed| changed));
        assert!(other.has_changed().is_ok_and(|changed| !changed));
        own.mark_unchanged();
        live.close();
        assert!(own.has_changed().is_err() && live.watch(SubmissionId(1)).has_changed().is_err());
    }

    #[test]
    fn submissions_without_pages_are_forgotten() {
        let live = Live::default();
        for id in 0..10_000 {
            drop(live.watch(SubmissionId(id)));
        }
        let senders = unpoisoned(live.0.lock());
        let watched = senders.as_ref().expect("open").submissions.len();
        assert!(watched <= MIN_SWEEP, "{watched}");
    }
}
