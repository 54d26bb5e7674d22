//! The tests and their groups.

use super::{Contest, FILE};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::common::{circular, natural};
use crate::input::package_dir::PackageFile;
use crate::input::yaml::Node;
use crate::model::{Aggregation, Group, Points, TestCase};
use std::collections::BTreeMap;

/// The tests in judging order, each with the number of its group.
pub(super) struct Tests {
    /// The number of the group, and the test, which is called like its file without the task's name.
    pub(super) cases: Vec<(u64, TestCase)>,
}

/// The group of the examples, which give no points.
const EXAMPLES: u64 = 0;

/// The group of a test: its number, or that of the examples for `1ocen`. `None` if it is no name of a test.
fn group_of(test: &str) -> Option<u64> {
    let digits = test
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(test.len());
    let (number, letters) = test.split_at(digits);
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let number = number
        .parse()
        .ok()
        .filter(|_| letters.chars().all(is_allowed))?;
    Some(if letters.ends_with("ocen") {
        EXAMPLES
    } else {
        number
    })
}

impl Tests {
    /// Reads `in/` and `out/`.
    pub(super) fn read(builder: &mut PackageBuilder, task: &str) -> Result<Self, PackageError> {
        let dir = builder.tree.root.join("in");
        let entries = match dir.is_dir() {
            true => builder.tree.list(&dir)?,
            false => Vec::new(),
        };
        let mut cases = Vec::new();
        for entry in entries {
            let Some(stem) = entry.name.strip_suffix(".in").filter(|_| !entry.is_dir) else {
                continue;
            };
            let test = stem.strip_prefix(task);
            let Some((test, group)) = test.and_then(|test| Some((test, group_of(test)?))) else {
                let what = "is not named like a test: the file is left out";
                let remedy = format!("rename it to the task, a group and letters: `{task}1a.in`");
                builder
                    .tree
                    .error(PackageError::new(entry.path, what).remedy(remedy));
                continue;
            };
            let name = format!("out/{stem}.out");
            let answer = builder.tree.dir.find(&name)?.map(PackageFile::into_path);
            let missing = || {
                PackageError::new(&entry.path, format!("there is no answer `{name}`"))
                    .remedy("run `sinol-make outgen`")
            };
            let answer = answer.ok_or_else(missing)?;
            cases.push((
                group,
                TestCase {
                    name: test.to_owned(),
                    input: entry.path.clone().into(),
                    answer: Some(answer.into()),
                    sample: group == EXAMPLES,
                    ..TestCase::default()
                },
            ));
        }
        if cases.is_empty() {
            let what = "has no test: sinol-make generates them";
            return Err(PackageError::new(dir, what).remedy("run `sinol-make gen`"));
        }
        cases.sort_by_key(|(group, case)| (*group, natural(&case.name)));
        for (_, case) in &mut cases {
            case.input_validator_args.all = vec![format!("{task}{}.in", case.name)];
        }
        Ok(Tests { cases })
    }

    /// Puts the tests into groups with their points.
    pub(super) fn into_groups(
        self,
        builder: &mut PackageBuilder,
        yaml: &Node,
        contest: Contest,
        has_checker: bool,
    ) -> Result<(), PackageError> {
        let mut of_group: BTreeMap<u64, Vec<TestCase>> = BTreeMap::new();
        for (group, case) in self.cases {
            of_group.entry(group).or_default().push(case);
        }
        let scores = match contest {
            Contest::Groups => scores(builder, yaml, &of_group)?,
            Contest::Icpc => BTreeMap::new(),
        };
        let dependencies = dependencies(yaml, &of_group)?;
        // The points of a group are at most those of the groups that it depends on: with partial points,
        // only the tests themselves say so.
        let as_requirements = !has_checker && is_closed(&dependencies);
        for (number, own) in &of_group {
            let mut group = Group::new(number.to_string());
            group.stop_at_first = false;
            let needed = dependencies.get(number).map_or(&[][..], Vec::as_slice);
            let mut tests: Vec<&TestCase> = own.iter().collect();
            if as_requirements {
                group.requires = needed.iter().map(u64::to_string).collect();
            } else {
                tests.extend(needed.iter().flat_map(|needed| &of_group[needed]));
            }
            if contest == Contest::Groups {
                group.aggregation = Aggregation::Min;
                group.max_score = Some(scores.get(number).copied().unwrap_or(0.0));
            }
            for case in tests {
                group.cases.push(TestCase {
                    name: format!("{number}/{}", case.name),
                    score: group.max_score,
                    points: match has_checker {
                        true if contest == Contest::Icpc => Points::Ignored,
                        true => Points::Bounded,
                        false => Points::default(),
                    },
                    sample: *number == EXAMPLES,
                    ..case.clone()
                });
            }
            builder.package.data.groups.push(group);
        }
        Ok(())
    }
}

/// The points of the groups: `scores`, or an equal share of 100; the last group has the rest.
fn scores(
    builder: &mut PackageBuilder,
    yaml: &Node,
    groups: &BTreeMap<u64, Vec<TestCase>>,
) -> Result<BTreeMap<u64, f64>, PackageError> {
    let mut scores = BTreeMap::new();
    let scored: Vec<u64> = groups
        .keys()
        .copied()
        .filter(|group| *group != EXAMPLES)
        .collect();
    let Some(node) = yaml.get("scores") else {
        let share = 100 / scored.len().max(1);
        scores.extend(scored.iter().map(|group| (*group, share as f64)));
        if let Some(last) = scored.last() {
            scores.insert(*last, (100 - share * (scored.len() - 1)) as f64);
        }
        return Ok(scores);
    };
    for (name, points) in node.entries()? {
        let group = name.integer(0)?;
        if group != EXAMPLES && !groups.contains_key(&group) {
            let what = format!("no test belongs to the group {group}");
            builder
                .tree
                .error(name.error(what).remedy("add tests, or remove the line"));
        }
        scores.insert(group, points.points()?);
    }
    let (total, wanted) = (scores.values().sum::<f64>(), yaml.get("sinol_total_score"));
    let wanted = wanted.map(Node::number).transpose()?.unwrap_or(100.0);
    if (total - wanted).abs() > 1e-9 {
        let what = format!("the points add up to {total} instead of {wanted}");
        let remedy = "change them, or set `sinol_total_score`";
        builder.tree.warning(node.error(what).remedy(remedy));
    }
    match scored.iter().find(|group| !scores.contains_key(group)) {
        Some(group) => {
            let what = format!("has no points for the group {group}");
            Err(node
                .error(what)
                .remedy(format!("add `{group}: 10` to `scores`")))
        }
        None => Ok(scores),
    }
}

/// The groups that each group depends on.
fn dependencies(
    yaml: &Node,
    groups: &BTreeMap<u64, Vec<TestCase>>,
) -> Result<BTreeMap<u64, Vec<u64>>, PackageError> {
    let mut found = BTreeMap::new();
    let Some(node) = yaml.get("subtask_dependencies") else {
        return Ok(found);
    };
    let known = |node: &Node| {
        let group = node.integer(0)?;
        match group != EXAMPLES && groups.contains_key(&group) {
            true => Ok(group),
            false => Err(node
                .error(format!("`{group}` is no group with points"))
                .remedy(format!(
                    "name groups of the tests in `in/`; {FILE} has their points"
                ))),
        }
    };
    for (name, list) in node.entries()? {
        let needed: Result<Vec<u64>, PackageError> = list.items()?.iter().map(known).collect();
        found.insert(known(name)?, needed?);
    }
    if let Some(group) = circular(&found) {
        return Err(node
            .error(format!("the group {group} depends on itself"))
            .remedy("remove one of the groups in `subtask_dependencies`"));
    }
    Ok(found)
}

/// Whether each group depends on earlier ones only, and on all that these depend on.
fn is_closed(dependencies: &BTreeMap<u64, Vec<u64>>) -> bool {
    dependencies.iter().all(|(group, needed)| {
        needed.iter().all(|one| {
            let inner = dependencies.get(one).map_or(&[][..], Vec::as_slice);
            one < group && inner.iter().all(|inner| needed.contains(inner))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests_have_groups() {
        for (name, group) in [
            ("0", Some(0)),
            ("1a", Some(1)),
            ("12", Some(12)),
            ("3ocen", Some(0)),
            ("1a2", Some(1)),
            ("a1", None),
            ("1A", None),
            ("", None),
        ] {
            assert_eq!(group_of(name), group, "{name}");
        }
    }

    #[test]
    fn dependencies_are_closed_if_they_list_all_groups() {
        let of = |list: &[(u64, &[u64])]| {
            is_closed(
                &list
                    .iter()
                    .map(|(group, needed)| (*group, needed.to_vec()))
                    .collect(),
            )
        };
        assert!(of(&[]) && of(&[(2, &[1])]) && of(&[(2, &[1]), (3, &[1, 2])]));
        assert!(!of(&[(2, &[1]), (3, &[2])]) && !of(&[(1, &[2])]));
    }
}
