//! Settings of the server: texts by key.

use super::query::Queries;
use super::{Result, Store};

impl Store {
    /// The value of a setting, if it was ever set.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        self.optional("SELECT value FROM settings WHERE key = ?1", [key])
    }

    pub fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            tx.run(
                "INSERT INTO settings (key, value) VALUES (?1, ?2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [key, value],
            )?;
            Ok(())
        })
    }
}
