//! The scoreboard of a contest as HTML, rendered once for each audience.

use super::contest::balloon;
use super::parts::points;
use crate::boards::{Board, Rendering};
use crate::contest_view::View;
use crate::http::Result;
use crate::scoreboard::{Cell, Row};
use crate::store::{Contest, ContestProblem, Scoring, Team};
use maud::{Markup, html};
use std::sync::Arc;

/// The board as it is now: the last rendering if nothing has changed. Blocks.
pub fn rendering(view: &View<'_>) -> Result<Arc<Rendering>> {
    let key = (view.contest.id, view.audience());
    Ok(view.app.renderings().of(key, view.board()?, render))
}

fn render(board: Arc<Board>) -> Rendering {
    let render = |(place, row): (usize, &Row)| {
        let team = &board.teams[row.team];
        let html = team_row(&board.contest, &board.problems, team, row, place);
        (team.id, html.into_string())
    };
    let heads = heads(&board.contest, &board.problems).into_string();
    let rows = board.rows.iter().enumerate().map(render).collect();
    Rendering::new(board, heads, rows)
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
