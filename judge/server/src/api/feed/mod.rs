//! The event feed: objects that follow from others or from the time are announced by a task
//! ([`announcer`]), and the rows are sent to listeners as lines that are encoded once ([`hub`]).

mod announcer;
mod hub;
mod stream;
mod sync;

pub(crate) use stream::event_feed;
pub(crate) use sync::{Part, sync};

use crate::http::App;

/// Starts the tasks of the feed, in the present runtime.
pub fn start(app: &App) {
    tokio::spawn(hub::forward(app.clone()));
    tokio::spawn(announcer::run(app.clone()));
}
