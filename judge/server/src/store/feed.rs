//! The event feeds of contests: one row per change, in the order of the commits.

use super::query::{FromRow, Queries, columns, record};
use super::teams::HIDDEN_TEAMS;
use super::{ContestId, Result, Store, Submission, TeamId, Tx, Visibility, finality, now_ms};
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::Value;

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct FeedRow {
        /// Grows with every row; the token of the Contest API.
        pub seq: i64,
        pub(crate) contest: ContestId,
        /// The type of the Contest API: `submissions`, `judgements`, ...
        pub kind: String = row.get("type")?,
        /// The object's id; `None` for a singleton.
        pub(crate) object: Option<String>,
        /// The object as JSON; `None`: deleted.
        pub data: Option<String>,
        pub(crate) visible: Visibility = visibility(row)?,
        pub(crate) time_ms: i64,
        /// The submission that `data` is about.
        pub(crate) about: Option<About> = about(row)?,
        /// A later version of this object exists for viewers outside the jury. Never set for the objects of
        /// submissions and for clarifications.
        pub(crate) superseded: bool,
    }
}

/// Properties of a submission that decide who may see a row about it, as they are when the row is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct About {
    /// The team that submitted.
    pub(crate) team: Option<TeamId>,
    /// The team or one of its groups is hidden.
    pub(crate) team_hidden: bool,
    /// When it submitted.
    pub(crate) time_ms: i64,
    /// No judge has verified its result, in a contest that demands it.
    pub(crate) unverified: bool,
}

impl About {
    pub(crate) fn is_of(self, team: Option<TeamId>) -> bool {
        team.is_some() && self.team == team
    }
}

impl From<&Submission> for About {
    fn from(submission: &Submission) -> Self {
        About {
            team: submission.team,
            team_hidden: submission.team_hidden,
            time_ms: submission.time_ms,
            unverified: submission.unverified,
        }
    }
}

/// A change to announce.
#[derive(Clone, Debug)]
pub(crate) struct Notice<'a> {
    pub(crate) contest: ContestId,
    /// The type of the Contest API.
    pub(crate) kind: &'a str,
    /// The object's id; `None` for a singleton.
    pub(crate) object: Option<String>,
    pub(crate) visible: Visibility,
    /// The submission that the object is, or belongs to.
    pub(crate) about: Option<&'a Submission>,
}

impl Tx<'_> {
    /// Appends a row to the feed; `data` is the object, `None` if it was deleted. The state that ends the updates of a
    /// contest is the last row, until the contest is reopened.
    pub(super) fn announce(
        &mut self,
        notice: Notice<'_>,
        data: Option<&impl Serialize>,
    ) -> Result<()> {
        if notice.kind != "state" && finality::updates_have_ended(self, notice.contest)? {
            return Ok(());
        }
        // Converting to a `Value` first gives the properties the same order as in the collections.
        let data = data.map(serde_json::to_value).transpose()?;
        let data = data.map(|data| data.to_string());
        let (word, team) = match notice.visible {
            Visibility::Public => ("public", None),
            Visibility::Spectators => ("spectators", None),
            Visibility::Team(team) => ("team", Some(team)),
            Visibility::Jury => ("jury", None),
        };
        let time_ms = now_ms();
        let columns = columns! {
            notice { contest, object },
            type: notice.kind,
            visible: word,
            data: data,
            team: team,
            time_ms: time_ms,
            submission: notice.about.map(|submission| submission.id),
        };
        let seq = self.insert("feed", columns)?;
        let row = FeedRow {
            seq,
            contest: notice.contest,
            kind: notice.kind.to_owned(),
            object: notice.object,
            about: notice.about.filter(|_| data.is_some()).map(About::from),
            data,
            visible: notice.visible,
            time_ms,
            superseded: false,
        };
        self.feed.push(row);
        Ok(())
    }

    /// Announces that an object no longer exists, if the feed has it.
    pub(super) fn announce_deletion(&mut self, notice: Notice<'_>) -> Result<()> {
        let known = self.any(
            "SELECT 1 FROM feed WHERE contest = ?1 AND type = ?2 AND object = ?3",
            params![notice.contest, notice.kind, notice.object],
        )?;
        match known {
            true => self.announce(notice, None::<&()>),
            false => Ok(()),
        }
    }
}

/// Selects the rows of the feed that the condition `which` names, with the columns that decide who may see them now.
fn select(which: &str) -> String {
    format!(
        "WITH hidden_teams AS MATERIALIZED ({HIDDEN_TEAMS})
        SELECT feed.*, s.team AS s_team, s.time_ms AS s_time_ms, COALESCE(s.team IN hidden_teams, 0) AS s_hidden,
            COALESCE((SELECT verification FROM contests WHERE contests.id = s.contest) AND NOT EXISTS (
                SELECT 1 FROM judgings v WHERE v.submission = s.id AND v.valid = 1
                    AND v.verified_ms IS NOT NULL), 0) AS s_unverified,
            feed.type NOT IN ('submissions', 'judgements', 'runs', 'clarifications', 'commentary') AND EXISTS (
                SELECT 1 FROM feed later WHERE later.contest = feed.contest AND later.type = feed.type
                    AND later.object IS feed.object AND later.seq > feed.seq
                    AND later.visible IN ('public', 'spectators')) AS superseded
        FROM feed LEFT JOIN submissions s ON s.id = feed.submission WHERE {which}"
    )
}

/// The audience of a row, from its columns `visible` and `team`.
fn visibility(row: &Row<'_>) -> rusqlite::Result<Visibility> {
    let word: String = row.get("visible")?;
    Ok(match (word.as_str(), row.get("team")?) {
        ("public", _) => Visibility::Public,
        ("spectators", _) => Visibility::Spectators,
        ("team", Some(team)) => Visibility::Team(team),
        _ => Visibility::Jury,
    })
}

/// The submission that a row is about, unless the object was deleted.
fn about(row: &Row<'_>) -> rusqlite::Result<Option<About>> {
    let data: Option<String> = row.get("data")?;
    Ok(match row.get("s_time_ms")? {
        Some(time_ms) if data.is_some() => Some(About {
            team: row.get("s_team")?,
            team_hidden: row.get("s_hidden")?,
            unverified: row.get("s_unverified")?,
            time_ms,
        }),
        _ => None,
    })
}

impl Store {
    /// The rows of a contest after `seq`, until they take this many bytes. The caller filters them by `access`.
    pub fn feed_after(&self, contest: ContestId, seq: i64, bytes: usize) -> Result<Vec<FeedRow>> {
        let sql = select("feed.contest = ?1 AND feed.seq > ?2 ORDER BY feed.seq");
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query_map(params![contest, seq], FeedRow::from_row)?;
            let (mut found, mut size) = (Vec::new(), 0);
            while size < bytes
                && let Some(row) = rows.next().transpose()?
            {
                size += size_of::<FeedRow>() + row.data.as_ref().map_or(0, String::len);
                found.push(row);
            }
            Ok(found)
        })
    }

    /// The number of the last row of a contest; 0: there is none.
    pub fn last_feed_row(&self, contest: ContestId) -> Result<i64> {
        self.one(
            "SELECT COALESCE(MAX(seq), 0) FROM feed WHERE contest = ?1",
            [contest],
        )
    }

    /// The last row of each object of these types for each audience, in the order of the feed.
    pub(crate) fn last_rows_of(&self, contest: ContestId, kinds: &[&str]) -> Result<Vec<FeedRow>> {
        let sql = select(
            "feed.seq IN (SELECT MAX(seq) FROM feed
                 WHERE contest = ?1 AND type = ?2 GROUP BY object, visible, team)",
        );
        let mut rows: Vec<FeedRow> = Vec::new();
        self.read(|connection| {
            for kind in kinds {
                rows.extend(connection.all(&sql, params![contest, kind])?);
            }
            Ok(())
        })?;
        rows.sort_by_key(|row| row.seq);
        Ok(rows)
    }

    /// Announces computed objects, such as the state and awards, in one transaction; `None`: the object was
    /// deleted.
    pub(crate) fn announce_all(&self, changes: Vec<(Notice<'_>, Option<Value>)>) -> Result<()> {
        self.write(|tx| {
            for (notice, data) in changes {
                tx.announce(notice, data.as_ref())?;
            }
            Ok(())
        })
    }
}
