//! A submission: verdict, cases, diagnosis, source.

use super::case_table::cases;
use super::page;
use super::parts::{contest_time, date, language_name, points, verdict};
use super::source::sources;
use crate::http::{App, Caller, PageResult, Result, not_found};
use crate::queue::{Listed, Phase, Position};
use crate::store::{Judging, JudgingState, SubmissionId};
use crate::submissions::{SeenSubmission, is_final, load};
use crate::units::unit_id;
use axum::extract::Path;
use judge_core::verdict::Verdict;
use maud::{Markup, html};

/// The number in an address.
pub fn number(id: &str) -> Result<SubmissionId> {
    let gone = |_| not_found(format!("there is no submission {id}"));
    id.parse().map_err(gone)
}

pub fn shown(app: &App, (caller, Path(id)): (Caller, Path<String>)) -> PageResult {
    let id = number(&id)?;
    let seen = load(app, caller.viewer, id)?;
    let events = (!is_final(&seen)).then(|| format!("/submissions/{id}/live"));
    let body = html! {
        (facts(app, &caller, &seen)?)
        div data-events=[events] {
            p role="status" { (headline(&seen)) }
            (results(app, &seen)?)
        }
        @if !is_final(&seen) {
            noscript { p { a href="" { "Load again" } " to see new results." } }
        }
        @if seen.source {
            h2 { "Source" }
            (sources(app, &seen.submission)?)
        }
    };
    Ok(page(
        &caller,
        "/submissions",
        &format!("Submission {id}"),
        &body,
    ))
}

fn facts(app: &App, caller: &Caller, seen: &SeenSubmission) -> Result<Markup> {
    let submission = &seen.submission;
    let problem = app.store.problem(submission.problem)?;
    let of_contest = match &seen.contest {
        Some(contest) => {
            let all = app.store.contest_problems(contest.id)?;
            all.into_iter()
                .find(|one| one.problem == submission.problem)
        }
        None => None,
    };
    let address = match (&seen.contest, &of_contest) {
        (Some(contest), Some(own)) => format!("/contests/{}/problems/{}", contest.ext, own.label),
        _ => format!("/problems/{}", problem.ext),
    };
    let is_own = caller.viewer.owns(submission);
    let user = match is_own && submission.team.is_none() {
        true => None,
        false => Some(app.store.user(submission.user)?.name).filter(|_| is_own || seen.source),
    };
    let team = submission.team.map(|id| app.store.team(id)).transpose()?;
    Ok(html! {
        dl.facts {
            div {
                dt { "Problem" }
                dd {
                    a href=(address) {
                        @if let Some(own) = &of_contest { (own.label) " " }
                        (problem.version.name)
                    }
                }
            }
            @if let Some(contest) = &seen.contest {
                div { dt { "Contest" } dd { a href={ "/contests/" (contest.ext) } { (contest.name) } } }
            }
            @if let Some(team) = team {
                div { dt { "Team" } dd { (team.shown_name()) } }
            }
            @if let Some(user) = user { div { dt { "User" } dd { (user) } } }
            div {
                dt { "Language" }
                dd { (language_name(app, &submission.language)) }
            }
            @if let Some(entry) = submission.entry_point.as_ref().filter(|_| seen.source) {
                div { dt { "Entry point" } dd { code { (entry) } } }
            }
            @if let Some(contest) = &seen.contest {
                div { dt { "Contest time" } dd { (contest_time(Some(contest), submission.time_ms)) } }
            }
            div { dt { "Submitted" } dd { (date(submission.time_ms)) } }
        }
    })
}

/// The verdict in letters and words; replaced while the page is open.
pub fn headline(seen: &SeenSubmission) -> Markup {
    let judging = seen.judging.as_ref();
    let known = judging.and_then(|judging| judging.verdict);
    html! {
        span.headline data-fragment="headline" {
            (verdict(judging))
            @if let Some(known) = known { " " (words(known)) }
            @if let Some(judging) = judging { (figures(judging)) }
        }
    }
}

fn figures(judging: &Judging) -> Markup {
    html! {
        @if let Some(score) = judging.score { " · " (points(score)) " points" }
        @if let Some(cpu) = judging.max_cpu_s { " · " (format!("{cpu:.3}")) " s" }
        @if let Some(memory) = judging.max_memory { " · " (judge_core::figures::bytes(memory)) }
    }
}

/// The verdict in words for its team.
pub(super) fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "Accepted",
        Verdict::PartiallyAccepted => "Partially accepted",
        Verdict::PresentationError => "The format of the output is wrong",
        Verdict::WrongAnswer => "Wrong answer",
        Verdict::RunTimeError => "The program failed while it ran",
        Verdict::SecurityViolation => "The program did what is forbidden",
        Verdict::OutputLimitExceeded => "The program wrote too much",
        Verdict::TimeLimitExceeded => "The program took too long",
        Verdict::MemoryLimitExceeded => "The program used too much memory",
        Verdict::CompileError => "The program does not compile",
        Verdict::JudgeError => "The judge failed",
    }
}

/// Everything below the verdict that is replaced while the page is open.
pub fn results(app: &App, seen: &SeenSubmission) -> Result<Markup> {
    let Some(judging) = &seen.judging else {
        return Ok(html! {
            p data-fragment="results" { "The scoreboard is frozen: the result is shown when the jury shows the frozen results." }
        });
    };
    let waits = match judging.state {
        JudgingState::Queued => Some(waits(app, judging)?),
        _ => None,
    };
    Ok(html! {
        div data-fragment="results" {
            @if let Some(waits) = waits { p { (waits) } }
            @if seen.submission.unverified && judging.verdict.is_none() {
                p { "The result is shown when a judge has verified it." }
            }
            @if let Some(reason) = &judging.reason { p.error { (reason) } }
            @if let Some(message) = judging.compile_message.as_ref().filter(|text| !text.trim().is_empty()) {
                h2 { "Compiler" }
                pre tabindex="0" translate="no" role="region" aria-label="Message of the compiler" {
                    "\n" (message)
                }
            }
            @if let Some(own) = &seen.for_team {
                h2 { "Message of the problem's authors" }
                @if let Some(message) = &own.team_message {
                    pre tabindex="0" translate="no" role="region" aria-label="Message of the problem's authors" {
                        "\n" (message)
                    }
                }
                (judge_report::html_images(own))
            }
            (cases(app, seen, judging)?)
        }
    })
}

/// Why a judging waits, and its place in the queue.
fn waits(app: &App, judging: &Judging) -> Result<String> {
    let id = unit_id(judging.id);
    let Some(Position {
        listed: Listed { unit, phase, .. },
        before,
        leased,
    }) = app.queue.position(&id)?
    else {
        return Ok("It is about to be enqueued.".to_owned());
    };
    Ok(match phase {
        Phase::Leased(_) => "A worker begins to judge it.".to_owned(),
        Phase::Delayed(_) => "The judge failed; it tries again in a moment.".to_owned(),
        Phase::Parked => "The judge failed several times; the jury looks at it.".to_owned(),
        Phase::Waiting => {
            let place = before + 1;
            match app.fleet.takes_units(unit.machine_class.as_deref()) {
                true => format!(
                    "It waits for a worker: number {place} in the queue, {leased} being judged now. \
                     Submissions of running contests go first; teams take turns."
                ),
                false => format!(
                    "It waits for a worker: number {place} in the queue. No worker takes submissions \
                     at the moment; the jury's page of the queue says why."
                ),
            }
        }
    })
}
