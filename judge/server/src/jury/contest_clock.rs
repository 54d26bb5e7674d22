//! The clock of a contest, which starts, freezes, shows the frozen results, and makes them final.

use super::contests::{by_ext, length_text};
use super::frame::{Question, asked, button, csrf, date, plural};
use crate::http::{App, Caller, Form, Jury, Result, bad_request, conflict};
use crate::layout::input;
use crate::store::{Contest, Reopening, now_ms};
use crate::zone;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

/// The buttons that are of use now, and when the contest was opened again.
pub fn forms(
    caller: &Caller,
    address: &str,
    contest: &Contest,
    reopenings: &[Reopening],
) -> Markup {
    let now = now_ms();
    let (running, over) = (contest.is_running(now), contest.is_over(now));
    let frozen = contest.freezes_ms().is_some_and(|freezes| now >= freezes);
    let action =
        |what: &str, text: &str| button(caller, &format!("{address}/clock"), text, &[("do", what)]);
    html! {
        @if !contest.has_started(now) { (action("start", "Start now")) }
        @if running && !frozen { (action("freeze", "Freeze the scoreboard now")) }
        @if over && contest.thawed_ms.is_none() { (action("thaw", "Show the frozen results")) }
        @if over && contest.finalized_ms.is_none() { (action("finalize", "Make the results final")) }
        @if contest.finalized_ms.is_some() {
            p { "The results are final." @if contest.thawed_ms.is_none() && contest.freeze_ms.is_some() {
                " The public scoreboard is frozen until you show them."
            } }
            form method="post" action={ (address) "/reopen" } {
                (csrf(caller))
                (input("reason", "Why the contest is opened again", "text", true))
                button { "Open the contest again" }
            }
        }
        @for own in reopenings { p.quiet { "Opened again " (date(own.time_ms)) ": " (own.reason) } }
    }
}

/// `POST /jury/contests/{contest}/reopen`: `reason`.
pub fn reopen(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let contest = by_ext(app, &ext)?;
    let reason = form
        .fields
        .required("reason", "Why the contest is opened again")?;
    app.store.reopen(contest.id, reason, form.by.user.id)?;
    Ok(Redirect::to(&format!("/jury/contests/{ext}")))
}

/// `POST /jury/contests/{contest}/clock`: `do` is `start`, `freeze`, `thaw` or `finalize`.
pub fn change(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let to = format!("/jury/contests/{ext}");
    let contest = by_ext(app, &ext)?;
    let what = form.fields.get("do");
    let change = clock_change(app, &contest, what)?;
    let question = Question {
        action: &format!("{to}/clock"),
        changes: change.consequences,
        button: change.button,
        back: &to,
    };
    let title = format!("{}: {}", change.button, contest.name);
    if let Some(page) = asked(&form, "/jury/contests", &title, &question) {
        return Ok(page);
    }
    set_clock(app, contest, what)?;
    Ok(Redirect::to(&to).into_response())
}

/// A change of the clock that cannot be undone.
struct ClockChange {
    button: &'static str,
    consequences: Vec<String>,
}

/// The consequences of a change of the clock.
/// Fails when it is not possible now.
fn clock_change(app: &App, contest: &Contest, what: &str) -> Result<ClockChange> {
    let now = now_ms();
    let is_over = contest.is_over(now);
    let early = || Err(conflict("the contest is not over"));
    let name = &contest.name;
    let (button, consequences) = match what {
        "start" if contest.has_started(now) => {
            return Err(conflict("the contest has started already"));
        }
        "start" => {
            let planned = contest.start_ms.map_or_else(String::new, |start| {
                format!(" instead of {}", zone::text(contest.tz(), start))
            });
            let length = length_text(contest.duration_ms);
            let problems = app.store.contest_problems(contest.id)?.len();
            let teams = app.store.contest_teams(contest.id)?.len();
            let others = if contest.public {
                ", and everybody else"
            } else {
                ""
            };
            let changes = vec![
                format!("{name} starts now{planned}, and ends {length} later."),
                format!(
                    "{}{others} can read the statements of {}, and submissions count.",
                    plural(teams, "team"),
                    plural(problems, "problem")
                ),
            ];
            ("Start now", changes)
        }
        "freeze" if !contest.is_running(now) => {
            return Err(conflict("the contest is not running"));
        }
        "freeze" => {
            let changes = vec![
                format!("The public scoreboard of {name} stays as it is now."),
                "Results of later submissions are seen only by their teams and the jury, until you show them after the end."
                    .to_owned(),
            ];
            ("Freeze the scoreboard", changes)
        }
        "thaw" if !is_over => return early(),
        "thaw" if contest.thawed_ms.is_some() => {
            return Err(conflict("the results are shown already"));
        }
        "thaw" => {
            let all = app.store.contest_results(contest.id)?;
            let hidden = all
                .iter()
                .filter(|own| contest.hides_result_of(own.time_ms));
            let hidden = plural(hidden.count(), "submission");
            let mut changes = vec![format!(
                "Everybody who sees {name} gets the results of {hidden} of the freeze, and the final ranks."
            )];
            if contest.finalized_ms.is_some() {
                changes.push("The event feed ends with them.".to_owned());
            }
            ("Show the frozen results", changes)
        }
        "finalize" if !is_over => return early(),
        "finalize" if contest.finalized_ms.is_some() => {
            return Err(conflict("the results are final"));
        }
        "finalize" => {
            let submissions = app.store.contest_results(contest.id)?.len();
            let mut changes = vec![
                format!(
                    "The verdicts of {}, the ranks and the awards of {name} become final.",
                    plural(submissions, "submission")
                ),
                "Its settings, problems and teams do not change any more, unless it is opened again with a reason, which its page shows."
                    .to_owned(),
            ];
            if contest.freeze_ms.is_none() || contest.thawed_ms.is_some() {
                changes.push("The event feed ends.".to_owned());
            }
            ("Make the results final", changes)
        }
        _ => return Err(bad_request(format!("{what:?} is no change of the clock"))),
    };
    Ok(ClockChange {
        button,
        consequences,
    })
}

fn set_clock(app: &App, contest: Contest, what: &str) -> Result<()> {
    let now = now_ms();
    let left = contest.contest_time_at(now);
    let left = left.map(|time| contest.duration_ms - time);
    let before = contest.clone();
    let changed = match what {
        "start" => Contest {
            // Whole seconds, as forms have them.
            start_ms: Some(now - now.rem_euclid(1000)),
            countdown_pause_ms: None,
            ..contest
        },
        "freeze" => Contest {
            freeze_ms: left.map(|left| left + (-left).rem_euclid(1000)),
            ..contest
        },
        "thaw" => return Ok(app.store.thaw(contest.id, now)?),
        _ => return Ok(app.store.finalize(contest.id, now)?),
    };
    Ok(app.store.replace_contest(&before, &changed)?)
}
