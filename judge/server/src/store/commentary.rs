//! Comments of the jury on what happens in a contest.

use super::objects;
use super::query::{Json, Queries, columns, json, record};
use super::{
    CommentId, ContestId, Notice, Result, Store, Tx, UserId, Visibility, contests, finality, now_ms,
};
use rusqlite::Connection;
use serde::Deserialize;

record! { |row|
    /// A comment.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Comment {
        /// Its number; its id in the Contest API.
        pub(crate) id: CommentId,
        pub(crate) contest: ContestId,
        /// When it was made.
        pub(crate) time_ms: i64,
        /// Its text, tags and the objects that it is about.
        pub(crate) content: CommentContent = CommentContent::from_row(row)?,
    }
}

record! { |row|
    /// The content of a comment, with ids of the Contest API, which gives it as JSON.
    #[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct CommentContent {
        /// The text.
        pub message: String,
        /// Words that classify it.
        #[serde(default)]
        pub tags: Vec<String> = json(row, "tags")?,
        /// Teams that it is about.
        #[serde(default, rename = "team_ids")]
        pub teams: Vec<String> = json(row, "teams")?,
        /// Problems that it is about.
        #[serde(default, rename = "problem_ids")]
        pub problems: Vec<String> = json(row, "problems")?,
        /// Submissions that it is about.
        #[serde(default, rename = "submission_ids")]
        pub submissions: Vec<String> = json(row, "submissions")?,
    }
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
    /// When the updates of the contest have ended.
    pub fn add_comment(
        &self,
        contest: ContestId,
        author: UserId,
        content: CommentContent,
    ) -> Result<Comment> {
        self.write(|tx| {
            finality::must_accept_updates(tx, contest)?;
            let time_ms = now_ms();
            let columns = columns! {
                content { message },
                contest: contest,
                author: author,
                time_ms: time_ms,
                tags: Json(&content.tags),
                teams: Json(&content.teams),
                problems: Json(&content.problems),
                submissions: Json(&content.submissions),
            };
            let id = tx.insert("commentary", columns)?;
            let comment = Comment {
                id,
                contest,
                time_ms,
                content,
            };
            announce(tx, &comment)?;
            Ok(comment)
        })
    }

    /// The comments of a contest, the oldest first.
    pub(crate) fn commentary(&self, contest: ContestId) -> Result<Vec<Comment>> {
        self.read(|connection| all(connection, contest))
    }
}
