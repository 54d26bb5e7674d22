//! A submission for the jury: its judgings, all cases, its source, and how it compares.

use super::compare::{Compared, comparison};
use super::form::Fields;
use super::frame::{self, button, date, memory, seconds, verdict};
use super::source::{self, Text};
use crate::http::error::{AppState, PageResult};
use crate::http::{App, Jury, Result};
use crate::layout;
use crate::store::{
    CaseRow, Judging, JudgingId, JudgingState, ReviewRow, Submission, SubmissionFilter,
    SubmissionId, Version,
};
use axum::extract::Path;
use maud::{Markup, html};

/// Everything on the page.
struct Seen {
    submission: Submission,
    row: ReviewRow,
    judgings: Vec<Judging>,
    /// The judging whose cases are shown.
    shown: Judging,
    version: Version,
    cases: Vec<CaseRow>,
    files: Vec<Text>,
    /// The same author's previous submission for the problem, and its files.
    previous: Option<(SubmissionId, Vec<Text>)>,
    compared: Compared,
}

fn load(app: &App, id: SubmissionId, chosen: Option<JudgingId>) -> Result<Seen> {
    let submission = app.store.submission(id)?;
    let judgings = app.store.judgings_of(id)?;
    let of_choice = judgings.iter().find(|judging| Some(judging.id) == chosen);
    let shown = match of_choice {
        Some(judging) => judging.clone(),
        None => app.store.valid_judging(id)?,
    };
    let only = SubmissionFilter {
        submission: Some(id),
        ..SubmissionFilter::default()
    };
    let gone = || crate::http::HttpError::NotFound(format!("no submission {id}"));
    let row = app.store.review(&only, 0, 1)?.pop().ok_or_else(gone)?;
    let same_author = SubmissionFilter {
        problem: Some(submission.problem),
        team: submission.team,
        user: Some(submission.user).filter(|_| submission.team.is_none()),
        ..SubmissionFilter::default()
    };
    let earlier = app.store.review_ids(&same_author)?;
    let previous = earlier.into_iter().rfind(|other| *other < id);
    let previous = previous
        .map(|other| Ok::<_, crate::http::HttpError>((other, source::read(app, other)?)))
        .transpose()?;
    Ok(Seen {
        version: app.store.version(shown.version)?,
        cases: app.store.case_results(shown.id)?,
        files: source::read(app, id)?,
        compared: comparison(app, &submission)?,
        previous,
        shown,
        judgings,
        row,
        submission,
    })
}

/// `GET /jury/submissions/{id}`; `?judging=ID` shows the cases of that judging.
pub async fn page(
    app: AppState,
    jury: Jury,
    Path(id): Path<SubmissionId>,
    fields: Fields,
) -> PageResult {
    let chosen = fields.parse("judging")?;
    let seen = app.blocking(move |app| load(app, id, chosen)).await?;
    let body = html! {
        (facts(&seen))
        @if seen.shown.state == JudgingState::Done && seen.shown.verdict.as_deref() == Some("JE") {
            (button(&jury.caller, "/jury/queue/retry", "Try again", &[
                ("judging", &seen.shown.id.to_string()),
            ]))
        }
        p { a href={ "/jury/rejudgings/new?submission=" (id) } { "Judge this submission again" } }
        (judgings(&seen))
        h2 { "Cases of judging " (seen.shown.id) }
        @if let Some(reason) = &seen.shown.reason { p { (reason) } }
        @if let Some(message) = &seen.shown.compile_message {
            h3 { "Compiler" }
            pre tabindex="0" { (message) }
        }
        (cases(&seen))
        h2 { "Source" }
        (source::files(&seen.files))
        h2 { "Changes since the previous submission" }
        @match &seen.previous {
            Some((previous, old)) => {
                p { a href={ "/jury/submissions/" (previous) } { "Submission " (previous) } }
                (source::changes(old, &seen.files))
            }
            None => p { "This is the author's first one for the problem." }
        }
        (seen.compared.shown())
    };
    let title = format!("Submission {id}");
    Ok(frame::page(
        &jury.caller,
        "/jury/submissions",
        &title,
        &body,
    ))
}

fn facts(seen: &Seen) -> Markup {
    let (row, submission) = (&seen.row, &seen.submission);
    let who = row.team.as_ref().map_or(&row.user.1, |(_, name)| name);
    html! {
        p {
            (verdict(row.state, row.verdict.as_deref())) " "
            @if let Some(score) = row.score { (score) " points, " }
            (row.problem.1) ", " (row.language)
            @if let Some(entry) = &submission.entry_point { " (" (entry) ")" }
            ", by " (who)
            @if row.team.is_some() { " (user " (row.user.1) ")" }
            ", " (date(submission.time_ms)) ", "
            @match &row.contest { Some((_, name)) => (name), None => "practice" }
        }
    }
}

fn judgings(seen: &Seen) -> Markup {
    let rows: Vec<Vec<Markup>> = seen.judgings.iter().map(|judging| {
        let id = judging.id;
        vec![
            html! {
                a href={ "?judging=" (id) } aria-current=[(id == seen.shown.id).then_some("true")] { (id) }
                @if judging.valid { " counts" }
            },
            verdict(judging.state, judging.verdict.as_deref()),
            html! {
                @match judging.rejudging {
                    Some(id) => a href={ "/jury/rejudgings/" (id) } { "rejudging " (id) },
                    None => "first",
                }
            },
            html! { (judging.attempt) },
            html! { a href={ "/jury/packages/" (seen.row.problem.1) } { (judging.version) } },
            seconds(judging.max_cpu_s),
            memory(judging.max_memory),
            html! {
                @if let Some(machine) = &judging.machine { (machine) }
                @if let Some(class) = &judging.machine_class { " (" (class) ")" }
            },
            html! { @if let Some(version) = &judging.judge_version { (version) } },
            html! { @if let Some(ms) = judging.finished_ms { (date(ms)) } },
        ]
    }).collect();
    let heads = [
        "Judging",
        "Verdict",
        "Why",
        "Attempts",
        "Package version",
        "Time",
        "Memory",
        "Machine",
        "Judge",
        "Finished",
    ];
    layout::table("Judgings", &heads, &rows)
}

fn cases(seen: &Seen) -> Markup {
    let limit = seen.shown.time_limit_s.or(seen.version.time_limit_s);
    let rows: Vec<Vec<Markup>> = seen
        .cases
        .iter()
        .map(|case| {
            let name = seen.version.cases.get(case.case);
            let share = case
                .cpu_s
                .zip(limit)
                .map(|(cpu, limit)| 100.0 * cpu / limit);
            vec![
                html! { (name.map_or("", String::as_str)) },
                verdict(JudgingState::Done, Some(&case.verdict)),
                seconds(case.cpu_s),
                html! { @if let Some(share) = share { (format!("{share:.0} %")) } },
                seconds(case.wall_s),
                memory(case.memory),
                html! {
                    @if let Some(score) = case.score { (score) " points " }
                    @if let Some(code) = case.exit_code { "exit code " (code) " " }
                    @if let Some(signal) = case.signal { "signal " (signal) " " }
                    @if let Some(message) = &case.message { pre { (message) } }
                    @if let Some(details) = &case.diagnosis {
                        details {
                            summary { "Diagnosis" }
                            (judge::report::html_diagnosis(details))
                        }
                    }
                },
            ]
        })
        .collect();
    let heads = [
        "Case",
        "Verdict",
        "CPU",
        "of the limit",
        "Wall",
        "Memory",
        "Details",
    ];
    html! {
        p { (rows.len()) " of " (seen.version.cases.len()) " cases." }
        (layout::table("Cases", &heads, &rows))
    }
}
