//! Reads the files that describe a contest: the ICPC contest package (JSON or YAML), and the older
//! files with tabs and the other spellings of keys that DOMjudge reads too.
//!
//! Files are not trusted. Every error names the file, the line, the column and a remedy. Nothing is
//! stored here: see `import`.

mod archive;
mod import;
mod people;
mod rows;
mod settings;
mod tabs;

pub(crate) use archive::{Unpacked, unpacked};
pub(crate) use import::{Choices, Imported, Outcome, import};
pub(crate) use judge_statement::document::is_rgb;
pub(crate) use rows::{Account, AccountRow, PersonRow, ProblemRow, TeamRow};

use crate::store::{Contest, Group, Logo, Organization};
use judge_package::PackageError;
use judge_package::yaml::{Node, parse};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

/// A file that was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its name; says what is in it.
    pub name: String,
    pub text: String,
}

/// The content of the files.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ContestPackage {
    /// The contest, without what files do not say; `None`: no file is about it.
    pub contest: Option<Contest>,
    /// The penalty of a wrong submission; `None`: no file says.
    pub(crate) penalty_ms: Option<i64>,
    /// Its problems, in order; `None`: no file says.
    pub problems: Option<Vec<ProblemRow>>,
    /// The ids of its languages; `None`: no file says.
    pub(crate) languages: Option<Vec<String>>,
    pub groups: Vec<Group>,
    pub organizations: Vec<Organization>,
    /// The ids of organizations with their images.
    pub(crate) logos: Vec<(String, Logo)>,
    pub(crate) teams: Vec<TeamRow>,
    pub(crate) persons: Vec<PersonRow>,
    pub(crate) accounts: Vec<AccountRow>,
}

/// The names without extension, and what they can end with.
const NAMES: &str = "`contest`, `problems` or `problemset`, `languages`, `groups`, `organizations`, `teams`, \
                     `persons`, `accounts`, each as `.json` or `.yaml`; `groups`, `teams` and `accounts` also as `.tsv`";

/// Reads the files; those of other parts of a contest package are ignored.
/// Fails with the first defect, with its place and a remedy; when two of them say different things about one object.
pub fn read(files: &[Source]) -> Result<ContestPackage, PackageError> {
    let mut package = ContestPackage::default();
    let mut known = 0;
    // The last ones name organizations, which others may describe.
    let is_last = |file: &&Source| file.name.ends_with(".tsv");
    let last = files.iter().filter(is_last);
    for file in files.iter().filter(|file| !is_last(file)).chain(last) {
        known += usize::from(read_file(&mut package, file)?);
    }
    match (known, files.first()) {
        (0, Some(first)) => Err(PackageError::new(
            &first.name,
            "is not a file of a contest package",
        )
        .remedy(format!("name the files {NAMES}"))),
        (0, None) => Err(PackageError::new("contest package", "has no file")
            .remedy(format!("choose files named {NAMES}"))),
        _ => {
            package.groups = once("group", package.groups, |own| &own.ext)?;
            package.organizations = once("organization", package.organizations, |own| &own.ext)?;
            package.teams = once("team", package.teams, |own| &own.team.ext)?;
            package.persons = once("person", package.persons, |own| &own.person.ext)?;
            Ok(package)
        }
    }
}

/// The objects without those that are there twice.
/// Fails when two with the same id differ.
fn once<T: PartialEq>(
    kind: &str,
    all: Vec<T>,
    id: impl Fn(&T) -> &String,
) -> Result<Vec<T>, PackageError> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<T> = Vec::new();
    for object in all {
        match known.entry(id(&object).clone()) {
            Entry::Vacant(new) => {
                new.insert(kept.len());
                kept.push(object);
            }
            Entry::Occupied(own) if kept[*own.get()] == object => {}
            Entry::Occupied(own) => return Err(contradiction(&format!("{kind} {:?}", own.key()))),
        }
    }
    Ok(kept)
}

fn contradiction(what: &str) -> PackageError {
    PackageError::new(
        "import",
        format!("the files describe the {what} twice, differently"),
    )
    .remedy("remove one of the two")
}

/// Sets what one file describes.
/// Fails when another one says something else.
fn set<T: PartialEq>(what: &str, known: &mut Option<T>, value: T) -> Result<(), PackageError> {
    match known.replace(value) {
        before if before.is_none() || before == *known => Ok(()),
        _ => Err(contradiction(what)),
    }
}

/// Reads a file; returns whether its name is known.
fn read_file(package: &mut ContestPackage, file: &Source) -> Result<bool, PackageError> {
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return Ok(false);
    };
    let tree = || parse(Path::new(&file.name), &file.text);
    match (stem, extension) {
        ("groups", "tsv") => package.groups.extend(tabs::groups(file)?),
        ("teams" | "teams2", "tsv") => tabs::teams(file, package)?,
        ("accounts", "tsv") => package.accounts.extend(tabs::accounts(file)?),
        (_, "json" | "yaml" | "yml") => match stem {
            "contest" => read_contest(package, &tree()?)?,
            "problems" | "problemset" => {
                let rows = settings::problems(&tree()?)?;
                set("list of problems", &mut package.problems, rows)?;
            }
            "languages" => {
                let ids = each(&tree()?, "languages", people::language)?;
                if !ids.is_empty() {
                    set("list of languages", &mut package.languages, ids)?;
                }
            }
            "groups" => package
                .groups
                .extend(each(&tree()?, "groups", people::group)?),
            "organizations" => {
                let rows = each(&tree()?, "organizations", people::organization)?;
                package.organizations.extend(rows);
            }
            "teams" => package.teams.extend(each(&tree()?, "teams", people::team)?),
            "persons" => package
                .persons
                .extend(each(&tree()?, "persons", people::person)?),
            "accounts" => package
                .accounts
                .extend(each(&tree()?, "accounts", people::account)?),
            _ => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// A contest; DOMjudge allows its problems in the same file.
fn read_contest(package: &mut ContestPackage, tree: &Node) -> Result<(), PackageError> {
    let (contest, penalty_ms) = settings::contest(tree)?;
    set("contest", &mut package.contest, contest)?;
    package.penalty_ms = penalty_ms.or(package.penalty_ms);
    if tree.get("problems").is_some() {
        let rows = settings::problems(tree)?;
        set("list of problems", &mut package.problems, rows)?;
    }
    Ok(())
}

/// The items of a list, which may be the value of the key `key`.
fn each<T>(
    tree: &Node,
    key: &str,
    read: impl Fn(&Node) -> Result<T, PackageError>,
) -> Result<Vec<T>, PackageError> {
    let list = tree.get(key).unwrap_or(tree);
    list.items()?.iter().map(read).collect()
}
