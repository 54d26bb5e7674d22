//! Server-sent events: the results of a submission while it is judged.

use super::submission::{headline, number, results};
use crate::http::error::AppState;
use crate::http::{App, Caller, Result};
use crate::store::JudgingState;
use crate::submissions::{SeenSubmission, Update, follow, is_final, load};
use axum::extract::Path;
use axum::response::IntoResponse;
use std::time::Duration;

/// Interval at which the place in the queue is looked up.
const QUEUE_INTERVAL: Duration = Duration::from_secs(3);

/// Streams the results as HTML, now and after every change, and sends `end` when they are final.
pub async fn live(
    app: AppState,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<impl IntoResponse> {
    let (id, viewer) = (number(&id)?, caller.viewer);
    let read = move |app: &App| {
        let seen = load(app, viewer, id)?;
        let (headline, results) = (headline(&seen), results(app, &seen)?);
        Ok(Update {
            data: headline.into_string() + &results.into_string(),
            is_final: is_final(&seen),
            again: is_queued(&seen).then_some(QUEUE_INTERVAL),
        })
    };
    follow(app.0, id, "fragment", Some("end"), read).await
}

fn is_queued(seen: &SeenSubmission) -> bool {
    let judging = seen.judging.as_ref();
    judging.is_some_and(|judging| judging.state == JudgingState::Queued)
}
