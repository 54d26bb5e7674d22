//! A self-contained HTML page: results, charts, failed cases, sources. It loads nothing, works
//! without scripts, and its policy allows only its own style and script.

mod charts;
mod details;
mod tables;

pub use details::{diagnosis, images};

use super::Report;
use super::{lacking, totals};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::DateTime;
use judge_core::figures::{bytes, plural, seconds};
use judge_core::results::{
    Change, Finding, PackageResults, RunFinished, RunResults, SubmissionResult, SubmissionResults,
};
use judge_package::Severity;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// Writes the page when the run is finished.
pub struct Html<W> {
    out: W,
}

impl<W: Write> Html<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        Html { out }
    }
}

impl<W: Write> Report for Html<W> {
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        if let Change::RunFinished(end) = change {
            let page = page(results, end).into_string();
            self.out.write_all(page.as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// A submission on the page; `finished` is `None` after an interrupt.
struct Entry<'a> {
    of: &'a SubmissionResults,
    finished: Option<&'a SubmissionResult>,
    anchor: String,
}

/// The submissions of package `index`: unexpected ones first.
fn entries(package: &PackageResults, index: usize) -> Vec<Entry<'_>> {
    let mut finished: Vec<_> = package.finished().collect();
    finished.sort_by_key(|(_, finished)| finished.as_expected);
    let finished = finished
        .into_iter()
        .map(|(of, finished)| (of, Some(finished)));
    let all = finished.chain(package.unfinished().map(|of| (of, None)));
    all.enumerate()
        .map(|(k, (of, finished))| Entry {
            of,
            finished,
            anchor: format!("p{index}s{k}"),
        })
        .collect()
}

fn page(results: &RunResults, end: &RunFinished) -> Markup {
    let headline = headline(results, end);
    // Shared by all packages: the page stays small however many cases failed.
    let mut budgets = details::BUDGETS;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "judge " (results.started.version) };
                title { "judge: " (headline) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (headline) }
                    (about(results))
                    @for warning in totals::warnings(results, end, false) { p.warning { "warning: " (warning) } }
                    (PreEscaped(FILTER))
                }
                main {
                    @if !results.findings.is_empty() { section aria-labelledby="findings" {
                        h2 #findings { "Findings" }
                        ul { @for finding in &results.findings { (found(finding)) } }
                    } }
                    @for (index, package) in results.packages.iter().enumerate() {
                        (section(results, package, index, &mut budgets))
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// The script shows it: without one it would do nothing.
const FILTER: &str = r#"<form id="filter" hidden><label>Verdict <select name="verdict"><option value="">all</option><option value="-AC">not AC</option></select></label> <label>Submission <input type="search" name="submission" placeholder="part of its name"></label> <output aria-live="polite"></output></form>"#;

fn headline(results: &RunResults, end: &RunFinished) -> String {
    let counts = totals::counts(results, end);
    let (run, wall) = (&counts.run, seconds(end.wall_s));
    format!("{run} in {wall}: {}{}", counts.verdict(end), counts.tail())
}

/// When, where and how it was measured.
fn about(results: &RunResults) -> Markup {
    let run = &results.started;
    let started = run.started_s.map(|seconds| (seconds * 1000.0) as i64);
    let started = started.and_then(DateTime::from_timestamp_millis);
    html! {
        dl.about {
            @if let Some(started) = started {
                div { dt { "Date" } dd {
                    time datetime=(started.to_rfc3339()) { (started.format("%Y-%m-%d %H:%M:%S UTC")) }
                } }
            }
            @if let Some(machine) = &run.machine {
                div { dt { "Machine" } dd {
                    @if let Some(processor) = &machine.processor { (processor) ", " }
                    (plural(machine.cores, "core")) ", " (plural(machine.jobs, "case"))
                    " at once, " (machine.system)
                } }
            }
            @if !results.measured.is_empty() {
                div { dt { "Measured by" } dd {
                    @for (k, (figure, by)) in results.measured.iter().enumerate() {
                        @if k > 0 { ", " } (figure) ": " (by)
                    }
                } }
            }
            @if let Some(per_second) = run.instructions_per_second {
                div { dt { "Clock" } dd { (per_second / 1e6) " million instructions count as a second" } }
            }
            div { dt { "Sandbox" } dd { (lacking(run).as_deref().unwrap_or("complete")) } }
            div { dt { "Judge" } dd { (run.version) } }
        }
    }
}

/// A problem found in a package.
fn found(finding: &Finding) -> Markup {
    let position = totals::position(finding);
    let class = match finding.severity {
        Severity::Error => "v WA",
        Severity::Warning => "v TLE",
    };
    html! {
        li {
            span class=(class) { (totals::severity(finding)) }
            " " (finding.package) ": "
            @if !position.is_empty() { code { (position) } ": " }
            (finding.message)
            @if let Some(remedy) = &finding.remedy { div.note { "help: " (remedy) } }
        }
    }
}

fn section(
    results: &RunResults,
    package: &PackageResults,
    index: usize,
    budgets: &mut [usize; 2],
) -> Markup {
    let entries = entries(package, index);
    let title = format!("p{index}");
    let about = &package.about;
    let [time_note, memory_note] = totals::limit_notes(package);
    html! {
        section.package aria-labelledby=(title) {
            h2 id=(title) { (about.id) " – " (about.title) }
            p.note {
                @if let Some(limit) = about.time_limit_s {
                    (seconds(limit)) (time_note) ", "
                }
                (bytes(about.memory_limit_bytes)) (memory_note)
                ", " (plural(about.cases.len(), "case"))
            }
            (tables::submissions(results, package, &entries))
            (tables::matrix(package, &entries))
            (charts::all(package, &entries, index))
            h3 { "Submissions" }
            @for entry in &entries { (details::of_submission(results, package, entry, budgets)) }
        }
    }
}

/// Only the page's own style, script and images, and no connection.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        BASE64.encode(Sha256::digest(STYLE)),
        BASE64.encode(Sha256::digest(SCRIPT))
    )
}
