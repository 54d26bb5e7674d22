//! Responses of server-sent events.

use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use std::convert::Infallible;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// An event, for the stream of a response.
pub(crate) type EventResult = Result<Event, Infallible>;

/// The response that sends these events.
pub(crate) fn response(events: mpsc::Receiver<EventResult>) -> impl IntoResponse {
    let stream = Sse::new(ReceiverStream::new(events)).keep_alive(KeepAlive::default());
    // Proxies pass the events on at once.
    ([("x-accel-buffering", "no")], stream)
}
