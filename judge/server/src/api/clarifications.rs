//! Clarifications: reading, asking, answering.

use super::{Chooser, Writer, created, invalid, may_give_times, number, with_id, without_id};
use crate::access;
use crate::contest_api::{RelTime, Time};
use crate::contest_view::View;
use crate::http::rate::CLARIFICATIONS;
use crate::http::{App, Result, bad_request, forbidden};
use crate::store::{ClarificationId, NewClarification, ProblemId, TeamId};
use axum::body::Bytes;
use axum::extract::Path;
use axum::response::IntoResponse;
use serde::Deserialize;

/// Maximum bytes of a text.
const MAX_TEXT: usize = 10_000;

/// Body of a request that creates a clarification. Only admins give an id and a time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentClarification {
    id: Option<String>,
    time: Option<Time>,
    contest_time: Option<RelTime>,
    from_team_id: Option<String>,
    to_team_ids: Option<Vec<String>>,
    reply_to_id: Option<String>,
    problem_id: Option<String>,
    text: String,
}

pub fn post(
    app: &App,
    (by, Path(contest), body): (Writer, Path<String>, Bytes),
) -> Result<impl IntoResponse + use<>> {
    let sent: SentClarification = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    without_id(sent.id.as_ref())?;
    add(app, &by, &contest, sent)
}

pub fn put(
    app: &App,
    (Chooser(by), Path((contest, id)), body): (Chooser, Path<(String, String)>, Bytes),
) -> Result<impl IntoResponse + use<>> {
    let sent: SentClarification = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    with_id(sent.id.as_ref(), &id)?;
    if sent.time.is_none() {
        return Err(bad_request("`time` is required with an `id`"));
    }
    add(app, &by, &contest, sent)
}

fn add(
    app: &App,
    by: &Writer,
    contest: &str,
    sent: SentClarification,
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, by.caller.viewer, contest)?;
    if sent.text.trim().is_empty() || sent.text.len() > MAX_TEXT {
        return Err(bad_request(format!("`text` needs 1 to {MAX_TEXT} bytes")));
    }
    may_give_times(&view, sent.time, sent.contest_time)?;
    // Not limited: the jury, which answers many questions, and admins, whose programs copy those of all teams.
    if !access::answers(view.viewer) {
        app.rates.take(CLARIFICATIONS, by.user.id)?;
    }
    let id = sent.id.as_deref().map(number).transpose()?;
    let new = NewClarification {
        contest: view.contest.id,
        problem: problem(&view, sent.problem_id.as_deref())?,
        from_team: sender(&view, &sent)?,
        to_team: receiver(&view, &sent)?,
        reply_to: question(&view, sent.reply_to_id.as_deref())?,
        text: sent.text,
        author: Some(by.user.id),
        id: id.map(ClarificationId),
        time_ms: sent.time.map(Time::millis),
        ..NewClarification::default()
    };
    let id = app.store.add_clarification(&new)?;
    let object = view.clarification(&app.store.clarification(id)?)?;
    let location = format!("contests/{contest}/clarifications/{id}");
    Ok(created(&location, object))
}

/// The team that asks; `None`: the jury writes.
fn sender(view: &View<'_>, sent: &SentClarification) -> Result<Option<TeamId>> {
    let own = view.viewer.team.filter(|_| view.takes_part);
    match (&sent.from_team_id, own) {
        (from, Some(own)) => {
            if !access::asks(view.viewer, view.place(), view.now_ms) {
                return Err(forbidden("your team may not ask in this contest now"));
            }
            if from.as_ref().is_some_and(|from| !is_team(view, own, from)) {
                return Err(forbidden("`from_team_id` is not your team"));
            }
            Ok(Some(own))
        }
        (Some(from), None) if access::acts_for_teams(view.viewer) => Ok(Some(team(view, from)?)),
        (None, None) if access::answers(view.viewer) => Ok(None),
        _ => Err(forbidden("only teams ask, and the jury answers")),
    }
}

fn receiver(view: &View<'_>, sent: &SentClarification) -> Result<Option<TeamId>> {
    match sent.to_team_ids.as_deref() {
        None | Some([]) => Ok(None),
        Some(_) if !access::answers(view.viewer) || sent.from_team_id.is_some() => Err(forbidden(
            "teams cannot send clarifications to another team",
        )),
        Some([only]) => Ok(Some(team(view, only)?)),
        Some(_) => Err(bad_request(
            "send to one team, or to all; for several teams send several times",
        )),
    }
}

fn is_team(view: &View<'_>, id: TeamId, ext: &str) -> bool {
    view.app.store.team(id).is_ok_and(|team| team.ext == ext)
}

pub(super) fn team(view: &View<'_>, ext: &str) -> Result<TeamId> {
    let unknown = || bad_request(format!("there is no team {ext:?} in the contest"));
    let team = view.app.store.team_by_ext(ext)?.ok_or_else(unknown)?;
    match view.app.store.takes_part(view.contest.id, team.id)? {
        true => Ok(team.id),
        false => Err(unknown()),
    }
}

fn problem(view: &View<'_>, ext: Option<&str>) -> Result<Option<ProblemId>> {
    let Some(ext) = ext else {
        return Ok(None);
    };
    let problems = view.contest_problems()?;
    let found = problems.iter().find(|problem| problem.ext == ext);
    let unknown = || bad_request(format!("there is no problem {ext:?}"));
    Ok(Some(found.ok_or_else(unknown)?.problem))
}

/// The clarification to answer, which the viewer must see.
fn question(view: &View<'_>, id: Option<&str>) -> Result<Option<ClarificationId>> {
    let Some(id) = id else {
        return Ok(None);
    };
    let unknown = || bad_request(format!("there is no clarification {id:?}"));
    let number: ClarificationId = id.parse().map_err(|_| unknown())?;
    let found = view.app.store.clarification(number);
    let found = found.map_err(|_| unknown())?;
    let seen = access::sees_clarification(view.viewer, &found, view.place());
    match seen && found.contest == view.contest.id {
        true => Ok(Some(number)),
        false => Err(unknown()),
    }
}
