//! Checkers: is this output right? The default validator, exact comparison, validator programs.
pub mod default;
pub mod exact;
mod flags;
mod locate;
mod matching;
mod number;
mod outcome;
mod source;

pub use flags::{FlagError, Flags};
pub use locate::{escape, locate};
pub use outcome::{Cell, CheckFault, Difference, Judgement, Outcome, Score};
pub use source::Source;
