//! Settings of the server.

use super::query::Queries;
use super::{Result, Store};

impl Store {
    /// A setting.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        self.optional("SELECT value FROM settings WHERE key = ?1", [key])
    }

    /// Sets it.
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
