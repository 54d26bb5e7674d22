//! The data that an import may change, as texts, to show what it changes.

use super::{Result, Tx};
use crate::contest_api::{RelTime, Time};
use rusqlite::types::ValueRef;
use std::collections::BTreeMap;

/// Objects by their kinds and ids, each with its properties.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Overview(BTreeMap<String, BTreeMap<String, String>>);

/// Queries whose first column is the kind and the id of an object.
const OBJECTS: [&str; 11] = [
    "SELECT 'contest ' || ext, name, formal_name, start_ms, countdown_pause_ms, duration_ms, freeze_ms, thawed_ms,
         finalized_ms, scoring, penalty_ms, public, feedback, languages FROM contests",
    "SELECT 'problem ' || p.ext || ' of contest ' || c.ext, own.ordinal + 1 AS position, own.label, own.rgb, own.color
     FROM contest_problems own JOIN contests c ON c.id = own.contest JOIN problems p ON p.id = own.problem",
    "SELECT 'team ' || t.ext || ' of contest ' || c.ext
     FROM contest_teams own JOIN contests c ON c.id = own.contest JOIN teams t ON t.id = own.team",
    "SELECT 'group ' || ext, icpc_id, name, hidden FROM groups",
    "SELECT 'organization ' || ext, icpc_id, name, formal_name, country, logos.blob AS logo
     FROM organizations o LEFT JOIN logos ON logos.organization = o.id",
    "SELECT 'team ' || t.ext, t.icpc_id, t.name, t.display_name, t.label, t.hidden, o.ext AS organization
     FROM teams t LEFT JOIN organizations o ON o.id = t.organization",
    "SELECT 'team ' || t.ext || ' of group ' || g.ext
     FROM team_groups own JOIN teams t ON t.id = own.team JOIN groups g ON g.id = own.\"group\"",
    "SELECT 'person ' || ext, name, role, title, email, sex, icpc_id FROM persons",
    "SELECT 'person ' || p.ext || ' of team ' || t.ext
     FROM person_teams own JOIN persons p ON p.id = own.person JOIN teams t ON t.id = own.team",
    "SELECT 'account ' || u.ext, u.name, u.display_name, u.role, t.ext AS team, u.password_hash AS password
     FROM users u LEFT JOIN teams t ON t.id = u.team",
    "SELECT 'account ' || u.ext || ' in contest ' || c.ext, own.role
     FROM contest_roles own JOIN contests c ON c.id = own.contest JOIN users u ON u.id = own.user",
];

impl Tx<'_> {
    /// The present data.
    pub(crate) fn overview(&self) -> Result<Overview> {
        let mut objects = BTreeMap::new();
        for sql in OBJECTS {
            let mut statement = self.prepare_cached(sql)?;
            let names = statement.column_names().into_iter().map(str::to_owned);
            let names: Vec<String> = names.collect();
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let mut properties = BTreeMap::new();
                for (k, name) in names.iter().enumerate().skip(1) {
                    properties.insert(name.clone(), text(name, row.get_ref(k)?));
                }
                objects.insert(row.get(0)?, properties);
            }
        }
        Ok(Overview(objects))
    }
}

fn text(name: &str, value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "none".to_owned(),
        ValueRef::Integer(ms) if matches!(name, "start_ms" | "thawed_ms" | "finalized_ms") => {
            Time::from_millis(ms).to_string()
        }
        ValueRef::Integer(ms) if name.ends_with("_ms") => RelTime::from_millis(ms).to_string(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            format!("{:?}", String::from_utf8_lossy(bytes))
        }
    }
}

impl Overview {
    /// A line for each object that was added, and for each change or removal.
    pub(crate) fn compared_with(&self, now: &Overview) -> (Vec<String>, Vec<String>) {
        let added = now.0.keys().filter(|key| !self.0.contains_key(*key));
        let added = added.cloned().collect();
        let mut changed = Vec::new();
        for (key, before) in &self.0 {
            let Some(now) = now.0.get(key) else {
                changed.push(format!("{key}: removed"));
                continue;
            };
            for (name, value) in before.iter().filter(|(name, value)| now[*name] != **value) {
                let property = name.strip_suffix("_ms").unwrap_or(name).replace('_', " ");
                changed.push(match name.as_str() {
                    // A hash, which is random.
                    "password" | "logo" => format!("{key}: another {name}"),
                    _ => format!("{key}: {property}: {value} -> {}", now[name]),
                });
            }
        }
        (added, changed)
    }
}
