//! Lines of the event feeds: each new row is encoded once, for all listeners.

use crate::access::{self, Participation, Viewer};
use crate::store::{ContestId, FeedRow, now_ms};
use axum::body::Bytes;
use judge_core::parallel::unpoisoned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast::{self, Receiver, Sender};

/// Batches that a slow listener may fall behind, before it has to read the store again.
const CAPACITY: usize = 256;

#[derive(Clone, Debug)]
pub struct Line {
    /// The row, without its data.
    pub row: FeedRow,
    pub text: Bytes,
    /// For a submission: the line for those who may not see its source.
    without_source: Option<Bytes>,
}

/// New lines, in order; none: some are missing, and have to be read from the store.
pub type Batch = Arc<[Line]>;

/// The senders of new lines, per contest.
#[derive(Debug, Default)]
pub struct Hub(Mutex<HashMap<ContestId, Sender<Batch>>>);

impl Hub {
    /// New lines of a contest, from now on.
    pub fn listen(&self, contest: ContestId) -> Receiver<Batch> {
        let mut senders = unpoisoned(self.0.lock());
        let sender = senders
            .entry(contest)
            .or_insert_with(|| broadcast::channel(CAPACITY).0);
        sender.subscribe()
    }

    /// Sends new rows of the store to the listeners of their contests.
    pub fn send(&self, rows: &[FeedRow]) {
        for (contest, sender) in &self.senders() {
            let own = rows.iter().filter(|row| row.contest == *contest);
            let batch: Batch = own.cloned().map(Line::of).collect();
            if !batch.is_empty() {
                // The last listener may have left.
                let _ = sender.send(batch);
            }
        }
    }

    /// Announces to all listeners that rows are missing: they read the store.
    pub fn send_gap(&self) {
        for sender in self.senders().values() {
            let _ = sender.send(Arc::from([]));
        }
    }

    /// The senders that have listeners; the others are forgotten.
    fn senders(&self) -> HashMap<ContestId, Sender<Batch>> {
        let mut senders = unpoisoned(self.0.lock());
        senders.retain(|_, sender| sender.receiver_count() > 0);
        senders.clone()
    }

    /// Ends all listeners.
    pub fn close(&self) {
        unpoisoned(self.0.lock()).clear();
    }
}

impl Line {
    pub fn of(mut row: FeedRow) -> Self {
        let data = row.data.take();
        let text = encode(&row, data.as_deref().unwrap_or("null"));
        let without_source = data.filter(|_| row.kind == "submissions").and_then(|data| {
            let mut object: Value = serde_json::from_str(&data).ok()?;
            hide_source(&mut object);
            Some(encode(&row, &object.to_string()))
        });
        Line {
            row,
            text,
            without_source,
        }
    }

    /// The line as this viewer may see it.
    pub fn seen_by(&self, viewer: Viewer, place: Participation<'_>) -> Option<&Bytes> {
        if !access::sees_feed_row(viewer, &self.row, place, now_ms()) {
            return None;
        }
        let is_own = self.row.about.is_some_and(|about| about.is_of(viewer.team));
        match &self.without_source {
            Some(hidden) if !access::sees_source_in_feed(viewer, is_own) => Some(hidden),
            _ => Some(&self.text),
        }
    }
}

fn encode(row: &FeedRow, data: &str) -> Bytes {
    let (kind, id) = (json!(row.kind), json!(row.object));
    let token = row.seq;
    Bytes::from(format!(
        "{{\"type\":{kind},\"id\":{id},\"data\":{data},\"token\":\"{token}\"}}\n"
    ))
}

/// Removes the properties that only viewers of the source may see.
pub fn hide_source(submission: &mut Value) {
    if let Some(object) = submission.as_object_mut() {
        object.remove("entry_point");
        object.remove("files");
    }
}
