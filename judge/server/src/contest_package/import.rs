//! Puts what the files say into the store. Everything is checked before anything is changed, and all
//! changes are one transaction, which is undone if somebody has to confirm it first.

use super::{Account, AccountRow, ContestPackage};
use crate::secret;
use crate::store::{
    self, Contest, ContestId, ContestProblem, NewUser, Person, Store, Team, TeamId, Texts, Tx,
    now_ms,
};
use judge_package::PackageError;
use std::collections::HashSet;
use std::io;

/// The summary of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Imported {
    /// The id of the contest.
    pub contest: Option<String>,
    /// Number of problems of the contest.
    pub problems: usize,
    /// Number of groups of teams.
    pub groups: usize,
    /// Number of organizations of teams.
    pub organizations: usize,
    pub teams: usize,
    pub persons: usize,
    pub accounts: usize,
    /// Accounts with their passwords in clear, which are shown once; without those that keep their password.
    pub passwords: Vec<(Account, String)>,
    /// A line for each added object.
    pub added: Vec<String>,
    /// A line for each changed property or removed object.
    pub changed: Vec<String>,
}

/// How an import ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was made.
    Done(Imported),
    /// It would change or remove data, and was not made. The caller shows the changes and imports again with `confirm`.
    Asks {
        /// A line for each property that would change and each object that would be removed.
        changed: Vec<String>,
        /// A line for each object that would be added.
        added: Vec<String>,
        /// Identifies the changes.
        confirm: String,
    },
}

/// Choices of the user of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Choices {
    /// If the files have no contest: the one that their teams join; `None`: the only one that is not over.
    pub contest: Option<String>,
    /// If the files have no contest: their teams join none.
    pub no_contest: bool,
    /// The changes that the user confirmed: [`Outcome::Asks`].
    pub confirm: Option<String>,
}

/// Imports a package: adds objects, or replaces those with the same id. The teams of the files take
/// part in the contest of the files, or else in the chosen one, beside those that do already. What changes or removes
/// data has to be confirmed. If it fails, nothing is changed. Blocks, about 50 ms per account.
/// Fails when an object refers to one that neither the files nor the store has; when a name belongs to
/// another user; when the store fails.
pub fn import(
    store: &Store,
    package: &ContestPackage,
    choices: &Choices,
) -> Result<Outcome, PackageError> {
    check(store, package)?;
    let joined = joined(store, package, choices)?;
    // Random numbers and hashes first: they may fail too, and take the most time.
    let mut accounts = Vec::new();
    for AccountRow { account, .. } in &package.accounts {
        let failed = |e: io::Error| PackageError::new("import", e.to_string());
        let (password, user) = match with_present_hash(store, account)? {
            Some(unchanged) => unchanged,
            None => {
                let (password, user) = account.with_password(None).map_err(failed)?;
                (Some(password), user)
            }
        };
        accounts.push((account.clone(), password, user));
    }
    let problems = problems(store, package)?;
    let mut asks = None;
    let imported = store.write(|tx| {
        let before = tx.overview()?;
        let mut imported = write(tx, package, &problems, joined, accounts)?;
        (imported.added, imported.changed) = before.compared_with(&tx.overview()?);
        let confirm = secret::hash(&imported.changed.join("\n"));
        if imported.changed.is_empty() || choices.confirm.as_ref() == Some(&confirm) {
            return Ok(imported);
        }
        asks = Some(Outcome::Asks {
            changed: imported.changed,
            added: imported.added,
            confirm,
        });
        Err(store::Error::Conflict(
            "the changes are not confirmed".to_owned(),
        ))
    });
    match asks {
        Some(asks) => Ok(asks),
        None => Ok(Outcome::Done(imported?)),
    }
}

/// The contest that teams of files without a contest join.
fn joined(
    store: &Store,
    package: &ContestPackage,
    choices: &Choices,
) -> Result<Option<ContestId>, PackageError> {
    let mut accounts = package.accounts.iter();
    let has_roles = accounts.any(|row| row.account.in_contest.is_some());
    let joins = has_roles || !package.teams.is_empty();
    if package.contest.is_some() || !joins || choices.no_contest {
        return Ok(None);
    }
    let error = |what: String| {
        let remedy = "choose the contest that the teams and accounts join, or none";
        PackageError::new("import", what).remedy(remedy)
    };
    let mut contests = store.contests()?;
    match &choices.contest {
        Some(ext) => {
            let found = contests.iter().find(|own| own.ext == *ext);
            let gone = || error(format!("there is no contest {ext:?}"));
            Ok(Some(found.ok_or_else(gone)?.id))
        }
        None => {
            let now = now_ms();
            contests.retain(|own| !own.is_over(now));
            match &contests[..] {
                [] => Ok(None),
                [only] => Ok(Some(only.id)),
                several => {
                    let names: Vec<&str> = several.iter().map(|own| own.ext.as_str()).collect();
                    let names = names.join(", ");
                    Err(error(format!("several contests are not over: {names}")))
                }
            }
        }
    }
}

/// The user with its present hash, if it has a password and the file gives the same or none, so that
/// importing a file again does not end sessions; and the password of the file. Blocks as long as making a hash.
fn with_present_hash(
    store: &Store,
    account: &Account,
) -> store::Result<Option<(Option<String>, NewUser)>> {
    let before = store.user_by_ext(&account.user.ext)?;
    let hash = before.and_then(|before| before.password_hash);
    let given = account.password.as_ref();
    let is_same = |hash: &String| given.is_none_or(|given| secret::is_password(given, Some(hash)));
    Ok(hash.filter(is_same).map(|hash| {
        let user = NewUser {
            password_hash: Some(hash),
            ..account.user.clone()
        };
        (given.cloned(), user)
    }))
}

impl From<store::Error> for PackageError {
    fn from(error: store::Error) -> Self {
        PackageError::new("import", error.to_string())
    }
}

fn write(
    tx: &mut Tx<'_>,
    package: &ContestPackage,
    problems: &[ContestProblem],
    joined: Option<ContestId>,
    accounts: Vec<(Account, Option<String>, NewUser)>,
) -> store::Result<Imported> {
    for group in &package.groups {
        tx.put_group(group)?;
    }
    for organization in &package.organizations {
        tx.put_organization(organization)?;
    }
    for (ext, logo) in &package.logos {
        if let Some(id) = tx.organization(ext)? {
            tx.set_logo(id, Some(logo))?;
        }
    }
    let mut members = Vec::new();
    for row in &package.teams {
        let organization = row.organization.as_ref();
        let organization = organization.map(|ext| tx.organization(ext)).transpose()?;
        let groups = row.groups.iter();
        let groups = groups.filter_map(|ext| tx.group(ext).transpose());
        members.push(tx.put_team(&Team {
            organization: organization.flatten(),
            groups: groups.collect::<store::Result<_>>()?,
            ..row.team.clone()
        })?);
    }
    for row in &package.persons {
        let teams = row.teams.iter();
        let teams = teams.filter_map(|ext| tx.team(ext).transpose());
        tx.put_person(&Person {
            teams: teams.collect::<store::Result<_>>()?,
            ..row.person.clone()
        })?;
    }
    let mut imported = Imported {
        groups: package.groups.len(),
        organizations: package.organizations.len(),
        teams: members.len(),
        persons: package.persons.len(),
        accounts: accounts.len(),
        ..Imported::default()
    };
    if let Some(id) = joined {
        join(tx, id, &mut members)?;
    }
    let mut contest_id = joined;
    if let Some(contest) = &package.contest {
        imported.contest = Some(contest.ext.clone());
        imported.problems = problems.len();
        let id = write_contest(tx, contest, package, members)?;
        if package.problems.is_some() {
            tx.replace_contest_problems(id, problems)?;
        }
        contest_id = Some(id);
    }
    for (account, password, user) in accounts {
        let team = account.team.as_deref().map(|ext| tx.team(ext));
        let user = tx.put_user(&NewUser {
            team: team.transpose()?.flatten(),
            ..user
        })?;
        if let (Some(contest), Some(role)) = (contest_id, account.in_contest) {
            tx.set_contest_role(contest, user, Some(role))?;
        }
        imported
            .passwords
            .extend(password.map(|password| (account, password)));
    }
    Ok(imported)
}

/// Adds teams to those of a contest.
fn join(tx: &mut Tx<'_>, id: ContestId, members: &mut Vec<TeamId>) -> store::Result<()> {
    members.extend(tx.contest_teams(id)?.into_iter().map(|team| team.id));
    tx.set_contest_teams(id, members)
}

/// Writes the contest and its teams. What a file cannot say stays as it is, and so do a penalty that it does not give and
/// the start of a contest that has started.
fn write_contest(
    tx: &mut Tx<'_>,
    contest: &Contest,
    package: &ContestPackage,
    mut members: Vec<TeamId>,
) -> store::Result<ContestId> {
    let new = Contest {
        penalty_ms: 1_200_000,
        public: true,
        ..Contest::default()
    };
    let before = tx.contest_by_ext(&contest.ext)?.unwrap_or(new);
    let is_stopped = contest.start_ms.is_none() && before.has_started(now_ms());
    let (start_ms, countdown_pause_ms) = match is_stopped {
        true => (before.start_ms, before.countdown_pause_ms),
        false => (contest.start_ms, contest.countdown_pause_ms),
    };
    let id = tx.put_contest(&Contest {
        start_ms,
        countdown_pause_ms,
        thawed_ms: before.thawed_ms,
        finalized_ms: before.finalized_ms,
        end_of_updates_ms: before.end_of_updates_ms,
        penalty_ms: package.penalty_ms.unwrap_or(before.penalty_ms),
        public: before.public,
        feedback: before.feedback,
        zone: before.zone,
        removed_time: before.removed_time,
        more_bronze: before.more_bronze,
        clarification_categories: before.clarification_categories,
        prepared_answers: before.prepared_answers,
        languages: package.languages.clone().map(Texts).or(before.languages),
        verification: before.verification,
        icpc_verdicts: before.icpc_verdicts,
        ..contest.clone()
    })?;
    join(tx, id, &mut members)?;
    Ok(id)
}

/// The problems that the files name; without such a file, those of the contest.
fn problems(store: &Store, package: &ContestPackage) -> store::Result<Vec<ContestProblem>> {
    let Some(rows) = &package.problems else {
        let contest = package.contest.as_ref();
        let contest = contest.map(|contest| store.contest_by_ext(&contest.ext));
        return match contest.transpose()?.flatten() {
            Some(contest) => store.contest_problems(contest.id),
            None => Ok(Vec::new()),
        };
    };
    let mut problems = Vec::new();
    for row in rows {
        if let Some(problem) = store.problem_by_ext(&row.problem.ext)? {
            problems.push(ContestProblem {
                problem: problem.id,
                ..row.problem.clone()
            });
        }
    }
    Ok(problems)
}

/// Checks that everything that is referred to exists.
fn check(store: &Store, package: &ContestPackage) -> Result<(), PackageError> {
    for row in package.problems.iter().flatten() {
        let ext = &row.problem.ext;
        if store.problem_by_ext(ext)?.is_none() {
            let what = format!("the server has no problem {ext:?}");
            return Err(row.at.error(what).remedy("upload its package first"));
        }
    }
    if package.languages.is_some() && package.contest.is_none() {
        return Err(
            PackageError::new("languages", "the languages of no contest")
                .remedy("add the file `contest.yaml` or `contest.json`"),
        );
    }
    if let (Some(first), None) = (package.problems.iter().flatten().next(), &package.contest) {
        let what = "the problems of no contest";
        let remedy = "add the file `contest.yaml` or `contest.json`";
        return Err(first.at.error(what).remedy(remedy));
    }
    let groups = store.groups()?;
    let groups = groups.iter().chain(&package.groups);
    let groups: HashSet<&String> = groups.map(|group| &group.ext).collect();
    let organizations = store.organizations()?;
    let organizations = organizations.iter().chain(&package.organizations);
    let organizations: HashSet<&String> = organizations.map(|own| &own.ext).collect();
    let mut logos = package.logos.iter();
    if let Some((missing, _)) = logos.find(|(ext, _)| !organizations.contains(ext)) {
        let what = format!("there is no organization {missing:?}");
        return Err(PackageError::new(format!("organizations/{missing}"), what)
            .remedy("add it to `organizations.json`"));
    }
    let known = store.teams()?;
    let mut teams: HashSet<&String> = known.iter().map(|team| &team.ext).collect();
    for team in &package.teams {
        if let Some(missing) = team.groups.iter().find(|ext| !groups.contains(*ext)) {
            let what = format!("there is no group {missing:?}");
            return Err(team.at.error(what).remedy("add it to `groups.json`"));
        }
        let mut organization = team.organization.iter();
        if let Some(missing) = organization.find(|ext| !organizations.contains(ext)) {
            let what = format!("there is no organization {missing:?}");
            return Err(team.at.error(what).remedy("add it to `organizations.json`"));
        }
        teams.insert(&team.team.ext);
    }
    for person in &package.persons {
        if let Some(missing) = person.teams.iter().find(|ext| !teams.contains(*ext)) {
            let what = format!("there is no team {missing:?}");
            return Err(person.at.error(what).remedy("add it to `teams.json`"));
        }
    }
    check_accounts(store, package, &teams)
}

fn check_accounts(
    store: &Store,
    package: &ContestPackage,
    teams: &HashSet<&String>,
) -> Result<(), PackageError> {
    let mut names = HashSet::new();
    let mut ids = HashSet::new();
    for AccountRow { at, account } in &package.accounts {
        let NewUser { name, ext, .. } = &account.user;
        if let Some(missing) = account.team.as_ref().filter(|ext| !teams.contains(*ext)) {
            let what = format!("there is no team {missing:?}");
            let remedy = "add it to `teams.json` or `teams.tsv`";
            return Err(at.error(what).remedy(remedy));
        }
        let other = store.user_named(name)?;
        let taken = other.is_some_and(|other| other.ext != *ext);
        if taken || !names.insert(name) || !ids.insert(ext) {
            let what = format!("the name {name:?} or the id {ext:?} belongs to another account");
            return Err(at.error(what).remedy("choose another name and id"));
        }
    }
    Ok(())
}
