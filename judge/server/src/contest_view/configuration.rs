//! Objects that are set before a contest: languages, problems, teams.

use super::{View, ids, json};
use crate::access;
use crate::contest_api::{
    Account, AccountType, Command, File, Group, Id, ImageFile, JudgementType, Language, Nullable,
    Organization, Person, Problem, Team,
};
use crate::http::{App, Result};
use crate::languages::Choice;
use crate::store::{self, ContestRole, Role, Scoring, Version, in_icpc};
use judge_core::verdict::Verdict;
use judge_package::StatementKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Types of judgements: id, name, whether it causes penalty time, whether it solves the problem.
const JUDGEMENT_TYPES: [(&str, &str, bool, bool); 11] = [
    ("AC", "Accepted", false, true),
    ("WA", "Wrong answer", true, false),
    ("PE", "Presentation error", true, false),
    ("TLE", "Time limit exceeded", true, false),
    ("MLE", "Memory limit exceeded", true, false),
    ("OLE", "Output limit exceeded", true, false),
    ("RTE", "Run-time error", true, false),
    ("SV", "Security violation", true, false),
    ("CE", "Compile error", false, false),
    ("RE", "Partially accepted", true, false),
    ("JE", "Judging error", false, false),
];

impl View<'_> {
    pub(super) fn judgement_types(&self) -> Result<Vec<Value>> {
        let is_icpc = self.contest.scoring == Scoring::Icpc;
        let of = |(id, name, penalty, solved): (&str, &str, bool, bool)| {
            json(&JudgementType {
                id: Id::new(id)?,
                name: name.to_owned(),
                penalty: is_icpc.then_some(penalty),
                solved,
            })
        };
        let only_icpc = self.contest.has_icpc_verdicts();
        let has = |(id, ..): &(&str, _, _, _)| {
            let verdict = Verdict::from_code(id);
            !only_icpc || verdict.is_some_and(|own| in_icpc(own) == own)
        };
        JUDGEMENT_TYPES.into_iter().filter(has).map(of).collect()
    }

    pub(super) fn languages(&self) -> Result<Vec<Value>> {
        let allowed = self.app.languages.allowed_in(Some(&self.contest), None);
        allowed
            .into_iter()
            .map(|own| json(&language(own)?))
            .collect()
    }

    pub(super) fn problems(&self) -> Result<Vec<Value>> {
        let problems = self.contest_problems()?;
        let numbered = problems.iter().zip(1..);
        numbered
            .map(|(problem, ordinal)| self.problem(problem, ordinal))
            .collect()
    }

    fn problem(&self, problem: &store::ContestProblem, ordinal: i64) -> Result<Value> {
        let version = self.app.store.problem(problem.problem)?.version;
        let base = format!("contests/{}/problems/{}", self.contest.ext, problem.ext);
        let statement = statement(self.app, &version).map(|_| {
            let (href, filename) = (
                format!("{base}/statement"),
                format!("{}.pdf", problem.label),
            );
            vec![file(href, filename, "application/pdf")]
        });
        let attachments: Vec<File> = attachments(self.app, &version)
            .into_keys()
            .map(|name| {
                let (href, mime) = (format!("{base}/attachments/{name}"), mime(&name));
                file(href, name, mime)
            })
            .collect();
        let points = self.contest.scoring == Scoring::Points;
        json(&Problem {
            id: Id::new(&problem.ext)?,
            label: problem.label.clone(),
            name: problem.name.clone(),
            ordinal,
            rgb: problem.rgb.clone(),
            color: problem.color.clone(),
            time_limit: version.time_limit_s.map(|s| (s * 1000.0).round() / 1000.0),
            memory_limit: Some(version.memory_limit >> 20),
            code_limit: version.code_limit.map(|bytes| bytes >> 10),
            test_data_count: version.cases.len() as u64,
            max_score: points.then_some(if version.scoring { 100.0 } else { 1.0 }),
            statement,
            attachments: (!attachments.is_empty()).then_some(attachments),
        })
    }

    pub(super) fn groups(&self) -> Result<Vec<Value>> {
        let of = |group: store::Group| {
            json(&Group {
                id: Id::new(group.ext)?,
                icpc_id: group.icpc_id,
                name: group.name,
            })
        };
        self.seen_groups()?.into_iter().map(of).collect()
    }

    /// The groups of the contest's teams; hidden ones only for the jury.
    pub(crate) fn seen_groups(&self) -> Result<Vec<store::Group>> {
        let teams = self.seen_teams()?;
        let mut groups = self.app.store.groups()?;
        groups.retain(|group| {
            let is_used = teams.iter().any(|team| team.groups.contains(&group.id));
            is_used && (!group.hidden || self.viewer.sees_all())
        });
        Ok(groups)
    }

    /// The organizations of the teams that the viewer may see.
    pub(crate) fn seen_organizations(&self) -> Result<Vec<store::Organization>> {
        let teams = self.seen_teams()?;
        let mut organizations = self.app.store.organizations()?;
        organizations.retain(|found| teams.iter().any(|team| team.organization == Some(found.id)));
        Ok(organizations)
    }

    pub(super) fn organizations(&self) -> Result<Vec<Value>> {
        let organizations = self.seen_organizations()?;
        let of = |found: store::Organization| {
            json(&Organization {
                logo: logo_file(&self.contest, &found).map(|file| vec![file]),
                id: Id::new(found.ext)?,
                icpc_id: found.icpc_id,
                name: found.name,
                formal_name: found.formal_name,
                country: found.country,
            })
        };
        organizations.into_iter().map(of).collect()
    }

    pub(super) fn teams(&self) -> Result<Vec<Value>> {
        let groups = self.seen_groups()?;
        let organizations = self.app.store.organizations()?;
        let hidden = self.app.store.hidden_teams()?;
        let of = |team: store::Team| {
            let mut organizations = organizations.iter();
            let organization = organizations.find(|own| Some(own.id) == team.organization);
            let of_team = groups.iter();
            let of_team = of_team.filter(|group| team.groups.contains(&group.id));
            json(&Team {
                label: team.label.unwrap_or_else(|| team.ext.clone()),
                id: Id::new(team.ext)?,
                icpc_id: team.icpc_id,
                name: team.name,
                display_name: team.display_name,
                organization_id: organization.map(|own| Id::new(&own.ext)).transpose()?,
                group_ids: Some(ids(of_team.map(|group| group.ext.as_str()))?),
                hidden: hidden.contains(&team.id).then_some(true),
            })
        };
        self.seen_teams()?.into_iter().map(of).collect()
    }

    /// The persons of the contest's teams; those of hidden teams or of none only for the jury.
    pub(super) fn persons(&self) -> Result<Vec<Value>> {
        let mut teams = self.app.store.contest_teams(self.contest.id)?;
        if !self.viewer.sees_all() {
            let hidden = self.app.store.hidden_teams()?;
            teams.retain(|team| !hidden.contains(&team.id));
        }
        let private = access::sees_private_data(self.viewer);
        let of = |person: store::Person| {
            let own = teams.iter().filter(|team| person.teams.contains(&team.id));
            let own = ids(own.map(|team| team.ext.as_str()))?;
            if own.is_empty() && !(private && person.teams.is_empty()) {
                return Ok(None);
            }
            json(&Person {
                id: Id::new(person.ext)?,
                icpc_id: person.icpc_id.filter(|_| private),
                team_ids: Some(own).filter(|own| !own.is_empty()),
                name: person.name,
                title: person.title,
                email: person.email.filter(|_| private),
                sex: person.sex.filter(|_| private),
                role: person.role,
            })
            .map(Some)
        };
        let persons = self.app.store.persons()?.into_iter();
        persons
            .filter_map(|person| of(person).transpose())
            .collect()
    }

    /// The accounts of the contest's teams, the jury, the admins, and those with a role in the contest.
    pub(super) fn accounts(&self) -> Result<Vec<Value>> {
        let teams = self.seen_teams()?;
        let roles = self.app.store.contest_roles_in(self.contest.id)?;
        let is_used = |user: &store::User| match user.role {
            Role::Jury | Role::Admin => true,
            Role::Team if teams.iter().any(|team| Some(team.id) == user.team) => true,
            Role::Team | Role::Public => roles.iter().any(|(own, _)| own.id == user.id),
        };
        let users = self.app.store.users()?;
        let used = users.iter().filter(|user| is_used(user));
        used.map(|user| self.account(user)).collect()
    }

    pub fn account(&self, user: &store::User) -> Result<Value> {
        let in_contest = self.app.store.contest_role(self.contest.id, user.id)?;
        let team = user
            .team
            .filter(|_| user.role == Role::Team && in_contest.is_none());
        let team = team.map(|id| self.app.store.team(id)).transpose()?;
        json(&Account {
            id: Id::new(&user.ext)?,
            username: user.name.clone(),
            name: user.display_name.clone(),
            // The schema of the specification has no type for the others.
            r#type: Nullable(match (user.role, in_contest) {
                (Role::Admin, _) => Some(AccountType::Admin),
                (Role::Jury, _) | (_, Some(ContestRole::Jury)) => Some(AccountType::Judge),
                (_, Some(ContestRole::Analyst)) => Some(AccountType::Analyst),
                (_, Some(ContestRole::Balloons)) => Some(AccountType::Staff),
                (Role::Team, None) => team.as_ref().map(|_| AccountType::Team),
                (Role::Public, None) | (_, Some(ContestRole::Spectator)) => None,
            }),
            team_id: team.map(|team| Id::new(team.ext)).transpose()?,
        })
    }
}

/// A language. None requires an entry point: the judge finds it.
fn language(choice: Choice) -> Result<Language> {
    Ok(Language {
        id: Id::new(choice.code)?,
        name: choice.name,
        entry_point_required: false,
        entry_point_name: None,
        extensions: choice.extensions,
        compiler: choice.compile.as_deref().and_then(command),
        runner: choice.run.as_deref().and_then(command),
    })
}

/// A command with its arguments; `None`: it runs the compiled program itself.
fn command(line: &str) -> Option<Command> {
    let (command, args) = line.split_once(' ').unwrap_or((line, ""));
    (!command.starts_with('{')).then(|| Command {
        command: command.to_owned(),
        args: Some(args.to_owned()).filter(|args| !args.is_empty()),
    })
}

/// The address of the image of an organization below `/api`, which changes with its content; `None`: it has none.
pub fn logo_address(contest: &store::Contest, of: &store::Organization) -> Option<String> {
    let version = of.logo.as_ref()?.blob.get(..16)?;
    let (contest, organization) = (&contest.ext, &of.ext);
    Some(format!(
        "contests/{contest}/organizations/{organization}/logo?v={version}"
    ))
}

fn logo_file(contest: &store::Contest, of: &store::Organization) -> Option<ImageFile> {
    let (href, logo) = (logo_address(contest, of)?, of.logo.as_ref()?);
    Some(ImageFile {
        href,
        filename: format!("logo.{}", logo.extension()),
        mime: logo.mime.clone(),
        width: logo.width,
        height: logo.height,
    })
}

fn file(href: String, filename: String, mime: &str) -> File {
    File {
        href,
        filename,
        mime: mime.to_owned(),
    }
}

/// The type of an attachment by its name; never one that a browser would run.
fn mime(name: &str) -> &'static str {
    let extension = Path::new(name).extension();
    match extension.and_then(|extension| extension.to_str()) {
        Some("zip") => "application/zip",
        Some("pdf") => "application/pdf",
        Some("png") => "image/png",
        Some(
            "txt" | "md" | "c" | "cc" | "cpp" | "h" | "hpp" | "py" | "java" | "kt" | "rs" | "in"
            | "ans",
        ) => "text/plain",
        _ => "application/octet-stream",
    }
}

/// The statement of a version as PDF, if its package has one: the English one, or else the first.
pub fn statement(app: &App, version: &Version) -> Option<PathBuf> {
    let root = app.packages.directory(version).ok()?;
    let mut documents = judge_package::statements(&root);
    documents.retain(|file| file.kind == StatementKind::Pdf);
    let english = documents.iter().find(|file| file.language == "en");
    let found = english.or(documents.first())?;
    Some(found.path.clone())
}

/// The attachments of a version by name.
fn attachments(app: &App, version: &Version) -> BTreeMap<String, PathBuf> {
    let root = app.packages.directory(version);
    let found = root.map(|root| judge_package::attachments(&root));
    let mut found = found.unwrap_or_default();
    found.retain(|name, _| is_plain(name));
    found
}

/// The attachment with this name, and its type.
pub fn attachment(app: &App, version: &Version, name: &str) -> Option<(PathBuf, &'static str)> {
    Some((attachments(app, version).remove(name)?, mime(name)))
}

/// A file name that an address needs no escapes for.
fn is_plain(name: &str) -> bool {
    !name.starts_with('.')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}
