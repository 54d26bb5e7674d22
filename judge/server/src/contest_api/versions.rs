//! Older versions of the Contest API, as differences from the newest one, whose objects the server makes.
//!
//! Each row of [`DIFFERENCES`] is what a version changed in a type of objects. An object gets the form of an older version
//! by taking back what later versions changed, the newest first.

use super::{ObjectType, RelTime};
use crate::word_enums::word_enums;
use ApiVersion::*;
use ObjectType::*;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

word_enums! {
    /// A version of the Contest API, the oldest first.
    ApiVersion {
        V2020_03 = "2020-03",
        V2022_07 = "2022-07",
        V2023_06 = "2023-06",
        V2026_01 = "2026-01",
    }
}

/// A change that a version made to a type of objects.
enum Change {
    /// It added the type.
    Type,
    /// It added properties.
    Added(&'static [&'static str]),
    /// It changed the form of a property; the function makes the older one.
    Form(&'static str, fn(&Value) -> Value),
    /// It renamed properties to this one; the function makes the values of the older ones, `null` for those without.
    Renamed(
        &'static str,
        &'static [&'static str],
        fn(&Value) -> Vec<Value>,
    ),
    /// It allowed objects for which this does not hold.
    Allowed(fn(&Value) -> bool),
}

use Change::*;

/// The differences between versions, the newest first. Teams have `hidden` in every version, although only 2022-07 and
/// 2023-06 define it: the resolver of the ICPC tools needs it.
const DIFFERENCES: &[(ApiVersion, ObjectType, Change)] = &[
    (V2026_01, Contest, Form("penalty_time", minutes)),
    (
        V2026_01,
        Problems,
        Added(&["memory_limit", "code_limit", "attachments"]),
    ),
    // Earlier versions cannot say that a judgement does not count.
    (
        V2026_01,
        Judgements,
        Allowed(|judgement| judgement["current"] != false),
    ),
    (V2026_01, Judgements, Added(&["current"])),
    (
        V2026_01,
        Clarifications,
        Renamed("to_team_ids", &["to_team_id"], first),
    ),
    (
        V2026_01,
        Scoreboard,
        Form("rows", |rows| each(rows, row_in_minutes)),
    ),
    (V2023_06, Contest, Added(&["scoreboard_thaw_time"])),
    (V2023_06, Teams, Added(&["label"])),
    (V2023_06, Persons, Renamed("team_ids", &["team_id"], first)),
    (V2023_06, Accounts, Added(&["name"])),
    (V2022_07, Contest, Added(&["scoreboard_type"])),
    (
        V2022_07,
        Languages,
        Added(&[
            "entry_point_required",
            "entry_point_name",
            "extensions",
            "compiler",
            "runner",
        ]),
    ),
    (V2022_07, Problems, Added(&["max_score", "statement"])),
    (
        V2022_07,
        Organizations,
        Form("logo", |files| each(files, without_filename)),
    ),
    (V2022_07, Persons, Allowed(is_team_member)),
    (V2022_07, Persons, Added(&["title", "email"])),
    (
        V2022_07,
        Persons,
        Renamed("name", &["first_name", "last_name"], names),
    ),
    (V2022_07, Accounts, Type),
    (
        V2022_07,
        Submissions,
        Form("files", |files| each(files, without_filename)),
    ),
    (V2022_07, Judgements, Added(&["score"])),
    (V2022_07, Commentary, Type),
    (
        V2022_07,
        Scoreboard,
        Form("rows", |rows| each(rows, row_without_scores)),
    ),
];

/// Names of types that were others before a version.
const TYPE_NAMES: [(ApiVersion, ObjectType, &str); 2] = [
    (V2022_07, Contest, "contests"),
    (V2022_07, Persons, "team-members"),
];

/// Capabilities that a version added.
const CAPABILITIES: [(ApiVersion, &str); 2] =
    [(V2026_01, "post_comment"), (V2023_06, "contest_thaw")];

impl ApiVersion {
    /// The version of the objects that the server makes.
    pub const NEWEST: ApiVersion = V2026_01;

    /// The address of its specification.
    pub fn url(self) -> String {
        format!("https://ccs-specs.icpc.io/{}/contest_api", self.word())
    }

    /// The changes of later versions to a type, the newest first.
    fn changes(self, kind: ObjectType) -> impl Iterator<Item = &'static Change> {
        let later = DIFFERENCES.iter().filter(move |(by, ..)| self < *by);
        later.filter_map(move |(_, of, change)| (*of == kind).then_some(change))
    }

    /// The name of a type; `None`: the version does not have it.
    pub fn type_name(self, kind: ObjectType) -> Option<&'static str> {
        if self.changes(kind).any(|change| matches!(change, Type)) {
            return None;
        }
        let mut names = TYPE_NAMES.iter();
        let older = names.find(|(by, of, _)| self < *by && *of == kind);
        Some(older.map_or(kind.word(), |(.., name)| name))
    }

    pub fn type_of(self, name: &str) -> Option<ObjectType> {
        let mut all = ObjectType::ALL.iter().copied();
        all.find(|kind| self.type_name(*kind) == Some(name))
    }

    /// An object of the newest version in the form of this one; `None`: it cannot be expressed.
    pub fn object(self, kind: ObjectType, mut object: Value) -> Option<Value> {
        for change in self.changes(kind) {
            match change {
                Type => return None,
                Allowed(is_older) => {
                    if !is_older(&object) {
                        return None;
                    }
                }
                _ => change.take_back(object.as_object_mut()?),
            }
        }
        Some(object)
    }

    /// The object of the base address in the form of this version.
    pub fn information(self, mut information: Value) -> Value {
        information["version"] = self.word().into();
        information["version_url"] = self.url().into();
        if self < V2023_06
            && let Some(object) = information.as_object_mut()
            && let Some(provider) = object.remove("provider")
        {
            object.insert("name".to_owned(), provider["name"].clone());
        }
        information
    }

    /// The object of the endpoint `access` in the form of this version.
    pub fn access(self, mut access: Value) -> Value {
        let lists = |value: &mut Value| match value.take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        };
        let mut capabilities = lists(&mut access["capabilities"]);
        let submits = capabilities.contains(&json!("team_submit"));
        capabilities.retain(|own| {
            CAPABILITIES
                .iter()
                .all(|(by, name)| *by <= self || own != name)
        });
        if self < V2026_01 {
            // It was for teams only.
            capabilities.retain(|own| submits || own != "post_clar");
            let posts = capabilities.iter_mut().filter(|own| *own == "post_clar");
            posts.for_each(|own| *own = "team_clar".into());
        }
        let endpoints = lists(&mut access["endpoints"]).into_iter();
        let endpoints = endpoints.filter_map(|mut endpoint| {
            let kind = ObjectType::from_word(endpoint["type"].as_str()?)?;
            endpoint["type"] = self.type_name(kind)?.into();
            let mut properties = lists(&mut endpoint["properties"]);
            for change in self.changes(kind) {
                match change {
                    Added(names) => properties.retain(|own| {
                        let own = own.as_str().and_then(|own| own.split('.').next());
                        own.is_none_or(|own| !names.contains(&own))
                    }),
                    Renamed(name, older, _) => {
                        if let Some(at) = properties.iter().position(|own| own == name) {
                            properties.splice(at..=at, older.iter().map(|&own| own.into()));
                        }
                    }
                    Type | Form(..) | Allowed(_) => {}
                }
            }
            endpoint["properties"] = properties.into();
            Some(endpoint)
        });
        let endpoints: Vec<Value> = endpoints.collect();
        json!({ "capabilities": capabilities, "endpoints": endpoints })
    }

    /// An object that a client sent, of a type whose objects may be posted, in the form of the newest version.
    pub fn sent(self, kind: ObjectType, mut object: Value) -> Value {
        if let (Clarifications, true, Some(own)) = (kind, self < V2026_01, object.as_object_mut())
            && let Some(team) = own.remove("to_team_id")
        {
            let teams = if team.is_null() { team } else { json!([team]) };
            own.insert("to_team_ids".to_owned(), teams);
        }
        object
    }
}

impl Change {
    fn take_back(&self, object: &mut Map<String, Value>) {
        match self {
            Added(names) => names.iter().for_each(|name| drop(object.remove(*name))),
            Form(name, older) => {
                if let Some(value) = object.get_mut(*name) {
                    *value = older(value);
                }
            }
            Renamed(name, older, values) => {
                if let Some(value) = object.remove(*name) {
                    let own = older.iter().zip(values(&value));
                    let own = own.filter(|(_, value)| !value.is_null());
                    object.extend(own.map(|(name, value)| ((*name).to_owned(), value)));
                }
            }
            Type | Allowed(_) => {}
        }
    }
}

/// Applies a function to each element.
fn each(array: &Value, make: fn(Value) -> Value) -> Value {
    let elements = array.as_array().cloned().unwrap_or_default();
    elements.into_iter().map(make).collect()
}

/// A relative time as a number of minutes, rounded down.
fn minutes(time: &Value) -> Value {
    let time = time.as_str().and_then(|text| text.parse::<RelTime>().ok());
    time.map_or(Value::Null, |time| time.minutes().into())
}

/// The first element, or `null`.
fn first(array: &Value) -> Vec<Value> {
    vec![array[0].clone()]
}

/// The first name and the last name, which is the last word.
fn names(name: &Value) -> Vec<Value> {
    let name = name.as_str().unwrap_or_default().trim();
    let (before, last) = name.rsplit_once(' ').unwrap_or(("", name));
    vec![before.into(), last.into()]
}

fn is_team_member(person: &Value) -> bool {
    person["team_id"].is_string() && (person["role"] == "contestant" || person["role"] == "coach")
}

fn without_filename(mut file: Value) -> Value {
    if let Some(file) = file.as_object_mut() {
        file.remove("filename");
    }
    file
}

/// Changes the objects of a row of the scoreboard that have times: its score and its problems.
fn change_row(mut row: Value, change: fn(&mut Map<String, Value>)) -> Value {
    row["score"].as_object_mut().map(change);
    let problems = row["problems"].as_array_mut().into_iter().flatten();
    problems.filter_map(Value::as_object_mut).for_each(change);
    row
}

fn row_in_minutes(row: Value) -> Value {
    change_row(row, |object| {
        for name in ["total_time", "time"] {
            if let Some(time) = object.get_mut(name) {
                *time = minutes(time);
            }
        }
    })
}

/// A row without what 2022-07 added: points, and the time of the last improvement.
fn row_without_scores(row: Value) -> Value {
    let mut row = change_row(row, |object| drop(object.remove("score")));
    if let Some(score) = row["score"].as_object_mut() {
        score.remove("time");
    }
    row
}

/// The events of a feed in the form of an older version, from the first one on.
pub struct OlderFeed {
    version: ApiVersion,
    /// The objects that the client knows.
    known: HashSet<(ObjectType, Option<String>)>,
}

impl OlderFeed {
    /// A client that knows nothing.
    pub fn new(version: ApiVersion) -> Self {
        OlderFeed {
            version,
            known: HashSet::new(),
        }
    }

    /// An event in the form of the version; `None`: nothing changes for the client.
    pub fn event(&mut self, event: &Value) -> Option<Value> {
        let kind = ObjectType::from_word(event["type"].as_str()?)?;
        let name = self.version.type_name(kind)?;
        let (id, data, token) = (&event["id"], &event["data"], &event["token"]);
        let key = (kind, id.as_str().map(str::to_owned));
        let data = match data {
            Value::Null => None,
            data => self.version.object(kind, data.clone()),
        };
        let op = match data {
            Some(_) if self.known.insert(key.clone()) => "create",
            Some(_) => "update",
            None if self.known.remove(&key) => "delete",
            None => return None,
        };
        Some(match self.version {
            V2020_03 => {
                let data = data.unwrap_or_else(|| json!({ "id": id }));
                json!({"type": name, "id": token, "op": op, "data": data})
            }
            _ => json!({"type": name, "id": id, "data": data, "token": token}),
        })
    }
}
