//! Some teams of a scoreboard.

use super::Board;
use crate::scoreboard::Row;
use crate::store::{GroupId, OrganizationId, Team};
use std::borrow::Cow;

/// The teams that a board shows: all conditions that are set must hold.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct BoardFilter {
    pub group: Option<GroupId>,
    pub organization: Option<OrganizationId>,
    /// The country of the organization.
    pub country: Option<String>,
}

impl BoardFilter {
    /// Whether it lets all teams pass.
    pub fn is_empty(&self) -> bool {
        *self == BoardFilter::default()
    }

    fn passes(&self, board: &Board, team: &Team) -> bool {
        let has_group = self.group.is_none_or(|id| team.groups.contains(&id));
        let has_organization =
            self.organization.is_none() || team.organization == self.organization;
        let country = || board.organization_of(team)?.country.as_ref();
        has_group
            && has_organization
            && (self.country.is_none() || country() == self.country.as_ref())
    }
}

impl Board {
    /// The rows of the teams that pass a filter, with their ranks among these. The first team to solve a problem is that
    /// of all teams.
    pub fn filtered(&self, filter: &BoardFilter) -> Cow<'_, [Row]> {
        match filter.is_empty() {
            true => Cow::Borrowed(&self.rows),
            false => Cow::Owned(self.rows_where(|team| filter.passes(self, team))),
        }
    }
}
