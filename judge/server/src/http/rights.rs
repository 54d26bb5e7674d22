//! Loads the facts that [`crate::access`] decides from.

use super::{App, Result};
use crate::access::{self, Participation, Viewer};
use crate::store::{Contest, ContestId, ContestRole, Problem, now_ms};

/// Whether the problem belongs to a contest that is not over.
pub(crate) fn in_unfinished_contest(app: &App, problem: &Problem) -> Result<bool> {
    let now = now_ms();
    for id in app.store.contests_with(problem.id)? {
        if !app.store.contest(id)?.is_over(now) {
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

/// The problems that the viewer sees outside of contests.
pub(crate) fn practice_problems(app: &App, viewer: Viewer) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for problem in app.store.problems()? {
        if sees_practice(app, viewer, &problem)? {
            problems.push(problem);
        }
    }
    Ok(problems)
}

/// The problem whose package has this id, if the viewer sees it outside of contests.
pub(crate) fn practice_problem(app: &App, viewer: Viewer, ext: &str) -> Result<Option<Problem>> {
    match app.store.problem_by_ext(ext)? {
        Some(problem) if sees_practice(app, viewer, &problem)? => Ok(Some(problem)),
        _ => Ok(None),
    }
}

/// The viewer with the role that the user has in the contest, and whether their team takes part in it.
pub(crate) fn enter<'a>(
    app: &App,
    viewer: Viewer,
    contest: &'a Contest,
) -> Result<(Viewer, Participation<'a>)> {
    let takes_part = match viewer.team {
        Some(team) => app.store.takes_part(contest.id, team)?,
        None => false,
    };
    let place = Participation {
        contest,
        takes_part,
    };
    Ok((viewer.with(role_in(app, viewer, contest.id)?), place))
}

/// The viewer in the contest of a submission; `None`: practice, in which only roles of the server count.
pub(crate) fn enter_if_any<'a>(
    app: &App,
    viewer: Viewer,
    contest: Option<&'a Contest>,
) -> Result<(Viewer, Option<Participation<'a>>)> {
    let Some(contest) = contest else {
        return Ok((viewer.with(None), None));
    };
    let (viewer, place) = enter(app, viewer, contest)?;
    Ok((viewer, Some(place)))
}

fn role_in(app: &App, viewer: Viewer, contest: ContestId) -> Result<Option<ContestRole>> {
    match viewer.user {
        Some(user) => Ok(app.store.contest_role(contest, user)?),
        None => Ok(None),
    }
}
