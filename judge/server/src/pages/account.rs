//! The user's account: password, sessions, tokens of programs.

use super::parts::{Form, csrf_field, date};
use super::sign_in::{new_session, session_hash};
use super::{Section, page};
use crate::http::auth::by_password;
use crate::http::error::{AppState, PageResult};
use crate::http::{App, HttpError, Result, SignedIn};
use crate::layout::{Field, copyable, field, table};
use crate::secret;
use crate::store::{OpenSession, Token, TokenId};
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/account", get(shown))
        .route("/account/password", post(change_password))
        .route("/account/sessions/end-others", post(end_others))
        .route("/account/tokens", post(add_token))
        .route("/account/tokens/remove", post(remove_token))
}

/// Bytes of a new password.
const SHORTEST: usize = 8;
/// Longer ones only cost time to hash.
const LONGEST: usize = 200;
/// Tokens of a user.
const MOST_TOKENS: usize = 20;

/// What is wrong with a form on the page, or what came of it.
#[derive(Default)]
struct Note {
    current: Option<&'static str>,
    new: Option<&'static str>,
    /// A new token, which is shown once.
    token: Option<String>,
}

async fn shown(app: AppState, signed_in: SignedIn, headers: HeaderMap) -> PageResult {
    account_page(&app, signed_in, &headers, Note::default()).await
}

async fn account_page(
    app: &App,
    signed_in: SignedIn,
    headers: &HeaderMap,
    note: Note,
) -> PageResult {
    let current = session_hash(headers);
    app.blocking(move |app| {
        let caller = &signed_in.caller;
        let user = &signed_in.user;
        let sessions = app.store.sessions_of(user.id)?;
        let tokens = app.store.tokens(user.id)?;
        let team = user.team.map(|id| app.store.team(id)).transpose()?;
        let body = html! {
            dl.facts {
                div { dt { "Name" } dd { (user.name) } }
                div { dt { "Role" } dd { (user.role.word()) } }
                @if let Some(team) = &team { div { dt { "Team" } dd { (team.name) } } }
            }
            h2 { "Password" }
            form method="post" action="/account/password" {
                (csrf_field(caller))
                @if user.password_hash.is_some() {
                    (field(&Field {
                        name: "current", label: "Present password", kind: "password", value: "",
                        error: note.current, required: true,
                    }))
                }
                (field(&Field {
                    name: "new", label: "New password, at least 8 characters", kind: "password", value: "",
                    error: note.new, required: true,
                }))
                button { "Change the password" }
                p.quiet { "Ends all other sessions." }
            }
            h2 { "Sessions" }
            (session_list(&sessions, current.as_deref()))
            @if sessions.len() > 1 {
                form method="post" action="/account/sessions/end-others" {
                    (csrf_field(caller))
                    button { "End all others" }
                }
            }
            h2 { "Tokens" }
            p { "A program signs in as you with a token, in the header " code { "Authorization: Bearer TOKEN" } "." }
            @if let Some(token) = &note.token {
                div.notice role="status" {
                    p { "Your new token. It is shown only now: copy it." }
                    (copyable("new-token", "new token", token))
                }
            }
            (token_list(&tokens, &csrf_field(caller)))
            form method="post" action="/account/tokens" {
                (csrf_field(caller))
                (field(&Field {
                    name: "name", label: "What it is for", kind: "text", value: "", error: None, required: true,
                }))
                button { "Make a token" }
            }
        };
        Ok(page(caller, Section::Other, "Your account", &body))
    })
    .await
}

fn session_list(sessions: &[OpenSession], current: Option<&str>) -> Markup {
    let row = |session: &OpenSession| {
        vec![
            date(session.created_ms),
            date(session.expires_ms),
            html! { @if current == Some(session.hash.as_str()) { "this one" } },
        ]
    };
    let rows: Vec<_> = sessions.iter().map(row).collect();
    table("Sessions", &["Signed in", "Ends", "Which"], &rows)
}

fn token_list(tokens: &[Token], csrf: &Markup) -> Markup {
    let row = |token: &Token| {
        vec![
            html! { (token.name) },
            date(token.created_ms),
            html! {
                form method="post" action="/account/tokens/remove" {
                    (csrf)
                    input type="hidden" name="id" value=(token.id);
                    button aria-label={ "Remove " (token.name) } { "Remove" }
                }
            },
        ]
    };
    let rows: Vec<_> = tokens.iter().map(row).collect();
    html! { @if !rows.is_empty() { (table("Tokens", &["Name", "Made", "Action"], &rows)) } }
}

#[derive(Deserialize)]
struct Passwords {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    current: String,
    new: String,
}

async fn change_password(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Form(sent): Form<Passwords>,
) -> Result<Response> {
    signed_in.caller.check_csrf(&sent.csrf)?;
    let user = signed_in.user.clone();
    let has_password = user.password_hash.is_some();
    let note = if !(SHORTEST..=LONGEST).contains(&sent.new.len()) {
        Note {
            new: Some("use 8 to 200 characters"),
            ..Note::default()
        }
    } else if has_password
        && by_password(&app, signed_in.caller.address, &user.name, &sent.current)
            .await?
            .is_none()
    {
        Note {
            current: Some("this is not your present password"),
            ..Note::default()
        }
    } else {
        let id = user.id;
        app.blocking(move |app| {
            let hash = secret::hash_password(&sent.new)?;
            Ok(app.store.set_password(id, Some(&hash))?)
        })
        .await?;
        let cookie = new_session(&app, &user).await?;
        return Ok((cookie, Redirect::to("/account")).into_response());
    };
    let page = account_page(&app, signed_in, &headers, note).await?;
    Ok((StatusCode::BAD_REQUEST, page).into_response())
}

#[derive(Deserialize)]
struct OnlyCsrf {
    #[serde(default)]
    csrf: String,
}

async fn end_others(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Form(sent): Form<OnlyCsrf>,
) -> Result<Redirect> {
    signed_in.caller.check_csrf(&sent.csrf)?;
    let kept = session_hash(&headers).unwrap_or_default();
    let user = signed_in.user.id;
    app.blocking(move |app| Ok(app.store.end_other_sessions(user, &kept)?))
        .await?;
    Ok(Redirect::to("/account"))
}

#[derive(Deserialize)]
struct NewToken {
    #[serde(default)]
    csrf: String,
    name: String,
}

async fn add_token(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Form(sent): Form<NewToken>,
) -> PageResult {
    signed_in.caller.check_csrf(&sent.csrf)?;
    let name: String = sent.name.trim().chars().take(100).collect();
    if name.is_empty() {
        return Err(HttpError::BadRequest("a token needs a name".to_owned()));
    }
    let token = secret::random()?;
    let (hash, user) = (secret::hash(&token), signed_in.user.id);
    app.blocking(move |app| {
        if app.store.tokens(user)?.len() >= MOST_TOKENS {
            let what = format!("you have {MOST_TOKENS} tokens; remove one first");
            return Err(HttpError::Conflict(what));
        }
        Ok(app.store.add_token(&hash, user, &name)?)
    })
    .await?;
    let note = Note {
        token: Some(token),
        ..Note::default()
    };
    account_page(&app, signed_in, &headers, note).await
}

#[derive(Deserialize)]
struct OldToken {
    #[serde(default)]
    csrf: String,
    id: i64,
}

async fn remove_token(
    app: AppState,
    signed_in: SignedIn,
    Form(sent): Form<OldToken>,
) -> Result<Redirect> {
    signed_in.caller.check_csrf(&sent.csrf)?;
    let user = signed_in.user.id;
    app.blocking(move |app| Ok(app.store.remove_token(user, TokenId(sent.id))?))
        .await?;
    Ok(Redirect::to("/account"))
}
