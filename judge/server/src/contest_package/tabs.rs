//! Files of lines whose columns are separated by tabs. The first line names the kind of the file and
//! its version.

use super::rows::{
    Account, AccountRow, At, TeamRow, checked_country, checked_id, checked_name, role,
};
use super::{ContestPackage, Source};
use crate::store::{Group, NewUser, Organization, Role, Team};
use judge_package::PackageError;

struct Line<'a> {
    file: &'a str,
    number: usize,
    columns: Vec<&'a str>,
}

impl<'a> Line<'a> {
    /// The place of a column, counted from 0.
    fn at(&self, column: usize) -> At {
        let before = self.columns.iter().take(column);
        let offset: usize = before.map(|text| text.chars().count() + 1).sum();
        At::line(self.file, self.number, offset + 1)
    }

    /// A column that may be empty or missing.
    fn optional(&self, column: usize) -> Option<&'a str> {
        let text = self.columns.get(column).map(|text| text.trim());
        text.filter(|text| !text.is_empty())
    }

    /// A column that has to be filled in.
    fn required(&self, column: usize, what: &str) -> Result<&'a str, PackageError> {
        let missing = || {
            let place = self.at(column.min(self.columns.len().saturating_sub(1)));
            let number = column + 1;
            place
                .error(format!("column {number}, the {what}, is empty"))
                .remedy(format!(
                    "fill in column {number}; columns are separated by tabs"
                ))
        };
        self.optional(column).ok_or_else(missing)
    }

    fn id(&self, column: usize, what: &str) -> Result<String, PackageError> {
        checked_id(&self.at(column), self.required(column, what)?)
    }
}

/// The lines after the first one, which has to name this kind.
fn lines<'a>(file: &'a Source, kind: &str) -> Result<Vec<Line<'a>>, PackageError> {
    let text = file.text.trim_start_matches('\u{feff}');
    // Some spreadsheets end lines with CR alone.
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let mut all = text.split(end).zip(1..);
    let first = all.next().map_or("", |(line, _)| line);
    let named = first.split('\t').next().unwrap_or_default().trim();
    // Versions of DOMjudge and of the ICPC's system write either.
    if named != kind && named != "File_Version" {
        let what = format!("the first line has to be `{kind}`, a tab, and the version");
        return Err(At::line(&file.name, 1, 1)
            .error(what)
            .remedy(format!("write `{kind}\\t1`")));
    }
    let line = |(text, number): (&'a str, usize)| {
        let line = Line {
            file: &file.name,
            number,
            columns: text.split('\t').collect(),
        };
        for column in 0..line.columns.len() {
            if let Some(text) = line.optional(column) {
                checked_name(&line.at(column), text)?;
            }
        }
        Ok(line)
    };
    all.filter(|(text, _)| !text.trim().is_empty())
        .map(line)
        .collect()
}

/// `groups.tsv`: id, name.
pub fn groups(file: &Source) -> Result<Vec<Group>, PackageError> {
    let group = |line: Line<'_>| {
        Ok(Group {
            ext: line.id(0, "id")?,
            name: line.required(1, "name")?.to_owned(),
            ..Group::default()
        })
    };
    lines(file, "groups")?.into_iter().map(group).collect()
}

/// `teams.tsv`: number, ICPC id, group, name, name of the institution, its short name, country, its id.
pub fn teams(file: &Source, package: &mut ContestPackage) -> Result<(), PackageError> {
    for line in lines(file, "teams")? {
        let short = line.optional(5);
        let given = line
            .optional(7)
            .map(|_| line.id(7, "id of the institution"));
        let organization = match (given.transpose()?, short) {
            (Some(id), _) => Some(id),
            (None, Some(_)) => Some(line.id(5, "short name of the institution")?),
            (None, None) => None,
        };
        if let Some(country) = line.optional(6) {
            checked_country(&line.at(6), country)?;
        }
        if let Some(ext) = &organization {
            let is_new = package.organizations.iter().all(|known| known.ext != *ext);
            if is_new {
                package.organizations.push(Organization {
                    ext: ext.clone(),
                    name: short.or(line.optional(4)).unwrap_or(ext).to_owned(),
                    formal_name: line.optional(4).map(str::to_owned),
                    country: line.optional(6).map(str::to_owned),
                    ..Organization::default()
                });
            }
        }
        package.teams.push(TeamRow {
            at: line.at(0),
            team: Team {
                ext: line.id(0, "number")?,
                icpc_id: line.optional(1).map(str::to_owned),
                name: line.required(3, "name")?.to_owned(),
                ..Team::default()
            },
            organization,
            groups: line.optional(2).map(str::to_owned).into_iter().collect(),
        });
    }
    Ok(())
}

/// `accounts.tsv`: type, full name, name to sign in with, password. The number in the name of a team's
/// account is that of the team.
pub fn accounts(file: &Source) -> Result<Vec<AccountRow>, PackageError> {
    let account = |line: Line<'_>| {
        let username = line.required(2, "name to sign in with")?;
        let (role, in_contest) = role(&line.at(0), line.required(0, "type")?)?;
        let number = username.trim_start_matches(|c: char| !c.is_ascii_digit());
        let team = match (role, number.trim_start_matches('0')) {
            (Role::Team, "") => {
                let what = format!("the account {username:?} names no team");
                let remedy = "end the name of a team's account with the team's number: `team-001`";
                return Err(line.at(2).error(what).remedy(remedy));
            }
            (Role::Team, number) => Some(number.to_owned()),
            _ => None,
        };
        Ok(AccountRow {
            at: line.at(0),
            account: Account {
                user: NewUser {
                    ext: line.id(2, "name to sign in with")?,
                    name: username.to_owned(),
                    display_name: line.optional(1).map(str::to_owned),
                    role,
                    ..NewUser::default()
                },
                password: line.optional(3).map(str::to_owned),
                team,
                in_contest,
            },
        })
    };
    lines(file, "accounts")?.into_iter().map(account).collect()
}
