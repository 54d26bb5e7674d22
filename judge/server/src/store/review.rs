//! Submissions as the jury lists them: filtered, each with the judging that counts.

use super::query::{named, optional_verdict, record};
use super::{
    ContestId, JudgingId, JudgingState, ProblemId, Result, Store, SubmissionFilter, SubmissionId,
    TeamId, UserId,
};
use judge_core::verdict::Verdict;
use rusqlite::params_from_iter;

record! { |row|
    /// A submission in the jury's list.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct ReviewRow {
        pub(crate) id: SubmissionId,
        /// The contest and its name; `None`: practice.
        pub(crate) contest: Option<(ContestId, String)> = named(row, "contest", "contest_name")?,
        /// The problem and the id of its package.
        pub(crate) problem: (ProblemId, String) = (row.get("problem")?, row.get("problem_ext")?),
        /// The label of the problem in the contest.
        pub(crate) label: Option<String>,
        pub(crate) team: Option<(TeamId, String)> = named(row, "team", "team_name")?,
        /// The user and their name.
        pub(crate) user: (UserId, String) = (row.get("user")?, row.get("user_name")?),
        /// The language's code.
        pub(crate) language: String,
        /// When it was submitted.
        pub(crate) time_ms: i64,
        pub(crate) judging: JudgingId,
        pub(crate) state: JudgingState,
        pub(crate) verdict: Option<Verdict> = optional_verdict(row, "verdict")?,
        /// Its points, for a scoring problem.
        pub(crate) score: Option<f64>,
        /// Maximum CPU seconds of a case.
        pub(crate) max_cpu_s: Option<f64>,
        /// Maximum memory of a case, in bytes.
        pub(crate) max_memory: Option<u64>,
        /// The CPU-time limit that applied, in seconds.
        pub(crate) time_limit_s: Option<f64>,
        /// It waits for verification.
        pub(crate) unverified: bool,
    }
}

impl ReviewRow {
    /// The name of the team, or of the user if there is no team.
    pub(crate) fn who(&self) -> &str {
        self.team.as_ref().map_or(&self.user.1, |(_, name)| name)
    }
}

const FROM: &str = "FROM submissions s JOIN judgings j ON j.submission = s.id AND j.valid = 1";
/// The same, in the order of the submissions, so that a list reads no more than it shows. By itself SQLite may read all
/// judgings first, and then sort.
const FROM_IN_ORDER: &str =
    "FROM submissions s CROSS JOIN judgings j ON j.submission = s.id AND j.valid = 1";

impl Store {
    /// At most `count` submissions after the first `skip`, the latest first.
    pub(crate) fn review(
        &self,
        filter: &SubmissionFilter,
        skip: usize,
        count: usize,
    ) -> Result<Vec<ReviewRow>> {
        let mut conditions = filter.conditions();
        let (count, skip) = (
            conditions.value(count as i64),
            conditions.value(skip as i64),
        );
        self.all(
            &format!(
                "SELECT s.*, contests.name AS contest_name, problems.ext AS problem_ext, own.label,
                 COALESCE(teams.display_name, teams.name) AS team_name, users.name AS user_name,
                 j.id AS judging, j.state, j.verdict, j.score, j.max_cpu_s, j.max_memory,
                 j.time_limit_s, COALESCE(contests.verification, 0) AND j.state = 'done'
                     AND j.verified_ms IS NULL AS unverified
                 {FROM_IN_ORDER} JOIN problems ON problems.id = s.problem JOIN users ON users.id = s.user
                 LEFT JOIN teams ON teams.id = s.team LEFT JOIN contests ON contests.id = s.contest
                 LEFT JOIN contest_problems own ON own.contest = s.contest AND own.problem = s.problem
                 WHERE {} ORDER BY s.id DESC LIMIT ?{count} OFFSET ?{skip}",
                conditions.sql()
            ),
            params_from_iter(conditions.values),
        )
    }

    /// The numbers of all submissions that pass a filter, the oldest first.
    pub(crate) fn review_ids(&self, filter: &SubmissionFilter) -> Result<Vec<SubmissionId>> {
        let conditions = filter.conditions();
        self.all(
            &format!(
                "SELECT s.id {FROM} WHERE {} ORDER BY s.id",
                conditions.sql()
            ),
            params_from_iter(conditions.values),
        )
    }

    /// The names of the machines of judgings that count.
    pub(crate) fn judging_machines(&self) -> Result<Vec<String>> {
        // One search of the index for each name: `DISTINCT` would read the whole index.
        self.all(
            "WITH RECURSIVE names(name) AS (
                 SELECT MIN(machine) FROM judgings WHERE valid = 1
                 UNION ALL
                 SELECT (SELECT MIN(machine) FROM judgings WHERE valid = 1 AND machine > name)
                 FROM names WHERE name IS NOT NULL
             ) SELECT name FROM names WHERE name IS NOT NULL",
            [],
        )
    }

    /// The number of submissions that pass a filter.
    pub(crate) fn review_count(&self, filter: &SubmissionFilter) -> Result<usize> {
        let conditions = filter.conditions();
        // Each submission has one judging that counts.
        let from = match filter.is_about_judgings() {
            true => FROM,
            false => "FROM submissions s",
        };
        self.one(
            &format!("SELECT COUNT(*) {from} WHERE {}", conditions.sql()),
            params_from_iter(conditions.values),
        )
    }
}
