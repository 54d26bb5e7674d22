//! Pages of the jury.

mod clarifications;
mod contests;
mod import;
mod packages;
mod queue;
mod rejudging;
mod roles;
pub mod site;
mod submissions;
mod users;
