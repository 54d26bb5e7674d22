//! Awards, which follow from the scoreboard that the viewer may see.

use super::standings::{Degree, Honour, Standing, standings};
use super::{View, ids, json};
use crate::boards::Board;
use crate::contest_api::{Award, DisplayMode, Id, RelTime};
use crate::http::Result;
use crate::scoreboard::Row;
use crate::store::Scoring;
use serde_json::Value;
use std::collections::BTreeSet;

impl View<'_> {
    /// `winner`, `first-to-solve-ID` for each problem, `group-winner-ID` for each group, and, when the contest is over, medals,
    /// ranks, honors and mentions. Hidden teams receive none.
    pub(super) fn awards(&self) -> Result<Vec<Value>> {
        let board = self.official_board()?;
        let winners = leaders(&board, &board.rows);
        let mut awards = vec![award("winner", "Contest winner", None, winners)?];
        let freeze = self.contest.freeze_ms;
        let freeze = freeze.map(|freeze| RelTime::from_millis(self.contest.duration_ms - freeze));
        for (k, problem) in board.problems.iter().enumerate() {
            let id = format!("first-to-solve-{}", problem.ext);
            let citation = format!("First to solve problem {}", problem.label);
            let first = board.rows.iter().filter(|row| row.cells[k].first_to_solve);
            // Spectators know those before the freeze.
            let is_known = |row: &Row| freeze.is_none_or(|freeze| row.cells[k].time < Some(freeze));
            let mode = first.clone().all(is_known).then_some(DisplayMode::Pause);
            if Id::new(&id).is_ok() {
                awards.push(award(&id, &citation, mode, teams(&board, first))?);
            }
        }
        for group in self.app.store.groups()? {
            let rows = board.rows_of(group.id);
            let is_seen = match self.viewer.sees_all() {
                true => board
                    .teams
                    .iter()
                    .any(|team| team.groups.contains(&group.id)),
                false => !group.hidden && !rows.is_empty(),
            };
            let id = format!("group-winner-{}", group.ext);
            if is_seen && Id::new(&id).is_ok() {
                let citation = format!("Winner of group {}", group.name);
                awards.push(award(&id, &citation, None, leaders(&board, &rows))?);
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

/// The medals, ranks, honors and mentions of the final standings. Presentations show teams with a medal one by one,
/// those with honors or a mention as a list, and nothing for a rank.
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
    ] {
        awards.push(award(
            id,
            citation,
            None,
            with(&|own| own.honour == honour),
        )?);
    }
    let list = Some(DisplayMode::List);
    for (id, citation, mode, degree) in [
        // A list would show the teams with medals before their turn.
        (
            "highest-honors",
            "Highest honors",
            Some(DisplayMode::Pause),
            Degree::Highest,
        ),
        ("high-honors", "High honors", list, Degree::High),
        ("honors", "Honors", list, Degree::Honors),
    ] {
        awards.push(award(
            id,
            citation,
            mode,
            with(&|own| own.degree == Some(degree)),
        )?);
    }
    let mentioned = with(&|own| own.honour == Honour::Mention);
    awards.push(award(
        "honorable-mention",
        "Honorable mention",
        list,
        mentioned,
    )?);
    let ranked = standings.iter().filter(|own| own.honour == Honour::Ranked);
    let ranks: BTreeSet<u64> = ranked.filter_map(|own| own.rank).collect();
    for rank in ranks {
        let of_rank = with(&|own| own.honour == Honour::Ranked && own.rank == Some(rank));
        awards.push(award(
            &format!("rank-{rank}"),
            &format!("Rank {rank}"),
            Some(DisplayMode::Ignore),
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

fn award(
    id: &str,
    citation: &str,
    display_mode: Option<DisplayMode>,
    teams: Vec<&str>,
) -> Result<Value> {
    json(&Award {
        id: Id::new(id)?,
        citation: citation.to_owned(),
        display_mode,
        team_ids: Some(ids(teams.into_iter())?),
    })
}
