//! Pages of the jury.

mod circumstances;
mod clarifications;
mod contest_roles;
mod contests;
mod final_results;
mod import;
mod languages;
mod no_slips;
mod organizations;
pub mod packages;
mod prints;
mod queue;
mod rejudging;
mod removal;
mod roles;
mod second_import;
pub mod site;
mod submissions;
mod users;
mod verification;
