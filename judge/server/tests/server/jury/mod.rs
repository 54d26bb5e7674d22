//! Pages of the jury.

mod clarifications;
mod contests;
mod import;
mod queue;
mod rejudging;
mod roles;
mod site;
mod submissions;
mod users;
