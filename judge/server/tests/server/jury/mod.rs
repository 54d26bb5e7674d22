//! Pages of the jury.

mod queue;
mod rejudging;
mod roles;
mod site;
mod submissions;
