//! Who calls: session cookies for browsers, basic authentication and bearer tokens for programs.

use super::client::Client;
use super::{App, HttpError, Result};
use crate::access::Viewer;
use crate::secret;
use crate::store::{Role, User};
use axum::extract::FromRequestParts;
use axum::http::HeaderName;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::net::IpAddr;

/// The name of the session's cookie.
pub const COOKIE_NAME: &str = "judge_session";

/// Who calls, signed in or not.
#[derive(Clone, Debug)]
pub struct Caller {
    /// What `access` needs.
    pub viewer: Viewer,
    /// The user, if signed in.
    pub user: Option<User>,
    /// The secret that forms carry, for a session; programs need none.
    pub csrf: Option<String>,
    /// The address that wrong passwords are counted for.
    pub address: Option<IpAddr>,
}

impl Caller {
    /// Somebody who is not signed in.
    pub const NOBODY: Caller = Caller {
        viewer: Viewer::NOBODY,
        user: None,
        csrf: None,
        address: None,
    };

    fn of(user: User, csrf: Option<String>) -> Self {
        Caller {
            viewer: Viewer::of(&user),
            user: Some(user),
            csrf,
            ..Caller::NOBODY
        }
    }

    /// Checks the secret of a form. A program, which sends no cookie, needs none.
    ///
    /// # Errors
    ///
    /// When a browser sends a wrong one: another site made the form.
    pub fn check_csrf(&self, sent: &str) -> Result<()> {
        match &self.csrf {
            Some(csrf) if !secret::equal(csrf, sent) => Err(HttpError::Forbidden(
                "the form is too old; go back, load the page again, and repeat".to_owned(),
            )),
            _ => Ok(()),
        }
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
        let caller = Caller {
            address,
            ..authenticate(parts, app, address).await?
        };
        parts.extensions.insert(caller.clone());
        Ok(caller)
    }
}

/// The header in which browsers say which site made a request.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

async fn authenticate(parts: &Parts, app: &App, from: Option<IpAddr>) -> Result<Caller> {
    let text = |name: HeaderName| {
        parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if let Some(authorization) = text(AUTHORIZATION) {
        let (scheme, credentials) = authorization.split_once(' ').unwrap_or_default();
        let credentials = credentials.trim().to_owned();
        return match scheme.to_ascii_lowercase().as_str() {
            // A browser repeats these credentials by itself, also for forms of other sites.
            "basic" if text(SITE).is_some_and(|site| site == "cross-site") => Err(
                HttpError::Forbidden("another site sent this request".to_owned()),
            ),
            "basic" => basic(app, &credentials, from).await,
            "bearer" => {
                let hash = secret::hash(&credentials);
                let user = app
                    .blocking(move |app| Ok(app.store.token_user(&hash)?))
                    .await?;
                Ok(Caller::of(user.ok_or(HttpError::SignIn)?, None))
            }
            _ => Err(HttpError::SignIn),
        };
    }
    if let Some(secret) = text(COOKIE).and_then(session_secret) {
        let hash = secret::hash(secret);
        let session = app
            .blocking(move |app| Ok(app.store.session(&hash)?))
            .await?;
        if let Some(session) = session {
            return Ok(Caller::of(session.user, Some(session.csrf)));
        }
    }
    Ok(Caller::NOBODY)
}

async fn basic(app: &App, credentials: &str, from: Option<IpAddr>) -> Result<Caller> {
    let decoded = BASE64_STANDARD.decode(credentials).ok();
    let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
    let decoded = decoded.ok_or(HttpError::SignIn)?;
    let (name, password) = decoded.split_once(':').ok_or(HttpError::SignIn)?;
    let user = by_password(app, from, name, password).await?;
    Ok(Caller::of(user.ok_or(HttpError::SignIn)?, None))
}

/// The user with this name and password. Wrong ones are counted, and refused when there are many from
/// one address: a count of the name alone would let anybody lock a team out.
///
/// # Errors
///
/// `TooMany` after many wrong passwords.
pub async fn by_password(
    app: &App,
    from: Option<IpAddr>,
    name: &str,
    password: &str,
) -> Result<Option<User>> {
    let from = from.map_or_else(|| "-".to_owned(), |address| address.to_string());
    let keys = [
        format!("sign in {name} {from}"),
        format!("sign in from {from}"),
    ];
    app.rates.check_failures(&keys[0])?;
    app.rates.check_failures_of_many(&keys[1])?;
    let (name, password) = (name.to_owned(), password.to_owned());
    let found = app
        .blocking(move |app| {
            let user = app.store.user_named(&name)?.filter(|user| !user.disabled);
            let stored = user.as_ref().and_then(|user| user.password_hash.as_deref());
            Ok(match app.rates.remembers(stored, &password) {
                true => user,
                false => {
                    let right = secret::is_password(&password, stored);
                    if right {
                        app.rates.remember(stored, &password);
                    }
                    user.filter(|_| right)
                }
            })
        })
        .await?;
    if found.is_none() {
        keys.iter().for_each(|key| app.rates.count_failure(key));
    }
    Ok(found)
}

/// The session's secret in the cookies.
pub fn session_secret(cookies: &str) -> Option<&str> {
    let mut pairs = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, value)| value)
}

macro_rules! roles {
    ($($(#[$doc:meta])* $name:ident: $allowed:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            /// Who calls.
            pub caller: Caller,
            pub user: User,
        }

        impl FromRequestParts<App> for $name {
            type Rejection = HttpError;

            async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
                let caller = Caller::from_request_parts(parts, app).await?;
                let user = caller.user.clone().ok_or(HttpError::SignIn)?;
                let allowed: fn(Role) -> bool = $allowed;
                match allowed(user.role) {
                    true => Ok($name { caller, user }),
                    false => Err(HttpError::Forbidden("your role may not do this".to_owned())),
                }
            }
        }
    )*};
}

roles! {
    /// Any user who is signed in.
    SignedIn: |_| true;
    /// The jury, or an admin.
    Jury: |role| role >= Role::Jury;
    /// An admin.
    Admin: |role| role == Role::Admin;
}
