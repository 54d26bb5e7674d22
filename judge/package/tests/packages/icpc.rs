//! Packages of the ICPC formats: what each version says comes out in the model.

mod checks;
mod legacy;
mod programs;
pub mod support;
mod v2025;
