//! A problem in practice or in a contest, and whether the caller may submit there.

use super::parts::{Own, with_judgings};
use crate::access;
use crate::contest_view::View;
use crate::http::rights::practice_problem;
use crate::http::{App, Caller, Result, not_found};
use crate::store::{ContestProblem, Problem, SubmissionFilter};
use maud::{Markup, html};

/// A problem as the caller sees it, for practice or in a contest.
pub struct ProblemPlace<'a> {
    pub problem: Problem,
    /// The contest, and the problem's label and colour in it.
    pub contest: Option<(View<'a>, ContestProblem)>,
}

impl<'a> ProblemPlace<'a> {
    /// A problem for practice. Blocks.
    /// Fails with `NotFound` if the caller does not see it.
    pub fn practice(app: &'a App, caller: &Caller, ext: &str) -> Result<Self> {
        let gone = || not_found(format!("there is no problem {ext}"));
        let problem = practice_problem(app, caller.viewer, ext)?;
        Ok(ProblemPlace {
            problem: problem.ok_or_else(gone)?,
            contest: None,
        })
    }

    /// A problem of a contest by its label. Blocks.
    /// Fails with `NotFound` if the caller does not see it.
    pub fn contest(app: &'a App, caller: &Caller, contest: &str, label: &str) -> Result<Self> {
        let view = View::open(app, caller.viewer, contest)?;
        let mut problems = view.contest_problems()?.into_iter();
        let found = problems.find(|problem| problem.label == label);
        let gone = || not_found(format!("there is no problem {label} to see"));
        let own = found.ok_or_else(gone)?;
        Ok(ProblemPlace {
            problem: app.store.problem(own.problem)?,
            contest: Some((view, own)),
        })
    }

    pub fn address(&self) -> String {
        match &self.contest {
            None => format!("/problems/{}", self.problem.ext),
            Some((view, own)) => {
                format!("/contests/{}/problems/{}", view.contest.ext, own.label)
            }
        }
    }

    /// The caller's last submissions to the problem in this place.
    pub fn own(&self, app: &App, caller: &Caller) -> Result<Vec<Own>> {
        let Some(user) = &caller.user else {
            return Ok(Vec::new());
        };
        let filter = SubmissionFilter {
            contest: Some(self.contest.as_ref().map(|(view, _)| view.contest.id)),
            problem: Some(self.problem.id),
            ..SubmissionFilter::by(user.id, caller.viewer.team)
        };
        with_judgings(app, caller.viewer, app.store.submissions(&filter, 5)?)
    }

    /// The reason why the caller cannot submit now; `None` if they can.
    pub fn closed(&self, caller: &Caller) -> Option<Markup> {
        let address = self.address();
        let signed_out =
            || html! { p { a href={ "/sign-in?to=" (address) } { "Sign in" } " to submit." } };
        let Some((view, _)) = &self.contest else {
            return caller.user.is_none().then(signed_out);
        };
        match access::submits_to_contest(view.viewer, view.place(), view.now_ms) {
            true => None,
            false if caller.user.is_none() => Some(signed_out()),
            false if !view.takes_part => {
                Some(html! { p { "Only teams of this contest submit here." } })
            }
            false => Some(html! { p { "The contest is over." } }),
        }
    }
}
