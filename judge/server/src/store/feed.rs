//! The event feed of contests: changes in the order of their commits.

use super::{ContestId, Result, Store, TeamId, Tx, now_ms};
use rusqlite::{Row, params};
use serde::Serialize;

/// Who may see a row of the feed. The jury sees all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Everybody who may see the contest.
    Public,
    /// The team, and the jury.
    Team(TeamId),
    /// The jury.
    Jury,
}

/// A row of the feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeedRow {
    /// Grows with every row; the token of the Contest API.
    pub seq: i64,
    /// The contest.
    pub contest: ContestId,
    /// The type of the Contest API: `submissions`, `judgements`, ...
    pub kind: String,
    /// The object's id; `None` for a singleton.
    pub object: Option<String>,
    /// The object as JSON; `None`: deleted.
    pub data: Option<String>,
    /// Who may see it.
    pub visible: Visibility,
    /// The time of the change.
    pub time_ms: i64,
}

/// A change to announce.
#[derive(Clone, Debug)]
pub struct Notice<'a> {
    /// The contest.
    pub contest: ContestId,
    /// The type of the Contest API.
    pub kind: &'a str,
    /// The object's id; `None` for a singleton.
    pub object: Option<String>,
    /// Who may see it.
    pub visible: Visibility,
}

impl Tx<'_> {
    /// Appends a row to the feed; `data` is the object, `None` if it was deleted.
    pub(super) fn announce(
        &mut self,
        notice: Notice<'_>,
        data: Option<&impl Serialize>,
    ) -> Result<()> {
        let data = data.map(serde_json::to_string).transpose()?;
        let (word, team) = match notice.visible {
            Visibility::Public => ("public", None),
            Visibility::Team(team) => ("team", Some(team)),
            Visibility::Jury => ("jury", None),
        };
        let time_ms = now_ms();
        self.prepare_cached(
            "INSERT INTO feed (contest, type, object, data, visible, team, time_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            notice.contest,
            notice.kind,
            notice.object,
            data,
            word,
            team,
            time_ms
        ])?;
        let row = FeedRow {
            seq: self.last_insert_rowid(),
            contest: notice.contest,
            kind: notice.kind.to_owned(),
            object: notice.object,
            data,
            visible: notice.visible,
            time_ms,
        };
        self.feed.push(row);
        Ok(())
    }
}

fn feed_row(row: &Row<'_>) -> rusqlite::Result<FeedRow> {
    let word: String = row.get("visible")?;
    Ok(FeedRow {
        seq: row.get("seq")?,
        contest: row.get("contest")?,
        kind: row.get("type")?,
        object: row.get("object")?,
        data: row.get("data")?,
        visible: match (word.as_str(), row.get("team")?) {
            ("public", _) => Visibility::Public,
            ("team", Some(team)) => Visibility::Team(team),
            _ => Visibility::Jury,
        },
        time_ms: row.get("time_ms")?,
    })
}

impl Store {
    /// At most `count` rows of a contest after `seq`, for all viewers; `access` says who may see which.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn feed_after(&self, contest: ContestId, seq: i64, count: usize) -> Result<Vec<FeedRow>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM feed WHERE contest = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
            )?;
            let rows = statement.query_map(params![contest, seq, count as i64], feed_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Announces an object of the Contest API that has no table of its own to change here, such as
    /// the state of a contest whose clock passed a mark.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn announce(&self, notice: Notice<'_>, data: Option<&impl Serialize>) -> Result<()> {
        self.write(|tx| tx.announce(notice, data))
    }
}
