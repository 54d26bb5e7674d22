//! The caller of a request: session cookies for browsers, basic authentication and bearer tokens for
//! programs.

use super::client::{Client, network};
use super::error::{forbidden, sign_in};
use super::rate::{FAILURES, FAILURES_OF_MANY};
use super::{App, HttpError, Result};
use crate::access::{self, Action, Viewer};
use crate::secret;
use crate::store::{ContestId, ContestRole, User};
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum_extra::extract::CookieJar;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::net::IpAddr;

pub const COOKIE_NAME: &str = "judge_session";

/// The caller of a request, signed in or not.
#[derive(Clone, Debug)]
pub struct Caller {
    /// User, role and team, from which `access` decides.
    pub viewer: Viewer,
    /// The user, if signed in.
    pub user: Option<User>,
    /// The contests in which the user has a role.
    pub(crate) contest_roles: Vec<(ContestId, ContestRole)>,
    /// The secret that forms carry, for a session; programs need none.
    pub csrf: Option<String>,
    /// The address that wrong passwords are counted for.
    pub address: Option<IpAddr>,
}

impl Caller {
    /// Somebody who is not signed in.
    pub const ANONYMOUS: Caller = Caller {
        viewer: Viewer::ANONYMOUS,
        user: None,
        contest_roles: Vec::new(),
        csrf: None,
        address: None,
    };

    fn of(user: User, csrf: Option<String>) -> Self {
        Caller {
            viewer: Viewer::of(&user),
            user: Some(user),
            csrf,
            ..Caller::ANONYMOUS
        }
    }

    /// Whether the user may do this everywhere, or at least in one contest.
    pub(crate) fn may_somewhere(&self, action: Action) -> bool {
        access::may(self.viewer, action) || self.contests_to(action).next().is_some()
    }

    /// The user's role in a contest, if they have one.
    pub(crate) fn role_in(&self, contest: ContestId) -> Option<ContestRole> {
        let mut own = self.contest_roles.iter();
        own.find(|(id, _)| *id == contest).map(|(_, role)| *role)
    }

    /// The contests in which the user's roles of contests allow an action.
    pub(crate) fn contests_to(&self, action: Action) -> impl Iterator<Item = ContestId> {
        let own = self.contest_roles.iter();
        own.filter(move |(_, role)| access::may(self.viewer.with(Some(*role)), action))
            .map(|(contest, _)| *contest)
    }

    /// Checks the secret of a form. A program, which sends no cookie, needs none.
    /// Fails when a browser sends a wrong one: another site made the form.
    pub fn check_csrf(&self, sent: &str) -> Result<()> {
        match &self.csrf {
            Some(csrf) if !secret::equal(csrf, sent) => Err(forbidden(
                "the form is too old; go back, load the page again, and repeat",
            )),
            _ => Ok(()),
        }
    }
}

impl AsRef<Caller> for Caller {
    fn as_ref(&self) -> &Caller {
        self
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        // Asked once per request, however many extractors want it.
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Ok(caller.clone());
        }
        let address = parts.extensions.get().map(|client: &Client| client.address);
        let headers = parts.headers.clone();
        let caller = match headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE) {
            true => {
                app.blocking(move |app| known(app, &headers, address))
                    .await?
            }
            false => Caller::ANONYMOUS,
        };
        let caller = Caller { address, ..caller };
        parts.extensions.insert(caller.clone());
        Ok(caller)
    }
}

/// The header in which browsers say which site made a request.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The caller that the headers name, with the roles of contests.
fn known(app: &App, headers: &HeaderMap, from: Option<IpAddr>) -> Result<Caller> {
    let mut caller = authenticate(app, headers, from)?;
    if let Some(user) = &caller.user {
        caller.contest_roles = app.store.contest_roles_of(user.id)?;
    }
    Ok(caller)
}

/// Refuses a form without a secret if another site sent it: it would sign the browser in as somebody else.
/// Browsers that do not say which site sent it pass.
pub fn from_this_site(headers: &HeaderMap) -> Result<()> {
    let site = headers.get(SITE).map(HeaderValue::as_bytes);
    match site.is_none_or(|site| matches!(site, b"same-origin" | b"none")) {
        true => Ok(()),
        false => Err(forbidden(
            "another site sent this form; open the page again, and repeat",
        )),
    }
}

fn authenticate(app: &App, headers: &HeaderMap, from: Option<IpAddr>) -> Result<Caller> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(authorization) = text(AUTHORIZATION) {
        let (scheme, credentials) = authorization.split_once(' ').unwrap_or_default();
        let credentials = credentials.trim();
        let user = match scheme.to_ascii_lowercase().as_str() {
            // A browser repeats these credentials by itself, also for forms of other sites.
            "basic" if text(SITE).is_some_and(|site| site == "cross-site") => {
                return Err(forbidden("another site sent this request"));
            }
            "basic" => {
                let decoded = BASE64_STANDARD.decode(credentials).ok();
                let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
                let decoded = decoded.ok_or_else(sign_in)?;
                let (name, password) = decoded.split_once(':').ok_or_else(sign_in)?;
                by_password(app, from, name, password)?
            }
            "bearer" => app.store.token_user(&secret::hash(credentials))?,
            _ => None,
        };
        return Ok(Caller::of(user.ok_or_else(sign_in)?, None));
    }
    let session = match session_secret(headers) {
        Some(secret) => app.store.session(&secret::hash(&secret))?,
        None => None,
    };
    Ok(session.map_or(Caller::ANONYMOUS, |session| {
        Caller::of(session.user, Some(session.csrf))
    }))
}

/// The user with this name and password. Attempts are counted before their hash is computed, and no longer once the
/// password was right; many wrong ones from one network are refused. A count of the name alone would let anybody lock a
/// team out.
/// Fails with `TooMany` after many wrong passwords, `busy` while many callers wait for hashes.
pub fn by_password(
    app: &App,
    from: Option<IpAddr>,
    name: &str,
    password: &str,
) -> Result<Option<User>> {
    let user = app.store.user_named(name)?.filter(|user| !user.disabled);
    let stored = user.as_ref().and_then(|user| user.password_hash.as_deref());
    let pair = secret::keyed_hash(&[name, stored.unwrap_or_default(), password])?;
    if app.rates.remembers(&pair) {
        return Ok(user);
    }
    let keys = counted(from, name);
    app.rates.check_all(&keys)?;
    let mut slot = secret::Slot::take(pair.clone())?;
    // A request with the same password may have got a slot before.
    if app.rates.remembers(&pair) {
        return Ok(user);
    }
    app.rates.take_all(&keys)?;
    if !slot.is_right(password, stored) {
        return Ok(None);
    }
    app.rates.give_back(&keys);
    app.rates.remember(pair);
    Ok(user)
}

/// The keys that a wrong password is counted for, and the limit of each.
fn counted(from: Option<IpAddr>, name: &str) -> [(String, u32); 2] {
    let from = from.map_or_else(|| "-".to_owned(), |address| network(address).to_string());
    [
        // A hash is short, also of a long name.
        (format!("sign in {} {from}", secret::hash(name)), FAILURES),
        (format!("sign in from {from}"), FAILURES_OF_MANY),
    ]
}

/// The secret of the session that a browser sends.
pub fn session_secret(headers: &HeaderMap) -> Option<String> {
    let jar = CookieJar::from_headers(headers);
    jar.get(COOKIE_NAME).map(|cookie| cookie.value().to_owned())
}

/// Any user who is signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub caller: Caller,
    pub user: User,
}

impl AsRef<Caller> for SignedIn {
    fn as_ref(&self) -> &Caller {
        &self.caller
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let user = caller.user.clone().ok_or_else(sign_in)?;
        Ok(SignedIn { caller, user })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_counted_as_one_address() {
        let keys = |address: &str| counted(address.parse().ok(), "ann");
        assert_eq!(keys("2001:db8:0:1::1"), keys("2001:db8:0:1:2::2"));
        assert_ne!(keys("2001:db8:0:1::1"), keys("2001:db8:0:2::1"));
        assert_eq!(keys("::ffff:192.0.2.1"), keys("192.0.2.1"));
        assert_ne!(keys("192.0.2.2"), keys("192.0.2.1"));
    }

    #[test]
    fn a_long_name_is_counted_by_a_short_key() {
        let long = "x".repeat(1 << 20);
        let keys = counted(None, &long).map(|(key, _)| key);
        assert!(keys.iter().all(|key| key.len() < 200), "{keys:?}");
        assert_ne!(keys, counted(None, &long[1..]).map(|(key, _)| key));
    }
}
