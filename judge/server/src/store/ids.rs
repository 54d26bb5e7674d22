//! Typed row numbers.

use super::query::from_column;
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, Value, ValueRef};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map($name)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map($name)
            }
        }

        from_column!($name);

        impl From<$name> for Value {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    )*};
}

ids! {
    UserId;
    TeamId;
    /// An organization of teams.
    OrganizationId;
    /// A group of teams.
    GroupId;
    ContestId;
    ProblemId;
    /// A version of a problem's package.
    VersionId;
    SubmissionId;
    /// A judging of a submission.
    JudgingId;
    /// A set of judgings beside the valid ones.
    RejudgingId;
    /// An uploaded package.
    UploadId;
    ClarificationId;
    PersonId;
    /// A comment on a contest.
    CommentId;
    /// A text that a team prints.
    PrintId;
    /// A token of a program.
    TokenId;
}
