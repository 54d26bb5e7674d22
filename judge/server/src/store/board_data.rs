//! The data of scoreboards, and its changes.

use super::query::{Queries, optional_verdict, record};
use super::{
    Contest, ContestId, ContestProblem, Group, Organization, ProblemId, Result, Store,
    SubmissionId, Team, TeamId, contest, contests, teams,
};
use judge_core::verdict::Verdict;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};

record! { |row|
    /// A submission of a contest with the result that counts. Scoreboards are computed from them.
    #[derive(Clone, PartialEq, Debug)]
    pub struct ContestResult {
        pub submission: SubmissionId,
        pub problem: ProblemId,
        /// The team; `None`: of the jury.
        pub team: Option<TeamId>,
        /// When it was submitted.
        pub(crate) time_ms: i64,
        /// The language's code.
        pub(crate) language: String,
        /// The verdict, once it has one.
        pub verdict: Option<Verdict> = optional_verdict(row, "verdict")?,
        /// Points, for a scoring problem.
        pub(crate) score: Option<f64>,
        /// A judge has verified it.
        pub(crate) verified: bool,
    }
}

impl ContestResult {
    /// Whether the contest demands that a judge verifies results, and none has verified this one.
    pub(crate) fn is_unverified(&self, contest: &Contest) -> bool {
        contest.verification && !self.verified
    }
}

/// Everything that the scoreboards of a contest follow from, at one moment.
#[derive(Debug)]
pub struct BoardData {
    pub contest: Contest,
    pub teams: Vec<Team>,
    /// Teams that are hidden, or in a hidden group.
    pub hidden: HashSet<TeamId>,
    pub problems: Vec<ContestProblem>,
    pub organizations: Vec<Organization>,
    pub groups: Vec<Group>,
    /// In the order of the submissions.
    pub results: Vec<ContestResult>,
    /// Penalty that the jury added to that of teams, in milliseconds.
    pub extra_penalty: HashMap<TeamId, i64>,
    pub configuration: i64,
    /// The number of the last row of the contest's feed.
    pub last: i64,
}

/// Changes of results after a row of the feed.
#[derive(Debug)]
pub struct BoardChanges {
    /// Submissions that were added or changed.
    pub results: Vec<ContestResult>,
    pub configuration: i64,
    /// The number of the last row of the contest's feed.
    pub last: i64,
}

/// Key of the setting that counts the changes of contests, problems, teams and groups.
const CONFIGURATION: &str = "configuration-version";

/// Counts a change of the configuration, in the transaction that makes it.
pub(super) fn bump_configuration(connection: &Connection) -> Result<()> {
    connection.run(
        "INSERT INTO settings (key, value) VALUES (?1, '1')
         ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        [CONFIGURATION],
    )?;
    Ok(())
}

/// The version of the configuration, and the number of the last row of a contest's feed.
fn versions(connection: &Connection, contest: ContestId) -> Result<(i64, i64)> {
    connection.one(
        "SELECT COALESCE((SELECT CAST(value AS INTEGER) FROM settings WHERE key = ?2), 0),
             COALESCE((SELECT MAX(seq) FROM feed WHERE contest = ?1), 0)",
        params![contest, CONFIGURATION],
    )
}

const RESULT: &str =
    "SELECT s.id AS submission, s.problem, s.team, s.time_ms, s.language, j.verdict, j.score,
        j.verified_ms IS NOT NULL AS verified
    FROM submissions s JOIN judgings j ON j.submission = s.id AND j.valid = 1 AND NOT s.ignored";

fn results(connection: &Connection, contest: ContestId) -> Result<Vec<ContestResult>> {
    connection.all(
        &format!("{RESULT} WHERE s.contest = ?1 ORDER BY s.id"),
        [contest],
    )
}

impl Store {
    /// The results of a contest, in the order of the submissions.
    pub fn contest_results(&self, contest: ContestId) -> Result<Vec<ContestResult>> {
        self.read(|connection| results(connection, contest))
    }

    pub(crate) fn board_data(&self, contest: ContestId) -> Result<BoardData> {
        self.read(|connection| {
            let (configuration, last) = versions(connection, contest)?;
            Ok(BoardData {
                contest: contest::by_id(connection, contest)?,
                teams: contests::teams_of(connection, contest)?,
                hidden: teams::all_hidden(connection)?,
                problems: contests::problems_of(connection, contest)?,
                organizations: teams::all_organizations(connection)?,
                groups: teams::all_groups(connection)?,
                results: results(connection, contest)?,
                extra_penalty: contests::extra_penalties(connection, contest)?
                    .into_iter()
                    .collect(),
                configuration,
                last,
            })
        })
    }

    /// The results of a contest that changed after row `since` of its feed, which announces each change of one.
    pub(crate) fn board_changes(&self, contest: ContestId, since: i64) -> Result<BoardChanges> {
        self.read(|connection| {
            let (configuration, last) = versions(connection, contest)?;
            let results = match last == since {
                true => Vec::new(),
                false => connection.all(
                    &format!(
                        "{RESULT} WHERE s.id IN (SELECT submission FROM feed
                         WHERE contest = ?1 AND seq > ?2 AND type IN ('submissions', 'judgements'))"
                    ),
                    params![contest, since],
                )?,
            };
            Ok(BoardChanges {
                results,
                configuration,
                last,
            })
        })
    }
}
