//! The queue and the workers: what waits, why and since when, and what is being judged.

use super::frame::{age, button, csrf, date, options, page, select};
use crate::http::{App, Caller, Form, Jury, PageResult, Result, bad_request, conflict};
use crate::layout::{Table, region};
use crate::queue::{Counts, Listed, Phase};
use crate::store::{JudgingId, Pause, UnitId, now_ms};
use crate::units;
use crate::work_protocol::{Doing, Presence, WorkerState};
use axum::response::Redirect;
use maud::{Markup, Render, html};

/// Waiting units that are shown.
const SHOWN: usize = 200;

/// A unit, and the submission that it judges, or a part of it.
struct Shown {
    unit: Listed,
    submission: Option<crate::store::Submission>,
}

fn load(app: &App) -> Result<(Counts, Vec<Shown>)> {
    let units = app.queue.list(SHOWN)?;
    let shown = units.into_iter().map(|unit| {
        let judging = unit.unit.id.parse().ok().and_then(UnitId::judging);
        let judging = judging.and_then(|id| app.store.judging(id).ok());
        let submission = judging.and_then(|judging| app.store.submission(judging.submission).ok());
        Shown { unit, submission }
    });
    Ok((app.queue.counts()?, shown.collect()))
}

/// `GET /jury/queue`
pub fn show(app: &App, jury: Jury) -> PageResult {
    let (counts, shown) = load(app)?;
    let fleet = app.fleet.workers();
    let now = now_ms();
    let (mut leased, mut waiting, mut parked) = (Vec::new(), Vec::new(), Vec::new());
    for unit in shown {
        match unit.unit.phase {
            Phase::Leased(_) => leased.push(unit),
            Phase::Parked => parked.push(unit),
            Phase::Waiting | Phase::Delayed(_) => waiting.push(unit),
        }
    }
    let body = region(
        "queue",
        "judging",
        &html! {
            p role="status" {
                (counts.waiting) " wait, " (counts.leased) " are being judged, " (counts.parked) " are parked."
            }
            @if !parked.is_empty() {
                h2 { "Parked" }
                p { "The judge failed on these several times. They are not tried again by themselves." }
                (parked_table(&jury.caller, &parked, now))
            }
            @if !fleet.is_empty() { h2 { "Machines" } (machine_table(&fleet, now)) }
            h2 { "Workers" }
            @if !app.fleet.takes_units(None) {
                p {
                    "No worker takes submissions at the moment. Start one on any machine that reaches NATS: "
                    code { "judge worker --nats URL" }
                }
            } @else if leased.is_empty() { p { "All workers are idle." } }
            @if !leased.is_empty() { (leased_table(&leased, now)) }
            h2 { "Waiting" }
            @if waiting.is_empty() { p { "Nothing waits." } } @else {
                p { "In the order in which they are judged." }
                (waiting_table(&waiting, now))
            }
            @if counts.waiting > SHOWN { p { "And " (counts.waiting - SHOWN) " more." } }
        },
    );
    let body = html! {
        (body)
        h2 { "Paused" }
        (pauses(app, &jury.caller)?)
    };
    let title = "Queue and workers";
    Ok(page(&jury.caller, "/jury/queue", title, &body))
}

fn work(shown: &Shown) -> Markup {
    html! {
        @match &shown.submission {
            Some(submission) => {
                @if matches!(shown.unit.unit.id.parse(), Ok(UnitId::Batch(..))) { "a part of " }
                a href={ "/jury/submissions/" (submission.id) } { "submission " (submission.id) }
                " " (submission.problem_ext)
            }
            None => (shown.unit.unit.id),
        }
    }
}

/// The team or the user whose share of the queue it takes.
fn share(shown: &Shown) -> String {
    let submission = shown.submission.as_ref();
    let submission = submission.filter(|own| own.contest.is_some());
    match submission.and_then(|own| own.team_ext.as_ref()) {
        Some(team) => format!("team {team}"),
        None => shown.unit.unit.share.clone(),
    }
}

fn class(shown: &Shown) -> &'static str {
    shown.unit.unit.priority.word()
}

fn machine_table(fleet: &[Presence], now: i64) -> Markup {
    let state = |worker: &Presence| match &worker.state {
        WorkerState::Ready if worker.doing.is_empty() => "idle".to_owned(),
        WorkerState::Ready => "judging".to_owned(),
        WorkerState::Resting(reason) => format!("rests: {reason}"),
        WorkerState::Draining => "ends when it has finished its work".to_owned(),
        WorkerState::Gone => "gone".to_owned(),
    };
    let doing = |doing: &Doing| format!("{} for {}", doing.unit, age(now, doing.since_ms));
    Table::new("Machines", fleet)
        .column("Worker", |own| &own.name)
        .column("Machine", |own| &own.machine)
        .column("Class", |own| &own.machine_class)
        .column("Judge", |own| &own.version)
        .column("For", |own| age(now, own.since_ms))
        .column("State", state)
        .column("Missing languages", |own| own.missing.join(", "))
        .column("Work", |own| {
            let doing: Vec<String> = own.doing.iter().map(doing).collect();
            html! { (doing.len()) " of " (own.jobs) @if !doing.is_empty() { ": " (doing.join(", ")) } }
        })
        .render()
}

fn leased_table(units: &[Shown], now: i64) -> Markup {
    Table::new("Workers", units)
        .column("Worker", |own| match &own.unit.phase {
            Phase::Leased(worker) => worker,
            _ => "",
        })
        .column("Work", work)
        .column("Class", class)
        .column("Share", share)
        .column("For", |own| age(now, own.unit.since_ms))
        .column("Tried", |own| own.unit.deliveries)
        .render()
}

fn waiting_table(units: &[Shown], now: i64) -> Markup {
    Table::new("Waiting", units)
        .column("Work", work)
        .column("Class", class)
        .column("Share", share)
        .column("For", |own| age(now, own.unit.since_ms))
        .column("Why", |own| {
            let why = match &own.unit.phase {
                Phase::Delayed(until) => format!("after a failure, for {} more", age(*until, now)),
                _ => "all workers are busy with more urgent work".to_owned(),
            };
            html! { (why) @if let Some(reason) = &own.unit.reason { ": " (reason) } }
        })
        .render()
}

fn parked_table(caller: &Caller, units: &[Shown], now: i64) -> Markup {
    Table::new("Parked", units)
        .column("Work", work)
        .column("Class", class)
        .column("Tried", |own| own.unit.deliveries)
        .column("For", |own| age(now, own.unit.since_ms))
        .column("Reason", |own| {
            html! { pre { (own.unit.reason.as_deref().unwrap_or_default()) } }
        })
        .column("", |own| {
            let fields = [("unit", own.unit.unit.id.as_str())];
            button(caller, "/jury/queue/retry", "Try again", &fields)
        })
        .render()
}

/// The pauses, and a form for another one.
fn pauses(app: &App, caller: &Caller) -> Result<Markup> {
    let pauses = app.store.pauses()?;
    let problem = |ext: String| (format!("problem {ext}"), format!("problem {ext}"));
    let problems = app.store.problems()?.into_iter();
    let languages = app.languages.allowed(None).into_iter();
    let languages = languages.map(|own| {
        let text = format!("language {}", own.name);
        (format!("language {}", own.code), text)
    });
    let choices = options(
        "choose",
        problems.map(|own| problem(own.ext)).chain(languages),
    );
    let key = |own: &Pause| format!("{} {}", own.kind, own.key);
    let table = Table::new("Paused", &pauses)
        .column("What", key)
        .column("Since", |own| {
            html! { (date(own.paused_ms)) @if let Some(by) = &own.by { " by " (by) } }
        })
        .column("Waiting", |own| own.waiting)
        .column("", |own| {
            button(
                caller,
                "/jury/queue/resume",
                "Resume",
                &[("what", &key(own))],
            )
        });
    Ok(html! {
        p.quiet { "Submissions are received and shown as pending, and wait until judging is resumed. What is being judged ends." }
        @if !pauses.is_empty() { (table) }
        form method="post" action="/jury/queue/pause" {
            (csrf(caller))
            (select("what", "Problem or language", &choices, ""))
            button { "Pause judging" }
        }
    })
}

/// The kind and the key of what a form pauses or resumes.
fn paused(form: &Form<Jury>) -> Result<(&str, &str)> {
    let wrong = || bad_request("choose a problem or a language");
    let parts = form.fields.get("what").split_once(' ').ok_or_else(wrong)?;
    match parts.0 {
        "problem" | "language" => Ok(parts),
        _ => Err(wrong()),
    }
}

/// `POST /jury/queue/pause`: `what` is `problem ID` or `language CODE`.
pub fn pause(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let (kind, key) = paused(&form)?;
    let is_known = match kind {
        "problem" => app.store.problem_by_ext(key)?.is_some(),
        _ => app.languages.get(key).is_some(),
    };
    if !is_known {
        return Err(bad_request(format!("there is no {kind} {key:?}")));
    }
    app.store.pause(kind, key, form.by.user.id)?;
    Ok(Redirect::to("/jury/queue"))
}

/// `POST /jury/queue/resume`: `what` as for [`pause`].
pub fn resume(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let (kind, key) = paused(&form)?;
    let waiting = app.store.resume(kind, key)?.into_iter();
    let waiting = waiting.map(|id| Ok(app.store.judging(id)?));
    let waiting = waiting.collect::<Result<Vec<_>>>()?;
    units::enqueue(&app.store, app.queue.as_ref(), &waiting)?;
    Ok(Redirect::to("/jury/queue"))
}

/// `POST /jury/queue/retry`: the field `unit` names a parked unit, or `judging` a judging with JE.
pub fn retry(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let judging: Option<i64> = form.fields.parse("judging")?;
    let unit = match judging {
        Some(id) => units::unit_id(JudgingId(id)),
        None => form.fields.required("unit", "unit")?.to_owned(),
    };
    let id = match unit.parse() {
        Ok(UnitId::Judging(id)) => Some(id),
        _ => None,
    };
    retry_unit(app, &unit, id)?;
    Ok(Redirect::to("/jury/queue"))
}

/// Opens the judging again, and lets its unit wait again. Blocks.
fn retry_unit(app: &App, unit: &str, judging: Option<JudgingId>) -> Result<()> {
    if let Some(id) = judging {
        let judging = app.store.reopen_judging(id)?;
        if !app.queue.retry(unit)? {
            units::enqueue(&app.store, app.queue.as_ref(), &[judging])?;
        }
        return Ok(());
    }
    match app.queue.retry(unit)? {
        true => Ok(()),
        false => Err(conflict(format!("{unit} is not parked"))),
    }
}
