//! `/healthz`: whether the server can work.

use crate::http::{App, Result, internal};
use axum::Json;
use serde_json::{Value, json};

/// Reads the store and the queue.
pub fn health(app: &App, (): ()) -> Result<Json<Value>> {
    app.store.setting("").map_err(internal)?;
    let counts = app.queue.counts()?;
    Ok(Json(json!({
        "status": "ok",
        "waiting": counts.waiting,
        "leased": counts.leased,
        "parked": counts.parked,
    })))
}
