//! Encodes new rows of the feed once, for all listeners.

use super::super::view::hide_source;
use crate::access::{self, Place, Viewer};
use crate::http::App;
use crate::store::live::Change;
use crate::store::{ContestId, FeedRow, now_ms};
use axum::body::Bytes;
use judge::parallel::unpoisoned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};

/// Batches that a slow listener may fall behind, before it has to read the store again.
const CAPACITY: usize = 256;

/// An encoded row.
#[derive(Clone, Debug)]
pub struct Line {
    /// The row, without its data.
    pub row: FeedRow,
    /// The line.
    pub text: Bytes,
    /// For a submission: its team's id, and the line for those who may not see its source.
    source: Option<(String, Bytes)>,
}

/// New lines, in order; none: some are missing, and have to be read from the store.
pub type Batch = Arc<[Line]>;

/// The senders of new lines, per contest.
#[derive(Debug, Default)]
pub struct Hub(Mutex<HashMap<ContestId, Sender<Batch>>>);

/// A client that listens to the feed.
#[derive(Clone, Debug)]
pub struct Listener {
    /// User, role and team, which decide which lines are sent.
    pub viewer: Viewer,
    /// The id of the viewer's team in the Contest API.
    pub team: Option<String>,
}

impl Hub {
    /// New lines of a contest, from now on.
    pub fn listen(&self, contest: ContestId) -> Receiver<Batch> {
        let mut senders = unpoisoned(self.0.lock());
        let sender = senders
            .entry(contest)
            .or_insert_with(|| broadcast::channel(CAPACITY).0);
        sender.subscribe()
    }

    /// The senders that have listeners; the others are forgotten.
    fn senders(&self) -> HashMap<ContestId, Sender<Batch>> {
        let mut senders = unpoisoned(self.0.lock());
        senders.retain(|_, sender| sender.receiver_count() > 0);
        senders.clone()
    }
}

/// Encodes what is committed, until the store is closed.
pub async fn forward(app: App) {
    let mut changes = app.store.live().listen();
    loop {
        match changes.recv().await {
            Ok(Change::Feed(rows)) => {
                let senders = app.kept::<Hub>().senders();
                for (contest, sender) in &senders {
                    let own = rows.iter().filter(|row| row.contest == *contest);
                    let batch: Batch = own.cloned().map(Line::of).collect();
                    if !batch.is_empty() {
                        // The last listener may have left.
                        let _ = sender.send(batch);
                    }
                }
            }
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => {
                for sender in app.kept::<Hub>().senders().values() {
                    let _ = sender.send(Arc::from([]));
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}

impl Line {
    /// Encodes a row.
    pub fn of(mut row: FeedRow) -> Self {
        let data = row.data.take();
        let text = encode(&row, data.as_deref().unwrap_or("null"));
        let source = data.filter(|_| row.kind == "submissions").and_then(|data| {
            let mut object: Value = serde_json::from_str(&data).ok()?;
            hide_source(&mut object);
            let team = object["team_id"].as_str().unwrap_or_default().to_owned();
            Some((team, encode(&row, &object.to_string())))
        });
        Line { row, text, source }
    }

    /// The line as this listener may see it.
    pub fn seen_by(&self, listener: &Listener, place: Place<'_>) -> Option<&Bytes> {
        if !access::sees_feed_row(listener.viewer, &self.row, place, now_ms()) {
            return None;
        }
        match &self.source {
            Some((team, hidden)) => {
                let is_own = listener.team.as_ref() == Some(team);
                match access::sees_source_in_feed(listener.viewer, is_own) {
                    true => Some(&self.text),
                    false => Some(hidden),
                }
            }
            None => Some(&self.text),
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
