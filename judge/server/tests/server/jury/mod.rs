//! Pages of the jury.

mod clarifications;
mod contests;
mod final_results;
mod import;
pub mod packages;
mod queue;
mod rejudging;
mod roles;
mod second_import;
pub mod site;
mod submissions;
mod users;
