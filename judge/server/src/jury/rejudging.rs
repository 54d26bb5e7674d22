//! A rejudging: its progress, what it changes, and the buttons that apply or drop it.

use super::form::JuryForm;
use super::frame::{self, button, verdict};
use super::rejudge::state;
use crate::http::error::{AppState, PageResult};
use crate::http::{HttpError, Jury, Result};
use crate::layout;
use crate::store::{Change, JudgingState, Rejudging, RejudgingId, RejudgingState};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// `GET /jury/rejudgings/{id}`
pub async fn page(app: AppState, jury: Jury, Path(id): Path<RejudgingId>) -> PageResult {
    let (rejudging, changes) = app
        .blocking(move |app| Ok((app.store.rejudging(id)?, app.store.rejudging_changes(id)?)))
        .await?;
    let open = rejudging.state == RejudgingState::Open;
    let failed = changes.iter().filter(|change| failed(change)).count();
    let ready = open && rejudging.done == rejudging.total && failed == 0;
    let own = format!("/jury/rejudgings/{id}");
    let body = html! {
        p { (rejudging.reason) }
        (progress(&rejudging))
        @if failed > 0 && open {
            p.error {
                (failed) " judgings failed. Try them again in the "
                a href="/jury/queue" { "queue" } ", or drop the rejudging."
            }
        }
        @if ready { (button(&jury.caller, &format!("{own}/apply"), "Apply all changes", &[])) }
        @if open { (button(&jury.caller, &format!("{own}/drop"), "Drop the rejudging", &[])) }
        @if open && !ready { p { a href=(own) { "Load this page again" } } }
        (matrix(&changes))
        (changed(&changes))
    };
    let title = format!("Rejudging {id}");
    Ok(frame::page(&jury.caller, "/jury/rejudgings", &title, &body))
}

fn failed(change: &Change) -> bool {
    change.state == JudgingState::Done && change.after.as_deref() == Some("JE")
}

fn progress(rejudging: &Rejudging) -> Markup {
    html! {
        p role="status" {
            (state(rejudging.state)) ": " (rejudging.done) " of " (rejudging.total) " judged "
            progress max=(rejudging.total) value=(rejudging.done) aria-label="Judged" {}
        }
    }
}

/// The number of submissions for each verdict before and after; those that change are bold.
fn matrix(changes: &[Change]) -> Markup {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for change in changes
        .iter()
        .filter(|change| change.state == JudgingState::Done)
    {
        let before = change.before.as_deref().unwrap_or("none");
        let after = change.after.as_deref().unwrap_or("none");
        *counts.entry((before, after)).or_default() += 1;
    }
    let before: BTreeSet<&str> = counts.keys().map(|(before, _)| *before).collect();
    let after: BTreeSet<&str> = counts.keys().map(|(_, after)| *after).collect();
    let cell = |from: &str, to: &str| {
        let count = counts.get(&(from, to));
        html! {
            @match count {
                Some(count) if from != to => strong { (count) },
                Some(count) => (count),
                None => "",
            }
        }
    };
    let rows: Vec<Vec<Markup>> = before
        .iter()
        .map(|from| {
            let cells = after.iter().map(|to| cell(from, to));
            std::iter::once(html! { (from) }).chain(cells).collect()
        })
        .collect();
    let heads: Vec<&str> = std::iter::once("old / new")
        .chain(after.iter().copied())
        .collect();
    html! {
        @if !rows.is_empty() { (layout::table("Verdicts before (rows) and after (columns)", &heads, &rows)) }
    }
}

fn changed(changes: &[Change]) -> Markup {
    let different: Vec<&Change> = changes.iter().filter(|change| change.differs()).collect();
    let rows: Vec<Vec<Markup>> = different.iter().map(|change| {
        let score = |score: Option<f64>| html! { @if let Some(score) = score { " " (score) } };
        let before = change.before.as_deref();
        vec![
            html! {
                a href={ "/jury/submissions/" (change.submission) "?judging=" (change.judging) } {
                    (change.submission)
                }
            },
            html! { @if before.is_some() { (verdict(JudgingState::Done, before)) } (score(change.score_before)) },
            html! { (verdict(change.state, change.after.as_deref())) (score(change.score_after)) },
        ]
    }).collect();
    html! {
        @if rows.is_empty() { p { "No verdict changes so far." } } @else {
            (layout::table("Submissions whose result changes", &["Submission", "Before", "After"], &rows))
        }
    }
}

/// `POST /jury/rejudgings/{id}/apply`
pub async fn apply(
    app: AppState,
    Path(id): Path<RejudgingId>,
    _form: JuryForm,
) -> Result<Redirect> {
    app.blocking(move |app| Ok(app.store.apply_rejudging(id)?))
        .await?;
    Ok(Redirect::to(&format!("/jury/rejudgings/{id}")))
}

/// `POST /jury/rejudgings/{id}/drop`
pub async fn drop_it(
    app: AppState,
    Path(id): Path<RejudgingId>,
    _form: JuryForm,
) -> Result<Redirect> {
    app.blocking(move |app| {
        app.store.drop_rejudging(id)?;
        // Those that a worker has are ended by the store when they finish.
        for change in app.store.rejudging_changes(id)? {
            let unit = crate::worker::unit_id(change.judging);
            app.queue.remove(&unit).map_err(HttpError::from)?;
        }
        Ok(())
    })
    .await?;
    Ok(Redirect::to(&format!("/jury/rejudgings/{id}")))
}
