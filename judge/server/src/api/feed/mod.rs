//! The event feed: objects that follow from others or from the time are announced by a task
//! ([`announcer`]), and the rows are sent to listeners as lines that are encoded once ([`crate::feed`]).

mod announcer;
mod notices;
mod stream;
mod sync;

pub(crate) use stream::event_feed;
pub(crate) use sync::{Scope, sync};

use crate::http::App;
use crate::store::live::Change;
use tokio::sync::broadcast::error::RecvError;

/// Starts the tasks of the feed, in the present runtime.
pub fn start(app: &App) {
    tokio::spawn(forward(app.clone()));
    tokio::spawn(announcer::announce_changes(app.clone()));
    tokio::spawn(notices::forward(app.clone()));
}

/// Sends the rows that are committed to the listeners of the feeds, until the server stops.
async fn forward(app: App) {
    let mut changes = app.store.live().listen();
    loop {
        match changes.recv().await {
            Ok(Change::Feed(rows)) => app.feeds().send(&rows),
            Ok(Change::Configuration) => {}
            Err(RecvError::Lagged(_)) => app.feeds().send_gap(),
            Err(RecvError::Closed) => return app.feeds().close(),
        }
    }
}
