//! The ICPC/Kattis problem package formats: `legacy`, `legacy-icpc`, `2023-07-draft` and `2025-09`.

mod annotation;
pub mod data;
mod domjudge_ini;
mod groups2025;
mod groups_legacy;
pub mod legacy;
pub mod limits;
mod lint;
mod programs;
mod submissions;
pub mod v2025;

pub use lint::lint;
