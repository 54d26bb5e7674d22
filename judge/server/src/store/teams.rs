//! Teams, and the organizations and groups that they belong to.

use super::{GroupId, OrganizationId, Result, Store, TeamId, Tx, published};
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;

/// An organization.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// A group of teams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its number; ignored when it is put.
    pub id: GroupId,
    /// Its id in the Contest API.
    pub ext: String,
    pub name: String,
    /// Its teams are not on the public scoreboard.
    pub hidden: bool,
}

/// A team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Its number; ignored when it is put.
    pub id: TeamId,
    /// Its id in the Contest API.
    pub ext: String,
    pub name: String,
    /// The name to show, if another.
    pub display_name: Option<String>,
    /// Its seat.
    pub label: Option<String>,
    pub organization: Option<OrganizationId>,
    pub groups: Vec<GroupId>,
    /// Not on the public scoreboard.
    pub hidden: bool,
}

pub(super) fn team(row: &Row<'_>) -> rusqlite::Result<Team> {
    let groups: Option<String> = row.get("groups")?;
    let groups = groups.unwrap_or_default();
    Ok(Team {
        id: row.get("id")?,
        ext: row.get("ext")?,
        name: row.get("name")?,
        display_name: row.get("display_name")?,
        label: row.get("label")?,
        organization: row.get("organization")?,
        groups: groups.split(',').filter_map(|id| id.parse().ok()).collect(),
        hidden: row.get("hidden")?,
    })
}

pub(super) const TEAM: &str = "SELECT teams.*, (SELECT group_concat(\"group\") FROM team_groups
    WHERE team = teams.id) AS groups FROM teams";

/// The teams that `which` selects and that are hidden, or in a hidden group.
fn hidden_teams(connection: &Connection, which: &str, ext: &str) -> Result<BTreeSet<TeamId>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id FROM teams WHERE id IN ({which}) AND (hidden OR EXISTS (
             SELECT 1 FROM team_groups g JOIN groups ON groups.id = g.\"group\"
             WHERE g.team = teams.id AND groups.hidden))"
    ))?;
    let rows = statement.query_map([ext], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Announces the submissions of teams that became hidden, or are no longer.
fn announce_hidden(
    tx: &mut Tx<'_>,
    before: &BTreeSet<TeamId>,
    now: &BTreeSet<TeamId>,
) -> Result<()> {
    let mut changed = before.symmetric_difference(now);
    changed.try_for_each(|team| published::announce_team(tx, *team))
}

/// The number of the organization, group or team (`table`) with this id of the Contest API.
fn number<T: FromSql>(connection: &Connection, table: &str, ext: &str) -> Result<Option<T>> {
    let sql = format!("SELECT id FROM {table} WHERE ext = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([ext], |row| row.get(0)).optional()?)
}

impl Tx<'_> {
    /// The organization with this id of the Contest API.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn organization(&self, ext: &str) -> Result<Option<OrganizationId>> {
        number(self, "organizations", ext)
    }

    /// The group with this id of the Contest API.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn group(&self, ext: &str) -> Result<Option<GroupId>> {
        number(self, "groups", ext)
    }

    /// The team with this id of the Contest API.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn team(&self, ext: &str) -> Result<Option<TeamId>> {
        number(self, "teams", ext)
    }

    /// Adds an organization, or replaces the one with the same `ext`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn put_organization(&mut self, new: &Organization) -> Result<OrganizationId> {
        let tx = self;

        tx.configuration = true;
        Ok(tx.query_row(
            "INSERT INTO organizations (ext, name, formal_name, country) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (ext) DO UPDATE SET name = excluded.name,
                     formal_name = excluded.formal_name, country = excluded.country RETURNING id",
            params![new.ext, new.name, new.formal_name, new.country],
            |row| row.get(0),
        )?)
    }

    /// Adds a group, or replaces the one with the same `ext`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn put_group(&mut self, new: &Group) -> Result<GroupId> {
        let tx = self;

        tx.configuration = true;
        let members = "SELECT team FROM team_groups JOIN groups ON groups.id = \"group\" WHERE groups.ext = ?1";
        let before = hidden_teams(tx, members, &new.ext)?;
        let id = tx.query_row(
            "INSERT INTO groups (ext, name, hidden) VALUES (?1, ?2, ?3)
                 ON CONFLICT (ext) DO UPDATE SET name = excluded.name, hidden = excluded.hidden
                 RETURNING id",
            params![new.ext, new.name, new.hidden],
            |row| row.get(0),
        )?;
        announce_hidden(tx, &before, &hidden_teams(tx, members, &new.ext)?)?;
        Ok(id)
    }

    /// Adds a team, or replaces the one with the same `ext`.
    ///
    /// # Errors
    ///
    /// When an organization or group does not exist.
    pub fn put_team(&mut self, new: &Team) -> Result<TeamId> {
        let tx = self;

        tx.configuration = true;
        let own = "SELECT id FROM teams WHERE ext = ?1";
        let before = hidden_teams(tx, own, &new.ext)?;
        let id: TeamId = tx.query_row(
            "INSERT INTO teams (ext, name, display_name, label, organization, hidden)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (ext) DO UPDATE SET name = excluded.name,
                     display_name = excluded.display_name, label = excluded.label,
                     organization = excluded.organization, hidden = excluded.hidden
                 RETURNING id",
            params![
                new.ext,
                new.name,
                new.display_name,
                new.label,
                new.organization,
                new.hidden
            ],
            |row| row.get(0),
        )?;
        tx.execute("DELETE FROM team_groups WHERE team = ?1", [id])?;
        for group in &new.groups {
            tx.execute(
                "INSERT INTO team_groups (team, \"group\") VALUES (?1, ?2)",
                params![id, group],
            )?;
        }
        announce_hidden(tx, &before, &hidden_teams(tx, own, &new.ext)?)?;
        Ok(id)
    }
}

impl Store {
    /// The same as [`Tx::put_organization`], in a transaction of its own.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn put_organization(&self, new: &Organization) -> Result<OrganizationId> {
        self.write(|tx| tx.put_organization(new))
    }

    /// All organizations, by `ext`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn organizations(&self) -> Result<Vec<Organization>> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT * FROM organizations ORDER BY ext")?;
            let organization = |row: &Row<'_>| {
                Ok(Organization {
                    id: row.get("id")?,
                    ext: row.get("ext")?,
                    name: row.get("name")?,
                    formal_name: row.get("formal_name")?,
                    country: row.get("country")?,
                })
            };
            let rows = statement.query_map([], organization)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The same as [`Tx::put_group`], in a transaction of its own.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn put_group(&self, new: &Group) -> Result<GroupId> {
        self.write(|tx| tx.put_group(new))
    }

    /// All groups, by `ext`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn groups(&self) -> Result<Vec<Group>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM groups ORDER BY ext")?;
            let group = |row: &Row<'_>| {
                Ok(Group {
                    id: row.get("id")?,
                    ext: row.get("ext")?,
                    name: row.get("name")?,
                    hidden: row.get("hidden")?,
                })
            };
            let rows = statement.query_map([], group)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The same as [`Tx::put_team`], in a transaction of its own.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn put_team(&self, new: &Team) -> Result<TeamId> {
        self.write(|tx| tx.put_team(new))
    }

    /// A team.
    ///
    /// # Errors
    ///
    /// When there is none with this number.
    pub fn team(&self, id: TeamId) -> Result<Team> {
        self.read(|connection| {
            let sql = format!("{TEAM} WHERE teams.id = ?1");
            Ok(connection.prepare_cached(&sql)?.query_row([id], team)?)
        })
    }

    /// The team with this id of the Contest API.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn team_by_ext(&self, ext: &str) -> Result<Option<Team>> {
        self.read(|connection| {
            let sql = format!("{TEAM} WHERE teams.ext = ?1");
            let mut statement = connection.prepare_cached(&sql)?;
            Ok(statement.query_row([ext], team).optional()?)
        })
    }

    /// All teams, by `ext`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn teams(&self) -> Result<Vec<Team>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("{TEAM} ORDER BY teams.ext"))?;
            let rows = statement.query_map([], team)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
