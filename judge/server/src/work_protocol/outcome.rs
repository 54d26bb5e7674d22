//! Outcomes of work on a unit.

use judge_core::error::Reason;

/// How work on a unit ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It needs no further work: it has its result, already had one, or is being judged elsewhere.
    Done,
    /// The worker stops, or its core is not free as soon as was expected.
    Interrupted,
    /// Tools that it needs are not installed here, but on other machines: it is given back, this machine does
    /// not lease it for a while, and the delivery does not count.
    LeftToOthers(Reason),
    /// The judge failed; another attempt may succeed.
    Failed(Reason),
    /// The judge cannot judge it, however often it tries.
    Hopeless(Reason),
}
