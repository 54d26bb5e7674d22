//! The schema: numbered migrations, counted in `PRAGMA user_version`.

use super::{Error, Result};
use rusqlite::Connection;

/// Migration `k` leads from version `k` to version `k + 1`. A released migration never changes.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
    include_str!("schema_8.sql"),
    include_str!("schema_9.sql"),
    include_str!("schema_10.sql"),
    include_str!("schema_11.sql"),
    include_str!("schema_12.sql"),
    include_str!("schema_13.sql"),
    include_str!("schema_14.sql"),
];

/// The version that this program writes.
pub const VERSION: usize = MIGRATIONS.len();

/// Brings the file to [`VERSION`]; each migration is one transaction.
pub fn migrate(connection: &mut Connection) -> Result<()> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    if found > VERSION {
        return Err(Error::Newer {
            found,
            known: VERSION,
        });
    }
    for (k, migration) in MIGRATIONS.iter().enumerate().skip(found) {
        let tx = connection.transaction()?;
        tx.execute_batch(migration)?;
        tx.pragma_update(None, "user_version", (k + 1) as i64)?;
        tx.commit()?;
    }
    Ok(())
}
