//! The objects that the files describe, each with its place for errors.

use crate::contest_api::{Id, MAX_NAME, check_name, is_country};
use crate::secret;
use crate::store::{ContestProblem, ContestRole, NewUser, Person, Role, Team, TeamId};
use judge_package::PackageError;
use judge_package::yaml::Node;
use std::io;

/// A place in a file.
#[derive(Clone, Eq, Debug)]
pub(crate) struct At(PackageError);

/// Rows that say the same are equal, wherever they are.
impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl At {
    pub fn node(node: &Node) -> Self {
        At(node.error(""))
    }

    /// A line and a column, counted from 1.
    pub fn line(file: &str, line: usize, column: usize) -> Self {
        At(PackageError::new(file, "").at(line, column))
    }

    pub fn error(&self, what: impl Into<String>) -> PackageError {
        PackageError {
            what: what.into(),
            ..self.0.clone()
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemRow {
    pub(crate) at: At,
    /// The problem, without its number and name. Its colour is `#rrggbb` or `#rgb`.
    pub problem: ContestProblem,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TeamRow {
    pub(crate) at: At,
    /// The team, without its organization and groups.
    pub team: Team,
    /// The id of its organization.
    pub(crate) organization: Option<String>,
    /// The ids of its groups.
    pub(crate) groups: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PersonRow {
    pub(crate) at: At,
    /// The person, without teams.
    pub person: Person,
    /// The ids of its teams.
    pub(crate) teams: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AccountRow {
    pub(crate) at: At,
    pub(crate) account: Account,
}

/// A user to add.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Account {
    /// The user, without its team and the hash of its password.
    pub user: NewUser,
    /// The password in clear; `None`: one is generated.
    pub password: Option<String>,
    /// The id of its team.
    pub(crate) team: Option<String>,
    /// Its role in the contest of the package.
    pub(crate) in_contest: Option<ContestRole>,
}

impl Account {
    /// The password, and the user with its hash and this team. Blocks for about 50 ms.
    pub(crate) fn with_password(&self, team: Option<TeamId>) -> io::Result<(String, NewUser)> {
        let given = self.password.clone();
        let password = given.map_or_else(secret::password, Ok)?;
        let user = NewUser {
            team,
            password_hash: Some(secret::hash_password(&password)?),
            ..self.user.clone()
        };
        Ok((password, user))
    }
}

/// An id of the Contest API.
pub fn checked_id(at: &At, text: &str) -> Result<String, PackageError> {
    match Id::new(text) {
        Ok(id) => Ok(id.into()),
        Err(invalid) => Err(at
            .error(invalid.to_string())
            .remedy("choose a shorter or plainer id")),
    }
}

/// Checks a name, or another text of one line.
/// Fails when it is too long, or has control characters.
pub fn checked_name(at: &At, text: &str) -> Result<(), PackageError> {
    check_name(text, MAX_NAME).map_err(|e| at.error(e.to_string()).remedy("choose another name"))
}

pub fn checked_country(at: &At, code: &str) -> Result<(), PackageError> {
    match is_country(code) {
        true => Ok(()),
        false => Err(at
            .error(format!("{code:?} is not the code of a country"))
            .remedy("write three capital letters of ISO 3166-1, such as `DEU`")),
    }
}

/// The role that a type of account has on the server, and in the contest of the package.
pub fn role(at: &At, kind: &str) -> Result<(Role, Option<ContestRole>), PackageError> {
    match kind {
        "team" => Ok((Role::Team, None)),
        "judge" | "jury" => Ok((Role::Jury, None)),
        "admin" | "administrator" => Ok((Role::Admin, None)),
        "analyst" => Ok((Role::Public, Some(ContestRole::Analyst))),
        "staff" | "balloon" => Ok((Role::Public, Some(ContestRole::Balloons))),
        "spectator" => Ok((Role::Public, Some(ContestRole::Spectator))),
        "floor" | "other" | "public" => Ok((Role::Public, None)),
        _ => Err(at
            .error(format!("{kind:?} is not a type of account"))
            .remedy("it can be `team`, `judge`, `admin`, `analyst`, `staff` or `spectator`")),
    }
}
