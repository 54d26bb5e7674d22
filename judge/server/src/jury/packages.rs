//! Packages: problems and their versions, uploads, what verifying found, and publishing.

use super::contests::by_ext;
use super::frame::{
    Question, asked, button, checkbox, csrf, date, filled, link, options, page, plural, seconds,
    select, verdict, was,
};
use crate::http::{
    App, Caller, Fields, Form, HttpError, Jury, PageResult, Result, Upload, bad_request, conflict,
    internal, no_temporary_files, not_found,
};
use crate::layout::{Table, input, region};
use crate::queue::Listed;
use crate::store::{
    Contest, ContestId, ContestProblem, JudgingState, NewVersion, Problem, ProblemId, Removable,
    SetLimits, StepReport, UploadId, UserId, VerifiedSubmission, Version, VersionId,
};
use crate::submissions::{PRACTICE_DATA, practice_data_is_open};
use crate::units::{parked_steps, verification_units};
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use judge_core::verdict::Verdict;
use judge_tempdir::TempDirectory;
use maud::{Markup, Render, html};
use std::iter;

/// The area of these pages.
const AREA: &str = "/jury/packages";

/// Maximum bytes of an upload.
pub const MAX_UPLOAD: usize = 256 << 20;

/// `GET /jury/packages`
pub fn list(app: &App, jury: Jury) -> PageResult {
    let open = practice_data_is_open(app)?;
    let problems = app.store.problems()?;
    let uploads = app.store.uploads()?;
    let table = Table::new("Problems", &problems)
        .column("Problem", |own| link("/jury/packages/", &own.ext, &own.ext))
        .column("Title", |own| &own.version.name)
        .column("Cases", |own| own.version.cases.len())
        .column("Practice", |own| {
            if own.practice {
                "open for practice"
            } else {
                "not open"
            }
        })
        .column("Version of", |own| date(own.version.added_ms));
    let uploaded = Table::new("Uploads", &uploads)
        .column("Upload", |own| link("/jury/uploads/", own.id, own.id))
        .column("Package", |own| &own.ext)
        .column("File", |own| &own.file)
        .column("Uploaded", |own| date(own.added_ms))
        .column("Published", |own| {
            own.published_ms.map_or(html! { "no" }, date)
        });
    let body = html! {
        (table)
        @if crate::access::manages(jury.caller.viewer) {
            h2 { "Data in practice" }
            (practice_data_form(&jury.caller, open))
            h2 { "Upload a package" }
            p { "A zip archive. It is verified, and changes nothing until you publish it." }
            form method="post" action="/jury/packages" enctype="multipart/form-data" {
                (csrf(&jury.caller))
                div.field {
                    label for="file" { "Archive" }
                    input #file type="file" name="file" accept=".zip,.kpp" required;
                }
                button.primary { "Upload and verify" }
            }
        }
        h2 { "Uploads" }
        (region("uploads", "uploads", &uploaded.render()))
    };
    Ok(page(&jury.caller, "/jury/packages", "Packages", &body))
}

fn practice_data_form(caller: &Caller, open: bool) -> Markup {
    let choices = [("", "data of samples"), ("all", "data of all cases")];
    html! {
        form method="post" action="/jury/packages/practice-data" {
            (csrf(caller))
            (was(&practice_data(open)))
            (select("data", "Who practises sees, of what fails", &choices, if open { "all" } else { "" }))
            p.quiet { "While a contest uses a problem, its secret data stays secret." }
            button { "Save" }
        }
    }
}

fn practice_data(open: bool) -> [(&'static str, String); 1] {
    [("data", if open { "all" } else { "" }.to_owned())]
}

/// `POST /jury/packages/practice-data`: `data` is empty or `all`.
pub fn set_practice_data(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let fields = form
        .fields
        .merged(&practice_data(practice_data_is_open(app)?))?;
    let word = match fields.get("data") {
        "all" => "all",
        "" => "samples",
        other => {
            return Err(bad_request(format!(
                "{other:?} is no choice; it can be `all` or empty"
            )));
        }
    };
    app.store.set_setting(PRACTICE_DATA, word)?;
    Ok(Redirect::to("/jury/packages"))
}

/// `GET /jury/packages/{problem}`: its versions, and how many judgings used each.
pub fn versions(app: &App, (jury, Path(ext)): (Jury, Path<String>)) -> PageResult {
    let problem = problem_of(app, &ext)?;
    let is_admin = crate::access::manages(jury.caller.viewer);
    let with_version = |(id, judgings)| Ok((app.store.version(id)?, judgings));
    let versions = app.store.versions_of(problem.id)?.into_iter();
    let versions = versions.map(with_version);
    let versions = versions.collect::<Result<Vec<(Version, usize)>>>()?;
    let mut table = Table::new("Versions", &versions)
        .column("Version", |(version, _)| {
            html! { (version.id) @if version.id == problem.version.id { " present" } }
        })
        .column("Title", |(version, _)| &version.name)
        .column("Hash", |(version, _)| {
            html! { code { (version.tree.get(..12).unwrap_or_default()) } }
        })
        .column("Added", |(version, _)| date(version.added_ms))
        .column("Cases", |(version, _)| version.cases.len())
        .column("Time limit", |(version, _)| seconds(version.time_limit_s))
        .column("Memory limit", |(version, _)| {
            memory_limit(version.memory_limit)
        })
        .column("Judgings", |(_, judgings)| judgings);
    if is_admin {
        table = table.column("", |(version, _)| {
            let fields = [("version", &*version.id.to_string())];
            let address = format!("/jury/packages/{ext}/version");
            html! {
                @if version.id != problem.version.id {
                    (button(&jury.caller, &address, "Use this version", &fields))
                }
            }
        });
    }
    let body = html! {
        p {
            a href={ "/jury/submissions?problem=" (problem.id) } { "Submissions" } " "
            a href={ "/jury/rejudgings/new?problem=" (problem.id) } { "Judge them again with the present version" }
        }
        (table)
        p.quiet { "New judgings use the present version. Earlier verdicts stay until a rejudging is applied." }
        @if is_admin {
            h2 { "Limits of the present version" }
            (limits_form(&jury.caller, &problem))
            h2 { "Delete" }
            (button(&jury.caller, &format!("/jury/packages/{ext}/delete"), "Delete the package", &[]))
        }
    };
    let title = &problem.version.name;
    Ok(page(&jury.caller, AREA, title, &body))
}

fn problem_of(app: &App, ext: &str) -> Result<Problem> {
    let gone = || not_found(format!("no problem {ext}"));
    app.store.problem_by_ext(ext)?.ok_or_else(gone)
}

fn memory_limit(bytes: u64) -> Markup {
    html! { span.number { (bytes >> 20) " MiB" } }
}

/// The values of the limits that the jury set.
fn limit_values(limits: SetLimits) -> [(&'static str, String); 2] {
    let text = |value: Option<String>| value.unwrap_or_default();
    [
        ("time", text(limits.time_s.map(|s| s.to_string()))),
        (
            "memory",
            text(limits.memory.map(|bytes| (bytes >> 20).to_string())),
        ),
    ]
}

fn limits_form(caller: &Caller, problem: &Problem) -> Markup {
    let values = limit_values(problem.version.set_limits);
    let [(_, time), (_, memory)] = &values;
    html! {
        p.quiet {
            "They replace those of the package and of its single cases. Empty: those of the package. A later version of \
             the package begins with its own."
        }
        form method="post" action={ "/jury/packages/" (problem.ext) "/limits" } {
            (csrf(caller))
            (was(&values))
            input type="hidden" name="version" value=(problem.version.id);
            (filled("time", "CPU time per case, in seconds", "text", time, false))
            (filled("memory", "Memory, in MiB", "text", memory, false))
            button { "Save the limits" }
        }
    }
}

/// `POST /jury/packages/{problem}/limits`: `version`, `time` in seconds and `memory` in MiB.
pub fn set_limits(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let version = problem_of(app, &ext)?.version;
    let sent: Option<VersionId> = form.fields.parse("version")?;
    if sent.is_some_and(|sent| sent != version.id) {
        return Err(conflict(
            "the package has another version now; load the page again",
        ));
    }
    let fields = form.fields.merged(&limit_values(version.set_limits))?;
    app.store.set_limits(version.id, limits_of_form(&fields)?)?;
    Ok(Redirect::to(&format!("/jury/packages/{ext}")))
}

fn limits_of_form(fields: &Fields) -> Result<SetLimits> {
    let wrong = |name: &str, example: &str| {
        let text = fields.get(name);
        bad_request(format!(
            "{name}: {text:?} is no limit; write a number like {example}"
        ))
    };
    let time_s: Option<f64> = match fields.optional("time").map(str::parse) {
        Some(Ok(seconds)) if (0.001..=86_400.0).contains(&seconds) => Some(seconds),
        Some(_) => return Err(wrong("time", "2.5")),
        None => None,
    };
    let memory: Option<u64> = match fields.optional("memory").map(str::parse::<u64>) {
        Some(Ok(mib)) if (1..=1 << 20).contains(&mib) => Some(mib << 20),
        Some(_) => return Err(wrong("memory", "256")),
        None => None,
    };
    Ok(SetLimits { time_s, memory })
}

/// `POST /jury/packages/{problem}/version`: `version`, which new judgings use from now on.
pub fn use_version(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let version: Option<VersionId> = form.fields.parse("version")?;
    let version = version.ok_or_else(|| bad_request("name a version"))?;
    app.store.use_version(problem_of(app, &ext)?.id, version)?;
    Ok(Redirect::to(&format!("/jury/packages/{ext}")))
}

/// `POST /jury/packages/{problem}/delete`
pub fn delete(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let problem = problem_of(app, &ext)?;
    let title = format!("Delete the package {ext}: {}", problem.version.name);
    let back = format!("/jury/packages/{ext}");
    super::removal::remove(
        app,
        &form,
        Removable::Problem(problem.id),
        AREA,
        &title,
        &back,
    )
}

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
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let safe: String = name.chars().map(plain).collect();
    let safe = safe.trim_start_matches(['.', '-']);
    if !(safe.ends_with(".zip") || safe.ends_with(".kpp")) || safe.len() > 100 {
        return Err(bad_request(
            "a package is a zip archive: NAME.zip, with at most 100 characters",
        ));
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
    if let Some(page) = asked(&form.by.caller, &form.fields, AREA, &title, &question) {
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
