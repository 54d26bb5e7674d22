//! Awards, which follow from the scoreboard that the viewer may see.

use super::board::Board;
use super::{View, ids, json};
use crate::contest_api::{Award, Id};
use crate::http::Result;
use crate::scoreboard::Row;
use serde_json::Value;

impl View<'_> {
    /// `winner`, `first-to-solve-ID` for each problem, and `group-winner-ID` for each group.
    pub(super) fn awards(&self) -> Result<Vec<Value>> {
        let results = self.app.store.contest_results(self.contest.id)?;
        let board = self.board_of(None, &results)?;
        let mut awards = vec![award("winner", "Contest winner", leaders(&board))?];
        for (k, problem) in board.problems.iter().enumerate() {
            let id = format!("first-to-solve-{problem}");
            let first = |row: &Row| row.cells[k].first_to_solve;
            let citation = format!("First to solve problem {problem}");
            if Id::new(&id).is_ok() {
                awards.push(award(&id, &citation, teams(&board, first))?);
            }
        }
        for group in self.seen_groups()? {
            let id = format!("group-winner-{}", group.ext);
            let citation = format!("Winner of group {}", group.name);
            if Id::new(&id).is_ok() {
                let board = self.board_of(Some(&group.ext), &results)?;
                awards.push(award(&id, &citation, leaders(&board))?);
            }
        }
        Ok(awards)
    }
}

/// The teams in the lead that have solved something.
fn leaders(board: &Board) -> Vec<&str> {
    teams(board, |row| {
        row.rank == 1 && (row.solved > 0 || row.score > 0.0)
    })
}

fn teams(board: &Board, wanted: impl Fn(&Row) -> bool) -> Vec<&str> {
    let rows = board.rows.iter().filter(|row| wanted(row));
    rows.map(|row| board.teams[row.team].ext.as_str()).collect()
}

fn award(id: &str, citation: &str, teams: Vec<&str>) -> Result<Value> {
    json(&Award {
        id: Id::new(id)?,
        citation: citation.to_owned(),
        team_ids: Some(ids(teams.into_iter())?),
    })
}
