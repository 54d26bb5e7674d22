//! Teams, and the organizations and groups that they belong to.

use super::feed_change::FeedChange;
use super::query::{FromRow, Queries, columns, list, record};
use super::{
    ContestId, Error, GroupId, OrganizationId, Result, Store, TeamId, Tx, check_names, finality,
    must_be, must_be_new,
};
use crate::contest_api::is_country;
use rusqlite::{Connection, Row, params};
use std::collections::{BTreeSet, HashSet};

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Organization {
        /// Its number; ignored when it is put.
        pub id: OrganizationId,
        /// Its id in the Contest API.
        pub ext: String,
        /// Its identifier in the ICPC's own system.
        pub icpc_id: Option<String>,
        pub name: String,
        pub formal_name: Option<String>,
        /// ISO 3166-1 alpha-3.
        pub country: Option<String>,
        /// Its image; ignored when it is put.
        pub logo: Option<Logo> = logo(row)?,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logo {
    /// Its hash in [`crate::blobs::Blobs`].
    pub blob: String,
    /// The MIME type.
    pub mime: String,
    /// In pixels.
    pub width: u32,
    pub height: u32,
}

impl Logo {
    /// The usual end of the name of such a file.
    pub(crate) fn extension(&self) -> &'static str {
        match self.mime.as_str() {
            "image/png" => "png",
            "image/jpeg" => "jpg",
            _ => "svg",
        }
    }
}

fn logo(row: &Row<'_>) -> rusqlite::Result<Option<Logo>> {
    let Some(blob) = row.get("logo_blob")? else {
        return Ok(None);
    };
    Ok(Some(Logo {
        blob,
        mime: row.get("logo_mime")?,
        width: row.get("logo_width")?,
        height: row.get("logo_height")?,
    }))
}

const ORGANIZATION: &str = "SELECT o.*, logos.blob AS logo_blob, logos.mime AS logo_mime, logos.width AS logo_width,
        logos.height AS logo_height FROM organizations o LEFT JOIN logos ON logos.organization = o.id";

/// All organizations, sorted by `ext`.
pub(super) fn all_organizations(connection: &Connection) -> Result<Vec<Organization>> {
    connection.all(&format!("{ORGANIZATION} ORDER BY o.ext"), [])
}

/// All groups, sorted by `ext`.
pub(super) fn all_groups(connection: &Connection) -> Result<Vec<Group>> {
    connection.all("SELECT * FROM groups ORDER BY ext", [])
}

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Group {
        /// Its number; ignored when it is put.
        pub id: GroupId,
        /// Its id in the Contest API.
        pub ext: String,
        /// Its identifier in the ICPC's own system.
        pub icpc_id: Option<String>,
        pub name: String,
        /// Hides its teams on the public scoreboard.
        pub hidden: bool,
    }
}

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Team {
        /// Its number; ignored when it is put.
        pub id: TeamId,
        /// Its id in the Contest API.
        pub ext: String,
        /// Its identifier in the ICPC's own system.
        pub icpc_id: Option<String>,
        pub name: String,
        /// The name to show, if another.
        pub display_name: Option<String>,
        /// The label of its seat.
        pub label: Option<String>,
        pub organization: Option<OrganizationId>,
        pub groups: Vec<GroupId> = list(row, "groups")?,
        /// Hides it on the public scoreboard.
        pub hidden: bool,
    }
}

pub(super) const TEAM: &str = "SELECT teams.*, (SELECT group_concat(\"group\") FROM team_groups
    WHERE team = teams.id) AS groups FROM teams";

impl Team {
    /// Its id in the results for the ICPC.
    pub(crate) fn id_for_icpc(&self) -> &str {
        self.icpc_id.as_deref().unwrap_or(&self.ext)
    }

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
        check_names(&new.name, &[&new.formal_name, &new.icpc_id])?;
        if let Some(country) = new.country.as_ref().filter(|code| !is_country(code)) {
            let shown: String = country.chars().take(30).collect();
            return Err(Error::Invalid(format!(
                "{shown:?} is not the code of a country: write three capital letters of ISO 3166-1, such as DEU"
            )));
        }
        self.configuration = true;
        self.put("organizations", new)
    }

    /// Sets or removes the image of an organization.
    pub fn set_logo(&mut self, id: OrganizationId, logo: Option<&Logo>) -> Result<()> {
        self.configuration = true;
        self.run("DELETE FROM logos WHERE organization = ?1", [id])?;
        if let Some(logo) = logo {
            let columns = columns! { logo { blob, mime, width, height }, organization: id };
            self.insert::<i64>("logos", columns)?;
        }
        Ok(())
    }

    /// Adds a group, or replaces the one with the same `ext`.
    pub(crate) fn put_group(&mut self, new: &Group) -> Result<GroupId> {
        check_names(&new.name, &[&new.icpc_id])?;
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
        check_names(&new.name, &[&new.display_name, &new.label, &new.icpc_id])?;
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

    /// Adds an organization.
    /// Fails when another one has the id, and the errors of `Tx::put_organization`.
    pub(crate) fn add_organization(&self, new: &Organization) -> Result<OrganizationId> {
        self.write(|tx| {
            must_be_new(tx, "organizations", "an organization", &new.ext)?;
            tx.put_organization(new)
        })
    }

    /// All organizations, sorted by `ext`.
    pub fn organizations(&self) -> Result<Vec<Organization>> {
        self.read(all_organizations)
    }

    pub(crate) fn organization(&self, id: OrganizationId) -> Result<Organization> {
        self.one(&format!("{ORGANIZATION} WHERE o.id = ?1"), [id])
    }

    /// Replaces an organization, if it is still as it was read.
    /// Fails when it was changed meanwhile, and the errors of `Tx::put_organization`.
    pub(crate) fn replace_organization(
        &self,
        before: &Organization,
        new: &Organization,
    ) -> Result<()> {
        self.write(|tx| {
            let now: Organization =
                tx.one(&format!("{ORGANIZATION} WHERE o.id = ?1"), [before.id])?;
            must_be(&now, before, "the organization")?;
            tx.put_organization(new).map(drop)
        })
    }

    /// Sets or removes the image of an organization.
    pub(crate) fn set_logo(&self, id: OrganizationId, logo: Option<&Logo>) -> Result<()> {
        self.write(|tx| tx.set_logo(id, logo))
    }

    pub(crate) fn group(&self, id: GroupId) -> Result<Group> {
        self.one("SELECT * FROM groups WHERE id = ?1", [id])
    }

    /// Replaces a group, if it is still as it was read, and adds and removes teams.
    /// Fails when it was changed meanwhile, and the errors of `Tx::put_group` and `Tx::put_team`.
    pub(crate) fn replace_group(
        &self,
        before: &Group,
        new: &Group,
        added: &[TeamId],
        removed: &[TeamId],
    ) -> Result<()> {
        self.write(|tx| {
            let now: Group = tx.one("SELECT * FROM groups WHERE id = ?1", [before.id])?;
            must_be(&now, before, "the group")?;
            tx.put_group(new)?;
            for id in added.iter().chain(removed) {
                let mut team: Team = tx.one(&format!("{TEAM} WHERE teams.id = ?1"), [id])?;
                team.groups.retain(|group| *group != before.id);
                if added.contains(id) {
                    team.groups.push(before.id);
                }
                tx.put_team(&team)?;
            }
            Ok(())
        })
    }

    /// The teams that are hidden, or in a hidden group.
    pub(crate) fn hidden_teams(&self) -> Result<HashSet<TeamId>> {
        self.read(all_hidden)
    }

    /// The same as `Tx::put_group`, in a transaction of its own.
    pub fn put_group(&self, new: &Group) -> Result<GroupId> {
        self.write(|tx| tx.put_group(new))
    }

    /// Adds a group.
    /// Fails when another one has the id, and the errors of `Tx::put_group`.
    pub(crate) fn add_group(&self, new: &Group) -> Result<GroupId> {
        self.write(|tx| {
            must_be_new(tx, "groups", "a group", &new.ext)?;
            tx.put_group(new)
        })
    }

    /// All groups, sorted by `ext`.
    pub fn groups(&self) -> Result<Vec<Group>> {
        self.read(all_groups)
    }

    /// The same as `Tx::put_team`, in a transaction of its own.
    pub fn put_team(&self, new: &Team) -> Result<TeamId> {
        self.write(|tx| tx.put_team(new))
    }

    /// Adds a team.
    /// Fails when another one has the id, and the errors of [`Store::put_team`].
    pub(crate) fn add_team(&self, new: &Team) -> Result<TeamId> {
        self.write(|tx| {
            must_be_new(tx, "teams", "a team", &new.ext)?;
            tx.put_team(new)
        })
    }

    /// Replaces a team, if it is still as it was read.
    /// Fails when it was changed meanwhile, and the errors of [`Store::put_team`].
    pub(crate) fn replace_team(&self, before: &Team, new: &Team) -> Result<()> {
        self.write(|tx| {
            let now: Team = tx.one(&format!("{TEAM} WHERE teams.id = ?1"), [before.id])?;
            must_be(&now, before, "the team")?;
            tx.put_team(new).map(drop)
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
