//! Comments of the jury on what happens in a contest.

use super::feed_change::FeedChange;
use super::query::{Json, Queries, columns, json, record};
use super::{CommentId, ContestId, Result, Store, UserId, finality, now_ms};
use crate::contest_api::check_text;
use rusqlite::Connection;
use serde::Deserialize;

record! { |row|
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
        pub message: String,
        /// Words that classify it.
        #[serde(default)]
        pub tags: Vec<String> = json(row, "tags")?,
        #[serde(default, rename = "team_ids")]
        pub teams: Vec<String> = json(row, "teams")?,
        #[serde(default, rename = "problem_ids")]
        pub problems: Vec<String> = json(row, "problems")?,
        #[serde(default, rename = "submission_ids")]
        pub submissions: Vec<String> = json(row, "submissions")?,
    }
}

/// The comments of a contest, the oldest first.
pub(super) fn all(connection: &Connection, contest: ContestId) -> Result<Vec<Comment>> {
    connection.all(
        "SELECT * FROM commentary WHERE contest = ?1 ORDER BY id",
        [contest],
    )
}

pub(super) fn by_id(connection: &Connection, id: CommentId) -> Result<Comment> {
    connection.numbered("comment", "SELECT * FROM commentary WHERE id = ?1", id)
}

impl Store {
    /// Adds a comment and announces it.
    /// Fails when the updates of the contest have ended, or a text has control characters.
    pub fn add_comment(
        &self,
        contest: ContestId,
        author: UserId,
        content: CommentContent,
    ) -> Result<Comment> {
        check_text(&content.message)?;
        content.tags.iter().try_for_each(|tag| check_text(tag))?;
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
            tx.announce_later(FeedChange::Comment(id));
            Ok(comment)
        })
    }

    /// The comments of a contest, the oldest first.
    pub(crate) fn commentary(&self, contest: ContestId) -> Result<Vec<Comment>> {
        self.read(|connection| all(connection, contest))
    }
}
