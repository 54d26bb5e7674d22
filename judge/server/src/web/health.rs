//! `/healthz`: whether the server can work.

use crate::http::error::AppState;
use crate::http::{HttpError, Result};
use axum::Json;
use serde_json::{Value, json};

/// Reads the store and the queue.
pub async fn health(app: AppState) -> Result<Json<Value>> {
    app.blocking(|app| {
        app.store
            .setting("")
            .map_err(|e| HttpError::Internal(e.to_string()))?;
        let counts = app.queue.counts()?;
        Ok(Json(json!({
            "status": "ok",
            "waiting": counts.waiting,
            "leased": counts.leased,
            "parked": counts.parked,
        })))
    })
    .await
}
