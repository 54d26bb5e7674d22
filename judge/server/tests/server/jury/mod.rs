//! Pages of the jury.

mod clarifications;
mod contests;
mod import;
pub mod packages;
mod queue;
mod rejudging;
mod roles;
pub mod site;
mod submissions;
mod users;
