//! Persons: contestants, coaches and others.

use super::{PersonId, PersonRole, Result, Store, TeamId, Tx};
use rusqlite::{Row, params};

/// A person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// Its number; ignored when it is put.
    pub id: PersonId,
    /// Its id in the Contest API.
    pub ext: String,
    pub name: String,
    /// What it does.
    pub role: PersonRole,
    pub title: Option<String>,
    /// Its address.
    pub email: Option<String>,
    /// `male` or `female`.
    pub sex: Option<String>,
    /// Its id in the ICPC's own system.
    pub icpc_id: Option<String>,
    pub teams: Vec<TeamId>,
}

impl Tx<'_> {
    /// Adds a person, or replaces the one with the same `ext`.
    ///
    /// # Errors
    ///
    /// When a team does not exist.
    pub fn put_person(&mut self, new: &Person) -> Result<PersonId> {
        self.configuration = true;
        let id: PersonId = self.query_row(
            "INSERT INTO persons (ext, name, role, title, email, sex, icpc_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (ext) DO UPDATE SET name = excluded.name, role = excluded.role,
                 title = excluded.title, email = excluded.email, sex = excluded.sex,
                 icpc_id = excluded.icpc_id
             RETURNING id",
            params![
                new.ext,
                new.name,
                new.role,
                new.title,
                new.email,
                new.sex,
                new.icpc_id
            ],
            |row| row.get(0),
        )?;
        self.execute("DELETE FROM person_teams WHERE person = ?1", [id])?;
        for team in &new.teams {
            self.execute(
                "INSERT OR IGNORE INTO person_teams (person, team) VALUES (?1, ?2)",
                params![id, team],
            )?;
        }
        Ok(id)
    }
}

impl Store {
    /// All persons, by `ext`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn persons(&self) -> Result<Vec<Person>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT persons.*, (SELECT group_concat(team) FROM person_teams
                     WHERE person = persons.id) AS teams FROM persons ORDER BY ext",
            )?;
            let person = |row: &Row<'_>| {
                let teams: Option<String> = row.get("teams")?;
                let teams = teams.unwrap_or_default();
                Ok(Person {
                    id: row.get("id")?,
                    ext: row.get("ext")?,
                    name: row.get("name")?,
                    role: row.get("role")?,
                    title: row.get("title")?,
                    email: row.get("email")?,
                    sex: row.get("sex")?,
                    icpc_id: row.get("icpc_id")?,
                    teams: teams.split(',').filter_map(|id| id.parse().ok()).collect(),
                })
            };
            let rows = statement.query_map([], person)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
