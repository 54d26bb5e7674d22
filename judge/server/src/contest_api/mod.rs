//! The objects of the ICPC Contest API, version 2026-01, with the properties that this server has; `versions` has the
//! differences of older versions.
//!
//! A property that is `None` is left out of the JSON; where the specification requires a property
//! to be present, it is a [`Nullable`]. Unknown properties are ignored when reading.

/// Defines objects, each with the names of its properties.
macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        pub struct $name {
            $(
                $(#[$field_doc])*
                #[serde(skip_serializing_if = "super::Property::is_absent")]
                pub $field: $type,
            )*
        }

        impl $name {
            pub const PROPERTIES: &[&str] = &[$(stringify!($field)),*];
        }

        impl super::Property for $name {}
    )*};
}

mod country;
mod id;
mod live;
mod model;
mod name;
mod people;
mod time;
mod versions;

pub(crate) use country::{flag, is_country};
pub use id::{Id, InvalidId};
pub use live::*;
pub use model::*;
pub(crate) use name::{InvalidName, MAX_NAME, MAX_SHORT_NAME, check_name, check_text};
pub use people::*;
pub use time::{InvalidTime, RelTime, Time};
pub use versions::{ApiVersion, OlderFeed};

use serde::{Deserialize, Serialize};

/// A property that is present even if it is `null`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nullable<T>(pub Option<T>);

trait Property {
    /// It is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> Property for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Property for Nullable<T> {}
impl<T> Property for Vec<T> {}

macro_rules! never_absent {
    ($($type:ty),*) => { $(impl Property for $type {})* };
}

never_absent!(
    bool,
    f64,
    i64,
    u16,
    u32,
    u64,
    Id,
    ObjectType,
    PersonRole,
    RelTime,
    ScoreboardType,
    String,
    Time
);
