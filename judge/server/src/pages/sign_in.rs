//! Signing in, by password or by a link that works once, and signing out.

use super::parts::Form;
use super::{Section, page};
use crate::http::auth::{COOKIE_NAME, by_password, session_secret};
use crate::http::error::{AppState, PageResult};
use crate::http::{App, Caller, HttpError, Result};
use crate::layout::{Field, field};
use crate::secret;
use crate::store::{User, now_ms};
use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

/// How long a session lasts.
const SESSION_MS: i64 = 14 * 24 * 3_600_000;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/sign-in", get(form).post(sign_in))
        .route("/sign-in/{secret}", get(link).post(use_link))
        .route("/sign-out", post(sign_out))
}

#[derive(Deserialize)]
struct Target {
    #[serde(default)]
    to: String,
}

#[derive(Deserialize)]
struct Credentials {
    name: String,
    password: String,
    #[serde(default)]
    to: String,
}

#[derive(Deserialize)]
struct Csrf {
    #[serde(default)]
    csrf: String,
}

/// To the form, and from there back.
pub fn redirect(to: &str) -> Redirect {
    let encoded: String = to.bytes().fold(String::new(), |mut text, byte| {
        use std::fmt::Write;
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                text.push(byte.into());
            }
            _ => drop(write!(text, "%{byte:02X}")),
        }
        text
    });
    Redirect::to(&format!("/sign-in?to={encoded}"))
}

async fn form(caller: Caller, Query(target): Query<Target>) -> PageResult {
    Ok(sign_in_page(&caller, &target.to, "", None))
}

fn sign_in_page(caller: &Caller, to: &str, name: &str, error: Option<&str>) -> Markup {
    let body = html! {
        @if let Some(user) = &caller.user { p { "You are signed in as " (user.name) "." } }
        form method="post" action="/sign-in" {
            input type="hidden" name="to" value=(to);
            (field(&Field {
                name: "name", label: "Name", kind: "text", value: name, error: None, required: true,
            }))
            (field(&Field {
                name: "password", label: "Password", kind: "password", value: "", error, required: true,
            }))
            button.primary { "Sign in" }
        }
    };
    page(caller, Section::Other, "Sign in", &body)
}

async fn sign_in(app: AppState, caller: Caller, Form(sent): Form<Credentials>) -> Result<Response> {
    match by_password(&app, caller.address, &sent.name, &sent.password).await? {
        Some(user) => start_session(&app, &user, &sent.to).await,
        None => {
            let error = Some("the name or the password is wrong");
            let page = sign_in_page(&caller, &sent.to, &sent.name, error);
            Ok((StatusCode::FORBIDDEN, page).into_response())
        }
    }
}

/// A page with a button: programs that only look at links do not use them up.
async fn link(caller: Caller) -> PageResult {
    let body = html! {
        p { "The link works once." }
        form method="post" { button.primary { "Sign in" } }
    };
    Ok(page(&caller, Section::Other, "Sign in", &body))
}

async fn use_link(app: AppState, Path(secret): Path<String>) -> Result<Response> {
    let hash = secret::hash(&secret);
    let user = app.blocking(move |app| Ok(app.store.use_sign_in_link(&hash)?));
    let gone = || HttpError::NotFound("the link was used already, or is too old".to_owned());
    let user = user.await?.ok_or_else(gone)?;
    start_session(&app, &user, "").await
}

/// Starts a session; returns the header with its cookie.
///
/// # Errors
///
/// When the store fails.
pub async fn new_session(
    app: &App,
    user: &User,
) -> Result<AppendHeaders<[(header::HeaderName, String); 1]>> {
    let (secret, csrf) = (secret::random()?, secret::random()?);
    let (hash, id) = (secret::hash(&secret), user.id);
    let expires_ms = now_ms() + SESSION_MS;
    app.blocking(move |app| Ok(app.store.start_session(&hash, id, &csrf, expires_ms)?))
        .await?;
    let secure = if app.secure { "; Secure" } else { "" };
    let age = SESSION_MS / 1000;
    let cookie =
        format!("{COOKIE_NAME}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
    Ok(AppendHeaders([(header::SET_COOKIE, cookie)]))
}

async fn start_session(app: &App, user: &User, to: &str) -> Result<Response> {
    let cookie = new_session(app, user).await?;
    // Only to a page of this server.
    let is_local = to.starts_with('/') && !to.starts_with("//") && !to.contains('\\');
    let to = if is_local { to } else { "/problems" };
    Ok((cookie, Redirect::to(to)).into_response())
}

/// The hash of the session's secret that a browser sends.
pub fn session_hash(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    session_secret(cookies).map(secret::hash)
}

async fn sign_out(
    app: AppState,
    caller: Caller,
    headers: HeaderMap,
    Form(sent): Form<Csrf>,
) -> Result<Response> {
    caller.check_csrf(&sent.csrf)?;
    if let Some(hash) = session_hash(&headers) {
        app.blocking(move |app| Ok(app.store.end_session(&hash)?))
            .await?;
    }
    let cookie = format!("{COOKIE_NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    let headers = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((headers, Redirect::to("/sign-in")).into_response())
}
