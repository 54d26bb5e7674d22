//! Reads an event feed, and connects again where it breaks off.

use crate::client::{CallError, Client};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How long to wait before connecting again.
const PAUSE: Duration = Duration::from_secs(5);

/// A message of the thread that reads a feed.
pub enum FromFeed {
    Event(Value),
    /// Everything so far was sent, and the feed is read no further.
    End,
    /// It broke off, and is connected again.
    Broken(String),
    Refused(CallError),
}

/// The event feed of a contest.
pub struct Feed {
    client: Arc<Client>,
    contest: String,
    /// The parameter that continues after the last event.
    since: Option<String>,
}

impl Feed {
    pub fn new(client: &Arc<Client>, contest: &str) -> Self {
        Feed {
            client: client.clone(),
            contest: contest.to_owned(),
            since: None,
        }
    }

    /// Calls `take` with each event that has not been read, and those to come if `goes_on`, until the feed breaks off.
    pub fn read(
        &mut self,
        goes_on: bool,
        mut take: impl FnMut(Value) -> bool,
    ) -> Result<(), CallError> {
        let mut path = format!("/contests/{}/event-feed?stream={goes_on}", self.contest);
        if let Some(since) = &self.since {
            path.push_str(&format!("&{since}"));
        }
        let response = self.client.get(&path)?;
        let broken = |e: &dyn std::fmt::Display| {
            let what = format!("{}: the event feed breaks off: {e}", self.client.base);
            CallError::failed(what, None)
        };
        for line in BufReader::new(response.into_body().into_reader()).lines() {
            let line = line.map_err(|e| broken(&e))?;
            // Empty lines keep the connection alive.
            if line.trim().is_empty() {
                continue;
            }
            let event: Value = serde_json::from_str(&line).map_err(|e| broken(&e))?;
            // Before 2022-07 the id of an event was its token.
            let (name, token) = match event.get("op") {
                Some(_) => ("since_id", &event["id"]),
                None => ("since_token", &event["token"]),
            };
            if let Some(token) = token.as_str() {
                self.since = Some(format!("{name}={token}"));
            }
            if !take(event) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Sends the events for as long as there is a receiver; only those that are there if `once`.
    pub fn follow<Side: Copy>(mut self, side: Side, once: bool, send: &Sender<(Side, FromFeed)>) {
        loop {
            let read = self.read(!once, |event| {
                send.send((side, FromFeed::Event(event))).is_ok()
            });
            let message = match read {
                Ok(()) if once => FromFeed::End,
                Ok(()) => FromFeed::Broken(format!("{}: the event feed ended", self.client.base)),
                Err(e) if e.is_lasting() => FromFeed::Refused(e),
                Err(e) => FromFeed::Broken(e.to_string()),
            };
            let is_over = matches!(message, FromFeed::End | FromFeed::Refused(_));
            if send.send((side, message)).is_err() || is_over {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }
}
