//! The objects that the files describe, each with its place for errors.

use crate::contest_api::Id;
use crate::store::{PersonRole, Role};
use judge::package::PackageError;
use judge::package::yaml::Node;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At(PackageError);

impl At {
    /// The place of a node.
    pub fn node(node: &Node) -> Self {
        At(node.error(""))
    }

    /// A line and a column, counted from 1.
    pub fn line(file: &str, line: usize, column: usize) -> Self {
        At(PackageError::new(file, "").at(line, column))
    }

    /// An error at this place.
    pub fn error(&self, what: impl Into<String>) -> PackageError {
        PackageError {
            what: what.into(),
            ..self.0.clone()
        }
    }
}

/// A problem of the contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemRow {
    /// Its place.
    pub at: At,
    /// The id of its package.
    pub ext: String,
    /// Its letter.
    pub label: String,
    /// Its colour, `#rrggbb` or `#rgb`.
    pub rgb: Option<String>,
    /// The colour's name.
    pub color: Option<String>,
}

/// A group of teams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupRow {
    /// Its id.
    pub ext: String,
    pub name: String,
    /// Its teams are not on the public scoreboard.
    pub hidden: bool,
}

/// An organization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrganizationRow {
    /// Its id.
    pub ext: String,
    /// Its short name.
    pub name: String,
    /// Its full name.
    pub formal_name: Option<String>,
    /// ISO 3166-1 alpha-3.
    pub country: Option<String>,
}

/// A team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamRow {
    /// Its place.
    pub at: At,
    /// Its id.
    pub ext: String,
    pub name: String,
    /// The name to show, if another.
    pub display_name: Option<String>,
    /// Its seat.
    pub label: Option<String>,
    /// The id of its organization.
    pub organization: Option<String>,
    /// The ids of its groups.
    pub groups: Vec<String>,
    /// Not on the public scoreboard.
    pub hidden: bool,
}

/// A person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonRow {
    /// Its place.
    pub at: At,
    /// Its id.
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
    /// The ids of its teams.
    pub teams: Vec<String>,
}

/// An account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountRow {
    /// Its place.
    pub at: At,
    /// Its id.
    pub ext: String,
    /// The name to sign in with.
    pub username: String,
    /// The name to show.
    pub name: Option<String>,
    /// The password in clear; `None`: one is generated.
    pub password: Option<String>,
    /// What it may do.
    pub role: Role,
    /// The id of its team.
    pub team: Option<String>,
}

/// An id of the Contest API.
///
/// # Errors
///
/// When the text is none.
pub fn checked_id(at: &At, text: &str) -> Result<String, PackageError> {
    match Id::new(text) {
        Ok(id) => Ok(id.into()),
        Err(invalid) => Err(at
            .error(invalid.to_string())
            .remedy("choose a shorter or plainer id")),
    }
}

/// The role that a type of account has here.
///
/// # Errors
///
/// When the type is unknown.
pub fn role(at: &At, kind: &str) -> Result<Role, PackageError> {
    match kind {
        "team" => Ok(Role::Team),
        "judge" | "jury" => Ok(Role::Jury),
        "admin" | "administrator" => Ok(Role::Admin),
        "analyst" | "staff" | "balloon" | "floor" | "other" | "public" => Ok(Role::Public),
        _ => Err(at
            .error(format!("{kind:?} is not a type of account"))
            .remedy("it can be `team`, `judge`, `admin`, `analyst` or `staff`")),
    }
}
