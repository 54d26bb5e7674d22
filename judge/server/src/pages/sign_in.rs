//! Signing in, by password or by a link that works once, and signing out.

use super::page;
use super::parts::filled;
use crate::http::auth::{COOKIE_NAME, by_password, from_this_site, session_secret};
use crate::http::{
    self, App, Caller, Fields, HttpError, PageResult, Result, not_found, read_fields,
};
use crate::layout::{Field, encoded, field};
use crate::secret;
use crate::store::{User, now_ms};
use axum::extract::{FromRequest, Path, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use cookie::time::Duration;
use maud::{Markup, html};

/// How long a session lasts.
const SESSION_MS: i64 = 14 * 24 * 3_600_000;

pub struct Credentials {
    name: String,
    password: String,
    to: String,
}

impl FromRequest<App> for Credentials {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        from_this_site(request.headers())?;
        let fields = read_fields(request, app).await?;
        let own = |name| fields.text(name).to_owned();
        Ok(Credentials {
            name: own("name"),
            password: own("password"),
            to: own("to"),
        })
    }
}

/// Redirects to the form, which redirects to `to` after signing in.
pub fn redirect(to: &str) -> Redirect {
    Redirect::to(&format!("/sign-in?to={}", encoded(to)))
}

pub fn form(_: &App, (caller, fields): (Caller, Fields)) -> PageResult {
    Ok(sign_in_page(&caller, fields.text("to"), "", None))
}

fn sign_in_page(caller: &Caller, to: &str, name: &str, error: Option<&str>) -> Markup {
    let body = html! {
        @if let Some(user) = &caller.user { p { "You are signed in as " (user.name) "." } }
        form method="post" action="/sign-in" {
            input type="hidden" name="to" value=(to);
            (filled("name", "Name", "text", name, true))
            (field(&Field {
                name: "password", label: "Password", kind: "password", value: "", error, required: true,
            }))
            button.primary { "Sign in" }
        }
    };
    page(caller, "", "Sign in", &body)
}

/// Signs in by password. The form has no CSRF secret, because there is no session yet.
pub fn sign_in(
    app: &App,
    (caller, Credentials { name, password, to }): (Caller, Credentials),
) -> Result<Response> {
    match by_password(app, caller.address, &name, &password)? {
        Some(user) => start_session(app, &user, &to),
        None => {
            let error = Some("the name or the password is wrong");
            let page = sign_in_page(&caller, &to, &name, error);
            Ok((StatusCode::FORBIDDEN, page).into_response())
        }
    }
}

/// A page with a button. The link is used up by `POST` only, so that programs that preview links do not use it.
pub fn link(_: &App, caller: Caller) -> PageResult {
    let body = html! {
        p { "The link works once." }
        form method="post" { button.primary { "Sign in" } }
    };
    Ok(page(&caller, "", "Sign in", &body))
}

pub fn use_link(app: &App, (Path(secret), headers): (Path<String>, HeaderMap)) -> Result<Response> {
    from_this_site(&headers)?;
    let user = app.store.use_sign_in_link(&secret::hash(&secret))?;
    let gone = || not_found("the link was used already, or is too old");
    start_session(app, &user.ok_or_else(gone)?, "")
}

/// Starts a session; returns its cookie.
pub fn new_session(app: &App, user: &User) -> Result<CookieJar> {
    let (secret, csrf) = (secret::random()?, secret::random()?);
    let expires_ms = now_ms() + SESSION_MS;
    app.store
        .start_session(&secret::hash(&secret), user.id, &csrf, expires_ms)?;
    Ok(CookieJar::new().add(session_cookie(
        app,
        secret,
        Duration::milliseconds(SESSION_MS),
    )))
}

/// Whether an address is that of a page of this server. Browsers read a backslash as a slash and leave
/// out tabs and line breaks, and a header has no control characters.
fn is_local(to: &str) -> bool {
    let is_harmful = |c: char| c == '\\' || c.is_control();
    to.starts_with('/') && !to.starts_with("//") && !to.contains(is_harmful)
}

fn start_session(app: &App, user: &User, to: &str) -> Result<Response> {
    let cookie = new_session(app, user)?;
    let to = if is_local(to) { to } else { "/problems" };
    Ok((cookie, Redirect::to(to)).into_response())
}

fn session_cookie(app: &App, secret: String, age: Duration) -> Cookie<'static> {
    let mut cookie = Cookie::build((COOKIE_NAME, secret))
        .path("/")
        .max_age(age)
        .http_only(true)
        .same_site(SameSite::Lax);
    if app.secure {
        cookie = cookie.secure(true);
    }
    cookie.build()
}

/// The hash of the session's secret that a browser sends.
pub fn session_hash(headers: &HeaderMap) -> Option<String> {
    session_secret(headers).map(|secret| secret::hash(&secret))
}

pub fn sign_out(app: &App, (headers, _form): (HeaderMap, http::Form<Caller>)) -> Result<Response> {
    if let Some(hash) = session_hash(&headers) {
        app.store.end_session(&hash)?;
    }
    let ended = CookieJar::new().add(session_cookie(app, String::new(), Duration::ZERO));
    Ok((ended, Redirect::to("/sign-in")).into_response())
}
