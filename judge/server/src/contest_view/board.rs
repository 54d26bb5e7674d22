//! The scoreboard of a contest.

use super::{View, ids};
use crate::access;
use crate::boards::{Audience, Board};
use crate::contest_api::{RelTime, Scoreboard, Time};
use crate::http::{Result, not_found};
use crate::scoreboard;
use crate::store::objects;
use std::borrow::Cow;
use std::sync::Arc;

impl View<'_> {
    /// The viewers that see the same scoreboard as this one.
    pub fn audience(&self) -> Audience {
        match access::sees_unfrozen_scoreboard(self.viewer) {
            true => Audience::Jury,
            false => Audience::Spectators,
        }
    }

    /// The scoreboard of the teams that the viewer may see.
    pub fn board(&self) -> Result<Arc<Board>> {
        self.board_of(self.audience())
    }

    /// The scoreboard that ranks and awards follow from: without hidden teams, with the results that the viewer may see.
    pub(crate) fn official_board(&self) -> Result<Arc<Board>> {
        self.board_of(match self.audience() {
            Audience::Jury => Audience::Official,
            other => other,
        })
    }

    fn board_of(&self, audience: Audience) -> Result<Arc<Board>> {
        let boards = self.app.boards();
        Ok(boards.board(&self.app.store, self.contest.id, audience, self.now_ms)?)
    }

    /// The scoreboard as an object of the Contest API, of all teams or of those of a group.
    /// Fails with `NotFound` for a group that the viewer may not see.
    pub fn scoreboard(&self, group: Option<&str>) -> Result<Scoreboard> {
        let group = match group {
            None => None,
            Some(wanted) => {
                let mut groups = self.seen_groups()?.into_iter();
                let unknown = || not_found(format!("there is no group {wanted:?}"));
                Some(
                    groups
                        .find(|group| group.ext == wanted)
                        .ok_or_else(unknown)?,
                )
            }
        };
        // The teams of a hidden group are on no other board.
        let board = match group.as_ref().is_some_and(|group| group.hidden) {
            true => self.board()?,
            false => self.official_board()?,
        };
        let rows = match &group {
            None => Cow::Borrowed(board.rows.as_slice()),
            Some(group) => Cow::Owned(board.rows_of(group.id)),
        };
        let teams = ids(board.teams.iter().map(|team| team.ext.as_str()))?;
        let problems = ids(board.problems.iter().map(|problem| problem.ext.as_str()))?;
        let since = self.contest.contest_time_at(self.now_ms).unwrap_or(0);
        Ok(Scoreboard {
            time: Time::from_millis(self.now_ms),
            contest_time: RelTime::from_millis(since),
            state: objects::state(&self.contest, self.now_ms),
            rows: scoreboard::api_rows(board.scoring, &rows, &teams, &problems),
        })
    }
}
