//! Access to the pages of the jury: every route has a rule, which the roles of the caller have to allow.

use super::error::{forbidden, sign_in};
use super::{App, Caller, HttpError, Result, internal};
use crate::access::{self, Action};
use crate::store::{ContestId, ContestRole, RejudgingId, Store, SubmissionId, User};
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;

/// The rule of a route: an action, and the place where the caller must be allowed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    pub action: Action,
    pub of: Of,
}

/// Where a caller must be allowed an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// Everywhere: roles of contests do not count.
    Server,
    /// In at least one contest; the page then shows only those.
    SomeContest,
    /// In the contest `{contest}` of the address.
    Contest,
    /// In the contest of the submission `{id}`.
    Submission,
    /// In the contests of all submissions of the rejudging `{id}`.
    Rejudging,
}

/// A user whom the rule of a route of the jury's pages lets in.
#[derive(Clone, Debug)]
pub struct Jury {
    /// The caller with the role in the contest of the address.
    pub caller: Caller,
    pub user: User,
    /// The contests that the page may show; `None`: all, and practice.
    pub(crate) contests: Option<Vec<ContestId>>,
}

impl AsRef<Caller> for Jury {
    fn as_ref(&self) -> &Caller {
        &self.caller
    }
}

impl Jury {
    /// Whether the roles allow an action here.
    pub(crate) fn may(&self, action: Action) -> bool {
        access::may(self.caller.viewer, action)
    }

    /// Whether the page may show this contest.
    pub(crate) fn shows(&self, contest: ContestId) -> bool {
        let shown = self.contests.as_ref();
        shown.is_none_or(|shown| shown.contains(&contest))
    }
}

impl FromRequestParts<App> for Jury {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let user = caller.user.clone().ok_or_else(sign_in)?;
        let rule = parts.extensions.get::<Rule>().copied();
        let rule = rule.ok_or_else(|| internal("a route of the jury's pages has no rule"))?;
        if access::may(caller.viewer, rule.action) {
            return Ok(Jury {
                caller,
                user,
                contests: None,
            });
        }
        let named = RawPathParams::from_request_parts(parts, &()).await;
        let named = named.map_err(internal)?;
        let named = named.iter().next().map(|(_, value)| value.to_owned());
        let let_in = app.blocking(move |app| {
            let role = role(&app.store, &caller, rule, &named.unwrap_or_default())?;
            let viewer = caller.viewer.with(role);
            let contests = caller.contests_to(rule.action).collect();
            Ok(access::may(viewer, rule.action).then_some(Jury {
                caller: Caller { viewer, ..caller },
                user,
                contests: Some(contests),
            }))
        });
        let refused = || forbidden("your role may not do this");
        let_in.await?.ok_or_else(refused)
    }
}

/// The role with which a caller, who may not do it everywhere, comes to a route; `named` is in its address.
fn role(store: &Store, caller: &Caller, rule: Rule, named: &str) -> Result<Option<ContestRole>> {
    let contests = match rule.of {
        Of::Server => return Ok(None),
        Of::SomeContest => {
            let roles = caller.contest_roles.iter().map(|(_, role)| *role);
            let allowed =
                |role: &ContestRole| access::may(caller.viewer.with(Some(*role)), rule.action);
            return Ok(roles.filter(allowed).max());
        }
        Of::Contest => {
            let contest = store.contest_by_ext(named)?;
            vec![contest.map(|contest| contest.id)]
        }
        Of::Submission => vec![contest_of(store, named)],
        Of::Rejudging => match named.parse::<RejudgingId>() {
            Ok(id) => store.contests_of_rejudging(id)?,
            Err(_) => Vec::new(),
        },
    };
    let roles = contests.into_iter().map(|contest| caller.role_in(contest?));
    // Without a role in one of them, the caller has none here.
    let roles: Option<Vec<ContestRole>> = roles.collect();
    Ok(roles.and_then(|roles| roles.into_iter().min()))
}

/// The contest of a submission; `None`: it is of practice, or does not exist.
fn contest_of(store: &Store, id: &str) -> Option<ContestId> {
    let id: SubmissionId = id.parse().ok()?;
    store.submission(id).ok()?.contest
}
