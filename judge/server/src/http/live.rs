//! Server-sent events: the results of a submission while it is judged.

use super::error::AppState;
use super::submissions::{is_final, load, results};
use super::{App, Caller, Result};
use crate::live::Change;
use crate::store::SubmissionId;
use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use std::convert::Infallible;
use tokio::sync::broadcast::error::RecvError;
use tokio_stream::wrappers::ReceiverStream;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/submissions/{id}/live", get(submission))
        .route("/live.js", get(script))
}

async fn script() -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];
    (kind, include_str!("live.js"))
}

/// Sends the results (HTML) now and after every change; then `end`, once they are final.
async fn submission(
    app: AppState,
    caller: Caller,
    Path(id): Path<SubmissionId>,
) -> Result<impl IntoResponse> {
    // Listens before it loads: no change is missed between the two.
    let mut changes = app.store.live().listen();
    let viewer = caller.viewer;
    let mut seen = app.blocking(move |app| load(app, viewer, id)).await?;
    let (sender, receiver) =
        tokio::sync::mpsc::channel::<std::result::Result<Event, Infallible>>(4);
    let app = app.0;
    tokio::spawn(async move {
        loop {
            let event = Event::default()
                .event("results")
                .data(results(&seen).into_string());
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
            if is_final(&seen) {
                let _ = sender
                    .send(Ok(Event::default().event("end").data("")))
                    .await;
                return;
            }
            loop {
                let change = tokio::select! {
                    change = changes.recv() => change,
                    () = sender.closed() => return,
                };
                match change {
                    Ok(Change::Submission(changed)) if changed == id => break,
                    Ok(_) => {}
                    // It missed some: loads the present state.
                    Err(RecvError::Lagged(_)) => break,
                    Err(RecvError::Closed) => return,
                }
            }
            // The caller's rights are asked again: the contest may have frozen.
            match app.blocking(move |app| load(app, viewer, id)).await {
                Ok(now) => seen = now,
                Err(_) => return,
            }
        }
    });
    let stream = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    // Proxies pass the events on at once.
    Ok(([("x-accel-buffering", "no")], stream))
}
