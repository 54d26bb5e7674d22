//! A bound on how long a response waits in memory for a client that does not read it.

use super::connections::{Counted, PerAddress, refused};
use crate::http::client::Client;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use judge_core::parallel::unpoisoned;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::task::AbortHandle;

/// Bytes that are handed to the connection at a time, and the size of a response that may wait.
const PIECE: usize = 16 << 10;
/// Bytes that the slowest client reads in a second.
const SLOWEST: u64 = 64 << 10;

/// Drops a large response after a time if its client has not read it. Bodies without a known size are streams, which keep little
/// in memory.
pub async fn bounded(time: Duration, memory: PerAddress, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<Client>().copied();
    let response = next.run(request).await;
    let size = response.body().size_hint().exact().unwrap_or(0);
    if size <= PIECE as u64 {
        return response;
    }
    let counted = client.map(|client| memory.weigh(client.address, size >> 10));
    let Ok(counted) = counted.transpose() else {
        return refused();
    };
    let time = time + Duration::from_secs(size / SLOWEST);
    response.map(|body| Body::new(Bounded::new(body, time, counted.flatten())))
}

/// A body in pieces, which fails after a time.
struct Bounded {
    /// `None`: the time is over.
    rest: Arc<Mutex<Option<Rest>>>,
    timer: AbortHandle,
}

struct Rest {
    body: Body,
    /// Bytes of the body that the connection did not take yet.
    bytes: Bytes,
    _counted: Option<Counted>,
}

impl Bounded {
    fn new(body: Body, time: Duration, counted: Option<Counted>) -> Self {
        let rest = Arc::new(Mutex::new(Some(Rest {
            body,
            bytes: Bytes::new(),
            _counted: counted,
        })));
        let own = rest.clone();
        // The connection does not ask for more while its client reads nothing.
        let timer = tokio::spawn(async move {
            tokio::time::sleep(time).await;
            *unpoisoned(own.lock()) = None;
        });
        Bounded {
            rest,
            timer: timer.abort_handle(),
        }
    }
}

impl Drop for Bounded {
    fn drop(&mut self) {
        self.timer.abort();
    }
}

impl HttpBody for Bounded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut rest = unpoisoned(self.rest.lock());
        let Some(Rest { body, bytes, .. }) = &mut *rest else {
            let error = axum::Error::new("the client did not read the response in time");
            return Poll::Ready(Some(Err(error)));
        };
        if bytes.is_empty() {
            let frame = ready!(Pin::new(body).poll_frame(context));
            match frame.map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => *bytes = data,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let piece = bytes.split_to(bytes.len().min(PIECE));
        // A copy: a part of the bytes would keep all of them in memory.
        Poll::Ready(Some(Ok(Frame::data(Bytes::copy_from_slice(&piece)))))
    }

    fn is_end_stream(&self) -> bool {
        let rest = unpoisoned(self.rest.lock());
        let ended = |rest: &Rest| rest.bytes.is_empty() && rest.body.is_end_stream();
        rest.as_ref().is_some_and(ended)
    }

    fn size_hint(&self) -> SizeHint {
        let rest = unpoisoned(self.rest.lock());
        let size = |rest: &Rest| {
            let more = rest.body.size_hint().exact()?;
            Some(rest.bytes.len() as u64 + more)
        };
        let size = rest.as_ref().and_then(size);
        size.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;

    #[tokio::test]
    async fn a_response_arrives_in_pieces() {
        let all = Bytes::from_iter((0..100_000).map(|k| k as u8));
        let body = Bounded::new(Body::from(all.clone()), Duration::from_hours(1), None);
        assert_eq!(body.size_hint().exact(), Some(100_000));
        let mut pieces = Body::new(body).into_data_stream();
        let mut received = Vec::new();
        while let Some(piece) = pieces.next().await {
            let piece = piece.expect("in time");
            assert!(piece.len() <= PIECE);
            received.extend(piece);
        }
        assert_eq!(received, all);
    }

    #[tokio::test]
    async fn a_response_that_is_not_read_leaves_the_memory() {
        let content = Arc::new([1_u8; 100_000]);
        struct Shared(Arc<[u8; 100_000]>);
        impl AsRef<[u8]> for Shared {
            fn as_ref(&self) -> &[u8] {
                &*self.0
            }
        }
        let bytes = Bytes::from_owner(Shared(content.clone()));
        let body = Bounded::new(Body::from(bytes), Duration::from_millis(1), None);
        let mut pieces = Body::new(body).into_data_stream();
        let _first = pieces.next().await;
        while Arc::strong_count(&content) > 1 {
            tokio::task::yield_now().await;
        }
        let next = pieces.next().await.expect("an error");
        assert!(next.is_err(), "the response looks whole");
    }
}
