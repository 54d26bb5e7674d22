//! A server without a network, and rows of its store with the usual values.

use judge_server::blobs::Blobs;
use judge_server::http::{App, Health, Parts, RateLimits};
use judge_server::languages::{Choice, Languages};
use judge_server::packages::Packages;
use judge_server::printing::Printer;
use judge_server::store::{
    Contest, ContestId, ContestProblem, NewUser, ProblemId, Role, Scoring, SqliteQueue, Store,
    Team, TeamId,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const HOUR: i64 = 3_600_000;

/// A server whose files are in this directory, with its queue; code, name and extension of each
/// language.
pub fn new_app(dir: &Path, languages: &[[&str; 3]]) -> (App, Arc<SqliteQueue>) {
    new_app_that_prints(dir, languages, None)
}

/// The same, with a command that prints.
pub fn new_app_that_prints(
    dir: &Path,
    languages: &[[&str; 3]],
    command: Option<&str>,
) -> (App, Arc<SqliteQueue>) {
    let store = Arc::new(Store::open(&dir.join("judge.sqlite")).expect("it opens"));
    let choice = |&[code, name, extension]: &[&str; 3]| Choice {
        code: code.to_owned(),
        name: name.to_owned(),
        extensions: vec![extension.to_owned()],
        compile: None,
        run: None,
    };
    let printer = command.map(|command| Printer::start(store.clone(), command));
    let queue = Arc::new(SqliteQueue::open(store.clone()).expect("it opens"));
    let app = App::new(Parts {
        queue: queue.clone(),
        store,
        blobs: Blobs::open(&dir.join("blobs")).expect("it opens"),
        packages: Arc::new(Packages::open(&dir.join("packages")).expect("it opens")),
        languages: Languages::of(languages.iter().map(choice).collect()),
        fleet: Default::default(),
        health: Health::default(),
        rates: RateLimits::default(),
        printer: printer.transpose().expect("it starts"),
        secure: false,
        idle: Duration::from_secs(75),
    });
    (app, queue)
}

/// A visible team without an organisation.
pub fn new_team(ext: &str, name: &str) -> Team {
    Team {
        id: TeamId(0),
        ext: ext.to_owned(),
        icpc_id: None,
        name: name.to_owned(),
        display_name: None,
        label: None,
        organization: None,
        groups: Vec::new(),
        hidden: false,
    }
}

/// A user without a password.
pub fn new_user(name: &str, role: Role, team: Option<TeamId>) -> NewUser {
    NewUser {
        ext: name.to_owned(),
        name: name.to_owned(),
        display_name: None,
        role,
        team,
        password_hash: None,
    }
}

/// A public contest of five hours without a freeze.
pub fn new_contest(ext: &str, name: &str, start_ms: i64) -> Contest {
    Contest {
        id: ContestId(0),
        ext: ext.to_owned(),
        name: name.to_owned(),
        formal_name: None,
        start_ms: Some(start_ms),
        countdown_pause_ms: None,
        duration_ms: 5 * HOUR,
        freeze_ms: None,
        thawed_ms: None,
        finalized_ms: None,
        end_of_updates_ms: None,
        scoring: Scoring::Icpc,
        penalty_ms: 20 * 60_000,
        public: true,
        feedback: None,
        ..Contest::default()
    }
}

/// A problem of a contest, without a colour.
pub fn labelled(problem: ProblemId, label: &str) -> ContestProblem {
    ContestProblem {
        problem,
        ext: String::new(),
        name: String::new(),
        label: label.to_owned(),
        rgb: None,
        color: None,
    }
}
