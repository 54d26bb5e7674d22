//! Submissions as the jury lists them: filtered, each with the judging that counts.

use super::{
    ContestId, JudgingId, JudgingState, ProblemId, Result, Store, SubmissionId, TeamId, UserId,
};
use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

/// Which submissions to list; `None` does not restrict.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReviewFilter {
    /// Only this one.
    pub submission: Option<SubmissionId>,
    /// Of this contest; `Some(None)`: of practice.
    pub contest: Option<Option<ContestId>>,
    pub problem: Option<ProblemId>,
    pub team: Option<TeamId>,
    pub user: Option<UserId>,
    pub language: Option<String>,
    /// With this verdict, in letters.
    pub verdict: Option<String>,
    /// `Some(true)`: those that have a verdict; `Some(false)`: those that wait or are being judged.
    pub judged: Option<bool>,
    /// Not before this time: milliseconds since 1970.
    pub from_ms: Option<i64>,
    /// Before this time.
    pub until_ms: Option<i64>,
}

/// A submission in the jury's list.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewRow {
    /// Its number.
    pub id: SubmissionId,
    /// The contest and its name; `None`: practice.
    pub contest: Option<(ContestId, String)>,
    /// The problem and the id of its package.
    pub problem: (ProblemId, String),
    /// The team and its name.
    pub team: Option<(TeamId, String)>,
    /// The user and their name.
    pub user: (UserId, String),
    /// The language's code.
    pub language: String,
    /// When it was submitted.
    pub time_ms: i64,
    /// The judging that counts.
    pub judging: JudgingId,
    /// Its progress.
    pub state: JudgingState,
    /// Its verdict, in letters.
    pub verdict: Option<String>,
    /// Its points, for a scoring problem.
    pub score: Option<f64>,
    /// Maximum CPU seconds of a case.
    pub max_cpu_s: Option<f64>,
    /// Maximum memory of a case, in bytes.
    pub max_memory: Option<u64>,
    /// The CPU-time limit that applied, in seconds.
    pub time_limit_s: Option<f64>,
}

const FROM: &str = "FROM submissions s JOIN judgings j ON j.submission = s.id AND j.valid = 1";

/// The condition, and its values.
fn condition(filter: &ReviewFilter) -> (String, Vec<Value>) {
    let mut conditions = vec!["1".to_owned()];
    let mut values: Vec<Value> = Vec::new();
    let mut add = |column: &str, value: Option<Value>| {
        if let Some(value) = value {
            values.push(value);
            conditions.push(format!("{column} ?{}", values.len()));
        }
    };
    add("s.id =", filter.submission.map(|id| id.0.into()));
    add(
        "s.contest =",
        filter.contest.flatten().map(|id| id.0.into()),
    );
    add("s.problem =", filter.problem.map(|id| id.0.into()));
    add("s.team =", filter.team.map(|id| id.0.into()));
    add("s.user =", filter.user.map(|id| id.0.into()));
    add("s.language =", filter.language.clone().map(Value::from));
    add("j.verdict =", filter.verdict.clone().map(Value::from));
    add(
        "(j.state = 'done') =",
        filter.judged.map(|judged| i64::from(judged).into()),
    );
    add("s.time_ms >=", filter.from_ms.map(Value::from));
    add("s.time_ms <", filter.until_ms.map(Value::from));
    if filter.contest == Some(None) {
        conditions.push("s.contest IS NULL".to_owned());
    }
    (conditions.join(" AND "), values)
}

fn review_row(row: &Row<'_>) -> rusqlite::Result<ReviewRow> {
    let contest: Option<ContestId> = row.get("contest")?;
    let team: Option<TeamId> = row.get("team")?;
    Ok(ReviewRow {
        id: row.get("id")?,
        contest: contest.zip(row.get("contest_name")?),
        problem: (row.get("problem")?, row.get("problem_ext")?),
        team: team.zip(row.get("team_name")?),
        user: (row.get("user")?, row.get("user_name")?),
        language: row.get("language")?,
        time_ms: row.get("time_ms")?,
        judging: row.get("judging")?,
        state: row.get("state")?,
        verdict: row.get("verdict")?,
        score: row.get("score")?,
        max_cpu_s: row.get("max_cpu_s")?,
        max_memory: row.get::<_, Option<i64>>("max_memory")?.map(|n| n as u64),
        time_limit_s: row.get("time_limit_s")?,
    })
}

impl Store {
    /// At most `count` submissions after the first `skip`, the latest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn review(
        &self,
        filter: &ReviewFilter,
        skip: usize,
        count: usize,
    ) -> Result<Vec<ReviewRow>> {
        let (condition, mut values) = condition(filter);
        values.extend([Value::from(count as i64), Value::from(skip as i64)]);
        let sql = format!(
            "SELECT s.*, contests.name AS contest_name, problems.ext AS problem_ext,
                 COALESCE(teams.display_name, teams.name) AS team_name, users.name AS user_name,
                 j.id AS judging, j.state, j.verdict, j.score, j.max_cpu_s, j.max_memory, j.time_limit_s
             {FROM} JOIN problems ON problems.id = s.problem JOIN users ON users.id = s.user
             LEFT JOIN teams ON teams.id = s.team LEFT JOIN contests ON contests.id = s.contest
             WHERE {condition} ORDER BY s.id DESC LIMIT ?{} OFFSET ?{}",
            values.len() - 1,
            values.len()
        );
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(values), review_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The numbers of all submissions of a filter, the first one first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn review_ids(&self, filter: &ReviewFilter) -> Result<Vec<SubmissionId>> {
        let (condition, values) = condition(filter);
        let sql = format!("SELECT s.id {FROM} WHERE {condition} ORDER BY s.id");
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(values), |row| row.get(0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The number of submissions of a filter.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn review_count(&self, filter: &ReviewFilter) -> Result<usize> {
        let (condition, values) = condition(filter);
        let sql = format!("SELECT COUNT(*) {FROM} WHERE {condition}");
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let count: i64 = statement.query_row(params_from_iter(values), |row| row.get(0))?;
            Ok(count as usize)
        })
    }
}
