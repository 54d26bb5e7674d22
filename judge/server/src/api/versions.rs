//! Older versions of the Contest API under addresses of their own. Requests and responses change their form on the way
//! between the client and the handlers, which know only the newest version.

use super::collections::fits;
use crate::contest_api::{ApiVersion, ObjectType, OlderFeed};
use crate::http::{App, Result, bad_request, internal, not_found};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::collections::BTreeMap;
use tokio_stream::StreamExt;

type Fields = BTreeMap<String, String>;

/// The address of a version's API.
pub fn base(version: ApiVersion) -> String {
    format!("/api/{}", version.word())
}

/// The kind of content of an address.
enum Content {
    Information,
    Access,
    Feed,
    /// One object or several ones.
    Objects(ObjectType),
    /// Files, and what is not of the specification.
    Other,
}

/// The content at an address below the base of a version.
/// Fails with `NotFound` for a type of objects that the version does not have.
fn content(version: ApiVersion, path: &str) -> Result<Content> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let kind = match parts[..] {
        [""] => return Ok(Content::Information),
        ["contests"] | ["contests", _] => return Ok(Content::Objects(ObjectType::Contest)),
        ["contests", _, "access"] => return Ok(Content::Access),
        ["contests", _, "event-feed"] => return Ok(Content::Feed),
        ["contests", _, "account"] => ObjectType::Accounts.word(),
        ["contests", _, kind] | ["contests", _, kind, _] => kind,
        _ => return Ok(Content::Other),
    };
    let unknown = || {
        let version = version.word();
        not_found(format!(
            "version {version} of the Contest API has no {kind:?}"
        ))
    };
    version
        .type_of(kind)
        .map(Content::Objects)
        .ok_or_else(unknown)
}

/// Changes a request of an older version into one of the newest, and its response back.
pub async fn change(
    State((app, version)): State<(App, ApiVersion)>,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let base = base(version);
    let path = request.uri().path();
    let content = content(version, path.strip_prefix(&base).unwrap_or(path))?;
    let query =
        Query::<Fields>::try_from_uri(request.uri()).map_err(|e| bad_request(e.body_text()))?;
    let Query(mut query) = query;
    let contest = path.split('/').nth(4).unwrap_or_default().to_owned();
    let kind = match content {
        Content::Other => return Ok(next.run(request).await),
        Content::Feed => return feed(version, query, request, next).await,
        Content::Objects(kind) => Some(kind),
        Content::Information | Content::Access => None,
    };
    let is_list = kind.is_some_and(|kind| kind != ObjectType::Scoreboard);
    if is_list {
        // Their names are those of the version: what is left is filtered below.
        set_query(&mut request, &Fields::new());
    } else {
        let event = query.remove("after_event_id");
        if event.is_some() {
            return Err(bad_request(
                "`after_event_id` is not supported; ask for the present scoreboard",
            ));
        }
    }
    let has_body = request.method() != Method::HEAD;
    if kind == Some(ObjectType::Clarifications) && request.method() != Method::GET {
        request = match with_sent(version, request).await {
            Ok(request) => request,
            Err(refused) => return Ok(refused),
        };
    }
    let response = next.run(request).await;
    let is_json = response.headers().get(header::CONTENT_TYPE);
    let is_json = is_json.is_some_and(|own| own.as_bytes().starts_with(b"application/json"));
    if !(response.status().is_success() && is_json && has_body) {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.map_err(internal)?;
    let value: Value = serde_json::from_slice(&body)?;
    let older = match (content, value) {
        (Content::Access, value) => version.access(value),
        (Content::Objects(kind), Value::Array(objects)) => {
            let objects = objects.into_iter();
            let objects = objects.filter_map(|object| version.object(kind, object));
            objects.filter(|object| fits(object, &query)).collect()
        }
        (Content::Objects(kind), value) => {
            let gone = || not_found("this version of the Contest API has no such object");
            let mut object = version.object(kind, value).ok_or_else(gone)?;
            if kind == ObjectType::Scoreboard && version == ApiVersion::V2020_03 {
                object["event_id"] = last_event(&app, contest).await?.into();
            }
            object
        }
        (_, value) => version.information(value),
    };
    relocate(&mut parts.headers, &base);
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(parts, Body::from(older.to_string())))
}

fn set_query(request: &mut Request, query: &Fields) {
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs = query
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped(value)));
    let pairs: Vec<String> = pairs.collect();
    let path = request.uri().path();
    if let Ok(uri) = format!("{path}?{}", pairs.join("&")).parse::<Uri>() {
        *request.uri_mut() = uri;
    }
}

/// The request with the clarification that it sends in the form of the newest version. A body that is no object stays as it is:
/// the handler refuses it.
/// Fails with the response when the body is too large.
async fn with_sent(
    version: ApiVersion,
    request: Request,
) -> std::result::Result<Request, Response> {
    let (mut parts, body) = request.into_parts();
    let own = Request::from_parts(parts.clone(), body);
    // As much as the handlers accept.
    let body = Bytes::from_request(own, &()).await;
    let body = body.map_err(IntoResponse::into_response)?;
    let body = match serde_json::from_slice(&body) {
        Ok(object) => version
            .sent(ObjectType::Clarifications, object)
            .to_string()
            .into(),
        Err(_) => body,
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// The address of a created object in this version.
fn relocate(headers: &mut HeaderMap, base: &str) {
    let location = headers
        .get(header::LOCATION)
        .and_then(|own| own.to_str().ok());
    let path = location.and_then(|own| own.strip_prefix("/api"));
    let moved = path.and_then(|path| HeaderValue::from_str(&format!("{base}{path}")).ok());
    if let Some(moved) = moved {
        headers.insert(header::LOCATION, moved);
    }
}

/// The id of the last event of a contest, which a feed can continue from.
async fn last_event(app: &App, contest: String) -> Result<String> {
    let last = app.blocking(move |app| {
        let unknown = || not_found(format!("there is no contest {contest:?}"));
        let contest = app.store.contest_by_ext(&contest)?.ok_or_else(unknown)?;
        Ok(app.store.last_feed_row(contest.id)?)
    });
    Ok(last.await?.to_string())
}

/// The event feed. It is read from its first event on, because an event that deletes an object, or in 2020-03 creates
/// one, depends on what the client knows; events up to its last one are left out.
async fn feed(
    version: ApiVersion,
    mut query: Fields,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let name = match version {
        ApiVersion::V2020_03 => "since_id",
        _ => "since_token",
    };
    let types = query
        .remove("types")
        .filter(|_| version == ApiVersion::V2020_03);
    let mut since = 0;
    if let Some(token) = query.remove(name) {
        // Whether the server gave this token.
        let mut probe = Request::new(Body::empty());
        (*probe.uri_mut(), *probe.headers_mut()) =
            (request.uri().clone(), request.headers().clone());
        *probe.extensions_mut() = request.extensions().clone();
        let ends = [
            ("since_token", token.clone()),
            ("stream", "false".to_owned()),
        ];
        set_query(
            &mut probe,
            &ends.map(|(name, value)| (name.to_owned(), value)).into(),
        );
        let answer = next.clone().run(probe).await;
        if !answer.status().is_success() {
            return Ok(answer);
        }
        since = token.parse().map_err(internal)?;
    }
    set_query(&mut request, &query);
    let response = next.run(request).await;
    if !response.status().is_success() {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let mut lines = Lines {
        feed: OlderFeed::new(version),
        since,
        types: types.map(|types| types.split(',').map(str::to_owned).collect()),
        rest: Vec::new(),
    };
    let chunks = body
        .into_data_stream()
        .map(move |chunk| chunk.map(|chunk| lines.take(&chunk)));
    // An empty chunk would say nothing to the client.
    let chunks = chunks.filter(|chunk| chunk.as_ref().map_or(true, |chunk| !chunk.is_empty()));
    Ok((parts, Body::from_stream(chunks)).into_response())
}

/// The lines of a feed, which arrive in pieces.
struct Lines {
    feed: OlderFeed,
    /// Events up to this token are left out.
    since: i64,
    /// The types to send; `None`: all.
    types: Option<Vec<String>>,
    /// The beginning of a line whose end has not arrived.
    rest: Vec<u8>,
}

impl Lines {
    /// The complete lines so far in the form of the version.
    fn take(&mut self, chunk: &[u8]) -> Bytes {
        self.rest.extend_from_slice(chunk);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return Bytes::new();
        };
        let rest = self.rest.split_off(end + 1);
        let whole = std::mem::replace(&mut self.rest, rest);
        let lines = whole.split_inclusive(|byte| *byte == b'\n');
        lines.filter_map(|line| self.line(line)).flatten().collect()
    }

    fn line(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let Ok(event) = serde_json::from_slice::<Value>(line) else {
            // It keeps the connection alive.
            return Some(line.to_vec());
        };
        let older = self.feed.event(&event)?;
        let token = event["token"].as_str()?.parse::<i64>().ok()?;
        let wanted = self.types.as_ref();
        let is_wanted =
            wanted.is_none_or(|types| types.iter().any(|own| older["type"] == own.as_str()));
        (token > self.since && is_wanted).then(|| format!("{older}\n").into_bytes())
    }
}
