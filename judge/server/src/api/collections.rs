//! `GET` of collections and of their objects.

use super::view::View;
use crate::contest_api::ObjectType;
use crate::http::error::AppState;
use crate::http::{App, Caller, HttpError, Result};
use axum::Json;
use axum::extract::{Path, Query};
use serde_json::Value;
use std::collections::BTreeMap;

/// Conditions on properties, such as `team_id=42`; an empty value means that it is missing.
pub type Filter = Query<BTreeMap<String, String>>;

pub async fn list(
    app: AppState,
    caller: Caller,
    Path((contest, kind)): Path<(String, String)>,
    Query(filter): Filter,
) -> Result<Json<Vec<Value>>> {
    let kind = known(&kind)?;
    collection(&app, caller, contest, kind, filter).await
}

pub async fn get(
    app: AppState,
    caller: Caller,
    Path((contest, kind, id)): Path<(String, String, String)>,
) -> Result<Json<Value>> {
    let kind = known(&kind)?;
    object(&app, caller, contest, kind, id).await
}

fn known(kind: &str) -> Result<ObjectType> {
    let unknown = || HttpError::NotFound(format!("the Contest API has no {kind:?} here"));
    ObjectType::from_word(kind).ok_or_else(unknown)
}

/// The objects of a collection that the caller may see and that fit the filter.
///
/// # Errors
///
/// Those of [`View::collection`].
pub async fn collection(
    app: &App,
    caller: Caller,
    contest: String,
    kind: ObjectType,
    filter: BTreeMap<String, String>,
) -> Result<Json<Vec<Value>>> {
    let objects = app.blocking(move |app| {
        let mut objects = View::open(app, caller.viewer, &contest)?.collection(kind)?;
        objects.retain(|object| fits(object, &filter));
        Ok(objects)
    });
    Ok(Json(objects.await?))
}

/// The object of a collection with this id.
///
/// # Errors
///
/// `NotFound` if there is none that the caller may see.
pub async fn object(
    app: &App,
    caller: Caller,
    contest: String,
    kind: ObjectType,
    id: String,
) -> Result<Json<Value>> {
    let found = app.blocking(move |app| {
        let objects = View::open(app, caller.viewer, &contest)?.collection(kind)?;
        let found = objects
            .into_iter()
            .find(|object| object["id"] == id.as_str());
        found.ok_or_else(|| HttpError::NotFound(format!("there is no {id:?} in {}", kind.word())))
    });
    Ok(Json(found.await?))
}

/// Only properties whose values are ids filter; other parameters are ignored.
fn fits(object: &Value, filter: &BTreeMap<String, String>) -> bool {
    let mut conditions = filter.iter().filter(|(name, _)| name.ends_with("_id"));
    conditions.all(|(name, wanted)| match &object[name] {
        Value::Null => wanted.is_empty(),
        value => value == wanted.as_str(),
    })
}
