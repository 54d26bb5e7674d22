//! Texts that teams print, and what became of them.

use super::query::{Queries, columns, record};
use super::{ContestId, PrintId, PrintState, Result, Store, TeamId, UserId, now_ms};
use rusqlite::params;

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct Print {
        pub(crate) id: PrintId,
        pub(crate) contest: ContestId,
        pub(crate) user: UserId,
        /// `None`: the jury prints.
        pub(crate) team: Option<TeamId>,
        pub(crate) name: String,
        pub(crate) text: String,
        pub(crate) pages: usize,
        /// When it was sent.
        pub(crate) time_ms: i64,
        pub(crate) state: PrintState,
        /// Why it was not printed.
        pub(crate) failure: Option<String>,
    }
}

impl Store {
    /// Adds a text, which then waits.
    pub(crate) fn add_print(&self, new: &Print) -> Result<PrintId> {
        self.write(|tx| {
            let columns =
                columns!(new { contest, user, team, name, text, pages }, time_ms: now_ms());
            tx.insert("prints", columns)
        })
    }

    /// The prints of a contest, or of a team or a user without a team in it, the latest first.
    pub(crate) fn prints(
        &self,
        contest: ContestId,
        of: Option<(UserId, Option<TeamId>)>,
    ) -> Result<Vec<Print>> {
        let mut prints: Vec<Print> = self.all(
            "SELECT * FROM prints WHERE contest = ?1 ORDER BY id DESC LIMIT 1000",
            [contest],
        )?;
        if let Some((user, team)) = of {
            prints.retain(|own| match team {
                Some(team) => own.team == Some(team),
                None => own.user == user,
            });
        }
        Ok(prints)
    }

    /// The print that waits longest, which is now being printed.
    pub(crate) fn take_print(&self) -> Result<Option<Print>> {
        self.write(|tx| {
            tx.optional(
                "UPDATE prints SET state = 'printing', failure = NULL
                 WHERE id = (SELECT MIN(id) FROM prints WHERE state = 'waiting') RETURNING *",
                [],
            )
        })
    }

    /// Records that a print ended; `Some`: why it failed.
    pub(crate) fn end_print(&self, id: PrintId, failure: Option<&str>) -> Result<()> {
        let state = match failure {
            None => PrintState::Printed,
            Some(_) => PrintState::Failed,
        };
        self.run(
            "UPDATE prints SET state = ?2, failure = ?3 WHERE id = ?1",
            params![id, state, failure],
        )
    }

    /// Marks prints that were being printed when the server stopped.
    pub(crate) fn interrupt_prints(&self) -> Result<()> {
        self.run(
            "UPDATE prints SET state = 'failed', failure = 'the server stopped meanwhile'
             WHERE state = 'printing'",
            [],
        )
    }

    /// Prints again, unless it waits or is being printed; returns whether the contest has such a print.
    pub(crate) fn print_again(&self, contest: ContestId, id: PrintId) -> Result<bool> {
        let changed = self.write(|tx| {
            tx.run(
                "UPDATE prints SET state = 'waiting', failure = NULL
                 WHERE contest = ?1 AND id = ?2 AND state IN ('printed', 'failed')",
                params![contest, id],
            )
        })?;
        Ok(changed > 0)
    }
}
