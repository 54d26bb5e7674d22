//! Why a case failed: the cause of a run's end, and the parts of the files that show it.

pub mod excerpts;
pub mod explain;
mod grid;
pub mod memory_fault;
