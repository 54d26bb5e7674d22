//! The link that a start prints, which signs in as `admin` once.

use crate::secret;
use crate::store::{NewUser, Role, Store, now_ms};
use judge_core::error::{Failure, Reason};

/// How long the printed link works.
const LINK_MS: i64 = 24 * 3_600_000;

pub(super) enum Link {
    New(String),
    /// The admin has a password.
    NotNeeded,
    /// The disk is full.
    NoRoom,
}

/// A link that signs in as `admin`, who is added if needed; the only one that works. None unless it is asked for, once
/// the admin has a password.
pub(super) fn admin_link(store: &Store, asked: bool) -> Result<Link, Failure> {
    let admin = store.user_by_ext("admin")?;
    if admin.is_some_and(|admin| admin.password_hash.is_some()) && !asked {
        return Ok(Link::NotNeeded);
    }
    let secret = secret::random().map_err(Reason::from)?;
    let added = store.put_user(&NewUser {
        ext: "admin".to_owned(),
        name: "admin".to_owned(),
        display_name: None,
        role: Role::Admin,
        team: None,
        password_hash: None,
    });
    let added = added.and_then(|admin| {
        store.add_sign_in_link(&secret::hash(&secret), admin, now_ms() + LINK_MS)
    });
    match added {
        Ok(()) => Ok(Link::New(secret)),
        Err(error) if error.is_disk_full() => Ok(Link::NoRoom),
        Err(error) => Err(error.into()),
    }
}
