//! The body of a response with a value that is dropped when the body is sent, or its client is gone.

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A body and what it holds.
pub struct Held<T> {
    body: Body,
    _value: T,
}

impl<T> Held<T> {
    /// The body, which holds a value.
    pub fn new(body: Body, value: T) -> Self {
        Held {
            body,
            _value: value,
        }
    }
}

impl<T: Unpin> HttpBody for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
