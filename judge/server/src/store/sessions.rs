//! Sessions, tokens of programs and one-time links. The functions take hashes of secrets.

use super::query::{Queries, columns, record};
use super::{Error, Result, Store, TokenId, User, UserId, check_names, now_ms, users};
use rusqlite::{Connection, params};

/// A session of a signed-in user.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) user: User,
    /// The CSRF secret, a hidden field of its forms.
    pub csrf: String,
}

record! { |row|
    /// A session as the account page lists it.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct OpenSession {
        pub(crate) hash: String,
        pub(crate) created_ms: i64,
        pub(crate) expires_ms: i64,
    }
}

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct Token {
        pub(crate) id: TokenId,
        /// The user whose rights it has.
        pub(crate) user: UserId,
        /// The name that its owner gave it.
        pub(crate) name: String,
        /// The time of its creation.
        pub(crate) created_ms: i64,
    }
}

/// The user with this number, unless disabled.
fn enabled(connection: &Connection, id: Option<UserId>) -> Result<Option<User>> {
    let user = id.map(|id| users::by_id(connection, id)).transpose()?;
    Ok(user.filter(|user| !user.disabled))
}

/// Most sessions of a user: many machines may share an account.
const MAX_SESSIONS: usize = 1000;

impl Store {
    /// Starts a session. The oldest of too many ends: a program could sign in for ever.
    pub fn start_session(
        &self,
        hash: &str,
        user: UserId,
        csrf: &str,
        expires_ms: i64,
    ) -> Result<()> {
        self.write(|tx| {
            let now = now_ms();
            tx.run("DELETE FROM sessions WHERE expires_ms <= ?1", [now])?;
            tx.run(
                "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE user = ?1
                 ORDER BY created_ms DESC LIMIT -1 OFFSET ?2)",
                params![user, MAX_SESSIONS - 1],
            )?;
            tx.run(
                "INSERT INTO sessions (hash, user, csrf, created_ms, expires_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![hash, user, csrf, now, expires_ms],
            )?;
            Ok(())
        })
    }

    /// The session with this hash, unless it expired or its user is disabled.
    pub fn session(&self, hash: &str) -> Result<Option<Session>> {
        self.read(|connection| {
            let found: Option<(UserId, String)> = connection.optional(
                "SELECT user, csrf FROM sessions WHERE hash = ?1 AND expires_ms > ?2",
                params![hash, now_ms()],
            )?;
            let Some((id, csrf)) = found else {
                return Ok(None);
            };
            let user = enabled(connection, Some(id))?;
            Ok(user.map(|user| Session { user, csrf }))
        })
    }

    /// The sessions of a user that have not expired, the latest first.
    pub(crate) fn sessions_of(&self, user: UserId) -> Result<Vec<OpenSession>> {
        self.all(
            "SELECT hash, created_ms, expires_ms FROM sessions WHERE user = ?1 AND expires_ms > ?2
             ORDER BY created_ms DESC",
            params![user, now_ms()],
        )
    }

    /// Ends the sessions of a user except one.
    pub(crate) fn end_other_sessions(&self, user: UserId, kept: &str) -> Result<()> {
        self.run(
            "DELETE FROM sessions WHERE user = ?1 AND hash <> ?2",
            params![user, kept],
        )
    }

    pub(crate) fn end_session(&self, hash: &str) -> Result<()> {
        self.run("DELETE FROM sessions WHERE hash = ?1", [hash])
    }

    /// Adds a token of a program.
    pub fn add_token(&self, hash: &str, user: UserId, name: &str) -> Result<TokenId> {
        check_names(name, &[])?;
        self.write(|tx| {
            let columns = columns! { hash: hash, user: user, name: name, created_ms: now_ms() };
            tx.insert("tokens", columns)
        })
    }

    /// The user of the token with this hash, unless disabled.
    pub fn token_user(&self, hash: &str) -> Result<Option<User>> {
        self.read(|connection| {
            let id: Option<UserId> =
                connection.optional("SELECT user FROM tokens WHERE hash = ?1", [hash])?;
            enabled(connection, id)
        })
    }

    pub(crate) fn tokens(&self, user: UserId) -> Result<Vec<Token>> {
        self.all(
            "SELECT id, user, name, created_ms FROM tokens WHERE user = ?1 ORDER BY id",
            [user],
        )
    }

    /// Removes a token of a user.
    /// Fails when the user has no such token.
    pub(crate) fn remove_token(&self, user: UserId, id: TokenId) -> Result<()> {
        self.write(|tx| {
            let removed = tx.run(
                "DELETE FROM tokens WHERE id = ?1 AND user = ?2",
                params![id, user],
            )?;
            match removed {
                0 => Err(Error::NotFound(format!("no token {id}"))),
                _ => Ok(()),
            }
        })
    }

    /// Adds a link that signs in once. The user's earlier links stop working.
    pub(crate) fn add_sign_in_link(&self, hash: &str, user: UserId, expires_ms: i64) -> Result<()> {
        self.write(|tx| {
            tx.run("DELETE FROM sign_in_links WHERE user = ?1", [user])?;
            tx.run(
                "INSERT INTO sign_in_links (hash, user, expires_ms) VALUES (?1, ?2, ?3)",
                params![hash, user, expires_ms],
            )?;
            Ok(())
        })
    }

    /// Uses up a link; returns its user if it was valid.
    pub(crate) fn use_sign_in_link(&self, hash: &str) -> Result<Option<User>> {
        self.write(|tx| {
            let now = now_ms();
            let id: Option<UserId> = tx.optional(
                "DELETE FROM sign_in_links WHERE hash = ?1 AND expires_ms > ?2 RETURNING user",
                params![hash, now],
            )?;
            tx.run("DELETE FROM sign_in_links WHERE expires_ms <= ?1", [now])?;
            enabled(tx, id)
        })
    }
}
