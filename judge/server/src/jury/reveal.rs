//! Asks before a change of a contest that shows hidden results to everybody: it cannot be undone.

use super::frame::{Question, asked, plural};
use crate::contest_api::RelTime;
use crate::http::{App, Form, Jury, Result};
use crate::store::{Contest, ContestResult};
use axum::response::Response;

/// The page that asks before new settings show results to everybody that are hidden now; `None`: they show none, or the form has
/// the answer.
pub fn ask_to_reveal(
    app: &App,
    form: &Form<Jury>,
    before: &Contest,
    new: &Contest,
    action: &str,
) -> Result<Option<Response>> {
    let all = app.store.contest_results(before.id)?;
    let mut changes = Vec::new();
    let is_shown = |time| before.hides_result_of(time) && !new.hides_result_of(time);
    let frozen = all.iter().filter(|own| is_shown(own.time_ms)).count();
    if frozen > 0 {
        // A longer contest freezes its scoreboard later.
        let freezes = before.duration_ms - before.freeze_ms.unwrap_or(0);
        changes.push(format!(
            "Everybody who sees {} gets the results of {} of the freeze. To keep them hidden, let the scoreboard be frozen for the last {}.",
            before.name,
            plural(frozen, "submission"),
            RelTime::from_millis((new.duration_ms - freezes).max(0)).without_fraction(),
        ));
    }
    let is_shown = |own: &&ContestResult| own.is_unverified(before) && !own.is_unverified(new);
    let unverified = all.iter().filter(is_shown).count();
    if unverified > 0 {
        changes.push(format!(
            "Teams and spectators get the results of {} that no judge has verified.",
            plural(unverified, "submission")
        ));
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let back = format!("/jury/contests/{}", before.ext);
    let question = Question {
        action,
        changes,
        button: "Show these results",
        back: &back,
    };
    let title = format!("Show results of {}", before.name);
    Ok(asked(form, "/jury/contests", &title, &question))
}
