//! Persons: contestants, coaches and others.

use super::query::{Queries, list, record};
use super::{PersonId, PersonRole, Result, Store, TeamId, Tx, check_names};
use rusqlite::params;

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct Person {
        /// Its number; ignored when it is put.
        pub id: PersonId,
        /// Its id in the Contest API.
        pub ext: String,
        pub name: String,
        /// The role: contestant, coach and so on.
        pub role: PersonRole,
        /// The title, such as `Dr.`.
        pub title: Option<String>,
        /// The e-mail address.
        pub email: Option<String>,
        /// `male` or `female`.
        pub sex: Option<String>,
        /// Its id in the ICPC's own system.
        pub icpc_id: Option<String>,
        pub teams: Vec<TeamId> = list(row, "teams")?,
    }
}

impl Tx<'_> {
    /// Adds a person, or replaces the one with the same `ext`.
    /// Fails when a team does not exist, or a name is invalid.
    pub fn put_person(&mut self, new: &Person) -> Result<PersonId> {
        check_names(&new.name, &[&new.title, &new.email, &new.icpc_id])?;
        self.configuration = true;
        let id: PersonId = self.put("persons", new)?;
        self.run("DELETE FROM person_teams WHERE person = ?1", [id])?;
        for team in &new.teams {
            self.run(
                "INSERT OR IGNORE INTO person_teams (person, team) VALUES (?1, ?2)",
                params![id, team],
            )?;
        }
        Ok(id)
    }
}

impl Store {
    /// All persons, sorted by `ext`.
    pub fn persons(&self) -> Result<Vec<Person>> {
        self.all(
            "SELECT persons.*, (SELECT group_concat(team) FROM person_teams
             WHERE person = persons.id) AS teams FROM persons ORDER BY ext",
            [],
        )
    }
}
