//! User accounts.

use super::query::{Queries, record};
use super::{Error, Result, Role, Store, TeamId, Tx, UserId, check_names, now_ms, refuse_if};
use crate::contest_api::{MAX_SHORT_NAME, check_name};
use rusqlite::{Connection, params};

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct User {
        pub id: UserId,
        /// Its id in the Contest API.
        pub ext: String,
        /// The name to sign in with.
        pub name: String,
        /// The name for display, if it differs.
        pub(crate) display_name: Option<String>,
        /// Its role, which sets its rights.
        pub role: Role,
        pub team: Option<TeamId>,
        /// Whether signing in is forbidden.
        pub disabled: bool,
        /// argon2id in PHC form; `None`: no sign-in by password.
        pub password_hash: Option<String>,
    }
}

impl User {
    pub(crate) fn shown_name(&self) -> &str {
        self.display_name.as_deref().unwrap_or(&self.name)
    }
}

/// A user to add or replace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewUser {
    /// The id in the Contest API.
    pub ext: String,
    /// The name to sign in with.
    pub name: String,
    /// The name for display, if it differs.
    pub display_name: Option<String>,
    /// Its role, which sets its rights.
    pub role: Role,
    pub team: Option<TeamId>,
    /// argon2id in PHC form ([`crate::secret::hash_password`]).
    pub password_hash: Option<String>,
}

pub(super) fn by_id(connection: &Connection, id: UserId) -> Result<User> {
    connection.numbered("user", "SELECT * FROM users WHERE id = ?1", id)
}

/// The user with this id in the Contest API.
fn by_ext(connection: &Connection, ext: &str) -> Result<Option<User>> {
    connection.optional("SELECT * FROM users WHERE ext = ?1", [ext])
}

/// Revokes all credentials except the password: sessions, tokens and unused links.
fn revoke_access(tx: &Tx<'_>, id: UserId) -> Result<()> {
    for table in ["sessions", "tokens", "sign_in_links"] {
        tx.run(&format!("DELETE FROM {table} WHERE user = ?1"), [id])?;
    }
    Ok(())
}

impl Tx<'_> {
    /// Adds a user, or replaces the one with the same `ext`; a replaced one keeps its password if the
    /// new one has none. Another hash of a password ends its sessions and removes its tokens and links.
    /// Fails when another user has the name, or a name is invalid; when no admin would be left.
    pub(crate) fn put_user(&mut self, new: &NewUser) -> Result<UserId> {
        check_name(&new.name, MAX_SHORT_NAME)?;
        check_names(&new.name, &[&new.display_name])?;
        let other: Option<String> = self.optional(
            "SELECT ext FROM users WHERE name = ?1 AND ext <> ?2",
            [&new.name, &new.ext],
        )?;
        if let Some(other) = other {
            let name = &new.name;
            return Err(Error::Conflict(format!(
                "the name {name:?} belongs to another user, {other:?}"
            )));
        }
        let before = by_ext(self, &new.ext)?;
        let was_admin = before.as_ref().is_some_and(|own| own.role == Role::Admin);
        if was_admin && new.role != Role::Admin {
            let others: bool = self.one(
                "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND NOT disabled AND ext <> ?1)",
                [&new.ext],
            )?;
            refuse_if(
                !others,
                "there would be no admin any more; add another one first",
            )?;
        }
        let id = self.one(
            "INSERT INTO users (ext, name, display_name, password_hash, role, team, created_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (ext) DO UPDATE SET name = excluded.name,
             display_name = excluded.display_name, role = excluded.role,
             team = excluded.team,
             password_hash = COALESCE(excluded.password_hash, password_hash)
             RETURNING id",
            params![
                new.ext,
                new.name,
                new.display_name,
                new.password_hash,
                new.role,
                new.team,
                now_ms()
            ],
        )?;
        let has_new_password = |before: &User| {
            new.password_hash.is_some() && new.password_hash != before.password_hash
        };
        if before.as_ref().is_some_and(has_new_password) {
            revoke_access(self, id)?;
        }
        Ok(id)
    }
}

impl Store {
    pub fn user(&self, id: UserId) -> Result<User> {
        self.read(|connection| by_id(connection, id))
    }

    /// The user with this name to sign in with.
    pub fn user_named(&self, name: &str) -> Result<Option<User>> {
        self.optional("SELECT * FROM users WHERE name = ?1", [name])
    }

    /// The user with this id in the Contest API.
    pub(crate) fn user_by_ext(&self, ext: &str) -> Result<Option<User>> {
        self.read(|connection| by_ext(connection, ext))
    }

    /// All users, sorted by name.
    pub fn users(&self) -> Result<Vec<User>> {
        self.all("SELECT * FROM users ORDER BY name", [])
    }

    /// The same as `Tx::put_user`, in a transaction of its own.
    pub fn put_user(&self, new: &NewUser) -> Result<UserId> {
        self.write(|tx| tx.put_user(new))
    }

    /// Adds a user.
    /// Fails when another user has the id or the name.
    pub(crate) fn add_user(&self, new: &NewUser) -> Result<UserId> {
        self.write(|tx| match by_ext(tx, &new.ext)? {
            Some(other) => Err(Error::Conflict(format!(
                "the id {:?} belongs to another user, {:?}",
                new.ext, other.name
            ))),
            None => tx.put_user(new),
        })
    }

    /// Sets the hash of a password; `None` forbids signing in by password. Ends the user's sessions, and
    /// removes its tokens and links.
    pub fn set_password(&self, id: UserId, hash: Option<&str>) -> Result<()> {
        self.write(|tx| {
            by_id(tx, id)?;
            tx.run(
                "UPDATE users SET password_hash = ?2 WHERE id = ?1",
                params![id, hash],
            )?;
            revoke_access(tx, id)
        })
    }

    /// Forbids or allows a user to sign in. Sessions and tokens of a disabled user are refused.
    pub(crate) fn set_disabled(&self, id: UserId, disabled: bool) -> Result<()> {
        self.write(|tx| {
            by_id(tx, id)?;
            tx.run(
                "UPDATE users SET disabled = ?2 WHERE id = ?1",
                params![id, disabled],
            )?;
            if disabled {
                tx.run("DELETE FROM sessions WHERE user = ?1", [id])?;
            }
            Ok(())
        })
    }
}
