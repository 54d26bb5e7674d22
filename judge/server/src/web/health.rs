//! `/healthz`: whether the server can work.

use crate::http::{App, Result, internal};
use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde_json::json;

/// Reads the store and the queue, and says when judging stands still.
pub fn health(app: &App, (): ()) -> Result<impl IntoResponse + use<>> {
    app.store.setting("").map_err(internal)?;
    let counts = app.queue.counts()?;
    let standstill = app.health.standstill(counts.waiting + counts.leased > 0);
    let (status, word) = match standstill {
        None => (StatusCode::OK, "ok"),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "judging stands still"),
    };
    let mut body = json!({
        "status": word,
        "waiting": counts.waiting,
        "leased": counts.leased,
        "parked": counts.parked,
    });
    if let Some(reason) = standstill {
        body["reason"] = reason.into();
    }
    Ok((status, Json(body)))
}
