//! The scoreboard of a contest as HTML, rendered once for each audience and filter.

use super::contest::balloon;
use super::parts::points;
use crate::boards::{Board, BoardFilter, BoardKey, Rendering};
use crate::contest_api;
use crate::contest_view::{View, logo_address};
use crate::http::Result;
use crate::scoreboard::{Cell, Row};
use crate::store::{Contest, ContestProblem, Organization, Scoring, Team, TeamId};
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::Arc;

/// The board as it is now: the last rendering if nothing has changed. Blocks.
pub fn rendering(view: &View<'_>, filter: &BoardFilter) -> Result<Arc<Rendering>> {
    let key = BoardKey {
        contest: view.contest.id,
        audience: view.audience(),
        filter: filter.clone(),
    };
    let render = |board| render(board, filter);
    Ok(view.app.renderings().of(&key, view.board()?, render))
}

/// Where a table is shown: on a page of the server, or in a file without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Medium {
    Page,
    File,
}

/// The whole table for a file: without links, and with logos beside it ([`logo_file`]).
pub fn static_table(board: &Board, filter: &BoardFilter) -> Markup {
    let shown = board.filtered(filter);
    let rows = shown.iter().enumerate();
    html! {
        div.wide {
            table.board-table {
                caption { "Scoreboard" }
                thead { (heads(&board.contest, &board.problems, Medium::File)) }
                tbody {
                    @for (place, row) in rows {
                        (team_row(board, &board.teams[row.team], row, place, None, Medium::File))
                    }
                }
                tfoot { (sums(board, &shown)) }
            }
        }
    }
}

/// The name of the file with the logo of an organization, beside a table for a file.
pub fn logo_file(own: &Organization) -> Option<String> {
    let extension = own.logo.as_ref()?.extension();
    Some(format!("logos/{}.{extension}", own.ext))
}

fn render(board: Arc<Board>, filter: &BoardFilter) -> Rendering {
    let shown = board.filtered(filter);
    let of_all = board.rows.iter().map(|row| (row.team, row.rank));
    let of_all: HashMap<usize, u64> = of_all.collect();
    let render = |(place, row): (usize, &Row)| {
        let team = &board.teams[row.team];
        let of_all = of_all.get(&row.team).filter(|_| !filter.is_empty());
        let html = team_row(&board, team, row, place, of_all.copied(), Medium::Page);
        (team.id, html.into_string())
    };
    let rows: Vec<(TeamId, String)> = shown.iter().enumerate().map(render).collect();
    let heads = heads(&board.contest, &board.problems, Medium::Page).into_string();
    let foot = sums(&board, &shown).into_string();
    drop(shown);
    Rendering::new(board, heads, rows, foot)
}

fn heads(contest: &Contest, problems: &[ContestProblem], medium: Medium) -> Markup {
    let icpc = contest.scoring == Scoring::Icpc;
    html! {
        tr {
            th scope="col" { "Team" }
            th.number scope="col" { "Rank" }
            th.number scope="col" { @if icpc { "Solved" } @else { "Points" } }
            @if icpc { th.number scope="col" { "Time" } }
            @for problem in problems {
                th scope="col" {
                    @match medium {
                        Medium::Page => a href={ "/contests/" (contest.ext) "/problems/" (problem.label) }
                            title=(problem.name) { (problem.label) },
                        Medium::File => abbr title=(problem.name) { (problem.label) },
                    }
                    " " (balloon(problem))
                }
            }
        }
    }
}

/// The row of a team. Open pages sort rows by `data-place`. `of_all`: the rank among all teams, if only some are shown.
fn team_row(
    board: &Board,
    team: &Team,
    row: &Row,
    place: usize,
    of_all: Option<u64>,
    medium: Medium,
) -> Markup {
    let contest = &board.contest;
    let name = team.shown_name();
    let icpc = contest.scoring == Scoring::Icpc;
    html! {
        tr data-fragment={ "board-" (contest.id) "-" (team.id) } data-place=(place) {
            th scope="row" title=(name) {
                (logo(contest, board.organization_of(team), medium))
                span.team { (name) } span.yours { " (your team)" }
                (affiliation(board, team))
            }
            td.number {
                (row.rank)
                @if let Some(rank) = of_all { br; small.quiet { (rank) " of all" } }
            }
            @if icpc {
                td.number { (row.solved) }
                td.number { (row.total_time.minutes()) }
            } @else {
                td.number { (points(row.score)) }
            }
            @for cell in row.cells.iter().take(board.problems.len()) { (cell_html(icpc, cell)) }
        }
    }
}

/// The image of an organization. The name is beside it, so that it has no text of its own.
fn logo(contest: &Contest, organization: Option<&Organization>, medium: Medium) -> Markup {
    let of = |own: &Organization| {
        let address = match medium {
            Medium::Page => format!("/api/{}", logo_address(contest, own)?),
            Medium::File => logo_file(own)?,
        };
        Some((address, own.logo.clone()?))
    };
    html! {
        @if let Some((address, logo)) = organization.and_then(of) {
            img.logo src=(address) alt="" width=(logo.width) height=(logo.height) loading="lazy";
        }
    }
}

/// The organization of a team with the flag of its country, and the groups of the team.
fn affiliation(board: &Board, team: &Team) -> Markup {
    let organization = board.organization_of(team);
    let country = organization.and_then(|own| own.country.as_deref());
    let groups: Vec<&str> = board.groups_of(team).map(|own| own.name.as_str()).collect();
    html! {
        @if organization.is_some() || !groups.is_empty() {
            small.affiliation {
                @if let Some(code) = country { (flag(code)) " " }
                @if let Some(own) = organization { (own.name) }
                @if organization.is_some() && !groups.is_empty() { " · " }
                (groups.join(", "))
            }
        }
    }
}

/// The flag of a country and its code: not every browser has a font with flags.
fn flag(code: &str) -> Markup {
    html! { span aria-hidden="true" { (contest_api::flag(code).unwrap_or_default()) } " " (code) }
}

/// The row of sums: for each problem the teams that solved it, the teams that tried it, and when it was solved first.
fn sums(board: &Board, rows: &[Row]) -> Markup {
    let icpc = board.contest.scoring == Scoring::Icpc;
    let sum = |k: usize| {
        let cells: Vec<&Cell> = rows.iter().filter_map(|row| row.cells.get(k)).collect();
        let solved: Vec<&&Cell> = cells.iter().filter(|cell| cell.solved).collect();
        let first = solved.iter().filter_map(|cell| cell.time).min();
        let tried = cells.iter().filter(|cell| cell.judged + cell.pending > 0);
        html! {
            td.cell {
                (solved.len()) " / " (tried.count())
                @if let Some(time) = first { br; small { (time.minutes()) " min" } }
            }
        }
    };
    html! {
        tr data-fragment={ "board-" (board.contest.id) "-sums" } {
            th scope="row" { "Solved / tried" }
            td.number {}
            td.number { @if icpc { (rows.iter().map(|row| row.solved).sum::<u64>()) } }
            @if icpc { td.number {} }
            @for k in 0..board.problems.len() { (sum(k)) }
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
