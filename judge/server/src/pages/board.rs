//! The scoreboard of a contest as HTML. It is rendered once per audience; open pages receive only the rows that
//! change.

use super::contest::balloon;
use super::parts::points;
use crate::contest_view::View;
use crate::http::{App, Result};
use crate::scoreboard::{Cell, Row};
use crate::store::{Contest, ContestId, ContestProblem, Role, Scoring, Team, TeamId, now_ms};
use judge::parallel::unpoisoned;
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// The contest and the audience of a rendered board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    pub contest: ContestId,
    /// Whether it shows frozen results and hidden teams.
    pub jury: bool,
}

/// Cache of rendered boards.
#[derive(Default)]
pub struct Boards {
    /// The last rendering of each.
    pub(super) rendered: Mutex<HashMap<Key, Arc<Board>>>,
    /// Channels with the new renderings, for boards with open pages.
    pub(super) live: Mutex<HashMap<Key, watch::Receiver<Arc<Board>>>>,
}

/// A rendered board.
pub struct Board {
    /// The version of the data that it was rendered from: the last change, and whether problems are shown.
    state: (i64, bool),
    /// The heads of the table.
    pub heads: String,
    /// The rows, sorted by rank.
    pub rows: Vec<(TeamId, String)>,
}

impl Board {
    /// The rows that are rendered differently from `before`; `None`: everything changed.
    pub fn changes(&self, before: &Board) -> Option<String> {
        let same = self.heads == before.heads && self.rows.len() == before.rows.len();
        let old: HashMap<TeamId, &String> =
            before.rows.iter().map(|(id, row)| (*id, row)).collect();
        if !same || self.rows.iter().any(|(id, _)| !old.contains_key(id)) {
            return None;
        }
        let changed = self.rows.iter().filter(|(id, row)| old[id] != row);
        Some(changed.map(|(_, row)| row.as_str()).collect())
    }

    /// All rows, with the row of the team `own` marked.
    pub fn body(&self, own: Option<TeamId>) -> String {
        let mut body = String::with_capacity(self.rows.iter().map(|(_, row)| row.len() + 16).sum());
        for (id, row) in &self.rows {
            match own == Some(*id) {
                true => body.push_str(&row.replacen("<tr ", "<tr class=\"own\" ", 1)),
                false => body.push_str(row),
            }
        }
        body
    }
}

/// The board as it is now: the last rendering if nothing has changed. Blocks.
pub fn board(app: &App, key: Key) -> Result<Arc<Board>> {
    let kept = app.kept::<Boards>();
    let boards = || unpoisoned(kept.rendered.lock());
    // Read before the data, so that a change in between causes another rendering.
    let generation = app.store.scoreboard_generation(key.contest)?;
    let contest = app.store.contest(key.contest)?;
    let started = key.jury || contest.has_started(now_ms());
    let state = (generation, started);
    if let Some(found) = boards().get(&key).filter(|found| found.state == state) {
        return Ok(found.clone());
    }
    let board = Arc::new(render(app, key, contest, state)?);
    boards().insert(key, board.clone());
    Ok(board)
}

fn render(app: &App, key: Key, contest: Contest, state: (i64, bool)) -> Result<Board> {
    let role = if key.jury { Role::Jury } else { Role::Public };
    // The caller has checked that the viewer may see the contest, even if it is not public.
    let view = View::as_role(app, contest, role);
    let board = view.board(None)?;
    let problems = match state.1 {
        true => app.store.contest_problems(key.contest)?,
        false => Vec::new(),
    };
    let render = |(place, row): (usize, &Row)| {
        let team = &board.teams[row.team];
        let html = team_row(&view.contest, &problems, team, row, place);
        (team.id, html.into_string())
    };
    Ok(Board {
        state,
        heads: heads(&view.contest, &problems).into_string(),
        rows: board.rows.iter().enumerate().map(render).collect(),
    })
}

fn heads(contest: &Contest, problems: &[ContestProblem]) -> Markup {
    let icpc = contest.scoring == Scoring::Icpc;
    html! {
        tr {
            th scope="col" { "Team" }
            th.number scope="col" { "Rank" }
            th.number scope="col" { @if icpc { "Solved" } @else { "Points" } }
            @if icpc { th.number scope="col" { "Time" } }
            @for problem in problems {
                th scope="col" {
                    a href={ "/contests/" (contest.ext) "/problems/" (problem.label) }
                        title=(problem.name) { (problem.label) }
                    " " (balloon(problem))
                }
            }
        }
    }
}

/// The row of a team. Open pages sort rows by `data-place`.
fn team_row(
    contest: &Contest,
    problems: &[ContestProblem],
    team: &Team,
    row: &Row,
    place: usize,
) -> Markup {
    let name = team.shown_name();
    let icpc = contest.scoring == Scoring::Icpc;
    html! {
        tr data-fragment={ "board-" (contest.id) "-" (team.id) } data-place=(place) {
            th scope="row" title=(name) { span.team { (name) } span.yours { " (your team)" } }
            td.number { (row.rank) }
            @if icpc {
                td.number { (row.solved) }
                td.number { (row.total_time.minutes()) }
            } @else {
                td.number { (points(row.score)) }
            }
            @for cell in row.cells.iter().take(problems.len()) { (cell_html(icpc, cell)) }
        }
    }
}

/// A cell: `2 + 3` means two judged tries and three without a known result.
fn cell_html(icpc: bool, cell: &Cell) -> Markup {
    let tries = match cell.pending {
        0 => cell.judged.to_string(),
        pending => format!("{} + {pending}", cell.judged),
    };
    let class = match (cell.solved, cell.pending, cell.judged) {
        (true, ..) => "good",
        (_, 1.., _) => "slow",
        (_, _, 1..) => "bad",
        _ => "",
    };
    html! {
        td class={ "cell " (class) } {
            @if cell.judged + cell.pending > 0 {
                @if cell.solved && icpc { "✓ " }
                @if !icpc && cell.judged > 0 { (points(cell.score)) " " }
                @if icpc || cell.pending > 0 { (tries) }
                @if let Some(time) = cell.time.filter(|_| icpc) { br; small { (time.minutes()) " min" } }
                @if cell.first_to_solve { br; small.first { "★ first" } }
            }
        }
    }
}
