//! Server-sent events: the results of a submission while it is judged.

use super::submission::{headline, number, results};
use crate::http::error::AppState;
use crate::http::submissions::{Seen, is_final, load};
use crate::http::{App, Caller, Result};
use crate::store::live::Change;
use crate::store::{JudgingState, SubmissionId};
use axum::Router;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

pub fn routes() -> Router<App> {
    Router::new().route("/submissions/{id}/live", get(live))
}

/// How often the place in the queue is looked up.
const QUEUE_INTERVAL: Duration = Duration::from_secs(3);

/// Sends the results (HTML) now and after every change; then `end`, once they are final.
async fn live(app: AppState, caller: Caller, Path(id): Path<String>) -> Result<impl IntoResponse> {
    let id = number(&id)?;
    // Listens before it loads: no change is missed between the two.
    let mut changes = app.store.live().listen();
    let viewer = caller.viewer;
    // The caller's rights are asked each time: the contest may have frozen.
    let read = move |app: &App| {
        let seen = load(app, viewer, id)?;
        let html = format!(
            "{}{}",
            headline(&seen).into_string(),
            results(app, &seen)?.into_string()
        );
        Ok((seen, html))
    };
    let (mut seen, mut html) = app.blocking(read).await?;
    let (sender, receiver) = mpsc::channel::<std::result::Result<Event, Infallible>>(4);
    let app = app.0;
    tokio::spawn(async move {
        let mut last = String::new();
        loop {
            if html != last {
                let event = Event::default().event("fragment").data(&html);
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
                last = html;
            }
            if is_final(&seen) {
                let end = Event::default().event("end").data("");
                let _ = sender.send(Ok(end)).await;
                return;
            }
            tokio::select! {
                changed = next_change(&mut changes, id) => if !changed { return },
                () = tokio::time::sleep(QUEUE_INTERVAL), if is_queued(&seen) => {}
                () = sender.closed() => return,
            }
            match app.blocking(read).await {
                Ok(now) => (seen, html) = now,
                Err(_) => return,
            }
        }
    });
    // Proxies pass the events on at once.
    let stream = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    Ok(([("x-accel-buffering", "no")], stream))
}

fn is_queued(seen: &Seen) -> bool {
    let judging = seen.judging.as_ref();
    judging.is_some_and(|judging| judging.state == JudgingState::Queued)
}

/// Waits for a change of the submission; `false`: the server stops.
async fn next_change(changes: &mut broadcast::Receiver<Change>, id: SubmissionId) -> bool {
    loop {
        match changes.recv().await {
            Ok(Change::Submission(changed)) if changed == id => return true,
            Ok(_) => {}
            // It missed some: loads the present state.
            Err(RecvError::Lagged(_)) => return true,
            Err(RecvError::Closed) => return false,
        }
    }
}
