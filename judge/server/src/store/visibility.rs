//! The audience of rows of the event feeds.

use super::TeamId;

/// The audience of a row of the feed. The jury sees all rows except those for spectators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Everybody who may see the contest.
    Public,
    /// Everybody who may see the contest, except the jury, which gets its own version of the object.
    Spectators,
    /// This team and the jury.
    Team(TeamId),
    /// Only the jury.
    Jury,
}
