//! The statistics of a contest, with charts as SVG in the page.

use super::contest::navigation;
use super::page;
use super::parts::language_name;
use crate::access;
use crate::contest_view::{Counts, OfProblem, Statistics, View};
use crate::http::{App, Caller, PageResult, not_found};
use crate::layout::{self, Table};
use axum::extract::Path;
use judge_core::figures::plural;
use judge_core::verdict::Verdict;
use maud::{Markup, html};

/// `GET /contests/{contest}/statistics`
pub fn shown(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> PageResult {
    let view = View::open(app, caller.viewer, &ext)?;
    if !access::sees_statistics(view.viewer, view.place(), view.now_ms) {
        return Err(not_found(
            "the statistics are shown when the contest is over and its results are not frozen",
        ));
    }
    let own = view.statistics()?;
    let body = html! {
        (navigation(&view, "/statistics")?)
        (layout::region("statistics", "judging contest", &whole(app, &own)))
    };
    let title = format!("Statistics of {}", view.contest.name);
    Ok(page(&caller, "/contests", &title, &body))
}

fn whole(app: &App, own: &Statistics) -> Markup {
    let Counts {
        accepted,
        rejected,
        pending,
    } = own.all;
    html! {
        p role="status" {
            (plural(own.all.total(), "submission")) ": " (accepted) " accepted, " (rejected) " not accepted, " (pending) " pending."
        }
        p.legend aria-hidden="true" {
            span.accepted {} " accepted " span.rejected {} " not accepted " span.pending {} " pending"
        }
        h2 { "Over time" }
        (over_time(own))
        h2 { "By verdict" }
        (by_verdict(own))
        h2 { "By language" }
        (by_language(app, own))
        h2 { "By problem" }
        (by_problem(own))
    }
}

/// The size of the chart over time, in its own units, and the room for texts below and left of it.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 26.0;
const BELOW: f64 = 18.0;

/// A bar for each interval of time; the same numbers follow as a table.
fn over_time(own: &Statistics) -> Markup {
    let highest = own.over_time.iter().map(|one| one.total()).max();
    let highest = highest.unwrap_or(0).max(1);
    let step = (WIDTH - LEFT) / own.over_time.len().max(1) as f64;
    let scale = (HEIGHT - BELOW - 10.0) / highest as f64;
    let bottom = HEIGHT - BELOW;
    let label = |k: usize| hours(own, k);
    // About six labels, from the start to the end.
    let every = own.over_time.len().div_ceil(6).max(1);
    let filled: Vec<(usize, &Counts)> = own.over_time.iter().enumerate().collect();
    let filled: Vec<_> = filled
        .into_iter()
        .filter(|(_, own)| own.total() > 0)
        .collect();
    html! {
        figure {
            svg.chart role="img" aria-label="Submissions over time; the table below has the numbers"
                viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } {
                line x1=(LEFT) y1=(bottom) x2=(WIDTH) y2=(bottom) {}
                text x=(LEFT - 4.0) y=(bottom) text-anchor="end" { "0" }
                text x=(LEFT - 4.0) y="16" text-anchor="end" { (highest) }
                @for (k, counts) in own.over_time.iter().enumerate() {
                    @let x = LEFT + k as f64 * step;
                    (stacked(*counts, |from, to, class| html! {
                        rect.(class) x=(rounded(x + 0.08 * step)) width=(rounded(0.84 * step))
                            y=(rounded(bottom - to as f64 * scale)) height=(rounded((to - from) as f64 * scale)) {}
                    }))
                    @if k % every == 0 {
                        text x=(rounded(x)) y=(HEIGHT - 4.0) { (label(k)) }
                    }
                }
            }
            figcaption { "Submissions in each interval of " (own.interval.minutes()) " minutes, by contest time." }
        }
        @if !filled.is_empty() {
            details {
                summary { "As a table" }
                (Table::new("Submissions over time", &filled)
                    .column("From", |(k, _)| label(*k))
                    .column("Accepted", |(_, own)| own.accepted)
                    .column("Not accepted", |(_, own)| own.rejected)
                    .column("Pending", |(_, own)| own.pending))
            }
        }
    }
}

/// The contest time at which an interval begins, as `h:mm`.
fn hours(own: &Statistics, k: usize) -> String {
    let minutes = own.interval.minutes() * k as i64;
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The parts of a bar, each with the numbers at which it begins and ends.
fn stacked(counts: Counts, part: impl Fn(usize, usize, &'static str) -> Markup) -> Markup {
    let Counts {
        accepted,
        rejected,
        pending,
    } = counts;
    let (second, third) = (accepted + rejected, accepted + rejected + pending);
    html! {
        @if accepted > 0 { (part(0, accepted, "accepted")) }
        @if rejected > 0 { (part(accepted, second, "rejected")) }
        @if pending > 0 { (part(second, third, "pending")) }
    }
}

/// A bar beside numbers that say the same; `highest` fills its width.
fn bar(counts: Counts, highest: usize) -> Markup {
    let scale = 100.0 / highest.max(1) as f64;
    html! {
        svg.bar aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none" {
            (stacked(counts, |from, to, class| html! {
                rect.(class) x=(rounded(from as f64 * scale)) width=(rounded((to - from) as f64 * scale)) y="0" height="10" {}
            }))
        }
    }
}

fn by_verdict(own: &Statistics) -> Markup {
    let rows = own.by_verdict.iter();
    let rows: Vec<(Verdict, usize)> = rows.map(|(verdict, count)| (*verdict, *count)).collect();
    let highest = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let counts = |(verdict, count): &(Verdict, usize)| match verdict {
        Verdict::Accepted => Counts {
            accepted: *count,
            ..Counts::default()
        },
        _ => Counts {
            rejected: *count,
            ..Counts::default()
        },
    };
    html! {
        (Table::new("Submissions by verdict", &rows)
            .column("Verdict", |(verdict, _)| layout::verdict(Some(*verdict)))
            .column("Share", |row| bar(counts(row), highest))
            .column("Submissions", |(_, count)| *count))
    }
}

fn by_language(app: &App, own: &Statistics) -> Markup {
    let rows = &own.by_language;
    let highest = rows.iter().map(|(_, counts)| counts.total()).max();
    html! {
        (Table::new("Submissions by language", rows)
            .column("Language", |(code, _)| language_name(app, code))
            .column("Share", |(_, counts)| bar(*counts, highest.unwrap_or(0)))
            .column("Accepted", |(_, counts)| counts.accepted)
            .column("All", |(_, counts)| counts.total()))
    }
}

fn by_problem(own: &Statistics) -> Markup {
    let rows = &own.by_problem;
    let highest = rows.iter().map(|own| own.counts.total()).max();
    html! {
        (Table::new("Submissions by problem", rows)
            .column("Problem", |OfProblem { label, name, .. }| format!("{label} {name}"))
            .column("Share", |own| bar(own.counts, highest.unwrap_or(0)))
            .column("Accepted", |own| own.counts.accepted)
            .column("All", |own| own.counts.total())
            .column("Teams that solved it", |own| own.solved)
            .column("Teams that tried it", |own| own.tried))
    }
}
