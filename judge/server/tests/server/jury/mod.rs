//! Pages of the jury.

mod circumstances;
mod clarifications;
mod contests;
mod final_results;
mod import;
mod no_slips;
pub mod packages;
mod queue;
mod rejudging;
mod removal;
mod roles;
mod second_import;
pub mod site;
mod submissions;
mod users;
