//! The result of each team for each problem.

use super::{Attempt, AttemptResult, Cell, Rules, Scoring, View};
use crate::contest_api::RelTime;

/// The cells of all teams, those of one team next to each other.
pub fn cells(
    rules: &Rules,
    teams: usize,
    problems: usize,
    attempts: &[Attempt],
    view: View,
) -> Vec<Cell> {
    let counts = |attempt: &&Attempt| {
        let during = RelTime::default() <= attempt.time && attempt.time < rules.duration;
        during && attempt.team < teams && attempt.problem < problems
    };
    let mut ordered: Vec<&Attempt> = attempts.iter().filter(counts).collect();
    // The sort is stable: attempts of the same time stay in the order of submission.
    ordered.sort_by_key(|attempt| attempt.time);

    let mut cells = vec![Cell::default(); teams * problems];
    let mut firsts = vec![First::default(); problems];
    for attempt in ordered {
        let index = attempt.team * problems + attempt.problem;
        let cell = &mut cells[index];
        let was_solved = cell.solved;
        if was_solved && matches!(rules.scoring, Scoring::PassFail { .. }) {
            continue;
        }
        match visible_result(rules, attempt, view) {
            Some(result) => cell.judge(rules.scoring, attempt.time, result),
            None => cell.pending += 1,
        }
        if !was_solved {
            let known = visible_result(rules, attempt, view).map(|result| result.solved);
            firsts[attempt.problem].add(index, attempt.time, known);
        }
    }
    for first in firsts {
        for index in first.cells {
            cells[index].first_to_solve = true;
        }
    }
    cells
}

/// The result, unless it is unknown or hidden by the freeze.
fn visible_result(rules: &Rules, attempt: &Attempt, view: View) -> Option<AttemptResult> {
    let frozen = rules.freeze.is_some_and(|freeze| attempt.time >= freeze);
    attempt.result.filter(|_| view == View::Jury || !frozen)
}

impl Cell {
    fn judge(&mut self, scoring: Scoring, time: RelTime, result: AttemptResult) {
        let improves = match scoring {
            Scoring::PassFail { .. } => result.solved,
            // Not a number never improves.
            Scoring::Points => result.score > self.score,
        };
        if result.solved || result.counts || improves {
            self.judged += 1;
        }
        self.solved |= result.solved;
        if improves {
            self.time = Some(time);
        }
        if improves && scoring == Scoring::Points {
            self.score = result.score;
        }
    }
}

/// The teams that solved a problem first.
#[derive(Clone, Default)]
struct First {
    /// When they did, or the time of an earlier submission whose result is not known.
    time: Option<RelTime>,
    /// The indices of their cells.
    cells: Vec<usize>,
}

impl First {
    /// Adds the next submission; `solved` is `None` if its result is not known.
    fn add(&mut self, cell: usize, time: RelTime, solved: Option<bool>) {
        match (solved, self.time) {
            (Some(true), None) => {
                self.time = Some(time);
                self.cells.push(cell);
            }
            (Some(true), Some(first)) if first == time && !self.cells.contains(&cell) => {
                self.cells.push(cell);
            }
            (None, None) => self.time = Some(time),
            _ => {}
        }
    }
}
