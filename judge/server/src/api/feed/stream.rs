//! `GET contests/ID/event-feed`.

use crate::access::Viewer;
use crate::contest_view::View;
use crate::feed::{Batch, Line};
use crate::http::error::AppState;
use crate::http::{App, Caller, Result, bad_request, sign_in};
use crate::store::{Contest, UserId};
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Deserialize;
use std::convert::Infallible;
use std::time::Instant;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::Sender;
use tokio_stream::wrappers::ReceiverStream;

/// Bytes of rows that are read from the store at once. A client that reads nothing keeps about a megabyte in memory (measured): what
/// the connection queues, what waits in the channel, and what waits for room there.
const CHUNK: usize = 128 << 10;
/// The time until an empty line is sent, as a part of the time that a connection may be idle: 30 of 75 seconds.
const KEEP_ALIVE: f64 = 0.4;

#[derive(Deserialize)]
pub struct Parameters {
    since_token: Option<String>,
    /// Of older versions.
    since_id: Option<String>,
    /// `false`: ends after the events so far.
    stream: Option<String>,
}

/// The events of a contest, and then new ones as they come.
/// Fails with `BadRequest` for a token that the server did not give.
pub async fn event_feed(
    app: AppState,
    caller: Caller,
    Path(contest): Path<String>,
    Query(parameters): Query<Parameters>,
) -> Result<impl IntoResponse> {
    let viewer = caller.viewer;
    let app = app.0;
    let open = app.blocking(move |app| {
        let view = View::open(app, viewer, &contest)?;
        let last = app.store.last_feed_row(view.contest.id)?;
        Ok((Session::of(&view, last), last))
    });
    let (mut session, last) = open.await?;
    session.position = start(&parameters, last)?;
    let ends = parameters.stream.as_deref() == Some("false");
    let (sender, receiver) =
        tokio::sync::mpsc::channel::<std::result::Result<Bytes, Infallible>>(1);
    // Listens before it reads: no event is missed between the two.
    let lines = app.feeds().listen(session.contest.id);
    tokio::spawn(async move {
        // `None`: the client has gone, or may not see the contest any more.
        let _ = session.run(&app, lines, &sender, ends).await;
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        // Proxies pass the events on at once.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))))
}

fn start(parameters: &Parameters, last: i64) -> Result<i64> {
    if parameters.since_id.is_some() {
        return Err(bad_request(
            "`since_id` is of older versions of the Contest API; use `since_token`",
        ));
    }
    let Some(token) = &parameters.since_token else {
        return Ok(0);
    };
    let valid = token.parse().ok().filter(|seq| (0..=last).contains(seq));
    valid.ok_or_else(|| bad_request(format!("{token:?} is not a token of this feed")))
}

/// A listener and how far it is.
struct Session {
    viewer: Viewer,
    contest: Contest,
    takes_part: bool,
    position: i64,
    /// When the rights were asked for.
    asked: Instant,
}

impl Session {
    fn of(view: &View<'_>, position: i64) -> Self {
        Session {
            viewer: view.viewer,
            contest: view.contest.clone(),
            takes_part: view.takes_part,
            position,
            asked: Instant::now(),
        }
    }

    /// Sends an empty line after a time without an event: the specification allows 120 s. Asks for the listener's rights as often,
    /// also while there are events.
    async fn run(
        mut self,
        app: &App,
        mut lines: Receiver<Batch>,
        sender: &Sender<std::result::Result<Bytes, Infallible>>,
        ends: bool,
    ) -> Option<()> {
        let keep_alive = app.idle.mul_f64(KEEP_ALIVE);
        self.replay(app, sender).await?;
        if ends {
            return Some(());
        }
        loop {
            let batch = tokio::select! {
                batch = lines.recv() => batch,
                () = tokio::time::sleep(keep_alive) => {
                    sender.send(Ok(Bytes::from_static(b"\n"))).await.ok()?;
                    self = self.again(app).await?;
                    continue;
                }
                () = sender.closed() => return None,
            };
            match batch {
                Ok(batch) if !batch.is_empty() => {
                    let is_due = self.asked.elapsed() >= keep_alive;
                    if is_due || batch.iter().any(|line| line.row.kind == "contest") {
                        self = self.again(app).await?;
                    }
                    let text = self.text(&batch);
                    if !text.is_empty() {
                        sender.send(Ok(text)).await.ok()?;
                    }
                }
                Ok(_) | Err(RecvError::Lagged(_)) => self.replay(app, sender).await?,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Sends what the store has after the position.
    async fn replay(
        &mut self,
        app: &App,
        sender: &Sender<std::result::Result<Bytes, Infallible>>,
    ) -> Option<()> {
        loop {
            let (contest, position) = (self.contest.id, self.position);
            let read = app.blocking(move |app| {
                let rows = app.store.feed_after(contest, position, CHUNK)?;
                let lines: Vec<Line> = rows.into_iter().map(Line::of).collect();
                // Read after the rows: a row that an older freeze shows is not shown.
                Ok((lines, app.store.contest(contest)?))
            });
            let lines;
            (lines, self.contest) = read.await.ok()?;
            if lines.is_empty() {
                return Some(());
            }
            let text = self.text(&lines);
            // Not kept while the client is slow.
            drop(lines);
            if !text.is_empty() {
                sender.send(Ok(text)).await.ok()?;
            }
        }
    }

    /// The lines that the listener may see and has not received, and moves the position past them.
    fn text(&mut self, lines: &[Line]) -> Bytes {
        let place = crate::access::Participation {
            contest: &self.contest,
            takes_part: self.takes_part,
        };
        let new = lines.iter().filter(|line| line.row.seq > self.position);
        let seen: Vec<&Bytes> = new
            .filter_map(|line| line.seen_by(self.viewer, place))
            .collect();
        self.position = self
            .position
            .max(lines.last().map_or(0, |line| line.row.seq));
        match seen[..] {
            [only] => only.clone(),
            _ => seen.iter().flat_map(|line| line.iter().copied()).collect(),
        }
    }

    /// Asks for the listener's rights again; `None`: it has none any more.
    async fn again(self, app: &App) -> Option<Self> {
        let ext = self.contest.ext.clone();
        let (user, position) = (self.viewer.user, self.position);
        let open = app.blocking(move |app| {
            let viewer = viewer_now(app, user)?;
            Ok(Session::of(&View::open(app, viewer, &ext)?, position))
        });
        open.await.ok()
    }
}

/// The viewer with the user's present role.
fn viewer_now(app: &App, user: Option<UserId>) -> Result<Viewer> {
    let Some(user) = user else {
        return Ok(Viewer::ANONYMOUS);
    };
    let user = app.store.user(user)?;
    match user.disabled {
        true => Err(sign_in()),
        false => Ok(Viewer::of(&user)),
    }
}
