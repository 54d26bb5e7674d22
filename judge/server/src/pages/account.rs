//! The user's account: password, sessions, tokens of programs.

use super::confirm::Question;
use super::page;
use super::parts::{csrf_field, date};
use super::sign_in::{new_session, session_hash};
use crate::http::auth::by_password;
use crate::http::rate::NEW_PASSWORDS;
use crate::http::{App, Form, PageResult, Result, SignedIn, bad_request, conflict, not_found};
use crate::layout::{Field, Table, copyable, field, input};
use crate::secret;
use crate::store::{OpenSession, Token, TokenId};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, Render, html};

/// Minimum bytes of a new password.
const MIN_PASSWORD: usize = 8;
/// Maximum bytes of a new password: longer ones only cost time to hash.
const MAX_PASSWORD: usize = 200;
/// Maximum number of tokens of a user.
const MAX_TOKENS: usize = 20;

/// Messages on the page: errors of a form, or its result.
#[derive(Default)]
struct Note {
    current: Option<&'static str>,
    new: Option<&'static str>,
    /// A new token, which is shown once.
    token: Option<String>,
}

pub fn shown(app: &App, (signed_in, headers): (SignedIn, HeaderMap)) -> PageResult {
    account_page(app, &signed_in, &headers, &Note::default())
}

fn account_page(app: &App, signed_in: &SignedIn, headers: &HeaderMap, note: &Note) -> PageResult {
    let current = session_hash(headers);
    let SignedIn { caller, user } = signed_in;
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
            p.quiet { "Ends all other sessions, and removes all tokens and unused sign-in links." }
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
        @if !tokens.is_empty() { (token_list(&tokens, &csrf_field(caller))) }
        form method="post" action="/account/tokens" {
            (csrf_field(caller))
            (input("name", "What it is for", "text", true))
            button { "Make a token" }
        }
    };
    Ok(page(caller, "", "Your account", &body))
}

fn session_list(sessions: &[OpenSession], current: Option<&str>) -> Markup {
    Table::new("Sessions", sessions)
        .column("Signed in", |own| date(own.created_ms))
        .column("Ends", |own| date(own.expires_ms))
        .column("Which", |own| match current == Some(own.hash.as_str()) {
            true => "this one",
            false => "",
        })
        .render()
}

fn token_list(tokens: &[Token], csrf: &Markup) -> Markup {
    Table::new("Tokens", tokens)
        .column("Name", |token| &token.name)
        .column("Made", |token| date(token.created_ms))
        .column("Action", |token| {
            html! {
                form method="post" action="/account/tokens/remove" {
                    (csrf)
                    input type="hidden" name="id" value=(token.id);
                    button aria-label={ "Remove " (token.name) } { "Remove" }
                }
            }
        })
        .render()
}

pub fn change_password(
    app: &App,
    (headers, form): (HeaderMap, Form<SignedIn>),
) -> Result<Response> {
    let SignedIn { caller, user } = &form.by;
    let (current, new) = (form.fields.text("current"), form.fields.text("new"));
    let is_current = |app| by_password(app, caller.address, &user.name, current);
    let note = if !(MIN_PASSWORD..=MAX_PASSWORD).contains(&new.len()) {
        Note {
            new: Some("use 8 to 200 characters"),
            ..Note::default()
        }
    } else if user.password_hash.is_some() && is_current(app)?.is_none() {
        Note {
            current: Some("this is not your present password"),
            ..Note::default()
        }
    } else {
        app.rates.take(NEW_PASSWORDS, user.id)?;
        let hash = secret::Slot::take(String::new())?.hash(new)?;
        app.store.set_password(user.id, Some(&hash))?;
        let cookie = new_session(app, user)?;
        return Ok((cookie, Redirect::to("/account")).into_response());
    };
    let page = account_page(app, &form.by, &headers, &note)?;
    Ok((StatusCode::BAD_REQUEST, page).into_response())
}

pub fn end_others(app: &App, (headers, form): (HeaderMap, Form<SignedIn>)) -> Result<Redirect> {
    let kept = session_hash(&headers).unwrap_or_default();
    app.store.end_other_sessions(form.by.user.id, &kept)?;
    Ok(Redirect::to("/account"))
}

pub fn add_token(app: &App, (headers, form): (HeaderMap, Form<SignedIn>)) -> PageResult {
    let name = form.fields.required("name", "What it is for")?;
    let user = form.by.user.id;
    if app.store.tokens(user)?.len() >= MAX_TOKENS {
        let what = format!("you have {MAX_TOKENS} tokens; remove one first");
        return Err(conflict(what));
    }
    let token = secret::random()?;
    app.store.add_token(&secret::hash(&token), user, name)?;
    let note = Note {
        token: Some(token),
        ..Note::default()
    };
    account_page(app, &form.by, &headers, &note)
}

pub fn remove_token(app: &App, form: Form<SignedIn>) -> Result<Response> {
    let id: Option<TokenId> = form.fields.parse("id")?;
    let id = id.ok_or_else(|| bad_request("name a token"))?;
    let SignedIn { caller, user } = &form.by;
    let tokens = app.store.tokens(user.id)?;
    let gone = || not_found("you have no such token");
    let token = tokens.iter().find(|token| token.id == id);
    let token = token.ok_or_else(gone)?;
    let question = Question {
        action: "/account/tokens/remove",
        changes: vec![format!(
            "Programs cannot sign in with the token {:?} any more.",
            token.name
        )],
        button: "Remove the token",
        back: "/account",
    };
    if let Some(body) = question.unanswered(caller, &form.fields) {
        let page = page(caller, "", "Remove a token", &body);
        return Ok((StatusCode::CONFLICT, page).into_response());
    }
    app.store.remove_token(user.id, id)?;
    Ok(Redirect::to("/account").into_response())
}
