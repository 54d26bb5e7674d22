//! Rows of the scoreboard as the Contest API defines them.

use super::{Cell, Row, Scoring};
use crate::contest_api::{Id, Nullable, Score, ScoreboardProblem, ScoreboardRow};

/// Converts rows; `teams` and `problems` are the identifiers by index.
///
/// # Panics
///
/// When an identifier is missing.
pub fn api_rows(
    scoring: Scoring,
    rows: &[Row],
    teams: &[Id],
    problems: &[Id],
) -> Vec<ScoreboardRow> {
    let convert = |row: &Row| ScoreboardRow {
        rank: row.rank,
        team_id: teams[row.team].clone(),
        score: score(scoring, row),
        problems: Some(
            row.cells
                .iter()
                .zip(problems)
                .map(|(cell, id)| problem(scoring, cell, id.clone()))
                .collect(),
        ),
    };
    rows.iter().map(convert).collect()
}

fn score(scoring: Scoring, row: &Row) -> Score {
    let pass_fail = scoring != Scoring::Points;
    Score {
        num_solved: pass_fail.then_some(row.solved),
        total_time: pass_fail.then_some(row.total_time),
        score: (!pass_fail).then_some(row.score),
        time: Nullable(row.last),
    }
}

fn problem(scoring: Scoring, cell: &Cell, problem_id: Id) -> ScoreboardProblem {
    let pass_fail = scoring != Scoring::Points;
    ScoreboardProblem {
        problem_id,
        num_judged: cell.judged,
        num_pending: cell.pending,
        solved: pass_fail.then_some(cell.solved),
        score: (!pass_fail).then_some(cell.score),
        time: cell.time,
    }
}
