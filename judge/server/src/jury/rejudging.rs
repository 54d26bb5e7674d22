//! A rejudging: its progress, what it changes, and the buttons that apply or drop it.

use super::frame::{self, Question, asked, button, plural, verdict};
use crate::access::Action;
use crate::http::{App, Form, Jury, PageResult, Result};
use crate::layout::{self, Table};
use crate::store::{JudgingState, Rejudging, RejudgingId, RejudgingState, VerdictChange};
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use judge_core::verdict::Verdict;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// `GET /jury/rejudgings/{id}`
pub fn page(app: &App, (jury, Path(id)): (Jury, Path<RejudgingId>)) -> PageResult {
    let rejudging = app.store.rejudging(id)?;
    let changes = app.store.rejudging_changes(id)?;
    let open = rejudging.state == RejudgingState::Open;
    let judges = jury.may(Action::Judge);
    let failed = changes.iter().filter(|change| failed(change)).count();
    let ready = open && rejudging.done == rejudging.total && failed == 0;
    let own = format!("/jury/rejudgings/{id}");
    let body = html! {
        p { (rejudging.reason) }
        (layout::region("rejudging", "judging", &html! {
            (progress(&rejudging))
            @if failed > 0 && open {
                p.error {
                    (failed) " judgings failed. Try them again in the "
                    a href="/jury/queue" { "queue" } ", or drop the rejudging."
                }
            }
            @if ready && judges { (button(&jury.caller, &format!("{own}/apply"), "Apply all changes", &[])) }
            @if open && judges { (button(&jury.caller, &format!("{own}/drop"), "Drop the rejudging", &[])) }
            @if open && !ready { noscript { p { a href=(own) { "Load this page again" } } } }
            (matrix(&changes))
            (changed(&changes))
        }))
    };
    let title = format!("Rejudging {id}");
    Ok(frame::page(&jury.caller, "/jury/rejudgings", &title, &body))
}

fn failed(change: &VerdictChange) -> bool {
    change.state == JudgingState::Done && change.after == Some(Verdict::JudgeError)
}

fn progress(rejudging: &Rejudging) -> Markup {
    html! {
        p role="status" {
            (rejudging.state.word()) ": " (rejudging.done) " of " (rejudging.total) " judged "
            progress max=(rejudging.total) value=(rejudging.done) aria-label="Judged" {}
        }
    }
}

/// The number of changes from one verdict to another.
fn counted<'c>(
    changes: impl Iterator<Item = &'c VerdictChange>,
) -> BTreeMap<(&'static str, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for change in changes {
        let [before, after] =
            [change.before, change.after].map(|verdict| verdict.map_or("none", Verdict::code));
        *counts.entry((before, after)).or_default() += 1;
    }
    counts
}

/// The number of submissions for each verdict before and after; those that change are bold.
fn matrix(changes: &[VerdictChange]) -> Markup {
    let done = changes.iter();
    let counts = counted(done.filter(|change| change.state == JudgingState::Done));
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

fn changed(changes: &[VerdictChange]) -> Markup {
    let different: Vec<&VerdictChange> = changes.iter().filter(|change| change.differs()).collect();
    let score = |score: Option<f64>| html! { @if let Some(score) = score { " " (score) } };
    let table = Table::new("Submissions whose result changes", &different)
        .column("Submission", |own| {
            html! {
                a href={ "/jury/submissions/" (own.submission) "?judging=" (own.judging) } { (own.submission) }
            }
        })
        .column("Before", |own| {
            let before = own.before;
            html! {
                @if before.is_some() { (verdict(JudgingState::Done, before)) } (score(own.score_before))
            }
        })
        .column("After", |own| {
            html! { (verdict(own.state, own.after)) (score(own.score_after)) }
        });
    html! {
        @if different.is_empty() { p { "No verdict changes so far." } } @else { (table) }
    }
}

/// `POST /jury/rejudgings/{id}/apply`
pub fn apply(app: &App, (Path(id), form): (Path<RejudgingId>, Form<Jury>)) -> Result<Response> {
    let rejudging = app.store.rejudging(id)?;
    let changes = app.store.rejudging_changes(id)?;
    let different = changes.iter().filter(|change| change.differs());
    let mut texts: Vec<String> = counted(different)
        .into_iter()
        .map(|((before, after), count)| {
            format!("{}: {before} becomes {after}.", plural(count, "submission"))
        })
        .collect();
    if texts.is_empty() {
        texts.push("No verdict changes; the new judgings count from now on.".to_owned());
    } else {
        texts.push("Scoreboards, event feeds and the pages of teams change at once.".to_owned());
    }
    let ask = Ask {
        rejudging: &rejudging,
        what: "apply",
        button: "Apply the rejudging",
        texts,
    };
    if let Some(page) = ask.page(&form) {
        return Ok(page);
    }
    app.store.apply_rejudging(id)?;
    Ok(Redirect::to(&format!("/jury/rejudgings/{id}")).into_response())
}

/// `POST /jury/rejudgings/{id}/drop`
pub fn drop_it(app: &App, (Path(id), form): (Path<RejudgingId>, Form<Jury>)) -> Result<Response> {
    let rejudging = app.store.rejudging(id)?;
    let ask = Ask {
        rejudging: &rejudging,
        what: "drop",
        button: "Drop the rejudging",
        texts: vec![format!(
            "Its {} never count; the present verdicts stay.",
            plural(rejudging.total, "judging")
        )],
    };
    if let Some(page) = ask.page(&form) {
        return Ok(page);
    }
    app.store.drop_rejudging(id)?;
    // Those that a worker has are ended by the store when they finish.
    for change in app.store.rejudging_changes(id)? {
        let unit = crate::units::unit_id(change.judging);
        app.queue.remove(&unit)?;
    }
    Ok(Redirect::to(&format!("/jury/rejudgings/{id}")).into_response())
}

/// The end of a rejudging, before it is confirmed.
struct Ask<'a> {
    rejudging: &'a Rejudging,
    /// The end of the address.
    what: &'a str,
    button: &'a str,
    texts: Vec<String>,
}

impl Ask<'_> {
    /// The page that asks, unless the form has the answer, or the rejudging has ended.
    fn page(self, form: &Form<Jury>) -> Option<Response> {
        if self.rejudging.state != RejudgingState::Open {
            return None;
        }
        let own = format!("/jury/rejudgings/{}", self.rejudging.id);
        let question = Question {
            action: &format!("{own}/{}", self.what),
            changes: self.texts,
            button: self.button,
            back: &own,
        };
        let Rejudging { id, reason, .. } = &self.rejudging;
        let title = format!("{} {id}: {reason}", self.button);
        asked(form, "/jury/rejudgings", &title, &question)
    }
}
