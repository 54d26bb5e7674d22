//! Signing in: by password, or by a link that works once.

use super::auth::{COOKIE_NAME, by_password, session_secret};
use super::error::{AppState, PageResult};
use super::page::page;
use super::{App, Caller, HttpError, Result};
use crate::secret;
use crate::store::{User, now_ms};
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use maud::html;
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
    let body = html! {
        form method="post" action="/sign-in" {
            input type="hidden" name="to" value=(target.to);
            p { label { "Name " input name="name" autocomplete="username" required; } }
            p { label { "Password " input type="password" name="password" autocomplete="current-password" required; } }
            button { "Sign in" }
        }
    };
    Ok(page(
        "Sign in",
        caller.viewer,
        caller.csrf.as_deref(),
        &body,
    ))
}

async fn sign_in(app: AppState, Form(sent): Form<Credentials>) -> Result<Response> {
    let user = by_password(&app, &sent.name, &sent.password).await?;
    let user =
        user.ok_or_else(|| HttpError::Forbidden("the name or the password is wrong".to_owned()))?;
    start_session(&app, &user, &sent.to).await
}

/// A page with a button: programs that only look at links do not use them up.
async fn link(caller: Caller) -> PageResult {
    let body = html! { form method="post" { button { "Sign in" } } };
    Ok(page(
        "Sign in",
        caller.viewer,
        caller.csrf.as_deref(),
        &body,
    ))
}

async fn use_link(app: AppState, Path(secret): Path<String>) -> Result<Response> {
    let hash = secret::hash(&secret);
    let user = app
        .blocking(move |app| Ok(app.store.use_sign_in_link(&hash)?))
        .await?;
    let gone = || HttpError::NotFound("the link was used already, or is too old".to_owned());
    start_session(&app, &user.ok_or_else(gone)?, "").await
}

async fn start_session(app: &App, user: &User, to: &str) -> Result<Response> {
    let (secret, csrf) = (secret::random()?, secret::random()?);
    let (hash, id) = (secret::hash(&secret), user.id);
    app.blocking(move |app| {
        Ok(app
            .store
            .start_session(&hash, id, &csrf, now_ms() + SESSION_MS)?)
    })
    .await?;
    let secure = if app.secure { "; Secure" } else { "" };
    let age = SESSION_MS / 1000;
    let cookie =
        format!("{COOKIE_NAME}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
    // Only to a page of this server.
    let is_local = to.starts_with('/') && !to.starts_with("//") && !to.contains('\\');
    let to = if is_local { to } else { "/problems" };
    Ok((
        AppendHeaders([(header::SET_COOKIE, cookie)]),
        Redirect::to(to),
    )
        .into_response())
}

async fn sign_out(
    app: AppState,
    caller: Caller,
    headers: HeaderMap,
    Form(sent): Form<Csrf>,
) -> Result<Response> {
    caller.check_csrf(&sent.csrf)?;
    let cookies = headers
        .get(header::COOKIE)
        .and_then(|value| value.to_str().ok());
    if let Some(secret) = cookies.and_then(session_secret) {
        let hash = secret::hash(secret);
        app.blocking(move |app| Ok(app.store.end_session(&hash)?))
            .await?;
    }
    let cookie = format!("{COOKIE_NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    Ok((
        AppendHeaders([(header::SET_COOKIE, cookie)]),
        Redirect::to("/sign-in"),
    )
        .into_response())
}
