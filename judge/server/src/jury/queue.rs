//! The queue and the workers: what waits, why and since when, and what is being judged.

use super::form::JuryForm;
use super::frame::{age, button, page};
use crate::http::error::{AppState, PageResult};
use crate::http::{App, Caller, HttpError, Jury, Result};
use crate::layout;
use crate::queue::{Counts, Listed, Phase};
use crate::store::{JudgingId, now_ms};
use crate::worker::{self, Doing, Presence, State};
use axum::response::Redirect;
use maud::{Markup, html};

/// Units that are shown.
const SHOWN: usize = 200;

/// A unit, and the submission that it judges, or a part of it.
struct Shown {
    unit: Listed,
    submission: Option<crate::store::Submission>,
}

fn load(app: &App) -> Result<(Counts, Vec<Shown>)> {
    // Leased and parked ones are always shown, however many wait between them.
    let mut units = app.queue.list(usize::MAX >> 1)?;
    let mut waiting = 0;
    units.retain(|unit| match unit.phase {
        Phase::Leased(_) | Phase::Parked => true,
        Phase::Waiting | Phase::Delayed(_) => {
            waiting += 1;
            waiting <= SHOWN
        }
    });
    let shown = units.into_iter().map(|unit| {
        let judging = worker::judging_of_unit(&unit.unit.id);
        let judging = judging.and_then(|id| app.store.judging(id).ok());
        let submission = judging.and_then(|judging| app.store.submission(judging.submission).ok());
        Shown { unit, submission }
    });
    Ok((app.queue.counts()?, shown.collect()))
}

/// `GET /jury/queue`
pub async fn show(app: AppState, jury: Jury) -> PageResult {
    let (counts, shown) = app.blocking(load).await?;
    let fleet = app.fleet.workers();
    let now = now_ms();
    let (mut leased, mut waiting, mut parked) = (Vec::new(), Vec::new(), Vec::new());
    for unit in &shown {
        match &unit.unit.phase {
            Phase::Leased(worker) => leased.push(leased_row(unit, worker, now)),
            Phase::Parked => parked.push(parked_row(&jury.caller, unit, now)),
            Phase::Waiting | Phase::Delayed(_) => waiting.push(waiting_row(unit, now)),
        }
    }
    let body = html! {
        p role="status" {
            (counts.waiting) " wait, " (counts.leased) " are being judged, " (counts.parked) " are parked."
        }
        @if !parked.is_empty() {
            h2 { "Parked" }
            p { "The judge failed on these several times. They are not tried again by themselves." }
            (layout::table("Parked", &["Work", "Class", "Tried", "For", "Reason", ""], &parked))
        }
        @if !fleet.is_empty() {
            h2 { "Machines" }
            (layout::table(
                "Machines",
                &["Worker", "Machine", "Class", "Judge", "For", "State", "Work"],
                &fleet.iter().map(|worker| machine_row(worker, now)).collect::<Vec<_>>(),
            ))
        }
        h2 { "Workers" }
        @if !app.fleet.takes_units(None) {
            p {
                "No worker takes submissions at the moment. Start one on any machine that reaches NATS: "
                code { "judge worker --nats URL" }
            }
        } @else if leased.is_empty() { p { "All workers are idle." } }
        @if !leased.is_empty() {
            (layout::table("Workers", &["Worker", "Work", "Class", "Share", "For", "Tried"], &leased))
        }
        h2 { "Waiting" }
        @if waiting.is_empty() { p { "Nothing waits." } } @else {
            p { "In the order in which they are judged." }
            (layout::table("Waiting", &["Work", "Class", "Share", "For", "Why"], &waiting))
        }
        @if counts.waiting > SHOWN { p { "And " (counts.waiting - SHOWN) " more." } }
    };
    Ok(page(
        &jury.caller,
        "/jury/queue",
        "Queue and workers",
        &body,
    ))
}

fn work(shown: &Shown) -> Markup {
    html! {
        @match &shown.submission {
            Some(submission) => {
                @if worker::judging_of(&shown.unit.unit.payload).is_none() { "a part of " }
                a href={ "/jury/submissions/" (submission.id) } { "submission " (submission.id) }
                " " (submission.problem_ext)
            }
            None => (shown.unit.unit.id),
        }
    }
}

fn class(shown: &Shown) -> Markup {
    html! { (shown.unit.unit.priority.word()) }
}

fn machine_row(worker: &Presence, now: i64) -> Vec<Markup> {
    let state = match &worker.state {
        State::Ready if worker.doing.is_empty() => "idle".to_owned(),
        State::Ready => "judging".to_owned(),
        State::Resting(reason) => format!("rests: {reason}"),
        State::Draining => "ends when it has finished its work".to_owned(),
        State::Gone => "gone".to_owned(),
    };
    let doing = |doing: &Doing| format!("{} for {}", doing.unit, age(now, doing.since_ms));
    let doing: Vec<String> = worker.doing.iter().map(doing).collect();
    vec![
        html! { (worker.name) },
        html! { (worker.machine) },
        html! { (worker.machine_class) },
        html! { (worker.version) },
        html! { (age(now, worker.since_ms)) },
        html! { (state) },
        html! { (worker.doing.len()) " of " (worker.jobs) @if !doing.is_empty() { ": " (doing.join(", ")) } },
    ]
}

fn leased_row(shown: &Shown, worker: &str, now: i64) -> Vec<Markup> {
    vec![
        html! { (worker) },
        work(shown),
        class(shown),
        html! { (shown.unit.unit.share) },
        html! { (age(now, shown.unit.since_ms)) },
        html! { (shown.unit.deliveries) },
    ]
}

fn waiting_row(shown: &Shown, now: i64) -> Vec<Markup> {
    let why = match &shown.unit.phase {
        Phase::Delayed(until) => format!("after a failure, for {} more", age(*until, now)),
        _ => "all workers are busy with more urgent work".to_owned(),
    };
    vec![
        work(shown),
        class(shown),
        html! { (shown.unit.unit.share) },
        html! { (age(now, shown.unit.since_ms)) },
        html! { (why) @if let Some(reason) = &shown.unit.reason { ": " (reason) } },
    ]
}

fn parked_row(caller: &Caller, shown: &Shown, now: i64) -> Vec<Markup> {
    let id = &shown.unit.unit.id;
    vec![
        work(shown),
        class(shown),
        html! { (shown.unit.deliveries) },
        html! { (age(now, shown.unit.since_ms)) },
        html! { pre { (shown.unit.reason.as_deref().unwrap_or_default()) } },
        button(caller, "/jury/queue/retry", "Try again", &[("unit", id)]),
    ]
}

/// `POST /jury/queue/retry`: the field `unit` names a parked unit, or `judging` a judging with JE.
pub async fn retry(app: AppState, form: JuryForm) -> Result<Redirect> {
    app.blocking(move |app| {
        let judging: Option<i64> = form.fields.parse("judging")?;
        let unit = match judging {
            Some(id) => worker::unit_id(JudgingId(id)),
            None => form.fields.required("unit", "unit")?.to_owned(),
        };
        let id = unit.strip_prefix("judging-").and_then(|id| id.parse().ok());
        retry_unit(app, &unit, id.map(JudgingId))
    })
    .await?;
    Ok(Redirect::to("/jury/queue"))
}

/// Opens the judging again, and lets its unit wait again. Blocks.
fn retry_unit(app: &App, unit: &str, judging: Option<JudgingId>) -> Result<()> {
    if let Some(id) = judging {
        let judging = app.store.reopen_judging(id)?;
        if !app.queue.retry(unit)? {
            let submission = app.store.submission(judging.submission)?;
            let (team, user) = (submission.team, submission.user);
            let share = crate::access::share(team, user, submission.contest);
            app.queue
                .enqueue(&[worker::unit(id, judging.priority, share)])?;
        }
        return Ok(());
    }
    match app.queue.retry(unit)? {
        true => Ok(()),
        false => Err(HttpError::Conflict(format!("{unit} is not parked"))),
    }
}
