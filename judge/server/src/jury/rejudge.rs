//! Rejudgings: the list, and starting one.

use super::frame::{csrf, date, link, page, plural};
use super::submissions::{Choices, filter, filter_fields};
use crate::access::Action;
use crate::http::{App, Fields, Form, Jury, PageResult, Result, bad_request};
use crate::layout::{Table, input, region};
use crate::queue::{Priority, Unit};
use crate::store::{RejudgingId, SubmissionFilter, SubmissionId, UserId};
use crate::units;
use axum::response::Redirect;
use maud::{Render, html};
use std::collections::HashSet;

/// `GET /jury/rejudgings`
pub fn list(app: &App, jury: Jury) -> PageResult {
    let mut rejudgings = app.store.rejudgings()?;
    if let Some(shown) = &jury.contests {
        let mut seen = HashSet::new();
        for own in &rejudgings {
            let contests = app.store.contests_of_rejudging(own.id)?;
            if contests
                .iter()
                .all(|of| of.is_some_and(|of| shown.contains(&of)))
            {
                seen.insert(own.id);
            }
        }
        rejudgings.retain(|own| seen.contains(&own.id));
    }
    let table = Table::new("Rejudgings", &rejudgings)
        .column("Rejudging", |own| link("/jury/rejudgings/", own.id, own.id))
        .column("Reason", |own| &own.reason)
        .column("State", |own| own.state.word())
        .column("Judged", |own| html! { (own.done) " of " (own.total) })
        .column("Started", |own| date(own.created_ms));
    let body = html! {
        @if jury.may(Action::Judge) { p { a href="/jury/rejudgings/new" { "Judge submissions again" } } }
        (region("rejudgings", "judging", &table.render()))
    };
    Ok(page(&jury.caller, "/jury/rejudgings", "Rejudgings", &body))
}

/// The submissions that a form selects: judged ones, or the single one that it names.
fn selected(app: &App, jury: &Jury, fields: &Fields) -> Result<Vec<SubmissionId>> {
    let filter = filter(app, jury, fields)?;
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
pub fn form(app: &App, (jury, fields): (Jury, Fields)) -> PageResult {
    let choices = Choices::read(app, &jury)?;
    let count = selected(app, &jury, &fields)?.len();
    let single = fields.optional("submission");
    let body = html! {
        @if let Some(single) = single { p { "Submission " (single) "." } } @else {
            form method="get" action="/jury/rejudgings/new" {
                (filter_fields(&choices, &fields))
                button { "Count" }
            }
        }
        p role="status" { "Selected: " (plural(count, "judged submission")) "." }
        p {
            "They are judged beside their present verdicts with the present versions of the packages, \
             after all other work. Then you see what changes, and apply or drop it as a whole."
        }
        form method="post" action="/jury/rejudgings" {
            (csrf(&jury.caller))
            @for (name, value) in fields.0.iter().filter(|(name, _)| name != "csrf") {
                input type="hidden" name=(name) value=(value);
            }
            (input("reason", "Reason", "text", true))
            button.primary { "Judge " (plural(count, "submission")) " again" }
        }
    };
    let title = "New rejudging";
    Ok(page(&jury.caller, "/jury/rejudgings", title, &body))
}

/// `POST /jury/rejudgings`
pub fn add(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let reason = form.fields.required("reason", "Reason")?;
    let selection = selected(app, &form.by, &form.fields)?;
    let id = start(app, reason, form.by.user.id, &selection)?;
    Ok(Redirect::to(&format!("/jury/rejudgings/{id}")))
}

/// Adds a rejudging and enqueues its judgings. Blocks.
fn start(app: &App, reason: &str, by: UserId, selection: &[SubmissionId]) -> Result<RejudgingId> {
    if selection.is_empty() {
        return Err(bad_request(
            "the filter selects no judged submission; change it",
        ));
    }
    let (id, judgings) = app.store.add_rejudging(reason, Some(by), selection)?;
    // All of them are one share: they matter as a whole.
    let share = format!("rejudging {id}");
    let classes = app.fleet.machine_classes();
    let units = judgings.into_iter().map(|judging| {
        let unit = units::unit(judging, Priority::Rejudge, share.clone());
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
        // They are kept, and enqueued when there is room, or when the server starts.
        tracing::error!("rejudging {id} is not enqueued: {error}");
    }
    Ok(id)
}
