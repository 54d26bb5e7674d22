//! Packages: problems, their versions and limits.

use super::frame::{button, csrf, date, filled, link, page, seconds, select, was};
use crate::http::{
    App, Caller, Fields, Form, Jury, PageResult, Result, bad_request, conflict, not_found,
};
use crate::layout::{Table, region};
use crate::store::{Problem, Removable, SetLimits, Version, VersionId};
use crate::submissions::{PRACTICE_DATA, practice_data_is_open};
use axum::extract::Path;
use axum::response::{Redirect, Response};
use maud::{Markup, Render, html};

/// The area of these pages.
const AREA: &str = "/jury/packages";

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
    super::removal::remove(app, &form, Removable::Problem(problem.id), ext, &title)
}
