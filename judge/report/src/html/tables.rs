//! The two tables of a package: one row per submission, and cases by submissions.

use super::Entry;
use crate::rows::slowest;
use judge_core::figures::{bytes, points, seconds};
use judge_core::results::{CaseResult, PackageResults, RunResults, codes};
use judge_core::verdict::Verdict;
use maud::{Markup, PreEscaped, html};

/// Results from which on the columns have a fixed width, so that the browser need not measure cells.
const MANY: usize = 1000;
/// Rows of such a table in one body: the browser lays out and draws only the bodies that it shows.
const ROWS: usize = 100;

/// A badge with the letters of a verdict.
pub fn badge(verdict: Verdict) -> Markup {
    html! { span class={ "v " (verdict.code()) } { (verdict.code()) } }
}

/// A row per submission.
pub fn submissions(
    results: &RunResults,
    package: &PackageResults,
    entries: &[Entry<'_>],
) -> Markup {
    html! {
        div.wide role="region" tabindex="0" aria-label={ "Submissions of " (package.about.id) } {
            table.sortable.submissions {
                thead { tr {
                    @for name in [
                        "Submission", "Language", "Verdict", "Expected", "Cases", "First failure", "Slowest",
                        "Of limit", "Memory",
                    ] { th scope="col" { (name) } }
                } }
                tbody { @for entry in entries { (submission(results, package, entry)) } }
            }
        }
    }
}

fn submission(results: &RunResults, package: &PackageResults, entry: &Entry<'_>) -> Markup {
    let of = entry.of;
    let judged = package.judged(of);
    let accepted = judged.iter().filter(|(_, case)| case.is_accepted()).count();
    let failed = judged.iter().find(|(_, case)| !case.is_accepted());
    let all = of.cases.len();
    let finished = entry.finished;
    let own_limit = finished.and_then(|f| f.time_limit_s);
    let limit = own_limit.or(package.about.time_limit_s);
    let slowest = slowest(&judged, limit, results.started.instructions_per_second);
    html! {
        tr {
            th scope="row" { a href={ "#" (entry.anchor) } { (of.planned.name) } }
            td { (of.language()) }
            td {
                @match finished.map(|f| f.verdict) {
                    None => { "interrupted" }
                    Some(None) => { "skipped" }
                    Some(Some(verdict)) => { (badge(verdict)) }
                }
                @if finished.is_some_and(|f| !f.as_expected) { " " strong { "not as expected" } }
                @if let Some(score) = finished.and_then(|f| f.score) { " " (points(score)) " points" }
            }
            td { (codes(of.planned.wanted())) }
            td.figure {
                (accepted) " of " (all)
                @if !judged.is_empty() && judged.len() < all { ", " (all - judged.len()) " not run" }
            }
            td { @if let Some((name, case)) = failed { (case.verdict.code()) " " (name) } }
            td.figure { @if let Some(slowest) = &slowest { (slowest.figure) } }
            td.figure {
                @if let Some(share) = slowest.and_then(|slowest| slowest.share) {
                    (format!("{:.0} %", 100.0 * share))
                }
            }
            td.figure {
                @if let Some(most) = finished.and_then(|f| f.max_memory_bytes) { (bytes(most)) }
            }
        }
    }
}

/// A row per case, a column per submission. End tags of rows and cells, which HTML does not need,
/// are left out: they would be a fifth of a page of 10,000 cases.
pub fn matrix(package: &PackageResults, entries: &[Entry<'_>]) -> Markup {
    let is_large = package.about.cases.len() * entries.len() > MANY;
    let rows = match is_large {
        true => ROWS,
        false => package.about.cases.len().max(1),
    };
    html! {
        h3 { "Cases" }
        div.wide.tall role="region" tabindex="0" aria-label={ "Cases of " (package.about.id) } {
            table.sortable.matrix.many[is_large] {
                thead { tr {
                    th scope="col" { "Case" }
                    @for entry in entries { th scope="col" { (entry.of.planned.name) } }
                } }
                @for (body, cases) in package.about.cases.chunks(rows).enumerate() { tbody {
                    @for (place, case) in cases.iter().enumerate() {
                        (PreEscaped("<tr><th scope=\"row\">")) (case)
                        @for entry in entries { (cell(entry.of.case(body * rows + place))) }
                    }
                } }
            }
        }
    }
}

fn cell(result: Option<&CaseResult>) -> Markup {
    html! {
        @if let Some(result) = result {
            (PreEscaped("<td class=")) (result.verdict.code()) (PreEscaped(">"))
            (result.verdict.code()) @if let Some(cpu) = result.cpu_s { " " (seconds(cpu)) }
        } @else { (PreEscaped("<td>–")) }
    }
}
