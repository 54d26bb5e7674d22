//! The workers of all machines, from their last announcements.

use judge_core::parallel::unpoisoned;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A worker that was silent for longer is gone.
const SILENCE: Duration = Duration::from_secs(10);

/// Announcement of a worker process about itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub(crate) name: String,
    /// Distinguishes processes that have the same name.
    pub(crate) process: String,
    pub(crate) machine: String,
    /// The machine's class; empty: of a judge that knows no classes.
    #[serde(default)]
    pub(crate) machine_class: String,
    /// The version of the judge.
    pub(crate) version: String,
    /// Units that it works on at once.
    pub(crate) jobs: usize,
    /// When it started: milliseconds since 1970.
    pub(crate) since_ms: i64,
    /// The codes of the languages whose tools are not installed there; empty: also of a judge that does not
    /// say it.
    #[serde(default)]
    pub(crate) missing: Vec<String>,
    /// Whether it takes units.
    pub(crate) state: WorkerState,
    /// The units that it works on.
    pub(crate) doing: Vec<Doing>,
}

/// Whether a worker takes units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WorkerState {
    /// It takes units.
    Ready,
    /// Leasing is paused, for this reason.
    Resting(String),
    /// It finishes its units, and then ends.
    Draining,
    /// It ended.
    Gone,
}

/// A unit that a worker has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Doing {
    pub(crate) core: usize,
    /// The unit's id.
    pub(crate) unit: String,
    /// Since when: milliseconds since 1970.
    pub(crate) since_ms: i64,
}

impl Presence {
    /// Whether it may lease units for this class of machines, or for any.
    fn is_for(&self, machine_class: Option<&str>) -> bool {
        machine_class.is_none_or(|class| class == self.machine_class)
    }
}

/// The workers that were heard of lately.
#[derive(Debug, Default)]
pub struct Fleet {
    heard: Mutex<HashMap<(String, String), (Instant, Presence)>>,
    listens: AtomicBool,
}

impl Fleet {
    /// From now on workers announce themselves.
    pub fn listens(&self) {
        self.listens.store(true, Ordering::Relaxed);
    }

    /// Number of units that the workers that take units can work on at once: the workers of a class of
    /// machines, or all.
    pub fn seats(&self, machine_class: Option<&str>) -> usize {
        let workers = self.workers().into_iter();
        let ready =
            workers.filter(|own| own.state == WorkerState::Ready && own.is_for(machine_class));
        ready.map(|own| own.jobs).sum()
    }

    /// Whether a worker takes units for this class of machines, or for any. Workers that do not announce
    /// themselves always do.
    pub fn takes_units(&self, machine_class: Option<&str>) -> bool {
        !self.listens.load(Ordering::Relaxed) || self.seats(machine_class) > 0
    }

    /// Whether a worker other than this one can lease units for this class of machines, or for any, and has
    /// the tools of these languages.
    pub(crate) fn others_have(
        &self,
        worker: &str,
        machine_class: Option<&str>,
        languages: &[String],
    ) -> bool {
        let can = |own: &Presence| {
            own.name != worker
                && matches!(own.state, WorkerState::Ready | WorkerState::Resting(_))
                && own.is_for(machine_class)
                && languages.iter().all(|code| !own.missing.contains(code))
        };
        self.workers().iter().any(can)
    }

    /// Records an announcement.
    pub(crate) fn heard(&self, presence: Presence) {
        let key = (presence.name.clone(), presence.process.clone());
        let mut all = unpoisoned(self.heard.lock());
        match presence.state {
            WorkerState::Gone => all.remove(&key),
            _ => all.insert(key, (Instant::now(), presence)),
        };
    }

    /// The classes of their machines.
    pub fn machine_classes(&self) -> HashSet<String> {
        let all = self.workers().into_iter();
        all.map(|own| own.machine_class).collect()
    }

    /// The workers, by name.
    pub(crate) fn workers(&self) -> Vec<Presence> {
        let mut all = unpoisoned(self.heard.lock());
        all.retain(|_, (heard, _)| heard.elapsed() < SILENCE);
        let mut workers: Vec<Presence> = all.values().map(|(_, own)| own.clone()).collect();
        workers.sort_by(|a, b| (&a.name, a.since_ms).cmp(&(&b.name, b.since_ms)));
        workers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_left_to_a_worker_that_has_its_languages() {
        let fleet = Fleet::default();
        let worker = |name: &str, class: &str, missing: &[&str], state| Presence {
            name: name.to_owned(),
            process: String::new(),
            machine: String::new(),
            machine_class: class.to_owned(),
            version: String::new(),
            jobs: 1,
            since_ms: 0,
            missing: missing.iter().map(|&code| code.to_owned()).collect(),
            state,
            doing: Vec::new(),
        };
        fleet.heard(worker("a", "x", &["cpp"], WorkerState::Ready));
        fleet.heard(worker("b", "x", &["go"], WorkerState::Ready));
        fleet.heard(worker("c", "x", &[], WorkerState::Draining));
        let have = |worker, class, code: &str| fleet.others_have(worker, class, &[code.to_owned()]);
        assert!(have("a", None, "cpp") && have("a", Some("x"), "cpp"));
        assert!(!have("a", Some("y"), "cpp"), "of another class");
        assert!(!have("b", None, "cpp"), "only itself has it");
        assert!(!fleet.others_have("d", None, &["cpp".to_owned(), "go".to_owned()]));
        let busy = WorkerState::Resting("a browser runs".to_owned());
        fleet.heard(worker("c", "x", &[], busy));
        assert!(have("b", None, "cpp"), "it will take units again");
    }
}
