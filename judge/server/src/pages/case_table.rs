//! The results of the cases of a submission: a strip of marks, a table, and explanations of failed cases.

use super::parts::points;
use crate::http::{App, Result};
use crate::layout::{self, Table};
use crate::store::{CaseRow, Judging};
use crate::submissions::SeenSubmission;
use judge_core::figures::bytes;
use judge_core::verdict::Verdict;
use judge_report::{html_diagnosis, html_images};
use maud::{Markup, html};
use std::collections::HashMap;

/// Maximum number of failed cases that are explained.
const MAX_EXPLAINED: usize = 10;
/// Maximum number of cases in the strip.
const MAX_IN_STRIP: usize = 300;

/// Renders the cases that the viewer may see: overview, table and explanations.
pub fn cases(app: &App, seen: &SeenSubmission, judging: &Judging) -> Result<Markup> {
    let limit = match judging.time_limit_s {
        Some(limit) => Some(limit),
        None => app.store.version(judging.version)?.time_limit_s,
    };
    let explained = seen.cases.iter().filter(|(_, case)| is_explained(case));
    let explained: Vec<_> = explained.collect();
    let mut table = Table::new("Cases", &seen.cases)
        .column("Case", |(name, _)| name)
        .column("Verdict", |(_, case)| badge(case))
        .column("CPU time", |(_, case)| {
            html! {
                @if let Some(cpu) = case.cpu_s {
                    (format!("{cpu:.3}")) @if let Some(limit) = limit { " of " (limit) } " s"
                }
            }
        })
        .column("Memory", |(_, case)| {
            html! { @if let Some(memory) = case.memory { (bytes(memory)) } }
        });
    if seen.cases.iter().any(|(_, case)| case.score.is_some()) {
        table = table.column("Points", |(_, case)| {
            html! { @if let Some(score) = case.score { (points(score)) } }
        });
    }
    Ok(html! {
        @if let Some(names) = &seen.case_names { (strip(names, &seen.cases)) }
        (groups(seen))
        @if !seen.cases.is_empty() { (table) }
        @if seen.case_names.is_none() && seen.source {
            p.quiet { "During the contest only the results of samples are shown." }
        }
        @if !explained.is_empty() { h2 { "What went wrong" } }
        @for (name, case) in explained.iter().take(MAX_EXPLAINED) { (explanation(name, case)) }
        @if explained.len() > MAX_EXPLAINED {
            p.quiet { "And " (explained.len() - MAX_EXPLAINED) " more." }
        }
    })
}

/// The number of passed cases for each group of the package.
fn groups(seen: &SeenSubmission) -> Markup {
    let Some(of_cases) = &seen.case_groups else {
        return html! {};
    };
    let mut groups: Vec<(&str, [usize; 3])> = Vec::new();
    for group in of_cases {
        match groups.iter_mut().find(|(own, _)| own == group) {
            Some((_, [_, _, all])) => *all += 1,
            None => groups.push((group, [0, 0, 1])),
        }
    }
    for (_, case) in &seen.cases {
        let group = of_cases.get(case.case);
        let own = groups
            .iter_mut()
            .find(|(own, _)| Some(*own) == group.map(String::as_str));
        if let Some((_, [passed, judged, _])) = own {
            *judged += 1;
            *passed += usize::from(case.verdict == Verdict::Accepted);
        }
    }
    let table = Table::new("Groups of cases", &groups)
        .column("Group", |(group, _)| group)
        .column("Passed", |(_, [passed, _, all])| {
            html! { (passed) " of " (all) }
        })
        .column("Result", |(_, [passed, judged, all])| {
            html! {
                @if passed == all { span.good { "✓ all passed" } }
                @else if judged > passed { span.bad { "✗ " (judged - passed) " failed" } }
            }
        });
    html! { @if groups.len() > 2 { (table) } }
}

fn badge(case: &CaseRow) -> Markup {
    layout::verdict(Some(case.verdict))
}

/// One mark for each case, including cases that have not run. Hidden from screen readers, which read the table.
fn strip(names: &[String], cases: &[(String, CaseRow)]) -> Markup {
    let known: HashMap<usize, &CaseRow> = cases.iter().map(|(_, case)| (case.case, case)).collect();
    let passed = cases
        .iter()
        .filter(|(_, case)| case.verdict == Verdict::Accepted)
        .count();
    html! {
        div.strip aria-hidden="true" {
            @for (index, name) in names.iter().enumerate().take(MAX_IN_STRIP) {
                @match known.get(&index) {
                    Some(case) if case.verdict == Verdict::Accepted => span.good title=(name) { "✓" },
                    Some(case) => span.bad title={ (name) ": " (case.verdict.code()) } { "✗" },
                    None => span.open title=(name) { "·" },
                }
            }
        }
        p.quiet { (passed) " of " (names.len()) " cases passed, " (cases.len()) " judged" }
    }
}

fn is_explained(case: &CaseRow) -> bool {
    case.verdict != Verdict::Accepted && (case.message.is_some() || case.diagnosis.is_some())
}

fn explanation(name: &str, case: &CaseRow) -> Markup {
    html! {
        article.case {
            h3 { (badge(case)) " on " (name) }
            @if let Some(message) = &case.message {
                pre tabindex="0" role="region" aria-label={ "Message about " (name) } { "\n" (message) }
            }
            @if let Some(code) = case.exit_code { p { "Exit code " (code) } }
            @if let Some(signal) = case.signal { p { "Ended by signal " (signal) } }
            @if let Some(details) = &case.diagnosis { (html_diagnosis(details)) (html_images(details)) }
        }
    }
}
