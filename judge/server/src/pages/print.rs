//! Printing: a form for teams, and what they printed.

use super::contest::navigation;
use super::page;
use super::parts::{csrf_field, date};
use crate::access;
use crate::contest_view::View;
use crate::http::{App, Caller, PageResult, Result, SentFile, SignedIn, Upload, not_found};
use crate::layout::{Table, input};
use crate::prints::{self, print};
use crate::store::Print;
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};

/// The name of a text that was pasted.
const PASTED: &str = "text";

/// The contest, unless the server does not print.
fn open<'a>(app: &'a App, caller: &Caller, ext: &str) -> Result<View<'a>> {
    match prints::is_on(app) {
        true => View::open(app, caller.viewer, ext),
        false => Err(not_found("this server does not print")),
    }
}

/// `GET /contests/{contest}/print`
pub fn form(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> PageResult {
    let view = open(app, &caller, &ext)?;
    let own = match view.viewer.user {
        Some(user) => app
            .store
            .prints(view.contest.id, Some((user, view.viewer.team)))?,
        None => Vec::new(),
    };
    let body = html! {
        (navigation(&view, "/print")?)
        @if access::prints(view.viewer, view.place(), view.now_ms) {
            p { "The print is brought to your team. It has your team's name, the name of the file, and numbered lines." }
            form method="post" enctype="multipart/form-data" {
                (csrf_field(&caller))
                div.field { label for="file" { "File" } input #file type="file" name="file"; }
                (input("text", "Or paste the text", "textarea", false))
                button.primary { "Print" }
            }
        } @else if caller.user.is_none() {
            p { a href={ "/sign-in?to=/contests/" (ext) "/print" } { "Sign in" } " to print." }
        } @else {
            p { "Teams of the contest print while it runs." }
        }
        @if !own.is_empty() { (table(&own)) }
    };
    let title = format!("Print in {}", view.contest.name);
    Ok(page(&caller, "/contests", &title, &body))
}

fn table(own: &[Print]) -> Markup {
    let table = Table::new("Your prints", own)
        .column("File", |own| &own.name)
        .column("Pages", |own| own.pages)
        .column("Sent", |own| date(own.time_ms))
        .column("State", |own| own.state.word());
    html! { (table) }
}

/// `POST /contests/{contest}/print`: `file` or `text`.
pub fn send(app: &App, (Path(ext), upload): (Path<String>, Upload<SignedIn>)) -> Result<Redirect> {
    let view = open(app, &upload.by.caller, &ext)?;
    let pasted = SentFile {
        name: PASTED.to_owned(),
        content: upload.fields.text("text").as_bytes().to_vec(),
    };
    let sent = upload.files.first().unwrap_or(&pasted);
    print(app, &view, &sent.name, &sent.content)?;
    Ok(Redirect::to(&format!("/contests/{ext}/print")))
}
