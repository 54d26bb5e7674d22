//! The scoreboard: rules, submissions and their verdicts -> ranked rows.
//!
//! Everything here is pure. A board is computed from all submissions, which takes some milliseconds for the
//! largest contests; so a rejudging needs no special treatment. `boards` keeps the submissions in memory.
//!
//! Counting rules (the ICPC's requirements for contest control systems):
//! - Submissions of one team for one problem count in order of contest time, up to the first accepted
//!   one. Those before the start or at the end or later do not count.
//! - A rejected submission causes penalty time only if its verdict does. One that does not (by default
//!   a compile error or a judging error) is not counted as a try either.
//! - Contest times are rounded down to minutes before they are added to the penalty time.
//! - Ties in solved problems and penalty time are decided by the time of the last accepted submission;
//!   teams that are equal in all three share a rank, and are ordered by name.

mod api;
mod cells;

pub use api::api_rows;

use crate::contest_api::RelTime;
use std::cmp::Ordering;

/// How a contest is scored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rules {
    /// The criteria that teams are ranked by.
    pub scoring: Scoring,
    /// The length of the contest: later submissions do not count.
    pub duration: RelTime,
    /// The contest time at which the public board is frozen.
    pub freeze: Option<RelTime>,
}

/// The criteria that teams are ranked by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scoring {
    /// By solved problems, then by penalty time.
    PassFail {
        /// The penalty for each rejected submission before the accepted one.
        penalty: RelTime,
    },
    /// By the sum of the best scores of all problems, then by the time of the last improvement.
    Points,
}

/// A submission for the scoreboard.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attempt {
    /// The index of the team.
    pub team: usize,
    /// The index of the problem.
    pub problem: usize,
    /// The contest time of the submission.
    pub time: RelTime,
    /// The result of the current judgement; `None` while it is not judged.
    pub result: Option<AttemptResult>,
}

/// The result of a judged submission.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AttemptResult {
    /// Whether the verdict solves the problem.
    pub solved: bool,
    /// Whether a rejected submission counts as a try, and so causes penalty time.
    pub counts: bool,
    /// The score, in a contest scored by points; at least 0.
    pub score: f64,
}

/// The results that a board shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// All results.
    Jury,
    /// Results of submissions during the freeze appear as pending.
    Frozen,
}

/// A team's row.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The rank from 1; equal in case of a tie.
    pub rank: u64,
    /// The index of the team.
    pub team: usize,
    /// The number of solved problems.
    pub solved: u64,
    /// The penalty time; 0 in a contest scored by points.
    pub total_time: RelTime,
    /// The sum of the scores; 0 in a `PassFail` contest.
    pub score: f64,
    /// The time of the last accepted submission or improvement of the score.
    pub last: Option<RelTime>,
    /// The result for each problem.
    pub cells: Vec<Cell>,
}

/// The result of a team for a problem.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Cell {
    /// Judged submissions, up to the first accepted one.
    pub judged: u64,
    /// Submissions whose result is not known to the viewer.
    pub pending: u64,
    pub solved: bool,
    /// The best score, in a contest scored by points.
    pub score: f64,
    /// When it was solved, or the best score reached.
    pub time: Option<RelTime>,
    /// Whether no team solved it earlier, and no earlier submission is pending.
    pub first_to_solve: bool,
}

/// Computes the board of the teams with these names over `problems` problems. `attempts` are in the
/// order in which they were submitted, at least those with equal contest times; those with an unknown
/// team or problem are ignored.
///
/// Returns one row for each team, ordered by rank, then name (without regard to case), then index.
pub fn scoreboard(
    rules: &Rules,
    names: &[&str],
    problems: usize,
    attempts: &[Attempt],
    view: View,
) -> Vec<Row> {
    let cells = cells::cells(rules, names.len(), problems, attempts, view);
    let mut rows: Vec<Row> = (0..names.len())
        .map(|team| row(rules, team, &cells[team * problems..][..problems]))
        .collect();
    sort(rules.scoring, names, &mut rows);
    rows
}

/// Orders rows by rank, then name (without regard to case), then index, and sets the ranks.
pub fn sort(scoring: Scoring, names: &[&str], rows: &mut [Row]) {
    let folded: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let name = |row: &Row| (&folded[row.team], names[row.team], row.team);
    rows.sort_by(|a, b| compare(scoring, a, b).then_with(|| name(a).cmp(&name(b))));
    set_ranks(scoring, rows);
}

/// Sets the ranks of rows that are in order, such as some rows of a board.
pub fn set_ranks(scoring: Scoring, rows: &mut [Row]) {
    let mut rank = 1;
    for index in 0..rows.len() {
        let ties = |better: &Row| compare(scoring, better, &rows[index]).is_eq();
        if index > 0 && !ties(&rows[index - 1]) {
            rank = index as u64 + 1;
        }
        rows[index].rank = rank;
    }
}

/// Sums up the cells of a team.
fn row(rules: &Rules, team: usize, cells: &[Cell]) -> Row {
    let mut row = Row {
        rank: 0,
        team,
        solved: cells.iter().filter(|cell| cell.solved).count() as u64,
        total_time: RelTime::default(),
        score: 0.0,
        last: cells.iter().filter_map(|cell| cell.time).max(),
        cells: cells.to_vec(),
    };
    match rules.scoring {
        Scoring::PassFail { penalty } => {
            for cell in cells {
                let Some(time) = cell.time else { continue };
                let tries = i64::try_from(cell.judged.saturating_sub(1)).unwrap_or(i64::MAX);
                let penalty = RelTime::from_millis(penalty.millis().saturating_mul(tries));
                row.total_time = row.total_time + RelTime::from_minutes(time.minutes()) + penalty;
            }
        }
        Scoring::Points => row.score = cells.iter().map(|cell| cell.score).sum(),
    }
    row
}

/// The better row is less.
fn compare(scoring: Scoring, a: &Row, b: &Row) -> Ordering {
    match scoring {
        Scoring::PassFail { .. } => {
            let last = |row: &Row| row.last.map(RelTime::minutes);
            b.solved
                .cmp(&a.solved)
                .then(a.total_time.cmp(&b.total_time))
                .then_with(|| last(a).cmp(&last(b)))
        }
        Scoring::Points => b.score.total_cmp(&a.score).then(a.last.cmp(&b.last)),
    }
}
