//! Importing a contest, teams and accounts from files.

use super::frame::{csrf, page};
use super::sheet::sheet;
use super::upload::Upload;
use crate::contest_package::{self, Source, import};
use crate::http::error::{AppState, PageResult};
use crate::http::{Admin, HttpError};
use maud::html;

/// `GET /jury/import`
pub async fn form(admin: Admin) -> PageResult {
    let body = html! {
        p {
            "Choose files of an ICPC contest package: " code { "contest" } ", " code { "problems" } " or "
            code { "problemset" } ", " code { "groups" } ", " code { "organizations" } ", "
            code { "teams" } ", " code { "accounts" } ", each as " code { ".json" } " or " code { ".yaml" }
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
    Ok(page(
        &admin.caller,
        "/jury/contests",
        "Import from files",
        &body,
    ))
}

/// `POST /jury/import`: files named `file`. Shows the passwords of the accounts once.
pub async fn add(app: AppState, upload: Upload) -> PageResult {
    let imported = app
        .blocking(move |app| {
            let text = |file: super::upload::UploadedFile| {
                let name = file.name;
                let wrong = |_| HttpError::BadRequest(format!("{name}: is not UTF-8 text"));
                let text = String::from_utf8(file.content.to_vec()).map_err(wrong)?;
                Ok(Source { name, text })
            };
            let files: Vec<Source> = upload
                .files
                .into_iter()
                .map(text)
                .collect::<crate::http::Result<_>>()?;
            let refused = |e: judge_package::PackageError| HttpError::BadRequest(e.to_string());
            let package = contest_package::read(&files).map_err(refused)?;
            let imported = import(&app.store, &package).map_err(refused)?;
            Ok((upload.caller, imported))
        })
        .await?;
    let (caller, imported) = imported;
    let lines: Vec<_> = imported
        .accounts
        .iter()
        .map(|(account, password)| super::sheet::Line {
            name: account.user.name.clone(),
            shown: account.user.display_name.clone(),
            team: account.team.clone(),
            password: password.clone(),
        })
        .collect();
    let body = html! {
        p role="status" {
            @if let Some(contest) = &imported.contest {
                "Contest " a href={ "/jury/contests/" (contest) } { (contest) }
                " with " (imported.problems) " problems. "
            }
            (imported.teams) " teams, " (imported.accounts.len()) " accounts."
        }
        (sheet(&lines))
    };
    Ok(page(&caller, "/jury/contests", "Imported", &body))
}
