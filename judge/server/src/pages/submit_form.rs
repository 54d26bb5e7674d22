//! The form to submit a program, and its handler.

use super::highlight::Highlighted;
use super::parts::csrf_field;
use super::problem_place::ProblemPlace;
use crate::http::rate::HIGHLIGHTS;
use crate::http::{App, Caller, Fields, Result, SentFile, SignedIn, Upload, bad_request};
use crate::layout::EDITOR;
use crate::store::SubmissionFilter;
use crate::submissions::{SentSubmission, submit};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};

/// The form. The language of the user's last submission is preselected.
pub fn form(app: &App, caller: &Caller, place: &ProblemPlace<'_>) -> Result<Markup> {
    let filter = SubmissionFilter {
        user: caller.viewer.user,
        ..SubmissionFilter::default()
    };
    let last = app.store.submissions(&filter, 1)?;
    let last = last.first().map(|submission| submission.language.as_str());
    let name = caller.user.as_ref().map_or("", |user| &user.name);
    let contest = place.contest.as_ref().map(|(view, _)| &view.contest);
    let languages = place.problem.version.languages.as_deref();
    let languages = app.languages.allowed_in(contest, languages);
    Ok(html! {
        form method="post" action={ (place.address()) "/submit" } enctype="multipart/form-data" {
            (csrf_field(caller))
            div.field {
                label for="file" { "File" }
                input #file type="file" name="file" multiple;
            }
            div.field.program {
                label for="source" { "Or write or paste the program" }
                textarea #source name="source" rows="12" spellcheck="false" autocapitalize="off"
                    autocomplete="off" autocorrect="off" translate="no" data-editor=(name) {}
            }
            div.field {
                label for="language" { "Language" }
                select #language name="language" aria-describedby="language-hint" {
                    option value="" { "By the name of the file" }
                    @for choice in &languages {
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
        script src=(EDITOR.path) defer {}
    })
}

/// `POST /highlight?name=NAME`: the text as HTML with the colours of a file with this name, for the script of the form.
pub fn highlight(app: &App, (by, fields, text): (SignedIn, Fields, String)) -> Result<Markup> {
    app.rates.take(HIGHLIGHTS, by.user.id)?;
    Ok(html! { (Highlighted::new(fields.get("name"), &text)) })
}

pub fn for_practice(
    app: &App,
    (Path(ext), sent): (Path<String>, Upload<SignedIn>),
) -> Result<Redirect> {
    let place = ProblemPlace::practice(app, &sent.by.caller, &ext)?;
    receive(app, place, sent)
}

pub fn in_contest(
    app: &App,
    (Path((contest, label)), sent): (Path<(String, String)>, Upload<SignedIn>),
) -> Result<Redirect> {
    let place = ProblemPlace::contest(app, &sent.by.caller, &contest, &label)?;
    receive(app, place, sent)
}

fn receive(app: &App, place: ProblemPlace<'_>, upload: Upload<SignedIn>) -> Result<Redirect> {
    let user = upload.by.user.clone();
    let (id, _) = submit(app, &user, &sent_submission(app, place, upload)?)?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}

/// Reads `language`, `entry_point`, and `file` (several) or `source`.
fn sent_submission(
    app: &App,
    place: ProblemPlace<'_>,
    upload: Upload<SignedIn>,
) -> Result<SentSubmission> {
    let fields = upload.fields;
    let mut sent = SentSubmission {
        contest: place.contest.map(|(view, _)| view.contest),
        problem: place.problem,
        language: fields.owned("language"),
        entry_point: fields.owned("entry_point"),
        files: upload.files,
        once: true,
    };
    let pasted = fields.text("source");
    if sent.files.is_empty() && !pasted.trim().is_empty() {
        let code = sent.language.as_deref();
        let choice = code.and_then(|code| app.languages.get(code));
        let missing = || bad_request("a pasted program needs a language");
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
        // The form preselects the language of the last submission; the extension takes precedence.
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
