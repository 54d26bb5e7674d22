//! Checks that a contest whose results are final does not change.

use super::query::Queries;
use super::{Contest, ContestId, Error, Result, TeamId, contest};
use rusqlite::Connection;

fn final_results(contest: &Contest) -> Error {
    let ext = &contest.ext;
    Error::Conflict(format!(
        "the results of the contest {ext} are final; reopen it with a reason first"
    ))
}

/// Refuses a change of a contest whose results are final.
pub(super) fn must_not_be_final(connection: &Connection, id: ContestId) -> Result<()> {
    let contest = contest::by_id(connection, id)?;
    match contest.finalized_ms {
        Some(_) => Err(final_results(&contest)),
        None => Ok(()),
    }
}

/// Refuses a change of the results of a submission to such a contest; only those of teams count.
pub(super) fn must_not_change(
    connection: &Connection,
    contest: Option<ContestId>,
    team: Option<TeamId>,
) -> Result<()> {
    match (contest, team) {
        (Some(contest), Some(_)) => must_not_be_final(connection, contest),
        _ => Ok(()),
    }
}

/// Refuses what would be announced after the last event of a contest.
pub(super) fn must_accept_updates(connection: &Connection, id: ContestId) -> Result<()> {
    let contest = contest::by_id(connection, id)?;
    match contest.end_of_updates_ms {
        Some(_) => Err(final_results(&contest)),
        None => Ok(()),
    }
}

/// Refuses other settings for a contest whose results are final.
pub(super) fn check_settings(before: &Contest, new: &Contest) -> Result<()> {
    let new = Contest {
        id: before.id,
        ..new.clone()
    };
    // A contest of an older server may have marks that are older than its end.
    match before.finalized_ms.is_some() && new != *before && new != before.without_early_marks() {
        true => Err(final_results(before)),
        false => Ok(()),
    }
}

/// Whether the feed of a contest has the state that ends its updates.
pub(super) fn updates_have_ended(connection: &Connection, id: ContestId) -> Result<bool> {
    let ended: Option<i64> = connection.optional(
        "SELECT json_extract(data, '$.end_of_updates') IS NOT NULL FROM feed
         WHERE contest = ?1 AND type = 'state' AND object IS NULL ORDER BY seq DESC LIMIT 1",
        [id],
    )?;
    Ok(ended == Some(1))
}
