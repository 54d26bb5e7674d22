//! Scoreboards as HTML: rendered once for each audience, with the rows that open pages replace.

use super::{Audience, Board, BoardFilter};
use crate::store::{ContestId, TeamId};
use judge_core::parallel::unpoisoned;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::watch;

/// A board that is rendered once: the contest, the audience, and the teams that are shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey {
    pub contest: ContestId,
    pub audience: Audience,
    pub filter: BoardFilter,
}

pub struct Rendering {
    board: Arc<Board>,
    /// Identifies the rendering in this process.
    number: u64,
    heads: String,
    /// The rows by rank.
    rows: Vec<(TeamId, String)>,
    /// The row of sums below them.
    foot: String,
}

impl Rendering {
    /// The heads of the table, the rows by rank, and the row of sums.
    pub fn new(
        board: Arc<Board>,
        heads: String,
        rows: Vec<(TeamId, String)>,
        foot: String,
    ) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        Rendering {
            board,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            heads,
            rows,
            foot,
        }
    }

    pub fn heads(&self) -> &str {
        &self.heads
    }

    pub fn foot(&self) -> &str {
        &self.foot
    }

    /// All rows, with the row of the team `own` marked.
    pub fn body(&self, own: Option<TeamId>) -> String {
        let mut body = String::with_capacity(self.rows.iter().map(|(_, row)| row.len() + 16).sum());
        for (id, row) in &self.rows {
            match own == Some(*id) {
                true => body.push_str(&row.replacen("<tr ", "<tr class=\"own\" ", 1)),
                false => body.push_str(row),
            }
        }
        body
    }

    /// The rows that are rendered differently from `before`; `None`: everything changed.
    fn changes(&self, before: &Rendering) -> Option<String> {
        let same = self.heads == before.heads && self.rows.len() == before.rows.len();
        let old: HashMap<TeamId, &String> =
            before.rows.iter().map(|(id, row)| (*id, row)).collect();
        if !same || self.rows.iter().any(|(id, _)| !old.contains_key(id)) {
            return None;
        }
        let changed = self.rows.iter().filter(|(id, row)| old[id] != row);
        let changed = changed.map(|(_, row)| row.as_str());
        let foot = Some(self.foot.as_str()).filter(|_| self.foot != before.foot);
        Some(changed.chain(foot).collect())
    }
}

/// A rendering for open pages, and the difference from the one before, which is the same for all of them.
#[derive(Clone)]
pub struct Update {
    pub now: Arc<Rendering>,
    /// The number of the rendering before, and the rows that changed since; `None`: everything did.
    before: Option<(u64, Option<Arc<str>>)>,
}

impl Update {
    /// A rendering without one before it.
    pub fn first(now: Arc<Rendering>) -> Self {
        Update { now, before: None }
    }

    /// A rendering after another one.
    pub fn after(before: &Rendering, now: Arc<Rendering>) -> Self {
        let changes = now.changes(before).map(Arc::from);
        Update {
            before: Some((before.number, changes)),
            now,
        }
    }

    /// The rows that changed since a page received `last`; `None`: the page needs the whole table.
    pub fn since(&self, last: &Rendering) -> Option<Arc<str>> {
        match &self.before {
            _ if last.number == self.now.number => Some(Arc::from("")),
            Some((before, changes)) if *before == last.number => changes.clone(),
            _ => self.now.changes(last).map(Arc::from),
        }
    }
}

/// Number of renderings that are kept; then all are forgotten.
const MAX_RENDERINGS: usize = 32;

/// The last renderings, and the channels of boards with open pages.
#[derive(Default)]
pub struct Renderings {
    last: Mutex<HashMap<BoardKey, Arc<Rendering>>>,
    live: Mutex<HashMap<BoardKey, watch::Receiver<Update>>>,
}

impl Renderings {
    /// The last rendering if it is of this board, or else a new one.
    pub fn of(
        &self,
        key: &BoardKey,
        board: Arc<Board>,
        render: impl FnOnce(Arc<Board>) -> Rendering,
    ) -> Arc<Rendering> {
        let last = || unpoisoned(self.last.lock());
        if let Some(found) = last()
            .get(key)
            .filter(|own| Arc::ptr_eq(&own.board, &board))
        {
            return found.clone();
        }
        let rendering = Arc::new(render(board));
        let mut last = last();
        if last.len() >= MAX_RENDERINGS {
            last.clear();
        }
        last.insert(key.clone(), rendering.clone());
        rendering
    }

    /// The channels with the new renderings, for boards with open pages.
    pub fn live(&self) -> MutexGuard<'_, HashMap<BoardKey, watch::Receiver<Update>>> {
        unpoisoned(self.live.lock())
    }
}
