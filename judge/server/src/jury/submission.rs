//! A submission for the jury: its judgings, all cases, its source, and how it compares.

use super::case_files;
use super::compare::{Compared, comparison};
use super::decision;
use super::frame::{self, button, contest_time, date, memory, percent, seconds, verdict};
use super::run_again;
use super::source::{self, Text};
use super::verification;
use crate::access::Action;
use crate::http::{App, Fields, Jury, PageResult, Result};
use crate::layout::{Table, region};
use crate::store::{
    CaseRow, Contest, Judging, JudgingId, JudgingState, ReviewRow, Submission, SubmissionFilter,
    SubmissionId, Version,
};
use axum::extract::Path;
use judge_core::judging::{KEPT_OUTPUT, OUTPUTS_KEPT};
use judge_core::verdict::Verdict;
use judge_package::Package;
use maud::{Markup, Render, html};
use std::sync::Arc;

/// Everything on the page.
struct ReviewedSubmission {
    submission: Submission,
    row: ReviewRow,
    /// The contest; `None`: practice.
    contest: Option<Contest>,
    judgings: Vec<Judging>,
    /// The judging that counts, and the name of the judge who verified it.
    valid: Judging,
    verified_by: Option<String>,
    /// The judging whose cases are shown.
    shown: Judging,
    version: Version,
    /// Its package, unless this process lacks it or the data that it generates.
    package: Option<Arc<Package>>,
    cases: Vec<CaseRow>,
    files: Vec<Text>,
    /// The same author's previous submission for the problem, and its files.
    previous: Option<(SubmissionId, Vec<Text>)>,
    compared: Compared,
}

/// Loads a submission for its page; with `all` it is compared with submissions outside of its contest, too.
fn load(
    app: &App,
    id: SubmissionId,
    chosen: Option<JudgingId>,
    all: bool,
) -> Result<ReviewedSubmission> {
    let submission = app.store.submission(id)?;
    let judgings = app.store.judgings_of(id)?;
    let valid = app.store.valid_judging(id)?;
    let verified_by = valid.verified_by.map(|user| app.store.user(user));
    let contest = submission.contest.map(|contest| app.store.contest(contest));
    let of_choice = judgings.iter().find(|judging| Some(judging.id) == chosen);
    let shown = match of_choice {
        Some(judging) => judging.clone(),
        None => valid.clone(),
    };
    let only = SubmissionFilter {
        submission: Some(id),
        ..SubmissionFilter::default()
    };
    let gone = || crate::http::not_found(format!("no submission {id}"));
    let row = app.store.review(&only, 0, 1)?.pop().ok_or_else(gone)?;
    let same_author = SubmissionFilter {
        contest: Some(submission.contest),
        problem: Some(submission.problem),
        ..SubmissionFilter::by(submission.user, submission.team)
    };
    let earlier = app.store.review_ids(&same_author)?;
    let previous = earlier.into_iter().rfind(|other| *other < id);
    let previous = previous
        .map(|other| Ok::<_, crate::http::HttpError>((other, source::files_of(app, other)?)))
        .transpose()?;
    let version = app.store.version(shown.version)?;
    Ok(ReviewedSubmission {
        package: app.packages.get_ready(&version.tree).ok().flatten(),
        version,
        cases: app.store.case_results(shown.id)?,
        files: source::files_of(app, id)?,
        compared: comparison(app, &submission, all)?,
        contest: contest.transpose()?,
        verified_by: verified_by.transpose()?.map(|user| user.name),
        valid,
        previous,
        shown,
        judgings,
        row,
        submission,
    })
}

/// `GET /jury/submissions/{id}`; `?judging=ID` shows the cases of that judging.
pub fn page(app: &App, (jury, Path(id), fields): (Jury, Path<SubmissionId>, Fields)) -> PageResult {
    let chosen = fields.parse("judging")?;
    let seen = load(app, id, chosen, jury.contests.is_none())?;
    let body = html! {
        (region("facts", "judging", &facts(&seen)))
        @if jury.may(Action::Operate) && seen.shown.state == JudgingState::Done && seen.shown.verdict == Some(Verdict::JudgeError) {
            (button(&jury.caller, "/jury/queue/retry", "Try again", &[
                ("judging", &seen.shown.id.to_string()),
            ]))
        }
        (verification::form(&jury, seen.contest.as_ref(), &seen.valid, seen.verified_by.as_deref()))
        (decision::notice(&seen.submission))
        @if jury.may(Action::Judge) {
            p { a href={ "/jury/rejudgings/new?submission=" (id) } { "Judge this submission again" } }
            (decision::forms(&jury.caller, &seen.submission))
        }
        (region("judgings", "judging", &judgings(&seen, jury.may(Action::Operate))))
        h2 { "Cases of judging " (seen.shown.id) }
        @if let Some(reason) = &seen.shown.reason { p { (reason) } }
        @if let Some(message) = &seen.shown.compile_message {
            h3 { "Compiler" }
            pre tabindex="0" { (message) }
        }
        (region("cases", "judging", &cases(&seen)))
        @if jury.may(Action::Judge) {
            (run_again::form(&jury.caller, id, seen.shown.id, &seen.version))
        }
        h2 { "Source" }
        p { a href={ "/jury/submissions/" (id) "/source" } { "Download" } }
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

fn facts(seen: &ReviewedSubmission) -> Markup {
    let (row, submission) = (&seen.row, &seen.submission);
    html! {
        p {
            (verdict(row.state, row.verdict)) " "
            @if let Some(score) = row.score { (score) " points, " }
            (row.problem.1) ", " (row.language)
            @if let Some(entry) = &submission.entry_point { " (" (entry) ")" }
            ", by " (row.who())
            @if row.team.is_some() { " (user " (row.user.1) ")" }
            ", " (date(submission.time_ms)) ", "
            @match &seen.contest {
                Some(contest) => { (contest.name) " at " (contest_time(Some(contest), submission.time_ms)) }
                None => "practice"
            }
        }
    }
}

fn judgings(seen: &ReviewedSubmission, sees_packages: bool) -> Markup {
    Table::new("Judgings", &seen.judgings)
        .column("Judging", |own| {
            let shown = (own.id == seen.shown.id).then_some("true");
            html! {
                a href={ "?judging=" (own.id) } aria-current=[shown] { (own.id) }
                @if own.valid { " counts" }
            }
        })
        .column("Verdict", |own| verdict(own.state, own.verdict))
        .column("Why", |own| match own.rejudging {
            Some(id) => html! { a href={ "/jury/rejudgings/" (id) } { "rejudging " (id) } },
            None => html! { "first" },
        })
        .column("Attempts", |own| own.attempt)
        .column("Package version", |own| match sees_packages {
            true => html! { a href={ "/jury/packages/" (seen.row.problem.1) } { (own.version) } },
            false => html! { (own.version) },
        })
        .column("Time", |own| seconds(own.max_cpu_s))
        .column("Memory", |own| memory(own.max_memory))
        .column("Machine", |own| {
            html! {
                @if let Some(machine) = &own.machine { (machine) }
                @if let Some(class) = &own.machine_class { " (" (class) ")" }
            }
        })
        .column("Judge", |own| {
            own.judge_version.as_deref().unwrap_or_default()
        })
        .column(
            "Finished",
            |own| html! { @if let Some(ms) = own.finished_ms { (date(ms)) } },
        )
        .render()
}

fn cases(seen: &ReviewedSubmission) -> Markup {
    let limit = seen.shown.time_limit_s.or(seen.version.time_limit_s);
    let name = |own: &CaseRow| seen.version.cases.get(own.case);
    let data = seen.package.as_ref().map(|package| package.judged_cases());
    let data = |own: &CaseRow| data.as_ref()?.get(own.case).copied();
    let table = Table::new("Cases", &seen.cases)
        .column("Case", |own| {
            let description = data(own).and_then(|case| case.description.as_ref());
            html! {
                (name(own).map_or("", String::as_str))
                @if let Some(description) = description { p.quiet { (description) } }
            }
        })
        .column("Verdict", |own| {
            verdict(JudgingState::Done, Some(own.verdict))
        })
        .column("CPU", |own| seconds(own.cpu_s))
        .column("of the limit", |own| percent(own.cpu_s, limit))
        .column("Wall", |own| seconds(own.wall_s))
        .column("Memory", |own| memory(own.memory))
        .column("Details", |own| {
            html! {
                @if let Some(score) = own.score { (score) " points " }
                @if let Some(code) = own.exit_code { "exit code " (code) " " }
                @if let Some(signal) = own.signal { "signal " (signal) " " }
                @if let Some(message) = &own.message { pre { (message) } }
                @if let Some(details) = &own.diagnosis {
                    details {
                        summary { "Diagnosis" }
                        (judge_report::html_diagnosis(details))
                        (judge_report::html_images(details))
                    }
                }
            }
        })
        .column("Files", |own| {
            case_files::links(&seen.shown, own, data(own))
        });
    html! {
        p {
            (seen.cases.len()) " of " (seen.version.cases.len()) " cases. "
            span.quiet {
                "The output of a case that is not accepted is kept up to " (KEPT_OUTPUT >> 10) " KiB, for the first "
                (OUTPUTS_KEPT) " of them on a worker."
            }
        }
        (table)
    }
}
