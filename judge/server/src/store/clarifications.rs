//! Clarifications of contests: adding and reading them.

use super::feed_change::FeedChange;
use super::query::{Queries, columns, named, record};
use super::{
    ClarificationId, ContestId, Error, ONCE_MS, ProblemId, Result, Store, TeamId, UserId,
    Visibility, finality, now_ms, refuse_if,
};
use crate::contest_api::check_text;
use rusqlite::{Connection, Row, params};

record! { |row|
    /// A question or an answer.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Clarification {
        /// Its number; its id in the Contest API.
        pub(crate) id: ClarificationId,
        pub(crate) contest: ContestId,
        /// The problem, if it is about one, and the id of its package.
        pub(crate) problem: Option<(ProblemId, String)> = named(row, "problem", "problem_ext")?,
        /// The category of the contest, if it is in one.
        pub category: Option<String>,
        /// The team that asks, and its id in the Contest API; `None`: the jury.
        pub(crate) from_team: Option<(TeamId, String)> = named(row, "from_team", "from_ext")?,
        /// The team that is answered; `None`: all teams if it is from the jury, otherwise the jury.
        pub(crate) to_team: Option<(TeamId, String)> = named(row, "to_team", "to_ext")?,
        pub reply_to: Option<ClarificationId>,
        /// The audience of the clarification that it answers.
        pub(crate) question_visible: Option<Visibility> = question_visible(row)?,
        pub text: String,
        pub(crate) author: Option<UserId>,
        /// When it was sent.
        pub(crate) time_ms: i64,
    }
}

record! { |row|
    /// A note of the jury on a question, which only the jury sees.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct ClarificationNote {
        pub(crate) clarification: ClarificationId,
        /// The name of its author, if the account still exists.
        pub(crate) by: Option<String>,
        pub text: String,
        pub(crate) time_ms: i64,
    }
}

#[derive(Clone, Debug, Default)]
pub struct NewClarification {
    pub contest: ContestId,
    /// The problem, if it is about one.
    pub problem: Option<ProblemId>,
    /// The category of the contest, if it is in one.
    pub category: Option<String>,
    /// The team that asks; `None`: the jury.
    pub from_team: Option<TeamId>,
    /// The team that is answered; `None`: all teams if it is from the jury, otherwise the jury.
    pub to_team: Option<TeamId>,
    pub reply_to: Option<ClarificationId>,
    pub text: String,
    pub author: Option<UserId>,
    /// Its number; `None`: the next one.
    pub id: Option<ClarificationId>,
    /// When it was sent; `None`: now.
    pub time_ms: Option<i64>,
    /// It is refused if its author sent the same one just before, as by a double click.
    pub once: bool,
    /// The answers to `reply_to` that its author saw; it is refused if there are others.
    pub answers: Option<usize>,
}

impl Clarification {
    /// The viewers that see it in the feed, besides the jury.
    pub fn visible(&self) -> Visibility {
        let team = |team: &Option<(TeamId, String)>| team.as_ref().map(|(id, _)| *id);
        visible(team(&self.from_team), team(&self.to_team))
    }

    /// The rows of the feed: the audience of each, and whether the row names the clarification that is
    /// answered. Viewers who may not see that one get a row without it.
    pub(super) fn rows(&self) -> Vec<(Visibility, bool)> {
        let all = self.visible();
        match (all, self.question_visible) {
            (all, Some(question)) if question != all && question != Visibility::Public => {
                // Viewers who may see both clarifications get the second row in addition.
                let second = match (all, question) {
                    (Visibility::Public, question) => question,
                    _ => Visibility::Jury,
                };
                vec![(all, false), (second, true)]
            }
            _ => vec![(all, true)],
        }
    }
}

fn visible(from_team: Option<TeamId>, to_team: Option<TeamId>) -> Visibility {
    match from_team.or(to_team) {
        Some(team) => Visibility::Team(team),
        None => Visibility::Public,
    }
}

const CLARIFICATION: &str = "SELECT c.*, p.ext AS problem_ext, f.ext AS from_ext, t.ext AS to_ext,
        q.id AS question, q.from_team AS question_from, q.to_team AS question_to
    FROM clarifications c LEFT JOIN clarifications q ON q.id = c.reply_to LEFT JOIN problems p ON p.id = c.problem
    LEFT JOIN teams f ON f.id = c.from_team LEFT JOIN teams t ON t.id = c.to_team";

/// The audience of the clarification that this one answers.
fn question_visible(row: &Row<'_>) -> rusqlite::Result<Option<Visibility>> {
    let question: Option<ClarificationId> = row.get("question")?;
    let all = visible(row.get("question_from")?, row.get("question_to")?);
    Ok(question.map(|_| all))
}

pub(super) fn by_id(connection: &Connection, id: ClarificationId) -> Result<Clarification> {
    connection.one(&format!("{CLARIFICATION} WHERE c.id = ?1"), [id])
}

/// The numbers of the clarifications of a contest, the oldest first.
pub(super) fn ids_of(connection: &Connection, contest: ContestId) -> Result<Vec<ClarificationId>> {
    connection.all(
        "SELECT id FROM clarifications WHERE contest = ?1 ORDER BY id",
        [contest],
    )
}

impl Store {
    /// Adds a clarification and announces it.
    /// Fails when the updates of the contest have ended, the text has control characters, or the number is in use.
    pub fn add_clarification(&self, new: &NewClarification) -> Result<ClarificationId> {
        check_text(&new.text)?;
        self.write(|tx| {
            finality::must_accept_updates(tx, new.contest)?;
            if let Some(id) = new.id
                && by_id(tx, id).is_ok()
            {
                return Err(Error::Conflict(format!(
                    "there is a clarification {id} already"
                )));
            }
            if new.once {
                let same: bool = tx.one(
                    "SELECT EXISTS (SELECT 1 FROM clarifications WHERE contest = ?1 AND text = ?2 AND author IS ?3
                     AND to_team IS ?4 AND reply_to IS ?5 AND problem IS ?6 AND category IS ?7 AND time_ms > ?8)",
                    params![
                        new.contest, new.text, new.author, new.to_team, new.reply_to, new.problem,
                        new.category, now_ms() - ONCE_MS
                    ],
                )?;
                refuse_if(same, "you sent this text just now; it was not sent a second time")?;
            }
            if let Some(seen) = new.answers {
                let count: usize = tx.one(
                    "SELECT count(*) FROM clarifications WHERE reply_to = ?1",
                    params![new.reply_to],
                )?;
                let why = "somebody else answered this question meanwhile; load the page again and read that answer first";
                refuse_if(count != seen, why)?;
            }
            let columns = columns! {
                new { id, contest, problem, category, from_team, to_team, reply_to, text, author },
                time_ms: new.time_ms.unwrap_or_else(now_ms),
            };
            let id = tx.insert("clarifications", columns)?;
            tx.announce_later(FeedChange::Clarification(id));
            Ok(id)
        })
    }

    /// Changes the problem or the category of a question and of the answers to it, and announces them again.
    /// Fails when the updates of the contest have ended.
    pub(crate) fn set_subject(
        &self,
        id: ClarificationId,
        problem: Option<ProblemId>,
        category: Option<&str>,
    ) -> Result<()> {
        self.write(|tx| {
            finality::must_accept_updates(tx, by_id(tx, id)?.contest)?;
            let changed: Vec<ClarificationId> = tx.all(
                "UPDATE clarifications SET problem = ?2, category = ?3
                 WHERE id = ?1 OR reply_to = ?1 RETURNING id",
                params![id, problem, category],
            )?;
            for id in changed {
                tx.announce_later(FeedChange::Clarification(id));
            }
            Ok(())
        })
    }

    /// Adds a note of the jury to a question.
    /// Fails when the text is invalid.
    pub(crate) fn add_note(&self, id: ClarificationId, by: UserId, text: &str) -> Result<()> {
        check_text(text)?;
        self.write(|tx| {
            let columns = columns! {
                clarification: by_id(tx, id)?.id,
                author: by,
                text: text,
                time_ms: now_ms(),
            };
            tx.insert("clarification_notes", columns).map(|_: i64| ())
        })
    }

    /// The notes of the jury on the questions of a contest, the oldest first.
    pub(crate) fn notes(&self, contest: ContestId) -> Result<Vec<ClarificationNote>> {
        self.all(
            "SELECT n.clarification, users.name AS by, n.text, n.time_ms FROM clarification_notes n
             JOIN clarifications c ON c.id = n.clarification LEFT JOIN users ON users.id = n.author
             WHERE c.contest = ?1 ORDER BY n.id",
            [contest],
        )
    }

    pub(crate) fn clarification(&self, id: ClarificationId) -> Result<Clarification> {
        self.read(|connection| by_id(connection, id))
    }

    /// The clarifications of a contest, the oldest first.
    pub fn clarifications(&self, contest: ContestId) -> Result<Vec<Clarification>> {
        self.all(
            &format!("{CLARIFICATION} WHERE c.contest = ?1 ORDER BY c.id"),
            [contest],
        )
    }
}
