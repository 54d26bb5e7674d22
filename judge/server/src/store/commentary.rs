//! Comments of the jury on what happens in a contest.

use super::objects;
use super::{
    CommentId, ContestId, Notice, Result, Store, Tx, UserId, Visibility, contests, now_ms,
};
use rusqlite::{Connection, Row, params};

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its number; its id in the Contest API.
    pub id: CommentId,
    pub contest: ContestId,
    /// When it was made.
    pub time_ms: i64,
    /// What it says, and is about.
    pub content: CommentContent,
}

/// What a comment says, with ids of the Contest API.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CommentContent {
    /// The text.
    pub message: String,
    pub tags: Vec<String>,
    /// Teams that it is about.
    pub teams: Vec<String>,
    /// Problems that it is about.
    pub problems: Vec<String>,
    /// Submissions that it is about.
    pub submissions: Vec<String>,
}

fn comment(row: &Row<'_>) -> rusqlite::Result<Comment> {
    let list = |column: &str| -> rusqlite::Result<Vec<String>> {
        let text: String = row.get(column)?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    };
    Ok(Comment {
        id: row.get("id")?,
        contest: row.get("contest")?,
        time_ms: row.get("time_ms")?,
        content: CommentContent {
            message: row.get("message")?,
            tags: list("tags")?,
            teams: list("teams")?,
            problems: list("problems")?,
            submissions: list("submissions")?,
        },
    })
}

fn all(connection: &Connection, contest: ContestId) -> Result<Vec<Comment>> {
    let mut statement =
        connection.prepare_cached("SELECT * FROM commentary WHERE contest = ?1 ORDER BY id")?;
    let rows = statement.query_map([contest], comment)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Announces all comments of a contest, because its clock changed.
pub(super) fn announce_again(tx: &mut Tx<'_>, contest: ContestId) -> Result<()> {
    let comments = all(tx, contest)?;
    comments
        .iter()
        .try_for_each(|comment| announce(tx, comment))
}

fn announce(tx: &mut Tx<'_>, comment: &Comment) -> Result<()> {
    let contest = contests::by_id(tx, comment.contest)?;
    let notice = Notice {
        contest: contest.id,
        kind: "commentary",
        object: Some(comment.id.to_string()),
        visible: Visibility::Public,
        about: None,
    };
    tx.announce(notice, Some(&objects::comment(comment, &contest)?))
}

impl Store {
    /// Adds a comment and announces it.
    ///
    /// # Errors
    ///
    /// When the contest does not exist.
    pub fn add_comment(
        &self,
        contest: ContestId,
        author: UserId,
        content: CommentContent,
    ) -> Result<Comment> {
        let list = |texts: &[String]| serde_json::to_string(texts);
        self.write(|tx| {
            let time_ms = now_ms();
            tx.execute(
                "INSERT INTO commentary (contest, author, time_ms, message, tags, teams, problems,
                     submissions) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    contest,
                    author,
                    time_ms,
                    content.message,
                    list(&content.tags)?,
                    list(&content.teams)?,
                    list(&content.problems)?,
                    list(&content.submissions)?
                ],
            )?;
            let comment = Comment {
                id: CommentId(tx.last_insert_rowid()),
                contest,
                time_ms,
                content,
            };
            announce(tx, &comment)?;
            Ok(comment)
        })
    }

    /// The comments of a contest, the first one first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn commentary(&self, contest: ContestId) -> Result<Vec<Comment>> {
        self.read(|connection| all(connection, contest))
    }
}
