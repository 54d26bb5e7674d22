//! A contest as a viewer sees it: the objects of the Contest API, for the collections and the feed
//! alike. What a viewer may see is decided in [`crate::access`].

mod awards;
mod board;
mod configuration;
mod live;
mod rights;
mod standings;
mod statistics;

pub(crate) use configuration::{attachment, logo_address, statement};
pub(crate) use standings::{Honour, Standing, standings};
pub(crate) use statistics::{Counts, OfProblem, Statistics};

use crate::access::{self, Participation, Viewer};
use crate::contest_api::{Id, ObjectType};
use crate::http::rights::enter;
use crate::http::{App, Result, not_found};
use crate::store::objects;
use crate::store::{Contest, ContestProblem, Role, Team, now_ms};
use serde::Serialize;
use serde_json::Value;

/// A contest and who looks at it.
pub struct View<'a> {
    /// Where its data is.
    pub app: &'a App,
    pub contest: Contest,
    /// The viewer with their role in the contest, whose rights decide what is visible.
    pub viewer: Viewer,
    /// The viewer's team takes part.
    pub takes_part: bool,
    pub now_ms: i64,
}

impl<'a> View<'a> {
    /// The contest with this id of the Contest API.
    /// Fails with `NotFound` if there is none that the viewer may see.
    pub fn open(app: &'a App, viewer: Viewer, ext: &str) -> Result<Self> {
        let unknown = || not_found(format!("there is no contest {ext:?}"));
        View::find(app, viewer, ext)?.ok_or_else(unknown)
    }

    /// The contest with this id, if the viewer may see it.
    pub fn find(app: &'a App, viewer: Viewer, ext: &str) -> Result<Option<Self>> {
        match app.store.contest_by_ext(ext)? {
            Some(contest) => View::of(app, viewer, contest),
            None => Ok(None),
        }
    }

    /// A contest, unless the viewer may not see it.
    pub fn of(app: &'a App, viewer: Viewer, contest: Contest) -> Result<Option<Self>> {
        let (viewer, place) = enter(app, viewer, &contest)?;
        let view = View {
            app,
            viewer,
            takes_part: place.takes_part,
            contest,
            now_ms: now_ms(),
        };
        Ok(access::sees_contest(viewer, view.place()).then_some(view))
    }

    /// The contests that the viewer may see, the latest first.
    pub fn all(app: &'a App, viewer: Viewer) -> Result<Vec<Self>> {
        let contests = app.store.contests()?.into_iter();
        let views = contests.map(|contest| View::of(app, viewer, contest));
        views.filter_map(Result::transpose).collect()
    }

    /// A contest as all viewers see it now who have this role and may see it.
    pub fn as_role(app: &'a App, contest: Contest, role: Role) -> Self {
        View {
            app,
            contest,
            viewer: Viewer {
                role,
                ..Viewer::ANONYMOUS
            },
            takes_part: true,
            now_ms: now_ms(),
        }
    }

    /// The contest and the viewer's participation, as arguments for `access`.
    pub fn place(&self) -> Participation<'_> {
        Participation {
            contest: &self.contest,
            takes_part: self.takes_part,
        }
    }

    /// Whether the viewer may see its problems.
    pub fn sees_problems(&self) -> bool {
        access::sees_contest_problems(self.viewer, self.place(), self.now_ms)
    }

    /// The problems that the viewer may see: none before the start, except for the jury.
    pub fn contest_problems(&self) -> Result<Vec<ContestProblem>> {
        match self.sees_problems() {
            true => Ok(self.app.store.contest_problems(self.contest.id)?),
            false => Ok(Vec::new()),
        }
    }

    /// A problem that the viewer may see, by its id or else by its label.
    pub fn contest_problem(&self, name: &str) -> Result<Option<ContestProblem>> {
        let problems = self.contest_problems()?;
        let by_id = problems.iter().find(|problem| problem.ext == name);
        let found = by_id.or_else(|| problems.iter().find(|problem| problem.label == name));
        Ok(found.cloned())
    }

    /// The number of the jury's clarifications that the viewer, of a team, has not read.
    pub fn unread(&self) -> Result<usize> {
        match (self.viewer.user, self.viewer.team) {
            (Some(user), Some(team)) => {
                Ok(self.app.store.unread_in(user, team, self.contest.id)?)
            }
            _ => Ok(0),
        }
    }

    pub fn contest(&self) -> Result<Value> {
        json(&objects::contest(&self.contest)?)
    }

    pub fn state(&self) -> Result<Value> {
        json(&objects::state(&self.contest, self.now_ms))
    }

    /// The objects of a collection that the viewer may see.
    /// Fails with `NotFound` for types that are no collection, or that the viewer may not see at all.
    pub fn collection(&self, kind: ObjectType) -> Result<Vec<Value>> {
        if !self.has(kind) {
            return Err(not_found("there is no such collection for you"));
        }
        match kind {
            ObjectType::JudgementTypes => self.judgement_types(),
            ObjectType::Languages => self.languages(),
            ObjectType::Problems => self.problems(),
            ObjectType::Groups => self.groups(),
            ObjectType::Organizations => self.organizations(),
            ObjectType::Teams => self.teams(),
            ObjectType::Persons => self.persons(),
            ObjectType::Accounts => self.accounts(),
            ObjectType::Submissions => self.submissions(),
            ObjectType::Judgements => self.judgements(),
            ObjectType::Runs => self.runs(),
            ObjectType::Clarifications => self.clarifications(),
            ObjectType::Awards => self.awards(),
            ObjectType::Commentary => self.commentary(),
            _ => Err(not_found("there is no such collection")),
        }
    }

    /// The teams that the viewer may see.
    fn seen_teams(&self) -> Result<Vec<Team>> {
        let hidden = self.app.store.hidden_teams()?;
        let mut teams = self.app.store.contest_teams(self.contest.id)?;
        teams.retain(|team| {
            access::sees_team(
                self.viewer,
                team.id,
                hidden.contains(&team.id),
                self.place(),
            )
        });
        Ok(teams)
    }
}

fn json(object: &impl Serialize) -> Result<Value> {
    Ok(serde_json::to_value(object)?)
}

/// Ids, in the same order.
fn ids<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<Id>> {
    names.map(|name| Ok(Id::new(name)?)).collect()
}
