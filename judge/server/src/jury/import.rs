//! Importing a contest, teams and accounts from files.

use super::frame::{csrf, page};
use super::sheet::sheet;
use crate::contest_package::{self, Imported, Source, import};
use crate::http::submit::SentFile;
use crate::http::{Admin, App, PageResult, Result, Upload, bad_request};
use judge::report::plural;
use maud::html;

/// `GET /jury/import`
pub fn form(_: &App, admin: Admin) -> PageResult {
    let body = html! {
        p {
            "Choose files of an ICPC contest package: " code { "contest" } ", " code { "problems" } " or "
            code { "problemset" } ", " code { "groups" } ", " code { "organizations" } ", "
            code { "teams" } ", " code { "persons" } ", " code { "accounts" } ", each as " code { ".json" } " or " code { ".yaml" }
            "; groups, teams and accounts also as " code { ".tsv" } "."
        }
        p { "Objects with the same id are replaced. Nothing changes if a file has an error." }
        form method="post" action="/jury/import" enctype="multipart/form-data" {
            (csrf(&admin.caller))
            div.field {
                label for="file" { "Files" }
                input #file type="file" name="file" multiple required;
            }
            button.primary { "Import" }
        }
    };
    let title = "Import from files";
    Ok(page(&admin.caller, "/jury/contests", title, &body))
}

/// `POST /jury/import`: files named `file`. Shows the passwords of the accounts once.
pub fn add(app: &App, upload: Upload<Admin>) -> PageResult {
    let text = |SentFile { name, content }| match String::from_utf8(content) {
        Ok(text) => Ok(Source { name, text }),
        Err(_) => Err(bad_request(format!("{name}: is not UTF-8 text"))),
    };
    let files = upload.files.into_iter().map(text);
    let files = files.collect::<Result<Vec<Source>>>()?;
    let refused = |e: judge_package::PackageError| bad_request(e.to_string());
    let package = contest_package::read(&files).map_err(refused)?;
    let imported = import(&app.store, &package).map_err(refused)?;
    let body = html! {
        p role="status" {
            @if let Some(contest) = &imported.contest {
                "Contest " a href={ "/jury/contests/" (contest) } { (contest) } ". "
            }
            (summary(&imported))
        }
        (sheet(&imported.accounts))
    };
    let caller = &upload.by.caller;
    Ok(page(caller, "/jury/contests", "Imported", &body))
}

/// The numbers of objects of all kinds that the files have.
fn summary(imported: &Imported) -> String {
    let kinds = [
        (imported.problems, "problem"),
        (imported.groups, "group"),
        (imported.organizations, "organization"),
        (imported.teams, "team"),
        (imported.persons, "person"),
        (imported.accounts.len(), "account"),
    ];
    let some = kinds.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = some.map(|(count, kind)| plural(count, kind)).collect();
    match (counts.is_empty(), &imported.contest) {
        (false, _) => format!("Imported: {}.", counts.join(", ")),
        (true, Some(_)) => String::new(),
        (true, None) => "The files have nothing to import.".to_owned(),
    }
}
