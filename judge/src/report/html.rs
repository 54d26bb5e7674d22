//! An HTML page: a table per package, a row per case, a column per submission.

use super::package_summary::{CaseSummary, FindingSummary, PackageSummary, RunSummary};
use super::text::{bytes, seconds};
use super::{Report, lacking};
use crate::event::{Event, SubmissionFinished};
use crate::text::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::io::{self, Write};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; }
h1 { font-size: 1.3rem } h2 { font-size: 1.1rem; margin-top: 2.2rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; vertical-align: top }
td.figure { text-align: right; white-space: nowrap }
.v { font-weight: 700; padding: .05rem .4rem; border-radius: .3rem; color: #fff; background: #b45309 }
.AC { background: #15803d } .WA, .PE, .RTE { background: #b91c1c } .CE, .JE { background: #7e22ce }
.note { opacity: .75 } pre { margin: .2rem 0; white-space: pre-wrap }
";

/// Collects events and writes the page when the run is finished.
pub struct Html<W> {
    out: W,
    summary: RunSummary,
    /// Missing layers of the sandbox.
    lacking: Option<String>,
}

impl<W: Write> Html<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        Html {
            out,
            summary: RunSummary::default(),
            lacking: None,
        }
    }
}

impl<W: Write> Report for Html<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.summary.add(event);
        match event {
            Event::RunStarted { sandbox, .. } => self.lacking = lacking(sandbox),
            Event::RunFinished {
                submissions,
                cases,
                as_expected,
                interrupted,
                wall_s,
                warnings,
            } => {
                let line = format!(
                    "{submissions} submissions, {cases} case runs in {}: {}",
                    seconds(*wall_s),
                    match (interrupted, as_expected) {
                        (true, _) => "interrupted",
                        (_, true) => "all as expected",
                        (_, false) => "not as expected",
                    }
                );
                let mut warnings: Vec<String> = warnings
                    .iter()
                    .map(|warning| printable(warning.as_bytes()))
                    .collect();
                if let Some(lacking) = &self.lacking {
                    warnings.push(format!("the sandbox is incomplete: {lacking}"));
                }
                let page = page(&self.summary, &line, &warnings);
                self.out.write_all(page.into_string().as_bytes())?;
                self.out.flush()?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn page(summary: &RunSummary, line: &str, warnings: &[String]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "judge: " (line) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (line) }
                @for warning in warnings { p.note { "warning: " (warning) } }
                @if !summary.findings.is_empty() { ul {
                    @for finding in &summary.findings { (found(finding)) }
                } }
                @for package in &summary.packages { (section(package)) }
            }
        }
    }
}

/// A problem found in a package.
fn found(finding: &FindingSummary) -> Markup {
    html! {
        li {
            @if finding.is_error { span.v.WA { "error" } } @else { span.v { "warning" } }
            " " (finding.package) ": "
            @if !finding.place.is_empty() { code { (finding.place) } ": " }
            (finding.message)
            @if let Some(remedy) = &finding.remedy { div.note { "help: " (remedy) } }
        }
    }
}

fn section(package: &PackageSummary) -> Markup {
    // After an interrupt, some submissions are unfinished.
    let finished = package
        .finished
        .iter()
        .map(|f| (f.submission.as_str(), Some(f)));
    let unfinished = package.unfinished().map(|name| (name, None));
    let submissions: Vec<_> = finished.chain(unfinished).collect();
    html! {
        h2 { (package.id) " – " (package.name) }
        p.note {
            @if let Some(limit) = package.time_limit_s {
                (seconds(limit)) (package.time_limit_note) ", "
            }
            (bytes(package.memory_limit_bytes)) (package.memory_limit_note)
        }
        div.wide { table {
            thead { tr {
                th { "case" }
                @for &(name, finished) in &submissions {
                    th { (name) " " (head(package, name, finished)) }
                }
            } }
            tbody {
                @for (place, case) in package.cases.iter().enumerate() { tr {
                    td { (case) }
                    @for (name, _) in &submissions {
                        (cell(package.result(name, place)))
                    }
                } }
            }
        } }
    }
}

/// The verdict and messages of a submission.
fn head(package: &PackageSummary, name: &str, finished: Option<&SubmissionFinished>) -> Markup {
    html! {
        @match finished {
            None => { span.note { "interrupted" } }
            Some(finished) => {
                @if let Some(verdict) = finished.verdict {
                    span class={ "v " (verdict.code()) } { (verdict.code()) }
                } @else { span.note { "skipped" } }
                @if !finished.as_expected {
                    div.note { "expected " (finished.expected.as_deref().unwrap_or("AC")) }
                }
                @if let Some(message) = &finished.message { pre { (message) } }
            }
        }
        @if let Some(message) = package.messages.get(name) {
            details { summary { "compiler" } pre { (message) } }
        }
    }
}

fn cell(result: Option<&CaseSummary>) -> Markup {
    html! {
        td.figure {
            @if let Some(result) = result {
                span class={ "v " (result.verdict.code()) } { (result.verdict.code()) } " "
                @if let Some(cpu) = result.cpu_s { (seconds(cpu)) }
                @if let Some(memory) = result.memory_bytes { " · " (bytes(memory)) }
                @if let Some(message) = &result.message {
                    details { summary { "why" } pre { (message) } }
                }
            } @else { "–" }
        }
    }
}
