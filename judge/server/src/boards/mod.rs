//! Scoreboards of contests: one for each contest and audience, which page, Contest API, awards and feed share.
//!
//! The results of a contest stay in memory. A change is found by two numbers of the store, the version of the
//! configuration and the last row of the contest's feed; then only the results that changed are read, and the boards
//! are computed again from memory. Without a change, asking for a board reads these two numbers.

mod filter;
mod rendering;
mod results;

pub use filter::BoardFilter;
pub use rendering::{BoardKey, Rendering, Renderings, Update};

use crate::scoreboard::{self, Row, Scoring};
use crate::store::{
    self, Contest, ContestId, ContestProblem, Group, GroupId, Organization, Store, Team,
};
use judge_core::parallel::unpoisoned;
use results::Results;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The viewers that see the same board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Audience {
    /// Sees frozen results and hidden teams.
    Jury,
    /// Sees frozen results but no hidden teams, which receive no awards and no ranks.
    Official,
    /// Everybody else.
    Spectators,
}

/// The rows of a scoreboard with what their indices mean.
#[derive(Debug)]
pub struct Board {
    /// The contest as it was when the board was computed.
    pub contest: Arc<Contest>,
    /// All teams of the contest, by the index in rows; there are no rows of teams that the audience may not see.
    pub teams: Arc<[Team]>,
    /// The problems that the audience may see, by index.
    pub problems: Arc<[ContestProblem]>,
    pub organizations: Arc<[Organization]>,
    /// Groups of teams, also hidden ones.
    pub groups: Arc<[Group]>,
    /// By rank.
    pub rows: Vec<Row>,
    /// The criteria that teams are ranked by.
    pub scoring: Scoring,
}

impl Board {
    /// The rows of the teams of a group, with their ranks in it. The first team to solve a problem is that of all teams.
    pub fn rows_of(&self, group: GroupId) -> Vec<Row> {
        self.rows_where(|team| team.groups.contains(&group))
    }

    fn rows_where(&self, is_member: impl Fn(&Team) -> bool) -> Vec<Row> {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| is_member(&self.teams[row.team]));
        let mut rows: Vec<Row> = rows.cloned().collect();
        scoreboard::set_ranks(self.scoring, &mut rows);
        rows
    }

    pub fn organization_of(&self, team: &Team) -> Option<&Organization> {
        let id = team.organization?;
        self.organizations.iter().find(|own| own.id == id)
    }

    /// The groups that a team belongs to, without hidden ones.
    pub fn groups_of(&self, team: &Team) -> impl Iterator<Item = &Group> {
        let own = self.groups.iter();
        own.filter(|group| team.groups.contains(&group.id) && !group.hidden)
    }
}

/// Number of contests whose results are kept; then all are forgotten, and read again when they are needed.
const MAX_CONTESTS: usize = 32;

#[derive(Default)]
pub struct Boards(Mutex<HashMap<ContestId, Arc<Mutex<Kept>>>>);

/// The data and the boards of a contest; nothing before the first use.
type Kept = Option<Results>;

impl Boards {
    /// The board of a contest at this time, with all results that the store has. Blocks; several callers wait for one computation.
    pub fn board(
        &self,
        store: &Store,
        contest: ContestId,
        audience: Audience,
        now_ms: i64,
    ) -> store::Result<Arc<Board>> {
        let kept = self.kept(contest);
        let mut kept = unpoisoned(kept.lock());
        let results = match kept.take() {
            Some(results) => results.updated(store)?,
            None => Results::read(store, contest)?,
        };
        Ok(kept.insert(results).board(audience, now_ms))
    }

    fn kept(&self, contest: ContestId) -> Arc<Mutex<Kept>> {
        let mut all = unpoisoned(self.0.lock());
        if all.len() >= MAX_CONTESTS && !all.contains_key(&contest) {
            all.clear();
        }
        all.entry(contest).or_default().clone()
    }
}

#[cfg(test)]
mod tests;
