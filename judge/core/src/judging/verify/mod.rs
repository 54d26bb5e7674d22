//! Checks of a package besides judging: its data, and the margins of its limits.

pub mod data;
pub mod input_validators;
pub mod margins;
