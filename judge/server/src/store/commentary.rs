//! Comments of the jury on what happens in a contest.

use super::objects;
use super::query::{Queries, from_row};
use super::{
    CommentId, ContestId, Notice, Result, Store, Tx, UserId, Visibility, contests, now_ms,
};
use rusqlite::{Connection, Row, params};

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its number; its id in the Contest API.
    pub(crate) id: CommentId,
    pub(crate) contest: ContestId,
    /// When it was made.
    pub(crate) time_ms: i64,
    /// Its text, tags and the objects that it is about.
    pub(crate) content: CommentContent,
}

from_row! {
    Comment { id, contest, time_ms } |row| { content: CommentContent::from_row(row)? }
}

/// The content of a comment, with ids of the Contest API.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CommentContent {
    /// The text.
    pub message: String,
    /// Words that classify it.
    pub tags: Vec<String>,
    /// Teams that it is about.
    pub teams: Vec<String>,
    /// Problems that it is about.
    pub problems: Vec<String>,
    /// Submissions that it is about.
    pub submissions: Vec<String>,
}

from_row! {
    CommentContent { message } |row| {
        tags: texts(row, "tags")?,
        teams: texts(row, "teams")?,
        problems: texts(row, "problems")?,
        submissions: texts(row, "submissions")?,
    }
}

/// A column that is a JSON array of texts.
fn texts(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<String>> {
    let text: String = row.get(column)?;
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

fn all(connection: &Connection, contest: ContestId) -> Result<Vec<Comment>> {
    connection.all(
        "SELECT * FROM commentary WHERE contest = ?1 ORDER BY id",
        [contest],
    )
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
            tx.run(
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
    pub(crate) fn commentary(&self, contest: ContestId) -> Result<Vec<Comment>> {
        self.read(|connection| all(connection, contest))
    }
}
