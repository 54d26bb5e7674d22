//! The details of a submission: messages of the compiler, source, failed cases.

use super::Entry;
use super::tables::badge;
use crate::clean::clean_details;
use crate::totals;
use judge_core::figures::{bytes, seconds};
use judge_core::results::{
    Board, CaseResult, Details, Excerpt, ExcerptLine, PackageResults, RunResults, SubmissionResults,
};
use judge_core::untrusted::Name;
use maud::{Markup, html};

/// Failed cases that are explained per submission.
const MAX_FAILED: usize = 10;

/// Bytes of sources and failed cases, and of images, that a page may contain.
pub const BUDGETS: [usize; 2] = [350 << 10, 4 << 20];

/// The part, or a note where it exceeds the rest of the budget.
fn spend(budget: &mut usize, part: Markup) -> Markup {
    match budget.checked_sub(part.0.len()) {
        None => html! { p.note { "left out: the page would become too large" } },
        Some(rest) => {
            *budget = rest;
            part
        }
    }
}

/// The details of a submission, closed unless it is not as expected.
pub fn of_submission(
    results: &RunResults,
    package: &PackageResults,
    entry: &Entry<'_>,
    [budget, images_budget]: &mut [usize; 2],
) -> Markup {
    let judged = package.judged(entry.of);
    let failed = judged.iter().filter(|(_, case)| !case.is_accepted());
    let failed: Vec<_> = failed.collect();
    let planned = &entry.of.planned;
    let is_open = entry.finished.is_some_and(|finished| !finished.as_expected);
    html! {
        details.submission id=(entry.anchor) open[is_open] {
            summary {
                (planned.name) " "
                @if let Some(verdict) = entry.finished.and_then(|finished| finished.verdict) { (badge(verdict)) }
            }
            @if let Some(path) = &planned.path {
                p.note { code { (path) } }
            }
            @if let Some(message) = entry.finished.and_then(|finished| finished.message.as_ref()) {
                pre tabindex="0" { (message) }
            }
            @if let Some(message) = entry.of.compiler_message() {
                (spend(budget, html! { h4 { "Compiler" } pre tabindex="0" { (message) } }))
            }
            @for (name, case) in failed.iter().take(MAX_FAILED) {
                (spend(budget, of_case(results, package, entry.of, name, case)))
                @if let Some(details) = &case.details {
                    (spend(images_budget, images(&clean_details(details))))
                }
            }
            @if failed.len() > MAX_FAILED {
                p.note { "and " (failed.len() - MAX_FAILED) " more failed cases" }
            }
            @if let Some(source) = &planned.source {
                (spend(budget, html! {
                    details { summary { "Source" } pre.source translate="no" tabindex="0" { (source) } }
                }))
            }
        }
    }
}

fn of_case(
    results: &RunResults,
    package: &PackageResults,
    of: &SubmissionResults,
    name: &Name,
    case: &CaseResult,
) -> Markup {
    let details = case.details.as_deref().map(clean_details);
    html! {
        article.case {
            h4 { (case.verdict.words()) " on " (name) }
            @if let Some(message) = &case.message { pre tabindex="0" { (message) } }
            @if let Some(details) = &details { (diagnosis(details)) }
            p.note {
                @if let Some(cpu) = case.cpu_s { (seconds(cpu)) " CPU, " }
                @if let Some(wall) = case.wall_s { (seconds(wall)) " wall, " }
                @if let Some(memory) = case.memory_bytes { (bytes(memory)) }
            }
            p.note { code { (totals::command_for(results, package, of, name)) } }
        }
    }
}

/// The board of a failed case; its input, the expected and the found output side by side.
pub fn diagnosis(details: &Details) -> Markup {
    html! {
        @if let Some(board) = &details.board { (drawn(board)) }
        div.sides {
            @for (title, excerpt) in [
                ("Input", &details.input), ("Expected", &details.expected), ("Found", &details.found),
                ("> submission, < interactor, in a second run", &details.dialogue),
            ] {
                @if let Some(excerpt) = excerpt { (side(title, excerpt)) }
            }
            @if let Some(text) = &details.team_message {
                figure {
                    figcaption { "Message for the team" }
                    pre.lines translate="no" tabindex="0" { (text) }
                }
            }
            @if let Some(text) = &details.standard_error {
                figure {
                    figcaption { "Standard error" }
                    pre.lines translate="no" tabindex="0" { (text) }
                }
            }
        }
    }
}

/// The images about a case. In an `img` element no script of an SVG image runs, and it loads nothing.
pub fn images(details: &Details) -> Markup {
    html! {
        @for image in &details.images {
            figure.image {
                figcaption {
                    (image.name)
                    @if image.for_team { ", also for the team" }
                    @if image.uri.is_none() {
                        ": left out, because it is no PNG, JPEG or SVG image, or too large"
                    }
                }
                @if let Some(uri) = &image.uri { img src=(uri) alt=(image.name); }
            }
        }
    }
}

/// An excerpt with line numbers; the difference is marked.
fn side(title: &str, excerpt: &Excerpt) -> Markup {
    html! {
        figure {
            figcaption { (title) " (" (excerpt.bytes) " bytes)" }
            pre.lines translate="no" tabindex="0" {
                @for line in &excerpt.lines { span.n { (line.number) } (marked(line)) "\n" }
                @if excerpt.more { "…" }
            }
        }
    }
}

fn marked(line: &ExcerptLine) -> Markup {
    let Some([first, last]) = line.mark else {
        return html! { (line.text) };
    };
    let part = |from: usize, to: usize| -> String {
        line.text
            .chars()
            .skip(from)
            .take(to.saturating_sub(from))
            .collect()
    };
    let marked = match part(first, last) {
        // The difference is the end of the line, or a blank.
        text if text.trim().is_empty() => "␣".to_owned(),
        text => text,
    };
    html! { (part(0, first)) mark { (marked) } (part(last, usize::MAX)) }
}

/// The output's board as a table: the wrong cell is marked, and those of the broken house.
fn drawn(board: &Board) -> Markup {
    let [rows, columns] = board.boxes.unwrap_or([usize::MAX, usize::MAX]);
    let class = |r: usize, c: usize| {
        let place = [r + 1, c + 1];
        let mut broken = board.broken.iter();
        let broken = broken.any(|house| house.cells.contains(&place));
        let classes = [
            ("wrong ", place == board.wrong),
            ("twice ", broken && place != board.wrong),
            ("below ", r > 0 && r.is_multiple_of(rows)),
            ("right ", c > 0 && c.is_multiple_of(columns)),
        ];
        let classes = classes.into_iter().filter(|(_, applies)| *applies);
        classes.map(|(name, _)| name).collect::<String>()
    };
    let [row, column] = board.wrong;
    html! {
        p {
            @if let Some(number) = board.number { "Board " (number) ": " }
            "row " (row) ", column " (column) " should be " (board.expected[row - 1][column - 1])
            @if let Some(house) = &board.broken {
                "; " (house.kind) " " (house.number) " contains " (house.symbol) " twice"
            }
        }
        div.wide role="group" tabindex="0" aria-label="The board found" {
            table.board {
                tbody { @for (r, cells) in board.found.iter().enumerate() { tr {
                    @for (c, cell) in cells.iter().enumerate() {
                        td class=(class(r, c)) {
                            @if board.wrong == [r + 1, c + 1] { mark { (cell) } } @else { (cell) }
                        }
                    }
                } } }
            }
        }
    }
}
