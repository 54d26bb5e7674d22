//! Parts that several pages share.

use crate::access::Viewer;
use crate::contest_api::Time;
use crate::http::{App, Caller, Result};
use crate::layout::{self, Field, Table, field};
use crate::store::{Judging, JudgingState, Submission};
use crate::submissions::shown_judging;
use judge_core::verdict::Verdict;
use maud::{Markup, Render, html};
use std::iter;

/// The hidden field with the CSRF secret.
pub fn csrf_field(caller: &Caller) -> Markup {
    html! {
        @if let Some(csrf) = &caller.csrf { input type="hidden" name="csrf" value=(csrf); }
    }
}

/// A date and time, from milliseconds since 1970.
pub fn date(ms: i64) -> Markup {
    layout::time(Time::from_millis(ms))
}

/// The verdict of a judging as a badge, or its progress; `None`: the viewer may not see it.
pub fn verdict(judging: Option<&Judging>) -> Markup {
    match judging {
        None => html! { span.verdict.open { "not shown yet" } },
        Some(judging) => progress(judging.state, judging.verdict.as_deref()),
    }
}

/// A verdict as a badge, or the progress of its judging.
pub fn progress(state: JudgingState, verdict: Option<&str>) -> Markup {
    let known = verdict.and_then(Verdict::from_code);
    match (state, known) {
        (JudgingState::Done, Some(known)) => layout::verdict(Some(known)),
        (JudgingState::Queued, _) => html! { span.verdict.open { "waiting" } },
        (JudgingState::Compiling, _) => html! { span.verdict.open { "compiling" } },
        (JudgingState::Done, None) => html! { span.verdict.open { "shown after the contest" } },
        (JudgingState::Dropped, _) => html! { span.verdict.open { "dropped" } },
        _ => layout::verdict(None),
    }
}

/// Points, rounded, without trailing zeros.
pub fn points(score: f64) -> String {
    let text = format!("{score:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A labelled field with a value.
pub fn filled(name: &str, label: &str, kind: &str, value: &str, required: bool) -> Markup {
    field(&Field {
        name,
        label,
        kind,
        value,
        error: None,
        required,
    })
}

/// A labelled `select` with these options (value and text), of which the first means any or none.
pub fn select(
    name: &str,
    label: &str,
    options: &[(impl AsRef<str>, impl AsRef<str>)],
    chosen: &str,
) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            select #(name) name=(name) {
                @for (value, text) in options {
                    option value=(value.as_ref()) selected[value.as_ref() == chosen] { (text.as_ref()) }
                }
            }
        }
    }
}

/// The options of a [`select`]: first the one for any or none, with this text.
pub fn options(
    none: &str,
    others: impl IntoIterator<Item = (String, String)>,
) -> Vec<(String, String)> {
    let none = (String::new(), none.to_owned());
    iter::once(none).chain(others).collect()
}

/// The name of the language with this code.
pub fn language_name(app: &App, code: &str) -> String {
    let known = app.languages.get(code);
    known.map_or_else(|| code.to_owned(), |known| known.name)
}

/// A submission of the viewer, and the visible part of its judging.
pub type Own = (Submission, Option<Judging>);

/// Adds to each submission the part of its judging that the viewer may see.
pub fn with_judgings(app: &App, viewer: Viewer, all: Vec<Submission>) -> Result<Vec<Own>> {
    let judged = |own: Submission| {
        let judging = shown_judging(app, viewer, &own)?;
        Ok((own, judging))
    };
    all.into_iter().map(judged).collect()
}

/// A table of the viewer's own submissions.
pub fn submission_table(app: &App, caption: &str, rows: &[Own]) -> Markup {
    Table::new(caption, rows)
        .column("Submission", |(own, _)| {
            html! { a href={ "/submissions/" (own.id) } { (own.id) } }
        })
        .column("Problem", |(own, _)| &own.problem_ext)
        .column("Verdict", |(_, judging)| {
            let score = judging.as_ref().and_then(|judging| judging.score);
            html! {
                (verdict(judging.as_ref()))
                @if let Some(score) = score { " " (points(score)) " points" }
            }
        })
        .column("Time", |(_, judging)| {
            let cpu = judging.as_ref().and_then(|judging| judging.max_cpu_s);
            html! { @if let Some(cpu) = cpu { (format!("{cpu:.3} s")) } }
        })
        .column("Language", |(own, _)| language_name(app, &own.language))
        .column("Submitted", |(own, _)| date(own.time_ms))
        .render()
}
