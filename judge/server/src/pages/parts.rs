//! Parts that several pages share.

use crate::access::Viewer;
use crate::contest_api::{RelTime, Time};
use crate::http::{App, Caller, Result};
use crate::layout::{self, Field, Table, field};
use crate::store::{
    Contest, ContestId, ContestProblem, Judging, JudgingState, ProblemId, Submission,
};
use crate::submissions::shown_judging_in;
use crate::zone;
use judge_core::verdict::Verdict;
use maud::{Markup, Render, html};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
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

/// The contest time of a point in time: `1:05:09`; empty in practice.
pub fn contest_time(contest: Option<&Contest>, ms: i64) -> String {
    let time = contest.and_then(|contest| contest.contest_time_at(ms));
    time.map_or(String::new(), |ms| {
        RelTime::from_millis(ms).without_fraction()
    })
}

/// A date and time in the zone of a contest, from milliseconds since 1970.
pub fn date_of(contest: &Contest, ms: i64) -> Markup {
    layout::time_as(Time::from_millis(ms), &zone::text(contest.tz(), ms))
}

/// The verdict of a judging as a badge, or its progress; `None`: the viewer may not see it.
pub fn verdict(judging: Option<&Judging>) -> Markup {
    match judging {
        None => html! { span.verdict.open { "not shown yet" } },
        Some(judging) => progress(judging.state, judging.verdict),
    }
}

/// A verdict as a badge, or the progress of its judging.
pub fn progress(state: JudgingState, verdict: Option<Verdict>) -> Markup {
    match (state, verdict) {
        (JudgingState::Done, Some(verdict)) => layout::verdict(Some(verdict)),
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

/// A labelled `select` with these options (value and text); the first one means any or none.
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

/// The same for any number of choices; none chosen: any.
pub fn select_several(
    name: &str,
    label: &str,
    options: &[(String, String)],
    chosen: &[&str],
) -> Markup {
    let hint = format!("{name}-hint");
    html! {
        div.field {
            label for=(name) { (label) }
            select #(name) name=(name) multiple size=(options.len().clamp(2, 6)) aria-describedby=(hint) {
                @for (value, text) in options {
                    option value=(value) selected[chosen.contains(&value.as_str())] { (text) }
                }
            }
            span.quiet #(hint) { "None chosen: any. Ctrl and Shift choose several." }
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

pub fn language_name(app: &App, code: &str) -> String {
    let known = app.languages.get(code);
    known.map_or_else(|| code.to_owned(), |known| known.name)
}

/// A submission of the viewer, the visible part of its judging, and the name of its problem.
pub struct Own {
    pub submission: Submission,
    pub judging: Option<Judging>,
    problem: String,
    contest_time: String,
}

/// Adds to each submission what the viewer may see of it.
pub fn with_judgings(app: &App, viewer: Viewer, all: Vec<Submission>) -> Result<Vec<Own>> {
    let mut names = ProblemNames::default();
    let mut contests = HashMap::new();
    let own = |submission: Submission| {
        let contest = match submission.contest.map(|id| (id, contests.entry(id))) {
            None => None,
            Some((_, Entry::Occupied(known))) => Some(&*known.into_mut()),
            Some((id, Entry::Vacant(new))) => Some(&*new.insert(app.store.contest(id)?)),
        };
        Ok(Own {
            contest_time: contest_time(contest, submission.time_ms),
            judging: shown_judging_in(app, viewer, &submission, contest)?,
            problem: names.of(app, submission.contest, submission.problem)?,
            submission,
        })
    };
    all.into_iter().map(own).collect()
}

/// The names of problems as contestants know them: with the label of the contest (`A Fill the Sudoku`), without the id of the
/// package. Each contest is read once.
#[derive(Default)]
pub struct ProblemNames(HashMap<ContestId, Vec<ContestProblem>>);

impl ProblemNames {
    /// The name of a problem in a contest or in practice. Blocks.
    pub fn of(
        &mut self,
        app: &App,
        contest: Option<ContestId>,
        problem: ProblemId,
    ) -> Result<String> {
        if let Some(contest) = contest {
            let problems = match self.0.entry(contest) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(app.store.contest_problems(contest)?),
            };
            if let Some(own) = problems.iter().find(|own| own.problem == problem) {
                return Ok(format!("{} {}", own.label, own.name));
            }
        }
        Ok(app.store.problem(problem)?.version.name)
    }
}

/// A table of the viewer's own submissions.
pub fn submission_table(app: &App, caption: &str, rows: &[Own]) -> Markup {
    Table::new(caption, rows)
        .column("Submission", |Own { submission, .. }| {
            html! { a href={ "/submissions/" (submission.id) } { (submission.id) } }
        })
        .column("Problem", |own| &own.problem)
        .column("Verdict", |own| {
            let judging = own.judging.as_ref();
            let score = judging.and_then(|judging| judging.score);
            html! {
                (verdict(judging))
                @if let Some(score) = score { " " (points(score)) " points" }
            }
        })
        .column("Time", |own| {
            let cpu = own.judging.as_ref().and_then(|judging| judging.max_cpu_s);
            html! { @if let Some(cpu) = cpu { span.number { (format!("{cpu:.3} s")) } } }
        })
        .column("Language", |own| {
            language_name(app, &own.submission.language)
        })
        .column("Contest time", |own| &own.contest_time)
        .column("Submitted", |own| date(own.submission.time_ms))
        .render()
}
