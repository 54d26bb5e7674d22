//! Loads the facts that [`crate::access`] decides from.

use super::{App, Result};
use crate::access::{self, Participation, Viewer};
use crate::store::{Contest, Problem, now_ms};

/// Whether the problem belongs to a contest that is not over.
pub(crate) fn in_unfinished_contest(app: &App, problem: &Problem) -> Result<bool> {
    let now = now_ms();
    for id in app.store.contests_with(problem.id)? {
        let contest = app.store.contest(id)?;
        if contest.end_ms().is_none_or(|end| now < end) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the viewer sees the problem outside of contests.
pub(crate) fn sees_practice(app: &App, viewer: Viewer, problem: &Problem) -> Result<bool> {
    let unfinished = in_unfinished_contest(app, problem)?;
    Ok(access::sees_practice_problem(viewer, problem, unfinished))
}

/// The problem whose package has this id, if the viewer sees it outside of contests.
pub(crate) fn practice_problem(app: &App, viewer: Viewer, ext: &str) -> Result<Option<Problem>> {
    match app.store.problem_by_ext(ext)? {
        Some(problem) if sees_practice(app, viewer, &problem)? => Ok(Some(problem)),
        _ => Ok(None),
    }
}

/// A contest, and whether the viewer's team takes part in it.
pub(crate) fn participation<'a>(
    app: &App,
    viewer: Viewer,
    contest: &'a Contest,
) -> Result<Participation<'a>> {
    let takes_part = match viewer.team {
        Some(team) => app.store.takes_part(contest.id, team)?,
        None => false,
    };
    Ok(Participation {
        contest,
        takes_part,
    })
}
