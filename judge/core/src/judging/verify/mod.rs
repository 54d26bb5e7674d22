//! Everything that `judge verify` checks besides the verdicts: docs/findings.md lists the findings.

pub mod bounds;
mod changes;
pub mod data;
pub mod input_validators;
pub mod junk_inputs;
mod junk_interactions;
pub mod junk_outputs;
pub mod margins;
mod mutants;
mod probes;
pub mod statement_bounds;
pub mod submissions;
mod visualizers;
