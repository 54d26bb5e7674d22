//! Announces what follows from the data or from the time: the contest and its state, configuration,
//! awards. Compares what viewers received last with what is true now, so that every change is
//! announced once, also after a restart.

use crate::contest_api::ObjectType;
use crate::contest_view::View;
use crate::http::{App, Result};
use crate::store::{Contest, ContestId, FeedRow, Feedback, Notice, Role, TeamId, Visibility};
use serde_json::Value;
use std::collections::HashMap;

/// The objects to compare with those announced before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// Awards, after new results.
    Awards,
    /// Everything.
    All,
}

/// Types in the order in which they are announced: objects refer to earlier ones only, and a state
/// that ends the updates comes last.
const TYPES: [ObjectType; 10] = [
    ObjectType::Contest,
    ObjectType::JudgementTypes,
    ObjectType::Languages,
    ObjectType::Problems,
    ObjectType::Groups,
    ObjectType::Organizations,
    ObjectType::Teams,
    ObjectType::Persons,
    ObjectType::Awards,
    ObjectType::State,
];

/// An object as each audience sees it; `None`: not at all.
#[derive(Clone, PartialEq, Default, Debug)]
struct Versions {
    jury: Option<Value>,
    spectators: Option<Value>,
    /// The hidden team that the jury's version was also for.
    team: Option<TeamId>,
}

/// The type and the id of an object; singletons have none.
type ObjectKey = (ObjectType, Option<String>);

/// Announces the differences. Only one thread calls it.
pub fn sync(app: &App, contest: ContestId, part: Scope) -> Result<()> {
    let types = match part {
        Scope::Awards => &[ObjectType::Awards][..],
        Scope::All => &TYPES[..],
    };
    let contest = app.store.contest(contest)?;
    if contest.end_of_updates_ms.is_some() && app.store.updates_have_ended(contest.id)? {
        return Ok(());
    }
    let jury = View::as_role(app, contest.clone(), Role::Jury);
    let spectators = View {
        now_ms: jury.now_ms,
        ..View::as_role(app, contest.clone(), Role::Public)
    };
    let names: Vec<&str> = types.iter().map(|kind| kind.word()).collect();
    let mut known = known(types, app.store.last_rows_of(contest.id, &names)?)?;
    let teams = match types.contains(&ObjectType::Teams) {
        true => app.store.contest_teams(contest.id)?,
        false => Vec::new(),
    };
    let team: HashMap<&str, TeamId> = teams.iter().map(|t| (t.ext.as_str(), t.id)).collect();
    let mut changes = Vec::new();
    for &kind in types {
        for (id, now) in present(&jury, &spectators, kind)? {
            let key = (kind, id);
            let before = known.remove(&key).unwrap_or_default();
            // A hidden team sees itself.
            let hidden = now.spectators.is_none() && kind == ObjectType::Teams;
            let member = key
                .1
                .as_deref()
                .and_then(|id| team.get(id))
                .filter(|_| hidden);
            let for_jury = member.map_or(Visibility::Jury, |team| Visibility::Team(*team));
            changes.extend(difference(&key, &before, now, for_jury));
        }
    }
    let has_ended = |change: &RowChange| {
        change.0.0 == ObjectType::State && change.2.as_ref().is_some_and(|s| !s["ended"].is_null())
    };
    if contest.feedback == Some(Feedback::Samples) && changes.iter().any(has_ended) {
        app.store.announce_results(contest.id)?;
    }
    let is_state = |change: &RowChange| change.0.0 == ObjectType::State;
    let (state, mut changes): (Vec<RowChange>, Vec<RowChange>) =
        changes.into_iter().partition(is_state);
    let mut gone: Vec<(ObjectKey, Versions)> = known.into_iter().collect();
    gone.sort_by(|(a, _), (b, _)| b.cmp(a));
    for (key, before) in gone {
        let for_jury = before.team.map_or(Visibility::Jury, Visibility::Team);
        changes.extend(difference(&key, &before, Versions::default(), for_jury));
    }
    changes.extend(state);
    announce(app, &contest, changes)
}

/// A row to write: the object, its audience and its data.
type RowChange = (ObjectKey, Visibility, Option<Value>);

fn difference(
    key: &ObjectKey,
    before: &Versions,
    now: Versions,
    for_jury: Visibility,
) -> Vec<RowChange> {
    let for_spectators = before.spectators != now.spectators;
    // A team that becomes hidden loses the version for spectators, and gets its own.
    let is_hidden = matches!(for_jury, Visibility::Team(_));
    let for_the_jury = before.jury != now.jury || (for_spectators && is_hidden);
    if for_the_jury && for_spectators && now.jury == now.spectators {
        return vec![(key.clone(), Visibility::Public, now.jury)];
    }
    let mut changes = Vec::new();
    if for_spectators {
        changes.push((key.clone(), Visibility::Spectators, now.spectators));
    }
    if for_the_jury {
        changes.push((key.clone(), for_jury, now.jury));
    }
    changes
}

fn announce(app: &App, contest: &Contest, changes: Vec<RowChange>) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let notice = |((kind, object), visible, data): RowChange| {
        let notice = Notice {
            contest: contest.id,
            kind: kind.word(),
            object,
            visible,
            about: None,
        };
        (notice, data)
    };
    Ok(app
        .store
        .announce_all(changes.into_iter().map(notice).collect())?)
}

/// The last version that each audience received.
fn known(types: &[ObjectType], rows: Vec<FeedRow>) -> Result<HashMap<ObjectKey, Versions>> {
    let mut known: HashMap<ObjectKey, Versions> = HashMap::new();
    for row in rows {
        let Some(kind) = types.iter().find(|kind| kind.word() == row.kind) else {
            continue;
        };
        let data = row
            .data
            .as_deref()
            .map(serde_json::from_str::<Value>)
            .transpose()?;
        let seen = known.entry((*kind, row.object)).or_default();
        if row.visible != Visibility::Spectators {
            seen.jury = data.clone();
            seen.team = match row.visible {
                Visibility::Team(team) => Some(team),
                _ => None,
            };
        }
        if matches!(row.visible, Visibility::Public | Visibility::Spectators) {
            seen.spectators = data;
        }
    }
    // What is deleted for both is not known any more.
    known.retain(|_, seen| seen.jury.is_some() || seen.spectators.is_some());
    Ok(known)
}

/// The objects of a type, in the order of the collection.
fn present(
    jury: &View<'_>,
    spectators: &View<'_>,
    kind: ObjectType,
) -> Result<Vec<(Option<String>, Versions)>> {
    let single = |jury, spectators| {
        let seen = Versions {
            jury: Some(jury),
            spectators: Some(spectators),
            team: None,
        };
        Ok(vec![(None, seen)])
    };
    match kind {
        ObjectType::Contest => return single(jury.contest()?, spectators.contest()?),
        ObjectType::State => return single(jury.state()?, spectators.state()?),
        _ => {}
    }
    let id = |object: &Value| object["id"].as_str().map(str::to_owned);
    let seen_by_spectators = spectators.collection(kind)?;
    let mut seen_by_spectators: HashMap<Option<String>, Value> = seen_by_spectators
        .into_iter()
        .map(|object| (id(&object), object))
        .collect();
    // The jury sees everything that spectators see, in its own version.
    let of_jury = jury.collection(kind)?.into_iter().map(|object| {
        let id = id(&object);
        let seen = Versions {
            spectators: seen_by_spectators.remove(&id),
            jury: Some(object),
            team: None,
        };
        (id, seen)
    });
    Ok(of_jury.collect())
}
