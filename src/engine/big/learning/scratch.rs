//! Buffers for learning from a conflict.

use super::problem::Literal;

/// Buffers for the analysis of a conflict, reused for the next one.
pub struct Scratch {
    /// By variable: 1 if it is in the clause or was resolved, 2 if it is implied by those, 3 if it is
    /// not.
    pub seen: Vec<u8>,
    /// The variables whose `seen` is not 0.
    pub to_clear: Vec<u32>,
    /// The clause; the literal that it asserts comes first.
    pub learned: Vec<Literal>,
    pub stack: Vec<Literal>,
    /// By level, and by variable: the last `mark` it was given.
    pub level_marks: Vec<u64>,
    pub merged: Vec<u64>,
    pub mark: u64,
}

impl Scratch {
    pub fn new(variables: usize) -> Self {
        Scratch {
            seen: vec![0; variables],
            to_clear: Vec::new(),
            learned: Vec::new(),
            stack: Vec::new(),
            level_marks: vec![0; variables + 1],
            merged: vec![0; variables],
            mark: 0,
        }
    }
}
