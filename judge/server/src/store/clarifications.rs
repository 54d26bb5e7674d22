//! Clarifications.

use super::{
    ClarificationId, ContestId, Notice, ProblemId, Result, Store, TeamId, UserId, Visibility,
    contests, now_ms,
};
use crate::objects;
use rusqlite::{Connection, Row, params};

/// A question or an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clarification {
    /// Its number; its id in the Contest API.
    pub id: ClarificationId,
    /// The contest.
    pub contest: ContestId,
    /// The problem, if it is about one, and the id of its package.
    pub problem: Option<(ProblemId, String)>,
    /// The team that asks, and its id in the Contest API; `None`: the jury.
    pub from_team: Option<(TeamId, String)>,
    /// The team that is answered; `None`: all teams if it is from the jury, otherwise the jury.
    pub to_team: Option<(TeamId, String)>,
    /// What it answers.
    pub reply_to: Option<ClarificationId>,
    /// The text.
    pub text: String,
    /// Who wrote it.
    pub author: Option<UserId>,
    /// When.
    pub time_ms: i64,
}

/// A clarification to add.
#[derive(Clone, Debug)]
pub struct NewClarification {
    /// The contest.
    pub contest: ContestId,
    /// The problem, if it is about one.
    pub problem: Option<ProblemId>,
    /// The team that asks; `None`: the jury.
    pub from_team: Option<TeamId>,
    /// The team that is answered; `None`: all teams if it is from the jury, otherwise the jury.
    pub to_team: Option<TeamId>,
    /// What it answers.
    pub reply_to: Option<ClarificationId>,
    /// The text.
    pub text: String,
    /// Who writes it.
    pub author: Option<UserId>,
}

impl Clarification {
    /// Who may see it.
    pub fn visible(&self) -> Visibility {
        match (&self.from_team, &self.to_team) {
            (Some((team, _)), _) | (None, Some((team, _))) => Visibility::Team(*team),
            (None, None) => Visibility::Public,
        }
    }
}

const CLARIFICATION: &str = "SELECT c.*, p.ext AS problem_ext, f.ext AS from_ext, t.ext AS to_ext
    FROM clarifications c LEFT JOIN problems p ON p.id = c.problem
    LEFT JOIN teams f ON f.id = c.from_team LEFT JOIN teams t ON t.id = c.to_team";

fn clarification(row: &Row<'_>) -> rusqlite::Result<Clarification> {
    let team = |id: &str, ext: &str| -> rusqlite::Result<Option<(TeamId, String)>> {
        Ok(row.get::<_, Option<TeamId>>(id)?.zip(row.get(ext)?))
    };
    let problem: Option<ProblemId> = row.get("problem")?;
    Ok(Clarification {
        id: row.get("id")?,
        contest: row.get("contest")?,
        problem: problem.zip(row.get("problem_ext")?),
        from_team: team("from_team", "from_ext")?,
        to_team: team("to_team", "to_ext")?,
        reply_to: row.get("reply_to")?,
        text: row.get("text")?,
        author: row.get("author")?,
        time_ms: row.get("time_ms")?,
    })
}

fn by_id(connection: &Connection, id: ClarificationId) -> Result<Clarification> {
    let sql = format!("{CLARIFICATION} WHERE c.id = ?1");
    Ok(connection
        .prepare_cached(&sql)?
        .query_row([id], clarification)?)
}

impl Store {
    /// Adds a clarification and announces it.
    ///
    /// # Errors
    ///
    /// When an object that it names does not exist.
    pub fn add_clarification(&self, new: &NewClarification) -> Result<ClarificationId> {
        self.write(|tx| {
            tx.execute(
                "INSERT INTO clarifications (contest, problem, from_team, to_team, reply_to, text, author,
                     time_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    new.contest,
                    new.problem,
                    new.from_team,
                    new.to_team,
                    new.reply_to,
                    new.text,
                    new.author,
                    now_ms()
                ],
            )?;
            let id = ClarificationId(tx.last_insert_rowid());
            let added = by_id(tx, id)?;
            let contest = contests::by_id(tx, new.contest)?;
            let notice = Notice {
                contest: contest.id,
                kind: "clarifications",
                object: Some(id.to_string()),
                visible: added.visible(),
            };
            tx.announce(notice, Some(&objects::clarification(&added, &contest)?))?;
            Ok(id)
        })
    }

    /// A clarification.
    ///
    /// # Errors
    ///
    /// When there is none with this number.
    pub fn clarification(&self, id: ClarificationId) -> Result<Clarification> {
        self.read(|connection| by_id(connection, id))
    }

    /// The clarifications of a contest, the first one first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn clarifications(&self, contest: ContestId) -> Result<Vec<Clarification>> {
        self.read(|connection| {
            let sql = format!("{CLARIFICATION} WHERE c.contest = ?1 ORDER BY c.id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([contest], clarification)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
