//! The objects of the ICPC Contest API, version 2026-01.

mod id;
mod live;
mod model;
mod people;
mod time;

pub use id::{Id, InvalidId};
pub use live::*;
pub use model::*;
pub use people::*;
pub use time::{InvalidTime, RelTime, Time};

/// The version of the Contest API that the objects follow.
pub const VERSION: &str = "2026-01";
/// The address of the specification of [`VERSION`].
pub const VERSION_URL: &str = "https://ccs-specs.icpc.io/2026-01/contest_api";
