//! Rejudgings: the list, and starting one.

use super::form::{Fields, JuryForm};
use super::frame::{csrf, date, page};
use super::submissions::{Choices, filter, filter_fields};
use crate::http::error::{AppState, PageResult};
use crate::http::{App, HttpError, Jury, Result};
use crate::layout;
use crate::queue::{Priority, Unit};
use crate::store::{
    Rejudging, RejudgingId, RejudgingState, SubmissionFilter, SubmissionId, UserId,
};
use crate::worker;
use axum::response::Redirect;
use maud::{Markup, html};

/// `GET /jury/rejudgings`
pub async fn list(app: AppState, jury: Jury) -> PageResult {
    let rejudgings = app.blocking(|app| Ok(app.store.rejudgings()?)).await?;
    let rows: Vec<Vec<Markup>> = rejudgings.iter().map(row).collect();
    let body = html! {
        p { a href="/jury/rejudgings/new" { "Judge submissions again" } }
        (layout::table("Rejudgings", &["Rejudging", "Reason", "State", "Judged", "Started"], &rows))
    };
    Ok(page(&jury.caller, "/jury/rejudgings", "Rejudgings", &body))
}

fn row(rejudging: &Rejudging) -> Vec<Markup> {
    vec![
        html! { a href={ "/jury/rejudgings/" (rejudging.id) } { (rejudging.id) } },
        html! { (rejudging.reason) },
        html! { (state(rejudging.state)) },
        html! { (rejudging.done) " of " (rejudging.total) },
        date(rejudging.created_ms),
    ]
}

/// The state in a word.
pub fn state(state: RejudgingState) -> &'static str {
    state.word()
}

/// The submissions that a form selects: judged ones, or the single one that it names.
fn selected(app: &App, fields: &Fields) -> Result<Vec<SubmissionId>> {
    let filter = filter(fields)?;
    let filter = match filter.submission {
        Some(_) => filter,
        None => SubmissionFilter {
            judged: Some(true),
            ..filter
        },
    };
    Ok(app.store.review_ids(&filter)?)
}

/// `GET /jury/rejudgings/new`: the fields of the filter, and how many submissions it selects.
pub async fn form(app: AppState, jury: Jury, fields: Fields) -> PageResult {
    let sent = fields.clone();
    let (choices, count) = app
        .blocking(move |app| Ok((Choices::read(app)?, selected(app, &sent)?.len())))
        .await?;
    let single = fields.optional("submission");
    let body = html! {
        @if let Some(single) = single { p { "Submission " (single) "." } } @else {
            form method="get" action="/jury/rejudgings/new" {
                (filter_fields(&choices, &fields))
                button { "Count" }
            }
        }
        p role="status" { (count) " judged submissions are selected." }
        p {
            "They are judged beside their present verdicts with the present versions of the packages, \
             after all other work. Then you see what changes, and apply or drop it as a whole."
        }
        form method="post" action="/jury/rejudgings" {
            (csrf(&jury.caller))
            @for (name, value) in fields.0.iter().filter(|(name, _)| name != "csrf") {
                input type="hidden" name=(name) value=(value);
            }
            (layout::field(&layout::Field {
                name: "reason",
                label: "Reason",
                kind: "text",
                value: "",
                error: None,
                required: true,
            }))
            button.primary { "Judge " (count) " submissions again" }
        }
    };
    Ok(page(
        &jury.caller,
        "/jury/rejudgings",
        "New rejudging",
        &body,
    ))
}

/// `POST /jury/rejudgings`
pub async fn add(app: AppState, form: JuryForm) -> Result<Redirect> {
    let reason = form.fields.required("reason", "Reason")?.to_owned();
    let by = form.user.id;
    let id = app
        .blocking(move |app| {
            let selection = selected(app, &form.fields)?;
            start(app, &reason, by, &selection)
        })
        .await?;
    Ok(Redirect::to(&format!("/jury/rejudgings/{id}")))
}

/// Adds a rejudging and enqueues its judgings. Blocks.
fn start(app: &App, reason: &str, by: UserId, selection: &[SubmissionId]) -> Result<RejudgingId> {
    if selection.is_empty() {
        let what = "the filter selects no judged submission; change it";
        return Err(HttpError::BadRequest(what.to_owned()));
    }
    let (id, judgings) = app.store.add_rejudging(reason, Some(by), selection)?;
    // All of them are one share: they matter as a whole.
    let share = format!("rejudging {id}");
    let classes = app.fleet.machine_classes();
    let units = judgings.into_iter().map(|judging| {
        let unit = worker::unit(judging, Priority::Rejudge, share.clone());
        // Its times are compared with those of before: by the same class of machines, if there is one.
        let before = app.store.judging_before(judging)?;
        let machine_class = before.machine_class.filter(|class| classes.contains(class));
        Ok(Unit {
            machine_class,
            ..unit
        })
    });
    let units = units.collect::<Result<Vec<_>>>()?;
    if let Err(error) = app.queue.enqueue(&units) {
        // They are kept, and will be enqueued when the server starts.
        tracing::error!("rejudging {id} is not enqueued: {error}");
    }
    Ok(id)
}
