//! A pool of read-only connections.

use super::{Result, prepare};
use judge_core::parallel::unpoisoned;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex};

/// Maximum number of connections. More readers than cores would not be faster.
const MAX_CONNECTIONS: usize = 4;

/// The pool. Connections are opened on first use.
pub struct Readers {
    path: PathBuf,
    state: Mutex<Connections>,
    returned: Condvar,
}

#[derive(Default)]
struct Connections {
    free: Vec<Connection>,
    open: usize,
}

impl Readers {
    /// An empty pool for this file.
    pub fn new(path: &Path) -> Self {
        Readers {
            path: path.to_owned(),
            state: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Runs `read` with a connection; waits until one is free.
    pub fn with<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let lent = self.lend()?;
        read(lent.connection.as_ref().expect("it is open"))
    }

    /// Waits until a connection is free, and opens it if it is new.
    fn lend(&self) -> Result<Lent<'_>> {
        let mut state = unpoisoned(self.state.lock());
        let connection = loop {
            if let Some(connection) = state.free.pop() {
                break Some(connection);
            }
            if state.open < MAX_CONNECTIONS {
                state.open += 1;
                break None;
            }
            let waited = self.returned.wait(state);
            state = unpoisoned(waited);
        };
        drop(state);
        let mut lent = Lent {
            readers: self,
            connection,
        };
        if lent.connection.is_none() {
            let connection = Connection::open(&self.path)?;
            prepare(&connection)?;
            connection.pragma_update(None, "query_only", true)?;
            lent.connection = Some(connection);
        }
        Ok(lent)
    }
}

/// Returns the connection to the pool on drop, also if the reader panics.
struct Lent<'r> {
    readers: &'r Readers,
    connection: Option<Connection>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut state = unpoisoned(self.readers.state.lock());
        match self.connection.take() {
            Some(connection) => state.free.push(connection),
            None => state.open -= 1,
        }
        self.readers.returned.notify_one();
    }
}
