//! Teams, and the organizations and groups that they belong to.

use super::feed_change::FeedChange;
use super::query::{FromRow, Queries, list, record};
use super::{
    ContestId, Error, GroupId, OrganizationId, Result, Store, TeamId, Tx, check_names, finality,
};
use crate::contest_api::is_country;
use rusqlite::{Connection, params};
use std::collections::{BTreeSet, HashSet};

record! { |row|
    /// An organization.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Organization {
        /// Its number; ignored when it is put.
        pub id: OrganizationId,
        /// Its id in the Contest API.
        pub ext: String,
        /// Its short name.
        pub name: String,
        /// Its full name.
        pub formal_name: Option<String>,
        /// ISO 3166-1 alpha-3.
        pub country: Option<String>,
    }
}

record! { |row|
    /// A group of teams.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Group {
        /// Its number; ignored when it is put.
        pub id: GroupId,
        /// Its id in the Contest API.
        pub ext: String,
        pub name: String,
        /// Hides its teams on the public scoreboard.
        pub hidden: bool,
    }
}

record! { |row|
    /// A team.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Team {
        /// Its number; ignored when it is put.
        pub id: TeamId,
        /// Its id in the Contest API.
        pub ext: String,
        pub name: String,
        /// The name to show, if another.
        pub display_name: Option<String>,
        /// The label of its seat.
        pub label: Option<String>,
        /// The organization that it belongs to.
        pub organization: Option<OrganizationId>,
        /// The groups that it belongs to.
        pub groups: Vec<GroupId> = list(row, "groups")?,
        /// Hides it on the public scoreboard.
        pub hidden: bool,
    }
}

pub(super) const TEAM: &str = "SELECT teams.*, (SELECT group_concat(\"group\") FROM team_groups
    WHERE team = teams.id) AS groups FROM teams";

impl Team {
    /// The name to show.
    pub(crate) fn shown_name(&self) -> &str {
        self.display_name.as_deref().unwrap_or(&self.name)
    }
}

/// Selects the teams that are hidden, or in a hidden group.
pub(super) const HIDDEN_TEAMS: &str = "SELECT id FROM teams WHERE hidden
    UNION SELECT g.team FROM team_groups g JOIN groups ON groups.id = g.\"group\" WHERE groups.hidden";

/// The teams that are hidden, or in a hidden group.
pub(super) fn all_hidden(connection: &Connection) -> Result<HashSet<TeamId>> {
    let hidden: Vec<TeamId> = connection.all(HIDDEN_TEAMS, [])?;
    Ok(hidden.into_iter().collect())
}

/// The teams that the condition `which` selects and that are hidden, themselves or by a group.
fn hidden_teams(connection: &Connection, which: &str, ext: &str) -> Result<BTreeSet<TeamId>> {
    let hidden: Vec<TeamId> = connection.all(
        &format!(
            "SELECT id FROM teams WHERE id IN ({which}) AND (hidden OR EXISTS (
             SELECT 1 FROM team_groups g JOIN groups ON groups.id = g.\"group\"
             WHERE g.team = teams.id AND groups.hidden))"
        ),
        [ext],
    )?;
    Ok(hidden.into_iter().collect())
}

/// Announces the submissions of teams that became hidden or visible, which changes the results of their contests.
fn announce_hidden(
    tx: &mut Tx<'_>,
    before: &BTreeSet<TeamId>,
    now: &BTreeSet<TeamId>,
) -> Result<()> {
    for team in before.symmetric_difference(now) {
        let contests: Vec<ContestId> =
            tx.all("SELECT contest FROM contest_teams WHERE team = ?1", [team])?;
        for contest in contests {
            finality::must_not_be_final(tx, contest)?;
        }
        tx.announce_later(FeedChange::ResultsOf(*team));
    }
    Ok(())
}

/// The number of the organization, group or team (`table`) with this id of the Contest API.
fn number<T: FromRow>(connection: &Connection, table: &str, ext: &str) -> Result<Option<T>> {
    connection.optional(&format!("SELECT id FROM {table} WHERE ext = ?1"), [ext])
}

impl Tx<'_> {
    /// The organization with this id of the Contest API.
    pub(crate) fn organization(&self, ext: &str) -> Result<Option<OrganizationId>> {
        number(self, "organizations", ext)
    }

    /// The group with this id of the Contest API.
    pub(crate) fn group(&self, ext: &str) -> Result<Option<GroupId>> {
        number(self, "groups", ext)
    }

    /// The team with this id of the Contest API.
    pub(crate) fn team(&self, ext: &str) -> Result<Option<TeamId>> {
        number(self, "teams", ext)
    }

    /// Adds an organization, or replaces the one with the same `ext`.
    /// Fails when its name or country is invalid.
    pub(crate) fn put_organization(&mut self, new: &Organization) -> Result<OrganizationId> {
        check_names(&new.name, &[&new.formal_name])?;
        if let Some(country) = new.country.as_ref().filter(|code| !is_country(code)) {
            let shown: String = country.chars().take(30).collect();
            return Err(Error::Invalid(format!(
                "{shown:?} is not the code of a country: write three capital letters of ISO 3166-1, such as DEU"
            )));
        }
        self.configuration = true;
        self.put("organizations", new)
    }

    /// Adds a group, or replaces the one with the same `ext`.
    pub(crate) fn put_group(&mut self, new: &Group) -> Result<GroupId> {
        check_names(&new.name, &[])?;
        self.configuration = true;
        let members = "SELECT team FROM team_groups JOIN groups ON groups.id = \"group\"
            WHERE groups.ext = ?1";
        let before = hidden_teams(self, members, &new.ext)?;
        let id = self.put("groups", new)?;
        announce_hidden(self, &before, &hidden_teams(self, members, &new.ext)?)?;
        Ok(id)
    }

    /// Adds a team, or replaces the one with the same `ext`.
    /// Fails when an organization or group does not exist, or a name is invalid.
    pub(crate) fn put_team(&mut self, new: &Team) -> Result<TeamId> {
        check_names(&new.name, &[&new.display_name, &new.label])?;
        self.configuration = true;
        let own = "SELECT id FROM teams WHERE ext = ?1";
        let before = hidden_teams(self, own, &new.ext)?;
        let id: TeamId = self.put("teams", new)?;
        self.run("DELETE FROM team_groups WHERE team = ?1", [id])?;
        for group in &new.groups {
            self.run(
                "INSERT INTO team_groups (team, \"group\") VALUES (?1, ?2)",
                params![id, group],
            )?;
        }
        announce_hidden(self, &before, &hidden_teams(self, own, &new.ext)?)?;
        Ok(id)
    }
}

impl Store {
    /// The same as `Tx::put_organization`, in a transaction of its own.
    pub fn put_organization(&self, new: &Organization) -> Result<OrganizationId> {
        self.write(|tx| tx.put_organization(new))
    }

    /// All organizations, sorted by `ext`.
    pub fn organizations(&self) -> Result<Vec<Organization>> {
        self.all("SELECT * FROM organizations ORDER BY ext", [])
    }

    /// The teams that are hidden, or in a hidden group.
    pub(crate) fn hidden_teams(&self) -> Result<HashSet<TeamId>> {
        self.read(all_hidden)
    }

    /// The same as `Tx::put_group`, in a transaction of its own.
    pub fn put_group(&self, new: &Group) -> Result<GroupId> {
        self.write(|tx| tx.put_group(new))
    }

    /// All groups, sorted by `ext`.
    pub fn groups(&self) -> Result<Vec<Group>> {
        self.all("SELECT * FROM groups ORDER BY ext", [])
    }

    /// The same as `Tx::put_team`, in a transaction of its own.
    pub fn put_team(&self, new: &Team) -> Result<TeamId> {
        self.write(|tx| tx.put_team(new))
    }

    /// Replaces a team, if it is still as it was read.
    /// Fails when it was changed meanwhile, and the errors of [`Store::put_team`].
    pub(crate) fn replace_team(&self, before: &Team, new: &Team) -> Result<()> {
        self.write(|tx| {
            let now: Team = tx.one(&format!("{TEAM} WHERE teams.id = ?1"), [before.id])?;
            match now == *before {
                true => tx.put_team(new).map(drop),
                false => Err(Error::Conflict(
                    "the team was changed meanwhile; load the page again".to_owned(),
                )),
            }
        })
    }

    pub fn team(&self, id: TeamId) -> Result<Team> {
        self.one(&format!("{TEAM} WHERE teams.id = ?1"), [id])
    }

    /// The team with this id of the Contest API.
    pub fn team_by_ext(&self, ext: &str) -> Result<Option<Team>> {
        self.optional(&format!("{TEAM} WHERE teams.ext = ?1"), [ext])
    }

    /// All teams, sorted by `ext`.
    pub fn teams(&self) -> Result<Vec<Team>> {
        self.all(&format!("{TEAM} ORDER BY teams.ext"), [])
    }
}
