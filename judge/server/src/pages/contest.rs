//! Contests: the list, and a contest with its clock and problems.

use super::parts::date;
use super::problems::{mark, progress};
use super::{Section, page};
use crate::access::{self, Place, Viewer};
use crate::contest_api::Time;
use crate::http::error::{AppState, PageResult};
use crate::http::submit::takes_part;
use crate::http::{App, Caller, HttpError, Result};
use crate::layout::{self, table};
use crate::store::{Contest, ContestProblem, Scoring, now_ms};
use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use maud::{Markup, html};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/contests", get(list))
        .route("/contests/{contest}", get(overview))
}

/// A contest as a viewer sees it at a time.
pub struct ContestView {
    pub contest: Contest,
    /// The viewer's team takes part.
    pub takes_part: bool,
    /// The time.
    pub now_ms: i64,
}

impl ContestView {
    /// The contest with this id, now. Blocks.
    ///
    /// # Errors
    ///
    /// `NotFound` if the viewer does not see it.
    pub fn open(app: &App, viewer: Viewer, ext: &str) -> Result<Self> {
        let gone = || HttpError::NotFound(format!("there is no contest {ext}"));
        let contest = app.store.contest_by_ext(ext)?.ok_or_else(gone)?;
        let view = ContestView::of(app, viewer, contest)?;
        match access::sees_contest(viewer, view.place()) {
            true => Ok(view),
            false => Err(gone()),
        }
    }

    /// A contest that the viewer may not be allowed to see. Blocks.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn of(app: &App, viewer: Viewer, contest: Contest) -> Result<Self> {
        Ok(ContestView {
            takes_part: takes_part(app, viewer, &contest)?,
            contest,
            now_ms: now_ms(),
        })
    }

    /// What `access` needs.
    pub fn place(&self) -> Place<'_> {
        Place {
            contest: &self.contest,
            takes_part: self.takes_part,
        }
    }

    /// The problems that the viewer sees; none before the start.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn problems(&self, app: &App, viewer: Viewer) -> Result<Vec<ContestProblem>> {
        match access::sees_contest_problems(viewer, self.place(), self.now_ms) {
            true => Ok(app.store.contest_problems(self.contest.id)?),
            false => Ok(Vec::new()),
        }
    }

    /// The links of a contest's pages with its clock; `current` is the last part of the address of the
    /// page that is shown.
    pub fn navigation(&self, current: &str) -> Markup {
        let links = [
            ("Overview", "/"),
            ("Scoreboard", "/scoreboard"),
            ("Clarifications", "/clarifications"),
        ];
        html! {
            div.contest {
                nav aria-label="Contest" {
                    ul {
                        @for (text, end) in links {
                            @let address = format!("/contests/{}{end}", self.contest.ext);
                            li {
                                a href=(address.trim_end_matches('/'))
                                    aria-current=[(current == end).then_some("page")] { (text) }
                            }
                        }
                    }
                }
                p { strong { (self.contest.name) } " " (self.clock()) }
            }
        }
    }

    /// The time left, or until the start.
    pub fn clock(&self) -> Markup {
        let time = Time::from_millis;
        match (self.contest.start_ms, self.contest.end_ms()) {
            (Some(start), Some(end)) => layout::clock(time(start), time(end), time(self.now_ms)),
            _ => html! { span { "the start is not set" } },
        }
    }

    /// Says that results are hidden, while they are.
    pub fn freeze_notice(&self) -> Markup {
        if self.contest.withholds_results(self.now_ms) {
            return html! {
                p.notice {
                    "Verdicts and scores are shown when the contest is over. Until then, a team sees the results of samples."
                }
            };
        }
        let frozen = self.contest.hides_result_of(self.now_ms);
        let Some(since) = self.contest.freezes_ms().filter(|_| frozen) else {
            return html! {};
        };
        html! {
            p.notice {
                "The scoreboard is frozen since " (date(since))
                ": later results appear as pending until the jury shows them. A team sees its own."
            }
        }
    }
}

async fn list(app: AppState, caller: Caller) -> PageResult {
    app.blocking(move |app| {
        let mut rows = Vec::new();
        for contest in app.store.contests()? {
            let view = ContestView::of(app, caller.viewer, contest)?;
            if !access::sees_contest(caller.viewer, view.place()) {
                continue;
            }
            let contest = &view.contest;
            rows.push(vec![
                html! { a href={ "/contests/" (contest.ext) } { (contest.name) } },
                html! { @if let Some(start) = contest.start_ms { (date(start)) } @else { "not set" } },
                html! { (length(contest.duration_ms)) },
                view.clock(),
                html! { @if view.takes_part { "your team takes part" } },
            ]);
        }
        let heads = ["Contest", "Start", "Length", "State", "You"];
        let body = html! {
            @if rows.is_empty() { p { "There is no contest that you may see." } }
            @else { (table("Contests", &heads, &rows)) }
        };
        Ok(page(&caller, Section::Contests, "Contests", &body))
    })
    .await
}

async fn overview(app: AppState, caller: Caller, Path(ext): Path<String>) -> PageResult {
    app.blocking(move |app| {
        let view = ContestView::open(app, caller.viewer, &ext)?;
        let contest = &view.contest;
        let body = html! {
            (view.navigation("/"))
            (view.freeze_notice())
            @if let Some(name) = &contest.formal_name { p { (name) } }
            (facts(contest))
            h2 { "Problems" }
            (problems(app, &caller, &view)?)
        };
        Ok(page(&caller, Section::Contests, &contest.name, &body))
    })
    .await
}

fn facts(contest: &Contest) -> Markup {
    html! {
        dl.facts {
            @if let (Some(start), Some(end)) = (contest.start_ms, contest.end_ms()) {
                div { dt { "Start" } dd { (date(start)) } }
                div { dt { "End" } dd { (date(end)) } }
            }
            div { dt { "Length" } dd { (length(contest.duration_ms)) } }
            @if let Some(freezes) = contest.freezes_ms() {
                div { dt { "Scoreboard frozen from" } dd { (date(freezes)) } }
            }
            div {
                dt { "Scoring" }
                dd {
                    @match contest.scoring {
                        Scoring::Icpc => {
                            "solved problems, then time; " (contest.penalty_ms / 60_000)
                            " minutes for each wrong submission before the right one"
                        }
                        Scoring::Points => "sum of the best points of each problem",
                    }
                }
            }
        }
    }
}

fn problems(app: &App, caller: &Caller, view: &ContestView) -> Result<Markup> {
    let problems = view.problems(app, caller.viewer)?;
    if problems.is_empty() {
        return Ok(html! { p { "The problems are shown when the contest begins." } });
    }
    let progress = progress(app, caller, Some(view.contest.id))?;
    let row = |problem: &ContestProblem| {
        let address = format!("/contests/{}/problems/{}", view.contest.ext, problem.label);
        vec![
            html! { (balloon(problem)) " " (problem.label) },
            html! { a href=(address) { (problem.name) } },
            mark(progress.get(&problem.problem)),
        ]
    };
    let rows: Vec<_> = problems.iter().map(row).collect();
    Ok(table(
        "Problems of the contest",
        &["Label", "Problem", "Yours"],
        &rows,
    ))
}

/// A dot in the colour of a problem, named in words.
pub fn balloon(problem: &ContestProblem) -> Markup {
    let valid = |rgb: &&String| {
        let digits = rgb.strip_prefix('#').unwrap_or_default();
        matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    html! {
        @if let Some(rgb) = problem.rgb.as_ref().filter(valid) {
            svg.balloon viewBox="0 0 16 16" width="14" height="14" role="img"
                aria-label=(problem.color.as_deref().unwrap_or(rgb)) {
                circle cx="8" cy="8" r="7" fill=(rgb) {}
            }
        }
    }
}

/// `5:00`: hours and minutes.
fn length(ms: i64) -> String {
    let minutes = ms / 60_000;
    format!("{}:{:02} h", minutes / 60, minutes % 60)
}
