//! Groups, organizations, teams and accounts from JSON and YAML.

use super::rows::{
    Account, AccountRow, At, PersonRow, TeamRow, checked_country, checked_id, checked_name, role,
};
use crate::store::{ContestRole, Group, NewUser, Organization, Person, PersonRole, Team};
use judge_package::PackageError;
use judge_package::yaml::Node;

/// The value of the first of these keys that has one.
pub fn any<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a Node> {
    keys.iter().find_map(|key| node.get(key))
}

/// The text of the first of these keys that has one: a name, or as short and plain as one.
pub fn text(node: &Node, keys: &[&str]) -> Result<Option<String>, PackageError> {
    let Some(value) = any(node, keys) else {
        return Ok(None);
    };
    let text = value.text()?;
    if text.is_empty() {
        return Ok(None);
    }
    checked_name(&At::node(value), text)?;
    Ok(Some(text.to_owned()))
}

/// The text of the first of these keys, which has to be there.
pub fn required(node: &Node, keys: &[&str]) -> Result<String, PackageError> {
    // Reports a value that is not a map.
    node.entries()?;
    let missing = || {
        let what = format!("has no `{}`", keys[0]);
        node.error(what).remedy(format!("add `{}:`", keys[0]))
    };
    text(node, keys)?.ok_or_else(missing)
}

fn id(node: &Node, keys: &[&str]) -> Result<String, PackageError> {
    let text = required(node, keys)?;
    let at = At::node(any(node, keys).unwrap_or(node));
    checked_id(&at, &text)
}

fn hidden(node: &Node) -> Result<bool, PackageError> {
    node.get("hidden").map_or(Ok(false), Node::bool)
}

/// The identifier in the ICPC's own system.
fn icpc_id(node: &Node) -> Result<Option<String>, PackageError> {
    text(node, &["icpc_id"])
}

/// The id of a language.
pub fn language(node: &Node) -> Result<String, PackageError> {
    id(node, &["id"])
}

pub fn group(node: &Node) -> Result<Group, PackageError> {
    Ok(Group {
        ext: id(node, &["id"])?,
        icpc_id: icpc_id(node)?,
        name: required(node, &["name"])?,
        hidden: hidden(node)?,
        ..Group::default()
    })
}

fn country(node: &Node) -> Result<Option<String>, PackageError> {
    let code = text(node, &["country"])?;
    if let (Some(code), Some(place)) = (&code, node.get("country")) {
        checked_country(&At::node(place), code)?;
    }
    Ok(code)
}

pub fn organization(node: &Node) -> Result<Organization, PackageError> {
    Ok(Organization {
        ext: id(node, &["id"])?,
        icpc_id: icpc_id(node)?,
        name: required(node, &["name", "short_name", "short-name"])?,
        formal_name: text(node, &["formal_name"])?,
        country: country(node)?,
        ..Organization::default()
    })
}

pub fn team(node: &Node) -> Result<TeamRow, PackageError> {
    let groups = node.get("group_ids").map(Node::texts).transpose()?;
    Ok(TeamRow {
        at: At::node(node),
        team: Team {
            ext: id(node, &["id"])?,
            icpc_id: icpc_id(node)?,
            name: required(node, &["name"])?,
            display_name: text(node, &["display_name"])?,
            label: text(node, &["label"])?,
            hidden: hidden(node)?,
            ..Team::default()
        },
        organization: text(node, &["organization_id"])?,
        groups: groups.unwrap_or_default(),
    })
}

/// A person. Versions of the Contest API before 2023-06 have one `team_id`.
pub fn person(node: &Node) -> Result<PersonRow, PackageError> {
    let teams = node.get("team_ids").map(Node::texts).transpose()?;
    let teams = match teams {
        Some(teams) => teams,
        None => text(node, &["team_id"])?.into_iter().collect(),
    };
    let roles = PersonRole::ALL.iter().map(|role| (role.word(), *role));
    let roles: Vec<(&str, PersonRole)> = roles.collect();
    let role = node.get("role").map(|value| value.choice(&roles));
    let sex = node
        .get("sex")
        .map(|value| value.choice(&[("male", "male"), ("female", "female")]));
    Ok(PersonRow {
        at: At::node(node),
        person: Person {
            ext: id(node, &["id"])?,
            name: required(node, &["name"])?,
            role: role.transpose()?.unwrap_or(PersonRole::Contestant),
            title: text(node, &["title"])?,
            email: text(node, &["email"])?,
            sex: sex.transpose()?.map(str::to_owned),
            icpc_id: icpc_id(node)?,
            ..Person::default()
        },
        teams,
    })
}

pub fn account(node: &Node) -> Result<AccountRow, PackageError> {
    let username = required(node, &["username", "id"])?;
    let id = match node.get("id") {
        Some(_) => id(node, &["id"])?,
        None => checked_id(&At::node(node), &username)?,
    };
    let kind = required(node, &["type"])?;
    let at = At::node(node.get("type").unwrap_or(node));
    let (role, of_type) = role(&at, &kind)?;
    let words = ContestRole::ALL.iter().map(|role| (role.word(), *role));
    let words: Vec<(&str, ContestRole)> = words.collect();
    let given = node.get("contest_role").map(|value| value.choice(&words));
    Ok(AccountRow {
        at: At::node(node),
        account: Account {
            user: NewUser {
                ext: id,
                name: username,
                display_name: text(node, &["name"])?,
                role,
                ..NewUser::default()
            },
            password: text(node, &["password"])?,
            team: text(node, &["team_id"])?,
            in_contest: given.transpose()?.or(of_type),
        },
    })
}
