//! The form to submit a program, and its reception.

use super::parts::csrf_field;
use super::place::Place;
use crate::http::error::AppState;
use crate::http::submit::{Sent, SentFile, submit};
use crate::http::{App, Caller, HttpError, Result, SignedIn};
use crate::store::SubmissionFilter;
use axum::Router;
use axum::extract::multipart::MultipartError;
use axum::extract::{Multipart, Path};
use axum::http::StatusCode;
use axum::response::Redirect;
use axum::routing::post;
use maud::{Markup, html};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/problems/{problem}/submit", post(for_practice))
        .route(
            "/contests/{contest}/problems/{label}/submit",
            post(in_contest),
        )
}

/// The form. The language of the user's last submission is chosen.
pub fn form(app: &App, caller: &Caller, place: &Place) -> Result<Markup> {
    let filter = SubmissionFilter {
        user: caller.viewer.user,
        ..SubmissionFilter::default()
    };
    let last = app.store.submissions(&filter, 1)?;
    let last = last.first().map(|submission| submission.language.as_str());
    let languages = place.problem.version.languages.as_deref();
    Ok(html! {
        form method="post" action={ (place.address()) "/submit" } enctype="multipart/form-data" {
            (csrf_field(caller))
            div.field {
                label for="file" { "File" }
                input #file type="file" name="file" multiple;
            }
            div.field {
                label for="source" { "Or paste the program" }
                textarea #source name="source" rows="12" spellcheck="false" autocapitalize="off"
                    autocomplete="off" translate="no" {}
            }
            div.field {
                label for="language" { "Language" }
                select #language name="language" aria-describedby="language-hint" {
                    option value="" { "By the name of the file" }
                    @for choice in app.languages.allowed(languages) {
                        option value=(choice.code) selected[last == Some(choice.code.as_str())]
                            data-extensions=(choice.extensions.join(" ")) { (choice.name) }
                    }
                }
                span.quiet #language-hint { "Needed for a pasted program." }
            }
            details {
                summary { "Entry point" }
                div.field {
                    label for="entry_point" { "File or class to start" }
                    input #entry_point name="entry_point" autocomplete="off" aria-describedby="entry-hint";
                    span.quiet #entry-hint {
                        "Only needed if the program has several files and none is named main."
                    }
                }
            }
            button.primary { "Submit" }
        }
    })
}

async fn for_practice(
    app: AppState,
    signed_in: SignedIn,
    Path(ext): Path<String>,
    form: Multipart,
) -> Result<Redirect> {
    let caller = signed_in.caller.clone();
    let place = app.blocking(move |app| Place::practice(app, &caller, &ext));
    let place = place.await?;
    receive(&app, signed_in, place, form).await
}

async fn in_contest(
    app: AppState,
    signed_in: SignedIn,
    Path((contest, label)): Path<(String, String)>,
    form: Multipart,
) -> Result<Redirect> {
    let caller = signed_in.caller.clone();
    let place = app.blocking(move |app| Place::contest(app, &caller, &contest, &label));
    let place = place.await?;
    receive(&app, signed_in, place, form).await
}

async fn receive(
    app: &App,
    signed_in: SignedIn,
    place: Place,
    form: Multipart,
) -> Result<Redirect> {
    let sent = read(app, &signed_in.caller, place, form).await?;
    let user = signed_in.user;
    let (id, _) = app.blocking(move |app| submit(app, &user, sent)).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}

fn invalid(error: &MultipartError) -> HttpError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            HttpError::TooLarge("the files are larger than this server accepts".to_owned())
        }
        _ => HttpError::BadRequest(error.body_text()),
    }
}

/// Reads `csrf`, `language`, `entry_point`, and `file` (several) or `source`.
async fn read(app: &App, caller: &Caller, place: Place, mut form: Multipart) -> Result<Sent> {
    let mut sent = Sent {
        contest: place.contest.map(|(view, _)| view.contest),
        problem: place.problem,
        language: None,
        entry_point: None,
        files: Vec::new(),
    };
    let (mut csrf, mut pasted) = (String::new(), String::new());
    while let Some(field) = form.next_field().await.map_err(|e| invalid(&e))? {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let file_name = file_name.filter(|name| !name.is_empty());
        match (name.as_str(), file_name) {
            ("csrf", _) => csrf = field.text().await.map_err(|e| invalid(&e))?,
            ("language", _) => sent.language = Some(field.text().await.map_err(|e| invalid(&e))?),
            ("entry_point", _) => {
                sent.entry_point = Some(field.text().await.map_err(|e| invalid(&e))?);
            }
            ("source", _) => pasted = field.text().await.map_err(|e| invalid(&e))?,
            ("file", Some(name)) => {
                let content = field.bytes().await.map_err(|e| invalid(&e))?.to_vec();
                sent.files.push(SentFile { name, content });
            }
            _ => {}
        }
    }
    caller.check_csrf(&csrf)?;
    if sent.files.is_empty() && !pasted.trim().is_empty() {
        let code = sent.language.as_deref();
        let choice = code.and_then(|code| app.languages.get(code));
        let missing = || HttpError::BadRequest("a pasted program needs a language".to_owned());
        let choice = choice.ok_or_else(missing)?;
        let extension = choice.extensions.first();
        let extension = extension.map_or("txt", |own| own.trim_start_matches('.'));
        sent.files.push(SentFile {
            name: format!("main.{extension}"),
            content: pasted.replace("\r\n", "\n").into_bytes(),
        });
    } else if let [only] = sent.files.as_slice()
        && let Some(choice) = app.languages.of_file(&only.name)
    {
        // The name of the file decides against the language that was chosen for an earlier one.
        let chosen = sent
            .language
            .as_deref()
            .and_then(|code| app.languages.get(code));
        let suits = chosen.is_some_and(|chosen| {
            chosen
                .extensions
                .iter()
                .any(|own| choice.extensions.contains(own))
        });
        if !suits {
            sent.language = Some(choice.code.clone());
        }
    }
    Ok(sent)
}
