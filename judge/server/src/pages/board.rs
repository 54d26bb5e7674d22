//! The scoreboard of a contest as HTML: rendered once for all who see it the same way, and sent to
//! open pages row by row as it changes.

use super::contest::balloon;
use super::parts::points;
use crate::contest_api::RelTime;
use crate::http::{App, Result};
use crate::scoreboard::{Attempt, AttemptResult, Cell, Row, Rules, Scoring, View, scoreboard};
use crate::store::{self, Contest, ContestId, ContestProblem, JudgingState, Team, TeamId, now_ms};
use maud::{Markup, html};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Who sees a board in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The contest.
    pub contest: ContestId,
    /// All results and all teams.
    pub jury: bool,
}

/// The boards that were asked for.
#[derive(Default)]
pub struct Boards {
    /// The last rendering of each.
    pub(super) rendered: Mutex<HashMap<Key, Arc<Board>>>,
    /// The renderings to come, of boards with open pages.
    pub(super) live: Mutex<HashMap<Key, watch::Receiver<Arc<Board>>>>,
}

/// A rendered board.
pub struct Board {
    /// What it was rendered from: the last change, and whether the problems are shown.
    state: (i64, bool),
    /// The heads of the table.
    pub heads: String,
    /// The rows by rank.
    pub rows: Vec<(TeamId, String)>,
}

impl Board {
    /// What is rendered differently from `before`: rows, or `None` for everything.
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

    /// The rows; that of `own` is marked.
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
///
/// # Errors
///
/// When the store fails.
pub fn board(app: &App, key: Key) -> Result<Arc<Board>> {
    let boards = || {
        let rendered = &app.cache().boards.rendered;
        rendered.lock().unwrap_or_else(PoisonError::into_inner)
    };
    // Asked before the data is read: a change in between leads to another rendering.
    let generation = app.store.scoreboard_generation(key.contest)?;
    let contest = app.store.contest(key.contest)?;
    let started = key.jury || contest.has_started(now_ms());
    let state = (generation, started);
    if let Some(found) = boards().get(&key).filter(|found| found.state == state) {
        return Ok(found.clone());
    }
    let board = Arc::new(render(app, key, &contest, state)?);
    boards().insert(key, board.clone());
    Ok(board)
}

fn render(app: &App, key: Key, contest: &Contest, state: (i64, bool)) -> Result<Board> {
    let problems = match state.1 {
        true => app.store.contest_problems(contest.id)?,
        false => Vec::new(),
    };
    let teams = visible_teams(app, key)?;
    let shown: Vec<String> = teams.iter().map(shown_name).collect();
    let names: Vec<&str> = shown.iter().map(String::as_str).collect();
    let attempts = attempts(app, contest, &teams, &problems)?;
    let view = match key.jury || contest.thawed_ms.is_some() {
        true => View::Jury,
        false => View::Frozen,
    };
    let rules = rules(contest);
    let rows = scoreboard(&rules, &names, problems.len(), &attempts, view);
    let render = |(place, row): (usize, &Row)| {
        let html = team_row(
            key,
            contest,
            &problems,
            (&teams[row.team], names[row.team]),
            row,
            place,
        );
        (teams[row.team].id, html.into_string())
    };
    Ok(Board {
        state,
        heads: heads(contest, &problems).into_string(),
        rows: rows
            .iter()
            .enumerate()
            .map(|(k, row)| render((k, row)))
            .collect(),
    })
}

/// The teams of the contest; hidden ones only for the jury.
fn visible_teams(app: &App, key: Key) -> Result<Vec<Team>> {
    let groups = app.store.groups()?;
    let hidden: HashSet<_> = groups
        .iter()
        .filter(|group| group.hidden)
        .map(|group| group.id)
        .collect();
    let is_hidden = |team: &Team| team.hidden || team.groups.iter().any(|id| hidden.contains(id));
    let mut teams = app.store.contest_teams(key.contest)?;
    teams.retain(|team| key.jury || !is_hidden(team));
    Ok(teams)
}

fn shown_name(team: &Team) -> String {
    team.display_name
        .clone()
        .unwrap_or_else(|| team.name.clone())
}

fn rules(contest: &Contest) -> Rules {
    Rules {
        scoring: match contest.scoring {
            store::Scoring::Icpc => Scoring::PassFail {
                penalty: RelTime::from_millis(contest.penalty_ms),
            },
            store::Scoring::Points => Scoring::Points,
        },
        duration: RelTime::from_millis(contest.duration_ms),
        freeze: contest
            .freeze_ms
            .map(|freeze| RelTime::from_millis(contest.duration_ms - freeze)),
    }
}

fn attempts(
    app: &App,
    contest: &Contest,
    teams: &[Team],
    problems: &[ContestProblem],
) -> Result<Vec<Attempt>> {
    let team: HashMap<_, _> = teams
        .iter()
        .zip(0..)
        .map(|(team, k)| (team.id, k))
        .collect();
    let numbered = problems.iter().zip(0..);
    let problem: HashMap<_, _> = numbered.map(|(problem, k)| (problem.problem, k)).collect();
    let start = contest.start_ms.unwrap_or(i64::MAX);
    let results = app.store.results_of(contest.id)?;
    let attempt = |(submission, judging): &(store::Submission, store::Judging)| {
        let done = judging.state == JudgingState::Done;
        let verdict = judging.verdict.as_deref().filter(|_| done);
        Some(Attempt {
            team: *team.get(&submission.team?)?,
            problem: *problem.get(&submission.problem)?,
            time: RelTime::from_millis(submission.time_ms.saturating_sub(start)),
            result: verdict.map(|verdict| AttemptResult {
                solved: verdict == "AC",
                counts: !matches!(verdict, "CE" | "JE"),
                score: judging
                    .score
                    .unwrap_or(f64::from(u8::from(verdict == "AC"))),
            }),
        })
    };
    Ok(results.iter().filter_map(attempt).collect())
}

fn heads(contest: &Contest, problems: &[ContestProblem]) -> Markup {
    let icpc = contest.scoring == store::Scoring::Icpc;
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

/// `data-place` is the position, which open pages sort by.
fn team_row(
    key: Key,
    contest: &Contest,
    problems: &[ContestProblem],
    (team, name): (&Team, &str),
    row: &Row,
    place: usize,
) -> Markup {
    let icpc = contest.scoring == store::Scoring::Icpc;
    html! {
        tr data-fragment={ "board-" (key.contest) "-" (team.id) } data-place=(place) {
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

/// `2 + 3`: two judged tries, three whose result is not known.
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
