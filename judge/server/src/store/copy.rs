//! Copies the database for backups, without opening a [`super::Store`], which would migrate it.

use super::{Error, Result};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// Copies the database, which a server may be using, to `to`, which must not exist or be empty. The
/// copy is the state at one moment; writers do not wait for it.
pub fn copy_database(from: &Path, to: &Path) -> Result<()> {
    let connection = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(60))?;
    connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
    Ok(())
}

/// Checks the structure of a database that no server uses.
pub fn check_database(path: &Path) -> Result<()> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let found: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    match found.as_str() {
        "ok" => Ok(()),
        defect => Err(Error::Conflict(format!(
            "the database is damaged: {defect}"
        ))),
    }
}
