//! The task that sends notices to viewers with open pages, from the rows of the feeds.

use crate::http::App;
use crate::notices::Notice;
use crate::store::live::Change;
use crate::store::{ClarificationId, FeedRow, JudgingId, TeamId};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// Sends notices until the server stops.
pub async fn forward(app: App) {
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
        let judged = judgings(&rows);
        if !judged.is_empty() {
            app.notices().send(Notice::Judgings(judged.into()));
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

/// The judgings that rows are about, with their teams.
fn judgings(rows: &[FeedRow]) -> Vec<(TeamId, JudgingId)> {
    let own = rows.iter().filter(|row| row.kind == "judgements");
    own.filter_map(|row| Some((row.about?.team?, row.object.as_ref()?.parse().ok()?)))
        .collect()
}

/// The clarifications that rows are about, each once.
fn clarifications(rows: &[FeedRow]) -> BTreeSet<ClarificationId> {
    let own = rows.iter().filter(|row| row.kind == "clarifications");
    own.filter_map(|row| row.object.as_ref()?.parse().ok())
        .collect()
}
