//! Contests: the list, and a contest with its clock and problems.

use super::page;
use super::parts::date_of;
use super::problems::{mark, progress};
use crate::access;
use crate::contest_api::Time;
use crate::contest_package::is_rgb;
use crate::contest_view::View;
use crate::http::{App, Caller, PageResult, Result};
use crate::layout::{self, Table};
use crate::prints;
use crate::store::{Contest, ContestProblem, Scoring};
use axum::extract::Path;
use maud::{Markup, Render, html};

/// The navigation of a contest's pages, with its clock; `current` is the end of the current page's address.
pub fn navigation(view: &View<'_>, current: &str) -> Result<Markup> {
    let mut links = vec![
        ("Overview", "/"),
        ("Scoreboard", "/scoreboard"),
        ("Clarifications", "/clarifications"),
    ];
    if access::sees_statistics(view.viewer, view.place(), view.now_ms) {
        links.push(("Statistics", "/statistics"));
    }
    let prints = access::prints(view.viewer, view.place(), view.now_ms);
    if prints && prints::is_on(view.app) {
        links.push(("Print", "/print"));
    }
    let unread = view.unread()?;
    Ok(html! {
        div.contest {
            nav aria-label="Contest" {
                ul {
                    @for (text, end) in &links {
                        @let address = format!("/contests/{}{end}", view.contest.ext);
                        li {
                            a href=(address.trim_end_matches('/'))
                                aria-current=[(current == *end).then_some("page")] {
                                (text)
                                @if *end == "/clarifications" && unread > 0 { " " span.count { (unread) " new" } }
                            }
                        }
                    }
                }
            }
            p { strong { (view.contest.name) } " " (clock_region(view)) }
        }
    })
}

/// The clock of a contest, which follows changes of its settings.
pub fn clock_region(view: &View<'_>) -> Markup {
    html! { span data-region="clock" data-topic="contest" { (clock(view)) } }
}

/// The time until the start, or until the end.
fn clock(view: &View<'_>) -> Markup {
    let time = Time::from_millis;
    match (view.contest.start_ms, view.contest.end_ms()) {
        (Some(start), Some(end)) => layout::clock(time(start), time(end), time(view.now_ms)),
        _ => html! { span { "the start is not set" } },
    }
}

/// A note while results are hidden.
pub fn freeze_notice(view: &View<'_>) -> Markup {
    if view.contest.withholds_results(view.now_ms) {
        return html! {
            p.notice {
                "Verdicts and scores are shown when the contest is over. Until then, a team sees the results of samples."
            }
        };
    }
    let frozen = view.contest.hides_result_of(view.now_ms);
    let Some(freeze) = view.contest.freeze_ms.filter(|_| frozen) else {
        return html! {};
    };
    // The sentence that the ICPC demands.
    let minutes = freeze / 60_000;
    html! {
        p.notice {
            "The scoreboard was frozen with " (minutes) " minutes remaining - submissions in the last " (minutes)
            " minutes of the contest are still shown as pending. A team sees its own results on the pages of its submissions."
        }
    }
}

/// A warning while a contest is over and its results may change.
pub fn not_final_notice(view: &View<'_>) -> Markup {
    let contest = &view.contest;
    html! {
        @if contest.is_over(view.now_ms) && contest.finalized_ms.is_none() { p.notice { "The results are not final." } }
    }
}

pub fn list(app: &App, caller: Caller) -> PageResult {
    let views = View::all(app, caller.viewer)?;
    let table = Table::new("Contests", &views)
        .column("Contest", |View { contest, .. }| {
            html! { a href={ "/contests/" (contest.ext) } { (contest.name) } }
        })
        .column("Start", |own| {
            own.contest
                .start_ms
                .map_or(html! { "not set" }, |ms| date_of(&own.contest, ms))
        })
        .column("Length", |own| length(own.contest.duration_ms))
        .column("State", clock)
        .column("You", |own| {
            if own.takes_part {
                "your team takes part"
            } else {
                ""
            }
        });
    let body = html! {
        @if views.is_empty() { p { "There is no contest that you may see." } }
        @else { (layout::region("contests", "contest", &table.render())) }
    };
    Ok(page(&caller, "/contests", "Contests", &body))
}

pub fn overview(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> PageResult {
    let view = View::open(app, caller.viewer, &ext)?;
    let contest = &view.contest;
    let body = html! {
        (navigation(&view, "/")?)
        (layout::region("contest", "contest", &html! {
            (freeze_notice(&view))
            (not_final_notice(&view))
            @if let Some(name) = &contest.formal_name { p { (name) } }
            (facts(app, contest))
            h2 { "Problems" }
            (problems(&caller, &view)?)
        }))
    };
    Ok(page(&caller, "/contests", &contest.name, &body))
}

fn facts(app: &App, contest: &Contest) -> Markup {
    let languages = app.languages.allowed_in(Some(contest), None);
    let languages: Vec<String> = languages.into_iter().map(|own| own.name).collect();
    html! {
        dl.facts {
            @if let (Some(start), Some(end)) = (contest.start_ms, contest.end_ms()) {
                div { dt { "Start" } dd { (date_of(contest, start)) } }
                div { dt { "End" } dd { (date_of(contest, end)) } }
            }
            div { dt { "Length" } dd { (length(contest.duration_ms)) } }
            @if let Some(freezes) = contest.freezes_ms() {
                div { dt { "Scoreboard frozen from" } dd { (date_of(contest, freezes)) } }
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
            @if contest.languages.is_some() {
                div { dt { "Languages" } dd { (languages.join(", ")) } }
            }
            @if contest.verification {
                div { dt { "Results" } dd { "are shown when a judge has verified them" } }
            }
        }
    }
}

fn problems(caller: &Caller, view: &View<'_>) -> Result<Markup> {
    let problems = view.contest_problems()?;
    if problems.is_empty() {
        return Ok(html! { p { "The problems are shown when the contest begins." } });
    }
    let progress = progress(view.app, caller, Some(view.contest.id))?;
    let address = |label: &str| format!("/contests/{}/problems/{label}", view.contest.ext);
    let solved = progress.values().filter(|solved| **solved).count();
    Ok(html! {
        @if view.takes_part { p.quiet { (solved) " of " (problems.len()) " solved" } }
        ul.cards {
            @for own in &problems {
                li {
                    (balloon(own)) " "
                    a href=(address(&own.label)) { strong { (own.label) } " " (own.name) }
                    @if let Some(solved) = progress.get(&own.problem) { p { (mark(Some(solved))) } }
                }
            }
        }
    })
}

/// A dot in the colour of a problem, with the colour's name for screen readers.
pub fn balloon(problem: &ContestProblem) -> Markup {
    html! {
        @if let Some(rgb) = problem.rgb.as_ref().filter(|rgb| is_rgb(rgb)) {
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
