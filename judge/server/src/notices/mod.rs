//! Notices to viewers with open pages: new clarifications, and changes of contests such as their start. One task reads the rows
//! of the feeds for all viewers.

use crate::http::App;
use crate::store::live::Change;
use crate::store::{Clarification, ClarificationId, Contest, FeedRow, UserId};
use judge_core::parallel::unpoisoned;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast::error::RecvError;
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
    /// A user has read clarifications.
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

    fn close(&self) {
        *unpoisoned(self.0.lock()) = None;
    }
}

/// Sends notices until the server stops.
pub(crate) async fn forward(app: App) {
    let mut changes = app.store.live().listen();
    loop {
        let rows = match changes.recv().await {
            Ok(Change::Feed(rows)) => rows,
            Ok(Change::Configuration) => continue,
            Err(RecvError::Lagged(_)) => {
                // Viewers load their pages again.
                app.notices().send(Notice::Contest);
                continue;
            }
            Err(RecvError::Closed) => return app.notices().close(),
        };
        let is_of_contest = |row: &FeedRow| matches!(&*row.kind, "contest" | "state" | "problems");
        if rows.iter().any(is_of_contest) {
            app.notices().send(Notice::Contest);
        }
        for id in clarifications(&rows) {
            let found = app.blocking(move |app| {
                let found = app.store.clarification(id)?;
                let contest = app.store.contest(found.contest)?;
                Ok((found, contest))
            });
            // It may be deleted by now.
            if let Ok(found) = found.await {
                app.notices().send(Notice::Clarification(Arc::new(found)));
            }
        }
    }
}

/// The clarifications that rows are about, each once.
fn clarifications(rows: &[FeedRow]) -> BTreeSet<ClarificationId> {
    let own = rows.iter().filter(|row| row.kind == "clarifications");
    own.filter_map(|row| row.object.as_ref()?.parse().ok())
        .collect()
}
