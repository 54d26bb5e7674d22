//! The place of a run among others: in a process that judges several submissions, as a part of a
//! submission, or on other machines.

pub mod elsewhere;
pub mod gate;
pub mod part;
pub mod seat;
