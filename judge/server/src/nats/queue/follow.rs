//! The task that keeps the mirror like the stream.

use super::shared::Shared;
use super::stream::{Failure, Units, read};
use crate::nats::Session;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch::Receiver;
use tokio::time::sleep;
use tokio_stream::StreamExt;

/// Messages of finished units are deleted after this time: every process has seen them, and the
/// server has written that the messages before them are gone. If it is killed sooner, those may
/// come back.
const RETENTION: Duration = Duration::from_secs(60);
/// How often they are deleted.
const DELETE: Duration = Duration::from_secs(2);
/// How many at once.
const BATCH: usize = 256;
/// Pause before the stream is looked for again.
const RETRY: Duration = Duration::from_millis(100);

/// Follows the stream for ever. `deletes`: messages of finished units are deleted.
pub async fn follow(shared: Arc<Shared>, units: Units, session: Receiver<Session>, deletes: bool) {
    tokio::join!(
        follow_sessions(&shared, &units, session),
        clean_up(&shared, &units, deletes)
    );
}

async fn follow_sessions(shared: &Shared, units: &Units, mut session: Receiver<Session>) {
    while let Some(number) = connected(&mut session).await {
        if let Err(error) = follow_session(shared, units, &mut session, number).await {
            tracing::warn!("queue {}: {error}; reading it again", units.name());
        }
        shared.stop_reading();
        sleep(RETRY).await;
    }
}

/// Waits for a connection; returns its number.
async fn connected(session: &mut Receiver<Session>) -> Option<u64> {
    let connected = session.wait_for(|session| session.connected).await;
    connected.map(|session| session.number).ok()
}

/// Follows the stream until the connection is lost.
async fn follow_session(
    shared: &Shared,
    units: &Units,
    session: &mut Receiver<Session>,
    number: u64,
) -> Result<(), Failure> {
    let stream = units.stream().await?;
    let last = stream.cached_info().state.last_sequence;
    shared.begin_reading(last);
    let (mut messages, pending) = units.follow(&stream).await?;
    let mut is_complete = pending == 0;
    if is_complete {
        shared.end_reading(last);
    }
    let lost = async {
        let is_over = |session: &Session| !session.connected || session.number != number;
        drop(session.wait_for(is_over).await);
    };
    tokio::pin!(lost);
    loop {
        tokio::select! {
            message = messages.next() => {
                let Some(message) = message else { return Ok(()) };
                let message = message?;
                let pending = match read(&message) {
                    Ok((known, pending)) => {
                        shared.note([known]);
                        pending
                    }
                    Err(error) => {
                        // Of a newer version, perhaps. It stays in the stream.
                        tracing::error!("queue {}: unreadable unit: {error}", units.name());
                        message.info()?.pending
                    }
                };
                if !is_complete && pending == 0 {
                    is_complete = true;
                    shared.end_reading(last);
                }
            }
            () = &mut lost => return Ok(()),
        }
    }
}

/// Forgets units that were finished some time ago, and deletes their messages.
async fn clean_up(shared: &Shared, units: &Units, deletes: bool) {
    loop {
        sleep(DELETE).await;
        let old = {
            let mut state = shared.lock();
            let before = state.clock.now().saturating_sub(RETENTION);
            state.mirror.take_finished(before)
        };
        if !deletes {
            continue;
        }
        for batch in old.chunks(BATCH) {
            let deleted = join_all(batch.iter().map(|&revision| units.delete(revision))).await;
            if let Some(Err(error)) = deleted.into_iter().find(Result::is_err) {
                // They are found again when the stream is read from its beginning.
                tracing::warn!("queue {}: finished units stay: {error}", units.name());
                break;
            }
        }
    }
}
