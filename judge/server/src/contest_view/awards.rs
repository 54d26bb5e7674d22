//! Awards, which follow from the scoreboard that the viewer may see.

use super::{View, ids, json};
use crate::boards::Board;
use crate::contest_api::{Award, Id};
use crate::http::Result;
use crate::scoreboard::Row;
use serde_json::Value;

impl View<'_> {
    /// `winner`, `first-to-solve-ID` for each problem, and `group-winner-ID` for each group.
    pub(super) fn awards(&self) -> Result<Vec<Value>> {
        let board = self.board()?;
        let winners = leaders(&board, &board.rows);
        let mut awards = vec![award("winner", "Contest winner", winners)?];
        for (k, problem) in board.problems.iter().enumerate() {
            let id = format!("first-to-solve-{}", problem.ext);
            let citation = format!("First to solve problem {}", problem.ext);
            let first = board.rows.iter().filter(|row| row.cells[k].first_to_solve);
            if Id::new(&id).is_ok() {
                awards.push(award(&id, &citation, teams(&board, first))?);
            }
        }
        for group in self.app.store.groups()? {
            let rows = board.rows_of(group.id);
            let is_seen = !group.hidden || self.viewer.is_jury();
            let id = format!("group-winner-{}", group.ext);
            if is_seen && !rows.is_empty() && Id::new(&id).is_ok() {
                let citation = format!("Winner of group {}", group.name);
                awards.push(award(&id, &citation, leaders(&board, &rows))?);
            }
        }
        Ok(awards)
    }
}

/// The teams in the lead that have solved something.
fn leaders<'b>(board: &'b Board, rows: &[Row]) -> Vec<&'b str> {
    let leads = |row: &&Row| row.rank == 1 && (row.solved > 0 || row.score > 0.0);
    teams(board, rows.iter().filter(leads))
}

fn teams<'b, 'r>(board: &'b Board, rows: impl Iterator<Item = &'r Row>) -> Vec<&'b str> {
    rows.map(|row| board.teams[row.team].ext.as_str()).collect()
}

fn award(id: &str, citation: &str, teams: Vec<&str>) -> Result<Value> {
    json(&Award {
        id: Id::new(id)?,
        citation: citation.to_owned(),
        team_ids: Some(ids(teams.into_iter())?),
    })
}
