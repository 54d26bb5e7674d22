//! Awards, which follow from the scoreboard that the viewer may see.

use super::standings::{Honour, Standing, standings};
use super::{View, ids, json};
use crate::boards::Board;
use crate::contest_api::{Award, Id};
use crate::http::Result;
use crate::scoreboard::Row;
use crate::store::Scoring;
use serde_json::Value;
use std::collections::BTreeSet;

impl View<'_> {
    /// `winner`, `first-to-solve-ID` for each problem, `group-winner-ID` for each group, and, when the contest is over, medals,
    /// ranks and mentions.
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
            let is_seen = !group.hidden || self.viewer.sees_all();
            let id = format!("group-winner-{}", group.ext);
            if is_seen && !rows.is_empty() && Id::new(&id).is_ok() {
                let citation = format!("Winner of group {}", group.name);
                awards.push(award(&id, &citation, leaders(&board, &rows))?);
            }
        }
        if self.is_complete() && self.contest.scoring == Scoring::Icpc {
            awards.extend(honours(
                &board,
                &standings(&board.rows, self.contest.more_bronze),
            )?);
        }
        Ok(awards)
    }
}

/// The medals, ranks and mentions of the final standings.
fn honours(board: &Board, standings: &[Standing<'_>]) -> Result<Vec<Value>> {
    let with = |wanted: &dyn Fn(&Standing<'_>) -> bool| {
        let own = standings.iter().filter(|own| wanted(own));
        teams(board, own.map(|own| own.row))
    };
    let mut awards = Vec::new();
    for (id, citation, honour) in [
        ("gold-medal", "Gold medal", Honour::Gold),
        ("silver-medal", "Silver medal", Honour::Silver),
        ("bronze-medal", "Bronze medal", Honour::Bronze),
        ("honorable-mention", "Honorable mention", Honour::Mention),
    ] {
        awards.push(award(id, citation, with(&|own| own.honour == honour))?);
    }
    let ranked = standings.iter().filter(|own| own.honour == Honour::Ranked);
    let ranks: BTreeSet<u64> = ranked.filter_map(|own| own.rank).collect();
    for rank in ranks {
        let of_rank = with(&|own| own.honour == Honour::Ranked && own.rank == Some(rank));
        awards.push(award(
            &format!("rank-{rank}"),
            &format!("Rank {rank}"),
            of_rank,
        )?);
    }
    Ok(awards)
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
