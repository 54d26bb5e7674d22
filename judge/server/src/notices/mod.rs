//! Notices to viewers with open pages: new clarifications and verdicts, and changes of contests such as their start. `api::feed`
//! sends them.

use crate::store::{Clarification, Contest, JudgingId, TeamId, UserId};
use judge_core::parallel::unpoisoned;
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast::{self, Receiver, Sender};

/// Notices that a slow viewer may fall behind, before its pages are loaded again.
const CAPACITY: usize = 256;

/// A change that open pages of viewers may have to show.
#[derive(Clone, Debug)]
pub(crate) enum Notice {
    /// The settings, the state or the problems of a contest.
    Contest,
    /// A clarification, which may be an earlier one that is announced again.
    Clarification(Arc<(Clarification, Contest)>),
    /// The judgings of teams that changed in a transaction.
    Judgings(Arc<[(TeamId, JudgingId)]>),
    /// The jury noted something on a question.
    Note,
    Read(UserId),
}

/// The sender of notices; `None`: closed.
#[derive(Debug)]
pub(crate) struct Notices(Mutex<Option<Sender<Notice>>>);

impl Default for Notices {
    fn default() -> Self {
        Notices(Mutex::new(Some(broadcast::channel(CAPACITY).0)))
    }
}

impl Notices {
    /// Notices from now on.
    pub fn listen(&self) -> Receiver<Notice> {
        match &*unpoisoned(self.0.lock()) {
            Some(sender) => sender.subscribe(),
            None => broadcast::channel(1).1,
        }
    }

    /// Sends a notice to all viewers.
    pub fn send(&self, notice: Notice) {
        if let Some(sender) = &*unpoisoned(self.0.lock()) {
            // There may be no viewer.
            let _ = sender.send(notice);
        }
    }

    /// Ends all listeners.
    pub fn close(&self) {
        *unpoisoned(self.0.lock()) = None;
    }
}
