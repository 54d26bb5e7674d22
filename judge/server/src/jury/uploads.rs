//! Uploads of packages: what verifying found, and publishing.

use super::contests::by_ext;
use super::frame::{
    Question, asked, button, checkbox, csrf, date, options, page, plural, seconds, select, verdict,
};
use crate::http::{
    App, Caller, Form, HttpError, Jury, MaxUpload, PageResult, Result, Upload, bad_request,
    conflict, internal, no_temporary_files,
};
use crate::layout::{Table, input, region};
use crate::queue::Listed;
use crate::store::{
    Contest, ContestId, ContestProblem, JudgingState, NewVersion, ProblemId, StepReport, UploadId,
    UserId, VerifiedSubmission,
};
use crate::units::{parked_steps, verification_units};
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use judge_core::verdict::Verdict;
use judge_tempdir::TempDirectory;
use maud::{Markup, html};
use std::iter;

/// The area of these pages.
const AREA: &str = "/jury/packages";

pub const MAX_UPLOAD: MaxUpload = MaxUpload {
    bytes: 256 << 20,
    remedy: "unpack the package on the server's machine and name its directory to `judge serve`",
};

/// Maximum bytes of the name of an archive.
const MAX_FILE_NAME: usize = 200;

/// `POST /jury/packages`: a file named `file`.
pub fn upload(app: &App, upload: Upload<Jury>) -> Result<Redirect> {
    let [file] = &upload.files[..] else {
        return Err(bad_request("choose one archive"));
    };
    // Some browsers send directories.
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let id = add(app, name, &file.content, upload.by.user.id)?;
    Ok(Redirect::to(&format!("/jury/uploads/{id}")))
}

/// Reads an archive, takes a snapshot of it, and enqueues its verification. Blocks.
fn add(app: &App, name: &str, content: &[u8], by: UserId) -> Result<UploadId> {
    // A package without a directory of its own gets its id from the name: letters of any script distinguish it.
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let safe: String = name.chars().map(plain).collect();
    let safe = safe.trim_start_matches(['.', '-']);
    let is_archive = safe.ends_with(".zip") || safe.ends_with(".kpp");
    if !is_archive || safe.len() > MAX_FILE_NAME {
        return Err(bad_request(format!(
            "a package is a zip archive NAME.zip, whose name has at most {MAX_FILE_NAME} bytes"
        )));
    }
    let directory = TempDirectory::new("upload").map_err(no_temporary_files)?;
    let path = directory.path().join(safe);
    std::fs::write(&path, content).map_err(no_temporary_files)?;
    let prefix = format!("{}/", directory.path().display());
    // The reader checks sizes, paths and links before and while it unpacks.
    let shown = |mut error: HttpError| {
        error.message = error.message.replace(&prefix, "");
        error
    };
    let version = app.packages.add(&path).map_err(|e| shown(e.into()))?;
    let package = app.packages.read(&version.tree)?;
    let steps = 1 + package.submissions.len();
    let id = app
        .store
        .add_upload(&version.tree, &version.ext, name, steps, by)?;
    if let Err(error) = app.queue.enqueue(&verification_units(id, steps)) {
        // It is kept, and enqueued when there is room, or when the server starts.
        tracing::error!("upload {id} is not enqueued: {error}");
    }
    Ok(id)
}

/// `GET /jury/uploads/{id}`
pub fn show(app: &App, (jury, Path(id)): (Jury, Path<UploadId>)) -> PageResult {
    let reports = app.store.upload_reports(id)?;
    let upload = app.store.upload(id)?;
    let contests = app.store.contests()?;
    let done = reports.len() == upload.steps;
    let parked = match done {
        true => Vec::new(),
        false => parked_steps(app.queue.as_ref(), id)?,
    };
    let failing = failing(&reports);
    let body = html! {
        (region("upload", "uploads", &html! {
            (alert(&failing))
            p { (upload.file) ", " (date(upload.added_ms)) }
            p role="status" { (reports.len()) " of " (upload.steps) " steps are verified." }
            @if !done { noscript { p { a href={ "/jury/uploads/" (id) } { "Load this page again" } } } }
            (parked_table(&jury.caller, &parked))
            (findings(&reports, done))
            (submissions(&reports))
            @if let Some(ms) = upload.published_ms { p { "Published " (date(ms)) "." } }
        }))
        (region("publish", "uploads", &html! {
            @if done && crate::access::manages(jury.caller.viewer) {
                (publish_form(&jury.caller, id, &contests, &failing))
            }
        }))
    };
    let title = format!("Upload {id}: {}", upload.ext);
    Ok(page(&jury.caller, "/jury/packages", &title, &body))
}

/// The submissions that have to be accepted and are not.
fn failing(reports: &[StepReport]) -> Vec<&VerifiedSubmission> {
    let all = reports.iter().filter_map(|own| own.submission.as_ref());
    let fails = |own: &&VerifiedSubmission| {
        let accepted = own.expected.as_deref() == Some("AC");
        accepted && own.verdict.is_some() && !own.as_expected
    };
    all.filter(fails).collect()
}

fn alert(failing: &[&VerifiedSubmission]) -> Markup {
    html! {
        @if !failing.is_empty() {
            div.notice role="alert" {
                p.error { strong { "A solution that should be accepted fails:" } }
                ul {
                    @for own in failing {
                        li { (own.name) ": " (verdict(JudgingState::Done, own.verdict)) }
                    }
                }
            }
        }
    }
}

/// Steps that the judge failed on too often, which nothing verifies until they are tried again.
fn parked_table(caller: &Caller, parked: &[(usize, Listed)]) -> Markup {
    let table = Table::new("Parked steps", parked)
        .column("Step", |(step, _)| match step {
            0 => "files and data".to_owned(),
            step => format!("submission {step}"),
        })
        .column("Reason", |(_, own)| {
            html! { pre { (own.reason.as_deref().unwrap_or_default()) } }
        })
        .column("", |(_, own)| {
            let fields = [("unit", own.unit.id.as_str())];
            button(caller, "/jury/queue/retry", "Try again", &fields)
        });
    html! {
        @if !parked.is_empty() {
            h2 { "Parked steps" }
            p {
                "The judge failed on these several times. They are not tried again by themselves, and the package "
                "cannot be published before they are verified."
            }
            (table)
        }
    }
}

fn findings(reports: &[StepReport], done: bool) -> Markup {
    let all = || reports.iter().flat_map(|report| &report.findings);
    html! {
        h2 { "Findings" }
        @if all().next().is_none() { p { @if done { "None." } @else { "None so far." } } }
        ul {
            @for (severity, text) in all() {
                li { strong { (severity) } ": " span.statement { (text) } }
            }
        }
    }
}

fn submissions(reports: &[StepReport]) -> Markup {
    let all = reports.iter().filter_map(|own| own.submission.as_ref());
    let all: Vec<&VerifiedSubmission> = all.collect();
    let table = Table::new("Submissions", &all)
        .column("Submission", |own| &own.name)
        .column("Verdict", |own| match own.verdict {
            Some(own) => verdict(JudgingState::Done, Some(own)),
            None => html! { "not judged: its language is missing here" },
        })
        .column("Expected", |own| {
            own.expected.as_deref().unwrap_or_default()
        })
        .column("As expected", |own| {
            html! {
                @if own.verdict.is_none() { "not judged" }
                @else if own.as_expected { "yes" }
                @else { strong.error { "no" } }
            }
        })
        .column("Time", |own| seconds(own.max_cpu_s))
        .column("Limit", |own| seconds(own.time_limit_s))
        .column("Message", |own| {
            html! { @if let Some(message) = &own.message { pre { (message) } } }
        });
    html! { h2 { "Submissions of the package" } (table) }
}

fn publish_form(
    caller: &Caller,
    id: UploadId,
    contests: &[Contest],
    failing: &[&VerifiedSubmission],
) -> Markup {
    let practice = ("practice".to_owned(), "open it for practice".to_owned());
    let contest = |own: &Contest| {
        (
            format!("contest {}", own.ext),
            format!("add it to the contest {}", own.name),
        )
    };
    let others = iter::once(practice).chain(contests.iter().map(contest));
    let places = options("keep it as it is; new problems stay closed", others);
    html! {
        h2 { "Publish" }
        p { "New judgings use this version. Earlier verdicts stay until a rejudging is applied." }
        form method="post" action={ "/jury/uploads/" (id) "/publish" } {
            (csrf(caller))
            (select("place", "Where", &places, ""))
            (input("label", "Label in the contest", "text", false))
            @if !failing.is_empty() {
                (checkbox("despite", "Publish it although a solution that should be accepted fails", false))
            }
            button.primary { "Publish" }
        }
    }
}

/// `POST /jury/uploads/{id}/publish`: `place` is empty, `practice` or `contest ID`, that with `label`; `despite` if an
/// accepted solution fails.
pub fn publish(app: &App, (Path(id), form): (Path<UploadId>, Form<Jury>)) -> Result<Response> {
    let upload = app.store.upload(id)?;
    let reports = app.store.upload_reports(id)?;
    if reports.len() < upload.steps {
        return Err(conflict(
            "the package is not verified yet; load the page again later",
        ));
    }
    if let (Some(first), false) = (failing(&reports).first(), form.fields.ticked("despite")) {
        return Err(conflict(format!(
            "{} should be accepted and gets {}: correct the package, or tick the box to publish it nevertheless",
            first.name,
            first.verdict.map_or("", Verdict::code)
        )));
    }
    let version = app.packages.described(&upload.tree).map_err(internal)?;
    let place = form.fields.get("place");
    let contest = place
        .strip_prefix("contest ")
        .map(|ext| by_ext(app, ext))
        .transpose()?;
    let label = match &contest {
        None => "",
        Some(contest) => {
            let label = form.fields.required("label", "Label in the contest")?;
            check_label(app, contest.id, &version.ext, label)?;
            label
        }
    };
    let question = Question {
        action: &format!("/jury/uploads/{id}/publish"),
        changes: published(app, &version, contest.as_ref(), label, place)?,
        button: "Publish",
        back: &format!("/jury/uploads/{id}"),
    };
    let title = format!("Publish {}", upload.ext);
    if let Some(page) = asked(&form, AREA, &title, &question) {
        return Ok(page);
    }
    let (problem, _) = app.store.put_version(&version)?;
    if place == "practice" {
        app.store.set_practice(problem, true)?;
    }
    if let Some(contest) = contest {
        add_to_contest(app, contest.id, problem, label)?;
    }
    app.store.set_published(id)?;
    Ok(Redirect::to(&format!("/jury/packages/{}", version.ext)).into_response())
}

/// The changes that publishing a version makes.
fn published(
    app: &App,
    version: &NewVersion,
    contest: Option<&Contest>,
    label: &str,
    place: &str,
) -> Result<Vec<String>> {
    let cases = plural(version.cases.len(), "case");
    let before = app.store.problem_by_ext(&version.ext)?;
    let mut changes = vec![match &before {
        Some(_) => format!(
            "New submissions to {} are judged with this version, which has {cases}. You can go back to an earlier version \
             on the page of the package; people may have read this one by then.",
            version.name
        ),
        None => format!("The problem {} with {cases} is added.", version.name),
    }];
    if let Some(before) = before {
        for id in app.store.contests_with(before.id)? {
            changes.push(format!("{} uses it.", app.store.contest(id)?.name));
        }
    }
    if place == "practice" {
        changes
            .push("All users can practise it while no contest that is not over has it.".to_owned());
    }
    if let Some(contest) = contest {
        let name = &contest.name;
        changes.push(format!(
            "It is problem {label} of {name}, unless {name} has it already."
        ));
    }
    Ok(changes)
}

/// Refuses a label that another problem of the contest has.
fn check_label(app: &App, contest: ContestId, ext: &str, label: &str) -> Result<()> {
    let problems = app.store.contest_problems(contest)?;
    let has_label = |own: &ContestProblem| own.label == label && own.ext != ext;
    match problems.iter().any(has_label) {
        true => Err(conflict(format!(
            "the contest has a problem {label:?} already"
        ))),
        false => Ok(()),
    }
}

fn add_to_contest(app: &App, contest: ContestId, problem: ProblemId, label: &str) -> Result<()> {
    let mut problems = app.store.contest_problems(contest)?;
    if problems.iter().any(|own| own.problem == problem) {
        return Ok(());
    }
    problems.push(ContestProblem {
        problem,
        label: label.to_owned(),
        ..ContestProblem::default()
    });
    Ok(app.store.set_contest_problems(contest, &problems)?)
}
