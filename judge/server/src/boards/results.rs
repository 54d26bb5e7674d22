//! The results of a contest in memory.

use super::{Audience, Board};
use crate::contest_api::RelTime;
use crate::scoreboard::{self, Attempt, AttemptResult, Rules, Scoring, View, set_ranks};
use crate::store::{
    self, BoardData, Contest, ContestId, ContestProblem, ContestResult, Group, Organization,
    ProblemId, Store, SubmissionId, Team, TeamId,
};
use judge_core::verdict::Verdict;
use std::collections::HashMap;
use std::sync::Arc;

/// The data that the boards of a contest follow from, and the last boards.
pub struct Results {
    contest: Arc<Contest>,
    teams: Arc<[Team]>,
    /// Whether each team is hidden, itself or by a group.
    is_hidden: Vec<bool>,
    problems: Arc<[ContestProblem]>,
    organizations: Arc<[Organization]>,
    groups: Arc<[Group]>,
    team_index: HashMap<TeamId, usize>,
    problem_index: HashMap<ProblemId, usize>,
    /// The penalty that the jury added, of each team.
    extra_penalty: Vec<RelTime>,
    /// Submissions of teams, by number.
    attempts: Vec<KeptAttempt>,
    configuration: i64,
    /// The last row of the feed that is included.
    last: i64,
    boards: HashMap<Audience, (Phase, Arc<Board>)>,
}

/// A submission of a team.
#[derive(Clone, Copy)]
struct KeptAttempt {
    submission: SubmissionId,
    /// It has a result that no judge has verified, in a contest that demands it.
    unverified: bool,
    attempt: Attempt,
}

/// Parts of a board that follow from the time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Phase {
    /// The problems are shown.
    has_started: bool,
    /// All results are withheld from spectators.
    withholds: bool,
}

impl Results {
    /// Reads everything.
    pub fn read(store: &Store, contest: ContestId) -> store::Result<Self> {
        let BoardData {
            contest,
            teams,
            hidden,
            problems,
            organizations,
            groups,
            results,
            extra_penalty,
            configuration,
            last,
        } = store.board_data(contest)?;
        let extra = |team: &Team| extra_penalty.get(&team.id).copied().unwrap_or(0);
        let mut own = Results {
            extra_penalty: teams
                .iter()
                .map(|team| RelTime::from_millis(extra(team)))
                .collect(),
            team_index: teams.iter().zip(0..).map(|(t, k)| (t.id, k)).collect(),
            problem_index: problems
                .iter()
                .zip(0..)
                .map(|(p, k)| (p.problem, k))
                .collect(),
            is_hidden: teams.iter().map(|team| hidden.contains(&team.id)).collect(),
            contest: Arc::new(contest),
            teams: teams.into(),
            problems: problems.into(),
            organizations: organizations.into(),
            groups: groups.into(),
            attempts: Vec::new(),
            configuration,
            last,
            boards: HashMap::new(),
        };
        let attempts = results.iter().filter_map(|result| own.attempt(result));
        own.attempts = attempts.collect();
        Ok(own)
    }

    /// The same with the changes since then.
    pub fn updated(mut self, store: &Store) -> store::Result<Self> {
        let changes = store.board_changes(self.contest.id, self.last)?;
        if changes.configuration != self.configuration {
            return Results::read(store, self.contest.id);
        }
        self.last = changes.last;
        for result in &changes.results {
            let Some(attempt) = self.attempt(result) else {
                continue;
            };
            self.boards.clear();
            let id = result.submission;
            match self
                .attempts
                .binary_search_by_key(&id, |own| own.submission)
            {
                Ok(at) => self.attempts[at] = attempt,
                Err(at) => self.attempts.insert(at, attempt),
            }
        }
        Ok(self)
    }

    fn attempt(&self, own: &ContestResult) -> Option<KeptAttempt> {
        let time = self.contest.contest_time_at(own.time_ms);
        let verdict = own
            .verdict
            .filter(|verdict| *verdict != Verdict::JudgeError);
        let attempt = Attempt {
            team: *self.team_index.get(&own.team?)?,
            problem: *self.problem_index.get(&own.problem)?,
            // Without a start, every time is before it.
            time: RelTime::from_millis(time.unwrap_or(i64::MIN)),
            // A judging error is no result: the submission is judged again.
            result: verdict.map(|verdict| AttemptResult {
                solved: verdict == Verdict::Accepted,
                counts: verdict != Verdict::CompileError,
                score: own
                    .score
                    .unwrap_or(f64::from(u8::from(verdict == Verdict::Accepted))),
            }),
        };
        Some(KeptAttempt {
            submission: own.submission,
            unverified: own.is_unverified(&self.contest),
            attempt,
        })
    }

    pub fn board(&mut self, audience: Audience, now_ms: i64) -> Arc<Board> {
        let phase = Phase {
            has_started: self.contest.has_started(now_ms),
            withholds: self.contest.withholds_results(now_ms),
        };
        if let Some((of, board)) = self.boards.get(&audience)
            && *of == phase
        {
            return board.clone();
        }
        let board = Arc::new(self.compute(audience, phase));
        self.boards.insert(audience, (phase, board.clone()));
        board
    }

    fn compute(&self, audience: Audience, phase: Phase) -> Board {
        let for_jury = audience != Audience::Spectators;
        let rules = self.rules(phase);
        let is_seen = |team: usize| audience == Audience::Jury || !self.is_hidden[team];
        let frozen = !for_jury && (self.contest.thawed_ms.is_none() || phase.withholds);
        // Before the start there are no submissions either.
        let problems: Arc<[ContestProblem]> = match for_jury || phase.has_started {
            true => self.problems.clone(),
            false => Arc::default(),
        };
        let attempts = self.attempts.iter().map(|own| Attempt {
            result: own.attempt.result.filter(|_| for_jury || !own.unverified),
            ..own.attempt
        });
        let attempts: Vec<Attempt> = attempts.filter(|own| is_seen(own.team)).collect();
        let names: Vec<&str> = self.teams.iter().map(Team::shown_name).collect();
        let view = if frozen { View::Frozen } else { View::Jury };
        let mut rows = scoreboard::scoreboard(&rules, &names, problems.len(), &attempts, view);
        let has_extra = self.extra_penalty.iter().any(|extra| extra.millis() != 0);
        if has_extra && rules.scoring != Scoring::Points {
            for row in &mut rows {
                row.total_time = row.total_time + self.extra_penalty[row.team];
            }
            scoreboard::sort(rules.scoring, &names, &mut rows);
        }
        if !(0..self.teams.len()).all(is_seen) {
            rows.retain(|row| is_seen(row.team));
            set_ranks(rules.scoring, &mut rows);
        }
        Board {
            contest: self.contest.clone(),
            teams: self.teams.clone(),
            problems,
            organizations: self.organizations.clone(),
            groups: self.groups.clone(),
            rows,
            scoring: rules.scoring,
        }
    }

    fn rules(&self, phase: Phase) -> Rules {
        let contest = &self.contest;
        Rules {
            scoring: match contest.scoring {
                store::Scoring::Icpc => Scoring::PassFail {
                    penalty: RelTime::from_millis(contest.penalty_ms),
                },
                store::Scoring::Points => Scoring::Points,
            },
            duration: RelTime::from_millis(contest.duration_ms),
            freeze: match contest.freeze_ms {
                _ if phase.withholds => Some(RelTime::from_millis(0)),
                freeze => freeze.map(|freeze| RelTime::from_millis(contest.duration_ms - freeze)),
            },
        }
    }
}
