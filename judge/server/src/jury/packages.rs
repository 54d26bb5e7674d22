//! Packages: problems and their versions, uploads, what verifying found, and publishing.

use super::contests::by_ext;
use super::form::AdminForm;
use super::frame::{csrf, date, page, seconds, select, verdict};
use super::upload::Upload;
use crate::http::error::{AppState, PageResult};
use crate::http::submissions::{PRACTICE_DATA, practice_data_is_open};
use crate::http::{App, Caller, HttpError, Jury, Result};
use crate::layout;
use crate::store::{
    ContestProblem, JudgingState, PackageUpload, Problem, ProblemId, StepReport, UploadId, Version,
};
use crate::worker::verification_units;
use axum::extract::Path;
use axum::response::Redirect;
use judge_sandbox::TempDirectory;
use maud::{Markup, html};

/// The largest upload, in bytes.
pub const LARGEST: usize = 256 << 20;

/// `GET /jury/packages`
pub async fn list(app: AppState, jury: Jury) -> PageResult {
    let (problems, uploads, open) = app
        .blocking(|app| {
            let open = practice_data_is_open(app)?;
            Ok((app.store.problems()?, app.store.uploads()?, open))
        })
        .await?;
    let row = |problem: &Problem| {
        vec![
            html! { a href={ "/jury/packages/" (problem.ext) } { (problem.ext) } },
            html! { (problem.version.name) },
            html! { (problem.version.cases.len()) },
            html! { @if problem.practice { "open for practice" } @else { "not open" } },
            date(problem.version.added_ms),
        ]
    };
    let rows: Vec<Vec<Markup>> = problems.iter().map(row).collect();
    let upload = |upload: &PackageUpload| {
        vec![
            html! { a href={ "/jury/uploads/" (upload.id) } { (upload.id) } },
            html! { (upload.ext) },
            html! { (upload.file) },
            date(upload.added_ms),
            html! { @match upload.published_ms { Some(ms) => (date(ms)), None => "no" } },
        ]
    };
    let uploaded: Vec<Vec<Markup>> = uploads.iter().map(upload).collect();
    let body = html! {
        (layout::table("Problems", &["Problem", "Title", "Cases", "Practice", "Version of"], &rows))
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
        (layout::table("Uploads", &["Upload", "Package", "File", "Uploaded", "Published"], &uploaded))
    };
    Ok(page(&jury.caller, "/jury/packages", "Packages", &body))
}

fn practice_data_form(caller: &Caller, open: bool) -> Markup {
    let choices = [("", "data of samples"), ("all", "data of all cases")]
        .map(|(value, text)| (value.to_owned(), text.to_owned()));
    html! {
        form method="post" action="/jury/packages/practice-data" {
            (csrf(caller))
            (select("data", "Who practises sees, of what fails", &choices, if open { "all" } else { "" }))
            p.quiet { "While a contest uses a problem, its secret data stays secret." }
            button { "Save" }
        }
    }
}

/// `POST /jury/packages/practice-data`: `data` is empty or `all`.
pub async fn set_practice_data(app: AppState, form: AdminForm) -> Result<Redirect> {
    app.blocking(move |app| {
        let word = match form.fields.get("data") {
            "all" => "all",
            "" => "samples",
            other => {
                let what = format!("{other:?} is no choice; it can be `all` or empty");
                return Err(HttpError::BadRequest(what));
            }
        };
        Ok(app.store.set_setting(PRACTICE_DATA, word)?)
    })
    .await?;
    Ok(Redirect::to("/jury/packages"))
}

/// `GET /jury/packages/{problem}`: its versions, and how many judgings used each.
pub async fn versions(app: AppState, jury: Jury, Path(ext): Path<String>) -> PageResult {
    let (problem, versions) = app
        .blocking(move |app| {
            let gone = || HttpError::NotFound(format!("no problem {ext}"));
            let problem = app.store.problem_by_ext(&ext)?.ok_or_else(gone)?;
            let with_version = |(id, judgings)| Ok((app.store.version(id)?, judgings));
            let versions = app
                .store
                .versions_of(problem.id)?
                .into_iter()
                .map(with_version);
            Ok((
                problem,
                versions.collect::<Result<Vec<(Version, usize)>>>()?,
            ))
        })
        .await?;
    let row = |(version, judgings): &(Version, usize)| {
        vec![
            html! { (version.id) @if version.id == problem.version.id { " present" } },
            html! { (version.name) },
            html! { code { (version.tree.get(..12).unwrap_or_default()) } },
            date(version.added_ms),
            html! { (version.cases.len()) },
            seconds(version.time_limit_s),
            html! { (judgings) },
        ]
    };
    let rows: Vec<Vec<Markup>> = versions.iter().map(row).collect();
    let heads = [
        "Version",
        "Title",
        "Hash",
        "Added",
        "Cases",
        "Time limit",
        "Judgings",
    ];
    let body = html! {
        p {
            a href={ "/jury/submissions?problem=" (problem.id) } { "Submissions" } " "
            a href={ "/jury/rejudgings/new?problem=" (problem.id) } { "Judge them again with the present version" }
        }
        (layout::table("Versions", &heads, &rows))
    };
    Ok(page(
        &jury.caller,
        "/jury/packages",
        &problem.version.name,
        &body,
    ))
}

/// `POST /jury/packages`: a file named `file`.
pub async fn upload(app: AppState, upload: Upload) -> Result<Redirect> {
    let id = app
        .blocking(move |app| {
            let [file] = &upload.files[..] else {
                return Err(HttpError::BadRequest("choose one archive".to_owned()));
            };
            add(app, &file.name, &file.content, upload.user.id)
        })
        .await?;
    Ok(Redirect::to(&format!("/jury/uploads/{id}")))
}

/// Reads an archive, takes a snapshot of it, and enqueues its verification. Blocks.
fn add(app: &App, name: &str, content: &[u8], by: crate::store::UserId) -> Result<UploadId> {
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
        let what = "a package is a zip archive: NAME.zip, with at most 100 characters";
        return Err(HttpError::BadRequest(what.to_owned()));
    }
    let directory = TempDirectory::new("upload").map_err(|e| HttpError::Internal(e.to_string()))?;
    let path = directory.path().join(safe);
    std::fs::write(&path, content)?;
    let prefix = format!("{}/", directory.path().display());
    // The reader checks sizes, paths and links before and while it unpacks.
    let refused = |what: String| HttpError::BadRequest(what.replace(&prefix, ""));
    let version = app.packages.add(&path).map_err(refused)?;
    let package = app.packages.read(&version.tree).map_err(refused)?;
    let steps = 1 + package.submissions.len();
    let id = app
        .store
        .add_upload(&version.tree, &version.ext, name, steps, by)?;
    app.queue.enqueue(&verification_units(id, steps))?;
    Ok(id)
}

/// `GET /jury/uploads/{id}`
pub async fn show(app: AppState, jury: Jury, Path(id): Path<UploadId>) -> PageResult {
    let (upload, reports, contests) = app
        .blocking(move |app| {
            let reports = app.store.upload_reports(id)?;
            Ok((app.store.upload(id)?, reports, app.store.contests()?))
        })
        .await?;
    let done = reports.len() == upload.steps;
    let body = html! {
        p { (upload.file) ", " (date(upload.added_ms)) }
        p role="status" { (reports.len()) " of " (upload.steps) " steps are verified." }
        @if !done { p { a href={ "/jury/uploads/" (id) } { "Load this page again" } } }
        (findings(&reports, done))
        (submissions(&reports))
        @if let Some(ms) = upload.published_ms { p { "Published " (date(ms)) "." } }
        @if done && crate::access::manages(jury.caller.viewer) {
            (publish_form(&jury.caller, id, &contests))
        }
    };
    let title = format!("Upload {id}: {}", upload.ext);
    Ok(page(&jury.caller, "/jury/packages", &title, &body))
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
    let all = reports
        .iter()
        .filter_map(|report| report.submission.as_ref());
    let rows: Vec<Vec<Markup>> = all
        .map(|own| {
            vec![
                html! { (own.name) },
                html! {
                    @match &own.verdict {
                        Some(code) => (verdict(JudgingState::Done, Some(code))),
                        None => "not judged: its language is missing here",
                    }
                },
                html! { (own.expected.as_deref().unwrap_or_default()) },
                html! { @if own.as_expected { "yes" } @else { strong.error { "no" } } },
                seconds(own.max_cpu_s),
                seconds(own.time_limit_s),
                html! { @if let Some(message) = &own.message { pre { (message) } } },
            ]
        })
        .collect();
    let heads = [
        "Submission",
        "Verdict",
        "Expected",
        "As expected",
        "Time",
        "Limit",
        "Message",
    ];
    html! { h2 { "Submissions of the package" } (layout::table("Submissions", &heads, &rows)) }
}

fn publish_form(caller: &Caller, id: UploadId, contests: &[crate::store::Contest]) -> Markup {
    let mut places = vec![
        (
            String::new(),
            "keep it as it is; new problems stay closed".to_owned(),
        ),
        ("practice".to_owned(), "open it for practice".to_owned()),
    ];
    let contest = |own: &crate::store::Contest| {
        (
            format!("contest {}", own.ext),
            format!("add it to the contest {}", own.name),
        )
    };
    places.extend(contests.iter().map(contest));
    html! {
        h2 { "Publish" }
        p { "New judgings use this version. Earlier verdicts stay until a rejudging is applied." }
        form method="post" action={ "/jury/uploads/" (id) "/publish" } {
            (csrf(caller))
            (select("place", "Where", &places, ""))
            (layout::field(&layout::Field {
                name: "label",
                label: "Label in the contest",
                kind: "text",
                value: "",
                error: None,
                required: false,
            }))
            button.primary { "Publish" }
        }
    }
}

/// `POST /jury/uploads/{id}/publish`: `place` is empty, `practice` or `contest ID`, that with `label`.
pub async fn publish(app: AppState, Path(id): Path<UploadId>, form: AdminForm) -> Result<Redirect> {
    let ext = app
        .blocking(move |app| {
            let upload = app.store.upload(id)?;
            if app.store.upload_reports(id)?.len() < upload.steps {
                let what = "the package is not verified yet; load the page again later";
                return Err(HttpError::Conflict(what.to_owned()));
            }
            let version = app
                .packages
                .described(&upload.tree)
                .map_err(HttpError::Internal)?;
            let place = form.fields.get("place");
            let contest = place
                .strip_prefix("contest ")
                .map(|ext| by_ext(app, ext))
                .transpose()?;
            let label = contest
                .as_ref()
                .map(|_| form.fields.required("label", "Label in the contest"));
            let label = label.transpose()?;
            if let Some((contest, label)) = contest.as_ref().zip(label) {
                check_label(app, contest.id, &version.ext, label)?;
            }
            let (problem, _) = app.store.put_version(&version)?;
            if place == "practice" {
                app.store.set_practice(problem, true)?;
            }
            if let Some((contest, label)) = contest.zip(label) {
                add_to_contest(app, contest.id, problem, label)?;
            }
            app.store.set_published(id)?;
            Ok(version.ext)
        })
        .await?;
    Ok(Redirect::to(&format!("/jury/packages/{ext}")))
}

/// Refuses a label that another problem of the contest has.
fn check_label(app: &App, contest: crate::store::ContestId, ext: &str, label: &str) -> Result<()> {
    let problems = app.store.contest_problems(contest)?;
    match problems
        .iter()
        .any(|own| own.label == label && own.ext != ext)
    {
        true => Err(HttpError::Conflict(format!(
            "the contest has a problem {label:?} already"
        ))),
        false => Ok(()),
    }
}

fn add_to_contest(
    app: &App,
    contest: crate::store::ContestId,
    problem: ProblemId,
    label: &str,
) -> Result<()> {
    let mut problems = app.store.contest_problems(contest)?;
    if problems.iter().any(|own| own.problem == problem) {
        return Ok(());
    }
    problems.push(ContestProblem {
        problem,
        ext: String::new(),
        name: String::new(),
        label: label.to_owned(),
        rgb: None,
        color: None,
    });
    Ok(app.store.set_contest_problems(contest, &problems)?)
}
