//! Groups, organizations, teams, persons and accounts.

use super::{Id, ImageFile, Nullable, PersonRole};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccountType {
    Team,
    Judge,
    Admin,
    Analyst,
    Staff,
}

objects! {
    Group {
        id: Id,
        /// Identifier in the ICPC's own system.
        icpc_id: Option<String>,
        name: String,
    }

    /// An organization that sends teams, such as a university.
    Organization {
        id: Id,
        /// Identifier in the ICPC's own system.
        icpc_id: Option<String>,
        name: String,
        /// Full name.
        formal_name: Option<String>,
        /// Country, ISO 3166-1 alpha-3.
        country: Option<String>,
        logo: Option<Vec<ImageFile>>,
    }

    Team {
        id: Id,
        /// Identifier in the ICPC's own system.
        icpc_id: Option<String>,
        name: String,
        /// Label, such as the number of the seat.
        label: String,
        /// Name for display; by default `name`.
        display_name: Option<String>,
        organization_id: Option<Id>,
        /// Its groups; required if the contest has groups.
        group_ids: Option<Vec<Id>>,
        /// It is on no public scoreboard; absent unless it is true. Of versions before 2026-01.
        hidden: Option<bool>,
    }

    /// A person who takes part in the contest.
    Person {
        id: Id,
        /// Identifier in the ICPC's own system.
        icpc_id: Option<String>,
        /// Teams; not empty for contestants and coaches.
        team_ids: Option<Vec<Id>>,
        name: String,
        title: Option<String>,
        email: Option<String>,
        /// `male` or `female`.
        sex: Option<String>,
        /// The person's function in the contest.
        role: PersonRole,
    }

    Account {
        id: Id,
        /// Name to sign in.
        username: String,
        name: Option<String>,
        r#type: Nullable<AccountType>,
        /// Team; required for accounts of teams.
        team_id: Option<Id>,
    }
}
