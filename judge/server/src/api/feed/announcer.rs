//! The task that announces what follows from changes and from the time.

use super::{Scope, sync};
use crate::http::App;
use crate::store::live::Change;
use crate::store::{ContestId, now_ms};
use std::collections::HashSet;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

/// Changes within this time are announced together.
const GATHER: Duration = Duration::from_millis(100);
/// Maximum time until time marks are looked at again: the clock may be set.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Runs until the server stops.
pub async fn announce_changes(app: App) {
    let mut changes = app.store.live().listen();
    let mut dirty = Dirty {
        all: true,
        ..Dirty::default()
    };
    loop {
        let marks = announce(&app, std::mem::take(&mut dirty)).await;
        let next = Instant::now() + marks.map_or(MAX_WAIT, |wait| wait.min(MAX_WAIT));
        // Until something changed or a mark is passed; then a little longer, to gather.
        let mut until = next;
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = sleep_until(until) => break,
            };
            let was_clean = dirty.is_clean();
            match change {
                Ok(change) => dirty.add(&change),
                Err(RecvError::Lagged(_)) => dirty.all = true,
                Err(RecvError::Closed) => return,
            }
            if was_clean && !dirty.is_clean() {
                until = next.min(Instant::now() + GATHER);
            }
        }
        // A mark was passed.
        dirty.all |= Instant::now() >= next;
    }
}

/// The contests whose objects have to be compared.
#[derive(Default)]
struct Dirty {
    all: bool,
    results: HashSet<ContestId>,
}

impl Dirty {
    fn is_clean(&self) -> bool {
        !self.all && self.results.is_empty()
    }

    fn add(&mut self, change: &Change) {
        match change {
            Change::Configuration => self.all = true,
            Change::Feed(rows) => {
                let results = rows
                    .iter()
                    .filter(|row| matches!(row.kind.as_str(), "submissions" | "judgements"));
                self.results.extend(results.map(|row| row.contest));
            }
        }
    }
}

/// Announces; returns how long it is until the next time mark.
async fn announce(app: &App, dirty: Dirty) -> Option<Duration> {
    let announced = app.blocking(move |app| {
        let contests = app.store.contests()?;
        for contest in &contests {
            if dirty.all {
                sync(app, contest.id, Scope::All)?;
            } else if dirty.results.contains(&contest.id) {
                sync(app, contest.id, Scope::Awards)?;
            }
        }
        let now = now_ms();
        let marks = contests
            .iter()
            .flat_map(|contest| [contest.start_ms, contest.freezes_ms(), contest.end_ms()]);
        Ok(marks
            .flatten()
            .filter(|mark| *mark > now)
            .map(|mark| mark - now)
            .min())
    });
    match announced.await {
        Ok(next) => next.map(|ms| Duration::from_millis(ms.unsigned_abs() + 1)),
        Err(error) => {
            tracing::error!("the event feed is behind: {error:?}");
            Some(Duration::from_secs(1))
        }
    }
}
