//! `GET` of collections and of their objects.

use crate::contest_api::ObjectType;
use crate::contest_view::View;
use crate::http::{App, Caller, Result, not_found};
use axum::Json;
use axum::extract::{Path, Query};
use serde_json::Value;
use std::collections::BTreeMap;

/// Conditions on properties, such as `team_id=42`; an empty value means that the property is missing.
type Filter = Query<BTreeMap<String, String>>;

/// The caller, the contest, and conditions.
pub type Listing = (Caller, Path<String>, Filter);

pub fn list(
    app: &App,
    (caller, Path((contest, kind)), filter): (Caller, Path<(String, String)>, Filter),
) -> Result<Json<Vec<Value>>> {
    collection(app, (caller, Path(contest), filter), known(&kind)?)
}

pub fn get(
    app: &App,
    (caller, Path((contest, kind, id))): (Caller, Path<(String, String, String)>),
) -> Result<Json<Value>> {
    object(app, (caller, Path((contest, id))), known(&kind)?)
}

fn known(kind: &str) -> Result<ObjectType> {
    let unknown = || not_found(format!("the Contest API has no {kind:?} here"));
    ObjectType::from_word(kind).ok_or_else(unknown)
}

/// The objects of a collection that the caller may see and that fit the filter.
pub fn collection(
    app: &App,
    (caller, Path(contest), Query(filter)): Listing,
    kind: ObjectType,
) -> Result<Json<Vec<Value>>> {
    let mut objects = View::open(app, caller.viewer, &contest)?.collection(kind)?;
    objects.retain(|object| fits(object, &filter));
    Ok(Json(objects))
}

/// The object of a collection with this id.
/// Fails with `NotFound` if there is none that the caller may see.
pub fn object(
    app: &App,
    (caller, Path((contest, id))): (Caller, Path<(String, String)>),
    kind: ObjectType,
) -> Result<Json<Value>> {
    let objects = View::open(app, caller.viewer, &contest)?.collection(kind)?;
    let found = objects.into_iter().find(|own| own["id"] == id.as_str());
    let gone = || not_found(format!("there is no {id:?} in {}", kind.word()));
    found.map(Json).ok_or_else(gone)
}

/// Only properties whose values are ids filter; other parameters are ignored.
pub(super) fn fits(object: &Value, filter: &BTreeMap<String, String>) -> bool {
    let mut conditions = filter.iter().filter(|(name, _)| name.ends_with("_id"));
    conditions.all(|(name, wanted)| match &object[name] {
        Value::Null => wanted.is_empty(),
        value => value == wanted.as_str(),
    })
}
