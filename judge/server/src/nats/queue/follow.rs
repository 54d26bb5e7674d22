//! The task that keeps the mirror like the stream.

use super::record::Record;
use super::shared::Shared;
use super::stream::{Failure, Units, all, read};
use crate::nats::Session;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch::Receiver;
use tokio::time::sleep;
use tokio_stream::StreamExt;

/// How often messages of finished units are deleted.
const DELETE: Duration = Duration::from_secs(2);
/// Rounds for which the message of a finished unit is kept: half a minute. By then every process has read
/// it, and the NATS server has persisted the removal of earlier messages, which a crash could otherwise
/// bring back.
const RETENTION: u64 = 15;
/// Maximum number of messages that are deleted or added at once.
const BATCH: usize = 256;
/// Time without a message after which the end of the stream is looked for again.
const SILENCE: Duration = Duration::from_millis(250);
/// Pause before the stream is looked for again.
const RETRY: Duration = Duration::from_millis(100);

/// Units that the stream seems to have lost, each with the last sequence number of the stream when its
/// reading began.
type Lost = Vec<(Record, u64)>;

/// Follows the stream for ever. A server's process also `repairs` it: it deletes messages of finished
/// units, and adds units again that the stream lost.
pub async fn follow(shared: Arc<Shared>, units: Units, session: Receiver<Session>, repairs: bool) {
    tokio::join!(
        follow_sessions(&shared, &units, session, repairs),
        clean_up(&shared, &units, repairs)
    );
}

async fn follow_sessions(
    shared: &Shared,
    units: &Units,
    mut session: Receiver<Session>,
    repairs: bool,
) {
    let mut lost = Lost::new();
    while let Some(number) = connected(&mut session).await {
        let lost = repairs.then_some(&mut lost);
        let followed = follow_session(shared, units, &mut session, number, lost).await;
        shared.stop_reading();
        if let Err(error) = followed {
            tracing::warn!("queue {}: {error}; reading it again", units.name());
            sleep(RETRY).await;
        }
    }
}

/// Waits for a connection; returns its number.
async fn connected(session: &mut Receiver<Session>) -> Option<u64> {
    let connected = session.wait_for(|session| session.connected).await;
    connected.map(|session| session.number).ok()
}

/// Follows the stream until the connection is lost. Units that the stream `lost` are added again.
async fn follow_session(
    shared: &Shared,
    units: &Units,
    session: &mut Receiver<Session>,
    number: u64,
    mut lost: Option<&mut Lost>,
) -> Result<(), Failure> {
    let stream = units.stream().await?;
    let last = stream.cached_info().state.last_sequence;
    shared.begin_reading(last);
    let mut messages = units.follow(&stream).await?;
    // The stream is read up to its last message of now. Numbers of pending messages would not do:
    // they are wrong after messages were replaced while they were pending.
    let mut end = units.end().await?;
    let mut seen = 0;
    let mut is_read = false;
    let over = async {
        let is_over = |session: &Session| !session.connected || session.number != number;
        drop(session.wait_for(is_over).await);
    };
    tokio::pin!(over);
    loop {
        if seen >= end && !is_read {
            is_read = true;
            let found = shared.end_reading(number);
            if let Some(lost) = &mut lost {
                lost.extend(found.into_iter().map(|record| (record, last)));
                add_again(shared, units, lost).await?;
            }
        }
        tokio::select! {
            message = messages.next() => {
                let Some(message) = message else { return Ok(()) };
                let message = message?;
                seen = message.info()?.stream_sequence;
                match read(&message) {
                    Ok(known) => shared.note([known]),
                    Err(error) => {
                        // Of a newer version, perhaps. It stays in the stream.
                        tracing::error!("queue {}: unreadable unit: {error}", units.name());
                    }
                }
            }
            // What was last may have been deleted.
            () = sleep(SILENCE), if !is_read => end = units.end().await?,
            () = &mut over => return Ok(()),
        }
    }
}

/// Adds units that the stream had and lost: a server that crashed may lose the end of its files.
/// Some may have been finished before; to judge them a second time does no harm.
async fn add_again(shared: &Shared, units: &Units, lost: &mut Lost) -> Result<(), Failure> {
    for (record, _) in lost.iter_mut() {
        record.arrived = 0;
    }
    while !lost.is_empty() {
        let batch = &lost[..lost.len().min(BATCH)];
        let restored = batch.iter();
        let restored = restored.map(|(record, last)| units.restore(record, *last));
        let restored = all(restored).await?;
        let added = restored.iter().filter(|(_, was_lost)| *was_lost).count();
        if added > 0 {
            tracing::warn!(
                "queue {}: the stream lost {added} units, which are added again",
                units.name(),
            );
        }
        lost.drain(..restored.len());
        shared.note(restored.into_iter().map(|(known, _)| known));
    }
    Ok(())
}

/// Forgets units that were finished some time ago, and repairs their messages.
async fn clean_up(shared: &Shared, units: &Units, repairs: bool) {
    loop {
        sleep(DELETE).await;
        let old = shared.lock().mirror.take_finished(RETENTION);
        if !repairs {
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
