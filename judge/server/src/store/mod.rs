//! The state: one SQLite file, and typed functions over it. There is no SQL outside this module.
//!
//! One connection writes, behind a mutex; a few read. All functions block: asynchronous callers use
//! `http::App::blocking`. A change and the rows of the feed that announce it are one transaction
//! (`Tx`): functions that change data push what to announce, and `announce` writes the rows before the commit. After it
//! they are sent to the listeners of `Live`.
//!
//! Every function fails when the database fails, and when there is no object with a number that it is given. A
//! sentence that begins with "Fails" names what else a function refuses.

mod announce;
mod balloons;
mod board_data;
mod case_results;
mod clarifications;
mod commentary;
mod contest;
mod contest_roles;
mod contests;
mod copy;
mod enums;
mod feed;
mod feed_change;
mod filter;
mod final_results;
mod finality;
mod ids;
mod judgings;
pub(crate) mod live;
pub(crate) mod objects;
mod overview;
mod pauses;
mod persons;
mod pool;
mod prints;
mod problems;
mod published;
mod query;
mod queue;
mod read_marks;
mod rejudgings;
mod removal;
mod review;
mod schema;
mod sessions;
mod settings;
mod submission_input;
mod submissions;
mod teams;
mod unit_id;
mod uploads;
mod users;
mod verification;
mod visibility;

pub(crate) use balloons::Delivery;
pub(crate) use board_data::{BoardData, ContestResult};
pub use case_results::CaseRow;
pub(crate) use case_results::Run;
pub(crate) use clarifications::ClarificationNote;
pub use clarifications::{Clarification, NewClarification};
pub(crate) use commentary::Comment;
pub use commentary::CommentContent;
pub(crate) use contest::in_icpc;
pub use contest::{Contest, ContestProblem, RemovedTime, Texts};
pub(crate) use copy::{check_database, copy_database};
pub use enums::*;
pub use feed::FeedRow;
pub(crate) use feed::{About, Notice};
pub use filter::SubmissionFilter;
pub use final_results::Reopening;
pub use ids::*;
pub use judgings::{Finished, Judging, Recorded, Started, Starter};
pub(crate) use judgings::{JudgingWork, TeamVerdict};
pub(crate) use pauses::Pause;
pub use persons::Person;
pub(crate) use prints::Print;
pub use problems::Problem;
pub(crate) use problems::{NewVersion, SetLimits, Version};
pub use queue::{Claim, SqliteQueue};
pub(crate) use rejudgings::Rejudging;
pub use rejudgings::VerdictChange;
pub(crate) use removal::{Lost, Removable};
pub(crate) use review::ReviewRow;
pub(crate) use schema::VERSION as SCHEMA_VERSION;
pub(crate) use sessions::{OpenSession, Token};
pub use submission_input::NewSubmission;
pub use submissions::{SourceFile, Submission};
pub use teams::{Group, Logo, Organization, Team};
pub use unit_id::UnitId;
pub use uploads::StepReport;
pub(crate) use uploads::VerifiedSubmission;
pub use users::{NewUser, User};
pub use visibility::Visibility;

pub use crate::contest_api::PersonRole;

use crate::contest_api::{InvalidId, InvalidName, MAX_NAME, check_name};
use feed_change::FeedChange;
use judge_core::error::Failure;
use judge_core::parallel::unpoisoned;
use live::{Change as LiveChange, Live};
use pool::Readers;
use query::Queries;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// Why the store refused or failed.
#[derive(thiserror::Error, Debug)]
pub enum Error {
    /// There is no such object.
    #[error("{0}")]
    NotFound(String),
    /// The change contradicts the present state; the text is for the user.
    #[error("{0}")]
    Conflict(String),
    /// A value that the store never keeps, such as a name with a line break; the text is for the user.
    #[error("{0}")]
    Invalid(String),
    /// A newer program wrote the file.
    #[error(
        "the data was written by a newer judge-server: its schema has version {found}, this program knows versions up to \
         {known}\n  help: start the newer judge-server, or name another directory with --data"
    )]
    Newer {
        /// The file's version.
        found: usize,
        /// The newest version that this program knows.
        known: usize,
    },
    /// SQLite failed.
    #[error("the database failed: {0}")]
    Database(rusqlite::Error),
    /// Stored JSON cannot be read or written.
    #[error("stored JSON is invalid: {0}")]
    Json(#[from] serde_json::Error),
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Error::NotFound(
                "there is no such object, or it was deleted; load the page before again".to_owned(),
            ),
            error => Error::Database(error),
        }
    }
}

impl From<InvalidName> for Error {
    fn from(error: InvalidName) -> Self {
        Error::Invalid(error.to_string())
    }
}

impl From<InvalidId> for Error {
    fn from(error: InvalidId) -> Self {
        Error::Conflict(error.to_string())
    }
}

impl Error {
    /// Whether the disk is full, so that the change was not made.
    pub(crate) fn is_disk_full(&self) -> bool {
        match self {
            Error::Database(error) => {
                let extended = error.sqlite_error().map(|error| error.extended_code);
                error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
                    || extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
            }
            _ => false,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::usage(error.to_string())
    }
}

/// The store. Cheap to share in an `Arc`.
pub struct Store {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Readers,
    live: Live,
}

impl Store {
    /// Opens the file, or creates it, and migrates it to the present schema.
    /// Fails when it cannot be opened, or a newer program wrote it.
    pub fn open(path: &Path) -> Result<Self> {
        close_to_others(path);
        let mut writer = Connection::open(path)?;
        prepare(&writer)?;
        set_durability(&writer, Durability::Now)?;
        schema::migrate(&mut writer)?;
        Ok(Store {
            path: path.to_owned(),
            writer: Mutex::new(writer),
            readers: Readers::new(path),
            live: Live::default(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The channel on which committed changes are announced.
    pub(crate) fn live(&self) -> &Live {
        &self.live
    }

    /// Reads from a snapshot of the data.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.readers.with(|connection| {
            let tx = connection.unchecked_transaction()?;
            read(&tx)
        })
    }

    /// Runs changes as one transaction: all of them, or none if `write` returns an error. Then announces what changed.
    /// `write` must not use the store itself, which is locked.
    pub fn write<T>(&self, write: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.commit(Durability::Now, write)
    }

    /// Runs a transaction without waiting for the disk. A power failure may undo it, together with all later
    /// ones, until the next [`Store::write`].
    fn write_soon<T>(&self, write: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.commit(Durability::Soon, write)
    }

    fn commit<T>(
        &self,
        durability: Durability,
        write: impl FnOnce(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut connection = self.lock();
        let mut tx = Tx::begin(&mut connection, durability)?;
        let result = write(&mut tx)?;
        // Still under the lock: listeners receive changes in the order of the commits.
        self.finish(tx)?;
        Ok(result)
    }

    /// Writes the rows of the feeds, commits, and wakes the listeners. Like [`Tx::begin`] not generic: it is compiled once.
    fn finish(&self, mut tx: Tx<'_>) -> Result<()> {
        announce::announce(&mut tx)?;
        let Tx {
            transaction,
            changes: _,
            feed,
            submissions,
            configuration,
            uploads,
        } = tx;
        if configuration {
            board_data::bump_configuration(&transaction)?;
        }
        transaction.commit()?;
        if !submissions.is_empty() {
            self.live.send_submissions(submissions);
        }
        if uploads {
            self.live.send_uploads();
        }
        if configuration {
            self.live.send(LiveChange::Configuration);
        }
        if !feed.is_empty() {
            self.live.send(LiveChange::Feed(Arc::from(feed)));
        }
        Ok(())
    }

    /// Ignores poisoning: a transaction that panicked was rolled back.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        unpoisoned(self.writer.lock())
    }
}

/// A transaction, and what to announce after its commit.
pub struct Tx<'c> {
    transaction: Transaction<'c>,
    /// Changes that are announced before the commit.
    changes: Vec<FeedChange>,
    /// Rows that were added to the feeds.
    feed: Vec<FeedRow>,
    submissions: BTreeSet<SubmissionId>,
    /// A contest, its problems or teams changed.
    configuration: bool,
    /// An uploaded package or its verification changed.
    uploads: bool,
}

impl<'c> Tx<'c> {
    fn begin(writer: &'c mut Connection, durability: Durability) -> Result<Self> {
        set_durability(writer, durability)?;
        Ok(Tx {
            transaction: writer.transaction_with_behavior(TransactionBehavior::Immediate)?,
            changes: Vec::new(),
            feed: Vec::new(),
            submissions: BTreeSet::new(),
            configuration: false,
            uploads: false,
        })
    }

    /// Adds a change to those that are announced before the commit.
    fn announce_later(&mut self, change: FeedChange) {
        self.changes.push(change);
    }
}

impl std::ops::Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.transaction
    }
}

/// Refuses a change that contradicts the present state; `why` is for the user.
fn refuse_if(contradicts: bool, why: &str) -> Result<()> {
    match contradicts {
        true => Err(Error::Conflict(why.to_owned())),
        false => Ok(()),
    }
}

/// The second of two equal texts or submissions of a user within this time, in milliseconds, counts as sent by mistake.
const ONCE_MS: i64 = 10_000;

/// Refuses to add an object, such as `a team`, with the id of another one of the table.
fn must_be_new(tx: &Tx<'_>, table: &str, what: &str, ext: &str) -> Result<()> {
    let query = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE ext = ?1)");
    let is_known: bool = tx.one(&query, [ext])?;
    let why = format!("there is {what} {ext:?} already; change it on its page");
    refuse_if(is_known, &why)
}

/// Refuses to replace an object that somebody else changed after it was read.
fn must_be<T: PartialEq + ?Sized>(now: &T, before: &T, what: &str) -> Result<()> {
    let why = format!("{what} was changed meanwhile; load the page again");
    refuse_if(now != before, &why)
}

/// Checks a name, and names that may be missing.
fn check_names(name: &str, others: &[&Option<String>]) -> Result<()> {
    check_name(name, MAX_NAME)?;
    for other in others.iter().copied().flatten() {
        check_name(other, MAX_NAME)?;
    }
    Ok(())
}

/// Lets only the server's user read the database, which has hashes of passwords. (If root judges, boxes and other programs of
/// user id 65534 can enter its directory.) SQLite gives the files beside it the same mode.
fn close_to_others(path: &Path) {
    let own = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        name
    };
    // Best effort: SQLite says what it cannot open.
    let _ = File::options()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path);
    for end in ["", "-wal", "-shm"] {
        let _ = fs::set_permissions(own(end), Permissions::from_mode(0o600));
    }
}

/// Settings of every connection.
fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// When a commit is synced to the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Durability {
    /// Before it returns.
    Now,
    /// With the next commit that is `Now`. Until then a power failure undoes it, but a crash of this process
    /// does not.
    Soon,
}

/// Sets the durability of the writer's next transaction.
fn set_durability(writer: &Connection, durability: Durability) -> Result<()> {
    let level = match durability {
        Durability::Now => "FULL",
        Durability::Soon => "NORMAL",
    };
    Ok(writer.pragma_update(None, "synchronous", level)?)
}

/// The present time, in milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

#[cfg(test)]
mod tests;
