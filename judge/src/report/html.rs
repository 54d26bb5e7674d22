//! A self-contained HTML page: results, charts, failed cases, sources. It loads nothing, works
//! without scripts, and its policy allows only its own style and script.

mod charts;
mod details;
mod tables;

pub use details::diagnosis;

use super::Report;
use super::package_summary::PackageSummary;
use super::run_summary::{FindingSummary, RunSummary};
use super::text::{bytes, plural, seconds};
use crate::event::{Event, SubmissionFinished};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::DateTime;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// Collects events and writes the page when the run is finished.
pub struct Html<W> {
    out: W,
    summary: RunSummary,
}

impl<W: Write> Html<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        Html {
            out,
            summary: RunSummary::default(),
        }
    }
}

impl<W: Write> Report for Html<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.summary.add(event);
        if matches!(event, Event::RunFinished { .. }) {
            let page = page(&self.summary).into_string();
            self.out.write_all(page.as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// A submission on the page; `finished` is `None` after an interrupt.
struct Entry<'a> {
    name: &'a str,
    finished: Option<&'a SubmissionFinished>,
    /// The anchor of its details.
    anchor: String,
}

/// The submissions of package `index`: unexpected ones first.
fn entries(package: &PackageSummary, index: usize) -> Vec<Entry<'_>> {
    let mut finished: Vec<&SubmissionFinished> = package.finished.iter().collect();
    finished.sort_by_key(|finished| finished.as_expected);
    let finished = finished
        .into_iter()
        .map(|f| (f.submission.as_str(), Some(f)));
    let all = finished.chain(package.unfinished().map(|name| (name, None)));
    all.enumerate()
        .map(|(k, (name, finished))| Entry {
            name,
            finished,
            anchor: format!("p{index}s{k}"),
        })
        .collect()
}

fn page(summary: &RunSummary) -> Markup {
    let headline = headline(summary);
    // Shared by all packages: the page stays small however many cases failed.
    let mut budget = details::BUDGET;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "judge " (summary.version) };
                title { "judge: " (headline) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (headline) }
                    (about(summary))
                    @if let Some(end) = &summary.end {
                        @for warning in &end.warnings { p.warning { "warning: " (warning) } }
                    }
                    (PreEscaped(FILTER))
                }
                main {
                    @if !summary.findings.is_empty() { section aria-labelledby="findings" {
                        h2 #findings { "Findings" }
                        ul { @for finding in &summary.findings { (found(finding)) } }
                    } }
                    @for (index, package) in summary.packages.iter().enumerate() {
                        (section(summary, package, index, &mut budget))
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// The script shows it: without one it would do nothing.
const FILTER: &str = r#"<form id="filter" hidden><label>Verdict <select name="verdict"><option value="">all</option><option value="-AC">not AC</option></select></label> <label>Submission <input type="search" name="submission" placeholder="part of its name"></label> <output aria-live="polite"></output></form>"#;

fn headline(summary: &RunSummary) -> String {
    let Some(end) = &summary.end else {
        return String::new();
    };
    let counts = summary.counts(end);
    let (run, wall) = (&counts.run, seconds(end.wall_s));
    format!("{run} in {wall}: {}{}", counts.verdict(end), counts.tail())
}

/// When, where and how it was measured.
fn about(summary: &RunSummary) -> Markup {
    let started = summary.started_s.map(|seconds| (seconds * 1000.0) as i64);
    let started = started.and_then(DateTime::from_timestamp_millis);
    html! {
        dl.about {
            @if let Some(started) = started {
                div { dt { "Date" } dd {
                    time datetime=(started.to_rfc3339()) { (started.format("%Y-%m-%d %H:%M:%S UTC")) }
                } }
            }
            @if let Some(machine) = &summary.machine {
                div { dt { "Machine" } dd {
                    @if let Some(processor) = &machine.processor { (processor) ", " }
                    (plural(machine.cores, "core")) ", " (plural(machine.jobs, "case"))
                    " at once, " (machine.system)
                } }
            }
            @if !summary.measured.is_empty() {
                div { dt { "Measured by" } dd {
                    @for (k, (figure, by)) in summary.measured.iter().enumerate() {
                        @if k > 0 { ", " } (figure) ": " (by)
                    }
                } }
            }
            @if let Some(per_second) = summary.instructions_per_second {
                div { dt { "Clock" } dd { (per_second / 1e6) " million instructions count as a second" } }
            }
            div { dt { "Sandbox" } dd { (summary.lacking.as_deref().unwrap_or("complete")) } }
            div { dt { "Judge" } dd { (summary.version) } }
        }
    }
}

/// A problem found in a package.
fn found(finding: &FindingSummary) -> Markup {
    html! {
        li {
            @if finding.is_error { span.v.WA { "error" } } @else { span.v.TLE { "warning" } }
            " " (finding.package) ": "
            @if !finding.place.is_empty() { code { (finding.place) } ": " }
            (finding.message)
            @if let Some(remedy) = &finding.remedy { div.note { "help: " (remedy) } }
        }
    }
}

fn section(
    summary: &RunSummary,
    package: &PackageSummary,
    index: usize,
    budget: &mut usize,
) -> Markup {
    let entries = entries(package, index);
    let title = format!("p{index}");
    html! {
        section.package aria-labelledby=(title) {
            h2 id=(title) { (package.id) " – " (package.name) }
            p.note {
                @if let Some(limit) = package.time_limit_s {
                    (seconds(limit)) (package.time_limit_note) ", "
                }
                (bytes(package.memory_limit_bytes)) (package.memory_limit_note)
                ", " (plural(package.cases.len(), "case"))
            }
            (tables::submissions(summary, package, &entries))
            (tables::matrix(package, &entries))
            (charts::all(package, &entries, index))
            h3 { "Submissions" }
            @for entry in &entries { (details::of_submission(summary, package, entry, budget)) }
        }
    }
}

/// Only the page's own style and script, and no connection.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        BASE64.encode(Sha256::digest(STYLE)),
        BASE64.encode(Sha256::digest(SCRIPT))
    )
}
