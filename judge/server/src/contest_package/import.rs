//! Puts what the files say into the store. Everything is checked before anything is changed, and all
//! changes are one transaction.

use super::{AccountRow, ContestPackage, Settings};
use crate::secret;
use crate::store::{Contest, ContestId, ContestProblem, NewUser, Person, Store, Team, TeamId, Tx};
use judge_package::PackageError;
use std::collections::HashSet;

/// The summary of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Imported {
    /// The id of the contest.
    pub contest: Option<String>,
    /// Number of problems of the contest.
    pub problems: usize,
    /// Number of teams.
    pub teams: usize,
    /// Number of persons.
    pub persons: usize,
    /// Accounts with their passwords in clear, which are shown once.
    pub accounts: Vec<(AccountRow, String)>,
}

/// Imports a package: adds objects, or replaces those with the same id. The teams of the files take
/// part in the contest of the files, beside those that do already. If it fails, nothing is changed. Blocks, about 50 ms per account.
///
/// # Errors
///
/// When an object refers to one that neither the files nor the store has; when a name belongs to
/// another user; when the store fails.
pub fn import(store: &Store, package: &ContestPackage) -> Result<Imported, PackageError> {
    let failed = |e: &dyn std::fmt::Display| PackageError::new("import", e.to_string());
    check(store, package)?;
    // Random numbers and hashes first: they may fail too, and take the most time.
    let mut accounts = Vec::new();
    for account in &package.accounts {
        let password = match &account.password {
            Some(password) => password.clone(),
            None => secret::password().map_err(|e| failed(&e))?,
        };
        let hash = secret::hash_password(&password).map_err(|e| failed(&e))?;
        accounts.push((account.clone(), password, hash));
    }
    let problems = problems(store, package).map_err(|e| failed(&e))?;
    store
        .transaction(|tx| write(tx, package, &problems, accounts))
        .map_err(|e| failed(&e))
}

fn write(
    tx: &mut Tx<'_>,
    package: &ContestPackage,
    problems: &[ContestProblem],
    accounts: Vec<(AccountRow, String, String)>,
) -> crate::store::Result<Imported> {
    for group in &package.groups {
        tx.put_group(group)?;
    }
    for organization in &package.organizations {
        tx.put_organization(organization)?;
    }
    let mut members = Vec::new();
    for row in &package.teams {
        let organization = row.organization.as_ref();
        let organization = organization.map(|ext| tx.organization(ext)).transpose()?;
        let groups = row.groups.iter();
        let groups = groups.filter_map(|ext| tx.group(ext).transpose());
        members.push(tx.put_team(&Team {
            organization: organization.flatten(),
            groups: groups.collect::<crate::store::Result<_>>()?,
            ..row.team.clone()
        })?);
    }
    for row in &package.persons {
        let teams = row.teams.iter();
        let teams = teams.filter_map(|ext| tx.team(ext).transpose());
        tx.put_person(&Person {
            teams: teams.collect::<crate::store::Result<_>>()?,
            ..row.person.clone()
        })?;
    }
    let mut imported = Imported {
        teams: members.len(),
        persons: package.persons.len(),
        ..Imported::default()
    };
    if let Some(settings) = &package.contest {
        imported.contest = Some(settings.ext.clone());
        imported.problems = problems.len();
        let id = write_contest(tx, settings, members)?;
        if package.problems.is_some() {
            tx.set_contest_problems(id, problems)?;
        }
    }
    for (account, password, hash) in accounts {
        let team = account.team.as_deref().map(|ext| tx.team(ext));
        tx.put_user(&NewUser {
            team: team.transpose()?.flatten(),
            password_hash: Some(hash),
            ..account.user.clone()
        })?;
        imported.accounts.push((account, password));
    }
    Ok(imported)
}

/// Writes the contest and its teams.
fn write_contest(
    tx: &mut Tx<'_>,
    settings: &Settings,
    mut members: Vec<TeamId>,
) -> crate::store::Result<ContestId> {
    let before = tx.contest_by_ext(&settings.ext)?;
    let penalty = before
        .as_ref()
        .map_or(1_200_000, |before| before.penalty_ms);
    let id = tx.put_contest(&Contest {
        id: ContestId(0),
        ext: settings.ext.clone(),
        name: settings.name.clone(),
        formal_name: settings.formal_name.clone(),
        start_ms: settings.start_ms,
        countdown_pause_ms: settings.countdown_pause_ms,
        duration_ms: settings.duration_ms,
        freeze_ms: settings.freeze_ms,
        thawed_ms: before.as_ref().and_then(|before| before.thawed_ms),
        finalized_ms: before.as_ref().and_then(|before| before.finalized_ms),
        end_of_updates_ms: before.as_ref().and_then(|before| before.end_of_updates_ms),
        scoring: settings.scoring,
        penalty_ms: settings.penalty_ms.unwrap_or(penalty),
        public: before.as_ref().is_none_or(|before| before.public),
        feedback: before.and_then(|before| before.feedback),
    })?;
    members.extend(tx.contest_teams(id)?.into_iter().map(|team| team.id));
    tx.set_contest_teams(id, &members)?;
    Ok(id)
}

/// The problems that the files name; without such a file, those of the contest.
fn problems(store: &Store, package: &ContestPackage) -> crate::store::Result<Vec<ContestProblem>> {
    let Some(rows) = &package.problems else {
        let settings = package.contest.as_ref();
        let contest = settings.map(|settings| store.contest_by_ext(&settings.ext));
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
    let failed = |e: crate::store::Error| PackageError::new("import", e.to_string());
    for row in package.problems.iter().flatten() {
        let ext = &row.problem.ext;
        if store.problem_by_ext(ext).map_err(failed)?.is_none() {
            let what = format!("the server has no problem {ext:?}");
            return Err(row.at.error(what).remedy("upload its package first"));
        }
    }
    if let (Some(first), None) = (package.problems.iter().flatten().next(), &package.contest) {
        let what = "the problems of no contest";
        return Err(first
            .at
            .error(what)
            .remedy("add the file `contest.yaml` or `contest.json`"));
    }
    let mut groups: HashSet<String> = store
        .groups()
        .map_err(failed)?
        .into_iter()
        .map(|group| group.ext)
        .collect();
    groups.extend(package.groups.iter().map(|group| group.ext.clone()));
    let mut organizations: HashSet<String> = store
        .organizations()
        .map_err(failed)?
        .into_iter()
        .map(|own| own.ext)
        .collect();
    organizations.extend(package.organizations.iter().map(|own| own.ext.clone()));
    let mut teams: HashSet<String> = store
        .teams()
        .map_err(failed)?
        .into_iter()
        .map(|team| team.ext)
        .collect();
    for team in &package.teams {
        if let Some(missing) = team.groups.iter().find(|ext| !groups.contains(*ext)) {
            let what = format!("there is no group {missing:?}");
            return Err(team.at.error(what).remedy("add it to `groups.json`"));
        }
        if let Some(missing) = team
            .organization
            .as_ref()
            .filter(|ext| !organizations.contains(*ext))
        {
            let what = format!("there is no organization {missing:?}");
            return Err(team.at.error(what).remedy("add it to `organizations.json`"));
        }
        teams.insert(team.team.ext.clone());
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
    teams: &HashSet<String>,
) -> Result<(), PackageError> {
    let failed = |e: crate::store::Error| PackageError::new("import", e.to_string());
    let mut names = HashSet::new();
    let mut ids = HashSet::new();
    for account in &package.accounts {
        let NewUser { name, ext, .. } = &account.user;
        if let Some(missing) = account.team.as_ref().filter(|ext| !teams.contains(*ext)) {
            let what = format!("there is no team {missing:?}");
            return Err(account
                .at
                .error(what)
                .remedy("add it to `teams.json` or `teams.tsv`"));
        }
        let other = store.user_named(name).map_err(failed)?;
        let taken = other.is_some_and(|other| other.ext != *ext);
        if taken || !names.insert(name) || !ids.insert(ext) {
            let what = format!("the name {name:?} or the id {ext:?} belongs to another account");
            return Err(account.at.error(what).remedy("choose another name and id"));
        }
    }
    Ok(())
}
