//! A page to look at: a table per package, a row per case, a column per submission.

use super::text::{bytes, seconds};
use super::{Report, fit_to_print, lacking};
use crate::event::{CaseFinished, Event, SubmissionFinished};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeMap;
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

/// Collects what happens and writes the page when the run is finished.
pub struct Html<W> {
    out: W,
    packages: Vec<Package>,
    /// What the sandbox lacks.
    lacking: Option<String>,
}

struct Package {
    id: String,
    name: String,
    time_limit_s: Option<f64>,
    memory_limit_bytes: u64,
    cases: Vec<String>,
    submissions: Vec<SubmissionFinished>,
    results: BTreeMap<(String, String), CaseFinished>,
}

impl<W: Write> Html<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        Html {
            out,
            packages: Vec::new(),
            lacking: None,
        }
    }

    fn package(&mut self, id: &str) -> Option<&mut Package> {
        self.packages.iter_mut().find(|p| p.id == id)
    }
}

impl<W: Write> Report for Html<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &*fit_to_print(event) {
            Event::RunStarted { sandbox, .. } => self.lacking = lacking(sandbox),
            Event::PackageStarted {
                package,
                name,
                time_limit_s,
                memory_limit_bytes,
                cases,
            } => match self.package(package) {
                Some(known) => known.time_limit_s = *time_limit_s,
                None => self.packages.push(Package {
                    id: package.clone(),
                    name: name.clone(),
                    time_limit_s: *time_limit_s,
                    memory_limit_bytes: *memory_limit_bytes,
                    cases: cases.clone(),
                    submissions: Vec::new(),
                    results: BTreeMap::new(),
                }),
            },
            Event::CaseFinished(case) => {
                if let Some(package) = self.package(&case.package) {
                    let key = (case.submission.clone(), case.case.clone());
                    package.results.insert(key, case.clone());
                }
            }
            Event::SubmissionFinished(finished) => {
                if let Some(package) = self.package(&finished.package) {
                    package.submissions.push(finished.clone());
                }
            }
            Event::RunFinished {
                submissions,
                cases,
                as_expected,
                wall_s,
                warnings,
                ..
            } => {
                let line = format!(
                    "{submissions} submissions, {cases} case runs in {}: {}",
                    seconds(*wall_s),
                    if *as_expected {
                        "all as expected"
                    } else {
                        "not as expected"
                    }
                );
                let mut warnings = warnings.clone();
                if let Some(lacking) = &self.lacking {
                    warnings.push(format!("the sandbox is not whole: {lacking}"));
                }
                let page = page(&self.packages, &line, &warnings);
                self.out.write_all(page.into_string().as_bytes())?;
                self.out.flush()?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn page(packages: &[Package], line: &str, warnings: &[String]) -> Markup {
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
                @for package in packages { (section(package)) }
            }
        }
    }
}

fn section(package: &Package) -> Markup {
    html! {
        h2 { (package.id) " – " (package.name) }
        p.note {
            @if let Some(limit) = package.time_limit_s { (seconds(limit)) ", " }
            (bytes(package.memory_limit_bytes))
        }
        div.wide { table {
            thead { tr {
                th { "case" }
                @for submission in &package.submissions {
                    th {
                        (submission.submission) " "
                        @if let Some(verdict) = submission.verdict {
                            span class={ "v " (verdict.code()) } { (verdict.code()) }
                        } @else { span.note { "skipped" } }
                        @if !submission.as_expected {
                            div.note { "expected " (submission.expected.as_deref().unwrap_or("AC")) }
                        }
                    }
                }
            } }
            tbody {
                @for case in &package.cases { tr {
                    td { (case) }
                    @for submission in &package.submissions {
                        (cell(package.results.get(&(submission.submission.clone(), case.clone()))))
                    }
                } }
            }
        } }
    }
}

fn cell(result: Option<&CaseFinished>) -> Markup {
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
