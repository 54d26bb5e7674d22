//! Importing a contest, teams and accounts from files.

use super::frame::{csrf, options, page, select};
use super::organizations::kept;
use super::sheet::sheet;
use crate::contest_package::{
    self, Choices, ContestPackage, Imported, Outcome, Source, Unpacked, import,
};
use crate::http::{
    App, Fields, Jury, MaxUpload, PageResult, Result, SentFile, Upload, bad_request,
};
use crate::store::Logo;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use judge_core::figures::plural;
use maud::{Markup, html};
use std::iter;

/// Of the files of a contest package with logos.
pub const MAX_UPLOAD: MaxUpload = MaxUpload {
    bytes: 32 << 20,
    remedy: "leave out the problems, which are uploaded as packages",
};

/// `GET /jury/import`
pub fn form(app: &App, jury: Jury) -> PageResult {
    let contests = app.store.contests()?;
    let none = ("none".to_owned(), "no contest".to_owned());
    let others = contests
        .iter()
        .map(|own| (own.ext.clone(), own.name.clone()));
    let usual = "that of the files, or else the only one that is not over";
    let contests = options(usual, iter::once(none).chain(others));
    let body = html! {
        p {
            "Choose files of an ICPC contest package: " code { "contest" } ", " code { "problems" } " or "
            code { "problemset" } ", " code { "languages" } ", " code { "groups" } ", " code { "organizations" } ", "
            code { "teams" } ", " code { "persons" } ", " code { "accounts" } ", each as " code { ".json" } " or " code { ".yaml" }
            "; groups, teams and accounts also as " code { ".tsv" } ". Or choose the package as a " code { ".zip" }
            " archive, which may also have logos: " code { "organizations/ID/logo.png" } "."
        }
        p {
            "Objects with the same id are replaced; you see what would change before it does. Nothing changes if a \
             file has an error."
        }
        form method="post" action="/jury/import" enctype="multipart/form-data" {
            (csrf(&jury.caller))
            (select("contest", "Contest that the teams join", &contests, ""))
            div.field {
                label for="file" { "Files" }
                input #file type="file" name="file" multiple required;
            }
            button.primary { "Import" }
        }
    };
    let title = "Import from files";
    Ok(page(&jury.caller, "/jury/contests", title, &body))
}

/// `POST /jury/import`: files named `file`, or `name-K` and `text-K` of the page that asks; `contest`: empty, `none`, or an
/// id; `confirm`. Shows the passwords of the accounts once.
pub fn add(app: &App, upload: Upload<Jury>) -> Result<Response> {
    let refused = |e: judge_package::PackageError| bad_request(e.to_string());
    let fields = &upload.fields;
    let mut files = Vec::new();
    let mut logos = logos_again(app, fields)?;
    for SentFile { name, content } in upload.files {
        if name.to_ascii_lowercase().ends_with(".zip") {
            let Unpacked {
                files: texts,
                logos: images,
            } = contest_package::unpacked(&name, &content).map_err(refused)?;
            files.extend(texts);
            for (organization, image) in images {
                let logo = kept(app, &format!("the logo of {organization}"), &image)?;
                logos.push((organization, logo));
            }
            continue;
        }
        match String::from_utf8(content) {
            Ok(text) => files.push(Source { name, text }),
            Err(_) => {
                return Err(bad_request(format!(
                    "{name}: is not UTF-8 text; save it as UTF-8"
                )));
            }
        }
    }
    let again = (0..).map_while(|k| {
        let name = fields.owned(&format!("name-{k}"))?;
        // Browsers send other ends of lines.
        let text = fields.text(&format!("text-{k}")).replace("\r\n", "\n");
        Some(Source { name, text })
    });
    files.extend(again);
    let mut package = match files.is_empty() && !logos.is_empty() {
        true => ContestPackage::default(),
        false => contest_package::read(&files).map_err(refused)?,
    };
    package.logos.clone_from(&logos);
    let contest = fields.owned("contest");
    let choices = Choices {
        no_contest: contest.as_deref() == Some("none"),
        contest,
        confirm: fields.owned("confirm"),
    };
    let caller = &upload.by.caller;
    let imported = match import(&app.store, &package, &choices).map_err(refused)? {
        Outcome::Done(imported) => imported,
        Outcome::Asks {
            changed,
            added,
            confirm,
        } => {
            let body = html! {
                p role="alert" { "Nothing is imported yet. The files would change this:" }
                (list(&changed))
                @if !added.is_empty() { p { "They would add this:" } (list(&added)) }
                form method="post" action="/jury/import" enctype="multipart/form-data" {
                    (csrf(caller))
                    input type="hidden" name="contest" value=(choices.contest.unwrap_or_default());
                    input type="hidden" name="confirm" value=(confirm);
                    @for (k, file) in files.iter().enumerate() {
                        input type="hidden" name={ "name-" (k) } value=(file.name);
                        // The first line break of an area is not a part of its text.
                        textarea name={ "text-" (k) } hidden aria-label=(file.name) { "\n" (file.text) }
                    }
                    @for (k, (organization, logo)) in logos.iter().enumerate() {
                        input type="hidden" name={ "logo-" (k) } value={ (organization) " " (logo.blob) };
                    }
                    button.primary { "Make these changes" }
                }
                p { a href="/jury/import" { "Change nothing" } }
            };
            let page = page(caller, "/jury/contests", "Confirm the import", &body);
            return Ok((StatusCode::CONFLICT, page).into_response());
        }
    };
    let body = html! {
        p role="status" {
            @if let Some(contest) = &imported.contest {
                "Contest " a href={ "/jury/contests/" (contest) } { (contest) } ". "
            }
            (summary(&imported))
        }
        @if !imported.added.is_empty() { p { "Added:" } (list(&imported.added)) }
        @if !imported.changed.is_empty() { p { "Changed:" } (list(&imported.changed)) }
        (sheet(&imported.passwords))
    };
    Ok(page(caller, "/jury/contests", "Imported", &body).into_response())
}

/// The logos of an import that was not confirmed yet: fields `logo-K` with the id of an organization and the hash of a file.
fn logos_again(app: &App, fields: &Fields) -> Result<Vec<(String, Logo)>> {
    let sent = (0..).map_while(|k| fields.optional(&format!("logo-{k}")));
    let logo = |text: &str| {
        let wrong = || bad_request("a logo is not one of this import; import again");
        let (organization, hash) = text.split_once(' ').ok_or_else(wrong)?;
        let content = app.blobs.get(hash).map_err(|_| wrong())?;
        Ok((organization.to_owned(), kept(app, organization, &content)?))
    };
    sent.map(logo).collect()
}

fn list(lines: &[String]) -> Markup {
    html! { ul { @for line in lines { li { (line) } } } }
}

/// The numbers of objects of all kinds that the files have.
fn summary(imported: &Imported) -> String {
    let kinds = [
        (imported.problems, "problem"),
        (imported.groups, "group"),
        (imported.organizations, "organization"),
        (imported.teams, "team"),
        (imported.persons, "person"),
        (imported.accounts, "account"),
    ];
    let some = kinds.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = some.map(|(count, kind)| plural(count, kind)).collect();
    match (counts.is_empty(), &imported.contest) {
        (false, _) => format!("Imported: {}.", counts.join(", ")),
        (true, Some(_)) => String::new(),
        (true, None) => "The files have nothing to import.".to_owned(),
    }
}
