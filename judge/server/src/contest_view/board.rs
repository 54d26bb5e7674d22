//! The scoreboard of a contest.

use super::{View, ids};
use crate::access;
use crate::contest_api::{Id, RelTime, Scoreboard, Time};
use crate::http::{Result, not_found};
use crate::scoreboard::{self, Attempt, AttemptResult, Row, Rules, Scoring};
use crate::store::objects;
use crate::store::{self, Team};
use std::collections::HashMap;

/// The rows of a scoreboard with what their indices mean.
pub struct Board {
    /// By index.
    pub teams: Vec<Team>,
    /// The ids of the problems, by index.
    pub problems: Vec<Id>,
    /// By rank.
    pub rows: Vec<Row>,
    /// The criteria that teams are ranked by.
    pub scoring: Scoring,
}

impl View<'_> {
    /// The scoreboard of the teams that the viewer may see, or of those of a group.
    ///
    /// # Errors
    ///
    /// `NotFound` for a group that the viewer may not see.
    pub fn board(&self, group: Option<&str>) -> Result<Board> {
        let results = self.app.store.contest_results(self.contest.id)?;
        self.board_of(group, &results)
    }

    /// The same, from all submissions of the contest and the judgings that count.
    pub(super) fn board_of(
        &self,
        group: Option<&str>,
        results: &[store::ContestResult],
    ) -> Result<Board> {
        let mut teams = self.seen_teams()?;
        let hidden = self.hidden_teams()?;
        teams.retain(|team| self.viewer.is_jury() || !hidden.contains(&team.id));
        if let Some(wanted) = group {
            let groups = self.seen_groups()?;
            let found = groups.iter().find(|group| group.ext == wanted);
            let unknown = || not_found(format!("there is no group {wanted:?}"));
            let id = found.ok_or_else(unknown)?.id;
            teams.retain(|team| team.groups.contains(&id));
        }
        // Problems are not shown before the start, but then there are no submissions either.
        let problems = self.contest_problems()?;
        let rules = self.rules();
        let attempts = self.attempts(&teams, &problems, results);
        let frozen = (self.contest.thawed_ms.is_none() || self.withholds())
            && !access::sees_unfrozen_scoreboard(self.viewer);
        let view = match frozen {
            true => scoreboard::View::Frozen,
            false => scoreboard::View::Jury,
        };
        let names: Vec<&str> = teams.iter().map(Team::shown_name).collect();
        let rows = scoreboard::scoreboard(&rules, &names, problems.len(), &attempts, view);
        Ok(Board {
            teams,
            problems: ids(problems.iter().map(|problem| problem.ext.as_str()))?,
            rows,
            scoring: rules.scoring,
        })
    }

    /// The scoreboard as an object of the Contest API.
    ///
    /// # Errors
    ///
    /// Errors of [`View::board`].
    pub fn scoreboard(&self, group: Option<&str>) -> Result<Scoreboard> {
        let board = self.board(group)?;
        let teams = ids(board.teams.iter().map(|team| team.ext.as_str()))?;
        let since = self.contest.start_ms.map_or(0, |start| self.now_ms - start);
        Ok(Scoreboard {
            time: Time::from_millis(self.now_ms),
            contest_time: RelTime::from_millis(since),
            state: objects::state(&self.contest, self.now_ms),
            rows: scoreboard::api_rows(board.scoring, &board.rows, &teams, &board.problems),
        })
    }

    fn rules(&self) -> Rules {
        Rules {
            scoring: match self.contest.scoring {
                store::Scoring::Icpc => Scoring::PassFail {
                    penalty: RelTime::from_millis(self.contest.penalty_ms),
                },
                store::Scoring::Points => Scoring::Points,
            },
            duration: RelTime::from_millis(self.contest.duration_ms),
            freeze: match self.contest.freeze_ms {
                _ if self.withholds() => Some(RelTime::from_millis(0)),
                freeze => {
                    freeze.map(|freeze| RelTime::from_millis(self.contest.duration_ms - freeze))
                }
            },
        }
    }

    /// All results are frozen, because the contest withholds them.
    fn withholds(&self) -> bool {
        self.contest.withholds_results(self.now_ms)
    }

    fn attempts(
        &self,
        teams: &[Team],
        problems: &[store::ContestProblem],
        results: &[store::ContestResult],
    ) -> Vec<Attempt> {
        let team: HashMap<_, _> = teams.iter().zip(0..).map(|(t, k)| (t.id, k)).collect();
        let problem: HashMap<_, _> = problems
            .iter()
            .zip(0..)
            .map(|(p, k)| (p.problem, k))
            .collect();
        let start = self.contest.start_ms.unwrap_or(i64::MAX);
        let attempt = |own: &store::ContestResult| {
            Some(Attempt {
                team: *team.get(&own.team?)?,
                problem: *problem.get(&own.problem)?,
                time: RelTime::from_millis(own.time_ms.saturating_sub(start)),
                result: own.verdict.as_deref().map(|verdict| AttemptResult {
                    solved: verdict == "AC",
                    counts: !matches!(verdict, "CE" | "JE"),
                    score: own.score.unwrap_or(if verdict == "AC" { 1.0 } else { 0.0 }),
                }),
            })
        };
        results.iter().filter_map(attempt).collect()
    }
}
