//! Server-sent events: what a viewer sees of a submission, until nothing changes any more.

use crate::http::sse::{EventResult, response};
use crate::http::{App, Result};
use crate::store::SubmissionId;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use std::future::pending;
use std::time::Duration;
use tokio::sync::mpsc;

/// The data to send at a time, and whether and when it changes again.
pub(crate) struct Update {
    pub(crate) data: String,
    pub(crate) is_final: bool,
    /// When to look again, even if the submission does not change.
    pub(crate) again: Option<Duration>,
}

/// Sends what `read` returns, now and whenever it differs; the viewer's rights are asked each time, because the contest
/// may have frozen. `end` is an event after the last one.
pub(crate) async fn follow(
    app: App,
    id: SubmissionId,
    kind: &'static str,
    end: Option<&'static str>,
    read: impl Fn(&App) -> Result<Update> + Copy + Send + 'static,
) -> Result<impl IntoResponse> {
    // Listens before it reads: no change is missed between the two.
    let mut changes = app.store.live().watch(id);
    let mut now = app.blocking(read).await?;
    let (sender, receiver) = mpsc::channel::<EventResult>(4);
    tokio::spawn(async move {
        let mut last = None;
        loop {
            if last.as_ref() != Some(&now.data) {
                let event = Event::default().event(kind).data(&now.data);
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
                last = Some(now.data);
            }
            if now.is_final {
                if let Some(end) = end {
                    let _ = sender.send(Ok(Event::default().event(end).data(""))).await;
                }
                return;
            }
            let again = async {
                match now.again {
                    Some(after) => tokio::time::sleep(after).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = again => {}
                () = sender.closed() => return,
            }
            match app.blocking(read).await {
                Ok(update) => now = update,
                Err(_) => return,
            }
        }
    });
    Ok(response(receiver))
}
