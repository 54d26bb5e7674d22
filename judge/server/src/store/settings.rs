//! Settings of the server.

use super::{Result, Store};
use rusqlite::OptionalExtension;

impl Store {
    /// A setting.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        self.read(|connection| {
            Ok(connection
                .prepare_cached("SELECT value FROM settings WHERE key = ?1")?
                .query_row([key], |row| row.get(0))
                .optional()?)
        })
    }

    /// Sets it.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            tx.execute(
                "INSERT INTO settings (key, value) VALUES (?1, ?2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [key, value],
            )?;
            Ok(())
        })
    }
}
