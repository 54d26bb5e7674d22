//! Groups, organizations, teams, persons and accounts.

use super::{File, Id, Location};
use serde::{Deserialize, Serialize};

/// A group of teams.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Identifier.
    pub id: Id,
    /// Identifier in the ICPC's own system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icpc_id: Option<String>,
    /// Its name.
    pub name: String,
    /// Type, such as `site`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Where its centre is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// An organization that sends teams, such as a university.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Organization {
    /// Identifier.
    pub id: Id,
    /// Identifier in the ICPC's own system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icpc_id: Option<String>,
    /// Short name.
    pub name: String,
    /// Full name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formal_name: Option<String>,
    /// Country, ISO 3166-1 alpha-3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Flag of the country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_flag: Option<Vec<File>>,
    /// Province or state, ISO 3166-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_subdivision: Option<String>,
    /// Its flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_subdivision_flag: Option<Vec<File>>,
    /// Home page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Hashtag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twitter_hashtag: Option<String>,
    /// Account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twitter_account: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Logo, in several sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo: Option<Vec<File>>,
}

/// A team.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Team {
    /// Identifier.
    pub id: Id,
    /// Identifier in the ICPC's own system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icpc_id: Option<String>,
    /// Its name.
    pub name: String,
    /// Label, such as the number of the seat.
    pub label: String,
    /// Name for display; by default `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Its organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<Id>,
    /// Its groups; required if the contest has groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_ids: Option<Vec<Id>>,
    /// Where it sits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<TeamLocation>,
    /// Photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<Vec<File>>,
    /// Video of the registration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<Vec<File>>,
    /// Latest backup of its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<Vec<File>>,
    /// Latest log of its keyboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_log: Option<Vec<File>>,
    /// Latest data about the tools that it uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_data: Option<Vec<File>>,
    /// Stream of its desktop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desktop: Option<Vec<File>>,
    /// Stream of its camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webcam: Option<Vec<File>>,
    /// Stream of its microphone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Vec<File>>,
}

/// Where a team sits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TeamLocation {
    /// Metres.
    pub x: f64,
    /// Metres.
    pub y: f64,
    /// Degrees.
    pub rotation: f64,
}

/// A person who takes part in the contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Person {
    /// Identifier.
    pub id: Id,
    /// Identifier in the ICPC's own system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icpc_id: Option<String>,
    /// Teams; not empty for contestants and coaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_ids: Option<Vec<Id>>,
    /// Its name.
    pub name: String,
    /// Title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// `male` or `female`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sex: Option<String>,
    /// The person's function in the contest.
    pub role: PersonRole,
    /// Photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<Vec<File>>,
}

/// An account for the contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Identifier.
    pub id: Id,
    /// Name to sign in.
    pub username: String,
    /// Password in clear, only in packages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Name for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Type.
    #[serde(rename = "type")]
    pub kind: Option<AccountType>,
    /// Address that signs in without a password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// Team; required for accounts of teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_id: Option<Id>,
    /// Person, if the account belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person_id: Option<Id>,
}

/// The role of a person.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum PersonRole {
    Contestant,
    Coach,
    Staff,
    Other,
}

/// The type of an account.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum AccountType {
    Team,
    Judge,
    Admin,
    Analyst,
    Staff,
}
