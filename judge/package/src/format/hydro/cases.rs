//! The cases and subtasks of Hydro's configuration.

use super::files::{Files, name_of};
use super::limits;
use super::names::Found;
use crate::error::PackageError;
use crate::input::yaml::Node;
use crate::model::{Aggregation, Group, TestCase};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SUBTASK_KEYS: [&str; 7] = ["time", "memory", "score", "if", "id", "type", "cases"];
const CASE_KEYS: [&str; 6] = ["input", "output", "time", "memory", "score", "id"];

/// A case with its number, if it has one.
pub struct Numbered {
    pub id: Option<u64>,
    pub case: TestCase,
}

impl Files {
    /// The cases of a list, in the order of their numbers.
    pub fn cases(&self, list: &[Node], prefix: &str) -> Result<Vec<TestCase>, PackageError> {
        let cases = (1..)
            .zip(list)
            .map(|(position, node)| self.case(node, position, prefix));
        self.in_order(cases.collect::<Result<_, _>>()?)
    }

    /// Sorts cases by their numbers, if all have one, and says what is submitted for each.
    pub fn in_order(&self, mut cases: Vec<Numbered>) -> Result<Vec<TestCase>, PackageError> {
        if cases.iter().all(|case| case.id.is_some()) {
            cases.sort_by_key(|case| case.id);
        }
        let finish = |(position, Numbered { id, mut case }): (u64, Numbered)| {
            if let Some(submitted) = &self.submitted {
                case.submitted = submitted.of_case(id.unwrap_or(position), &case.input)?;
            }
            Ok(case)
        };
        (1..).zip(cases).map(finish).collect()
    }

    fn case(&self, node: &Node, position: u64, prefix: &str) -> Result<Numbered, PackageError> {
        node.only(&CASE_KEYS)?;
        let given = |key: &str| {
            node.get(key)
                .filter(|file| !file.is_null() && !file.is("/dev/null"))
        };
        let (input, output) = (given("input"), given("output"));
        let name = match input.or(output) {
            Some(file) => {
                let name = name_of(file).text()?;
                name.rsplit_once('.')
                    .map_or(name, |(stem, _)| stem)
                    .to_owned()
            }
            None => position.to_string(),
        };
        let (time_limit, memory_limit) = limits(node)?;
        let case = TestCase {
            name: format!("{prefix}{name}"),
            time_limit,
            memory_limit,
            score: node.optional("score", Node::points)?,
            ..self.data(
                input.map(|input| self.find(input)).transpose()?,
                output.map(|output| self.find(output)).transpose()?,
            )?
        };
        let id = node.optional("id", |id| id.integer(0))?;
        Ok(Numbered { id, case })
    }

    /// A case with these files. A missing input is empty; a built-in comparison compares with nothing if
    /// there is no output.
    fn data(
        &self,
        input: Option<PathBuf>,
        output: Option<PathBuf>,
    ) -> Result<TestCase, PackageError> {
        let empty = || self.staging_dir.write("empty", b"");
        Ok(TestCase {
            input: input.map_or_else(empty, Ok)?.into(),
            answer: match output {
                None if self.compares => Some(empty()?.into()),
                output => output.map(Into::into),
            },
            ..TestCase::default()
        })
    }

    /// The case of two files in `dir`.
    pub fn found(&self, found: &Found, dir: &Path, prefix: &str) -> Result<Numbered, PackageError> {
        let path = |name: &String| {
            let path = dir.join(name);
            self.search_path.dirs[0].contain(&path).map(|_| path)
        };
        let output = found.output.as_ref().map(path).transpose()?;
        let name = found.input.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let case = TestCase {
            name: format!("{prefix}{stem}"),
            ..self.data(Some(path(&found.input)?), output)?
        };
        let id = Some(found.id).filter(|id| *id > 0);
        Ok(Numbered { id, case })
    }

    /// The subtasks of the configuration, in the order of their `id`.
    pub fn subtasks<'y>(&self, list: &'y [Node]) -> Result<Vec<Subtask<'y>>, PackageError> {
        let numbered = (1..).zip(list).map(|(position, node)| {
            let id = node.optional("id", |id| id.integer(0))?;
            self.subtask(node, id.unwrap_or(position))
        });
        let mut subtasks: Vec<Subtask<'_>> = numbered.collect::<Result<_, _>>()?;
        subtasks.sort_by_key(|subtask| subtask.id);
        let mut pairs = subtasks.windows(2);
        if let Some([_, second]) = pairs.find(|pair| pair[0].id == pair[1].id)
            && let Some(node) = second.node
        {
            let error = node.error(format!("two subtasks have the `id` {}", second.id));
            return Err(error.remedy("give each subtask an `id` of its own"));
        }
        check_requirements(&subtasks)?;
        Ok(subtasks)
    }

    fn subtask<'y>(&self, node: &'y Node, id: u64) -> Result<Subtask<'y>, PackageError> {
        node.only(&SUBTASK_KEYS)?;
        let kinds = [
            ("min", Aggregation::Min),
            ("max", Aggregation::Max),
            ("sum", Aggregation::Sum),
        ];
        let kind = node.optional("type", |kind| kind.choice(&kinds))?;
        let mut group = new_group(id, kind.unwrap_or(Aggregation::Min));
        for required in requirements(node) {
            let id = required.integer(0)?;
            group.requires.push(format!("subtask{id}"));
        }
        group.max_score = node.optional("score", Node::points)?;
        group.cases = self.cases(node.list("cases")?, &format!("{}/", group.name))?;
        let node = Some(node);
        Ok(Subtask { id, node, group })
    }

    /// Distributes cases that no configuration lists to the subtasks of the configuration, and to new
    /// ones in the order of their numbers.
    pub fn distribute(
        &self,
        found: Vec<Found>,
        subtasks: &mut Vec<Subtask<'_>>,
        dir: &Path,
    ) -> Result<(), PackageError> {
        let mut parts: BTreeMap<u64, Vec<Found>> = BTreeMap::new();
        for case in found {
            parts.entry(case.subtask).or_default().push(case);
        }
        for (id, part) in parts {
            let first = part.iter().min_by_key(|case| &case.input);
            let kind = first.map_or(Aggregation::Sum, |case| case.aggregation);
            let prefix = format!("subtask{id}/");
            let cases = part.iter().map(|case| self.found(case, dir, &prefix));
            let cases = self.in_order(cases.collect::<Result<_, _>>()?)?;
            match subtasks.iter_mut().find(|subtask| subtask.id == id) {
                Some(subtask) => subtask.group.cases = cases,
                None => {
                    let mut group = new_group(id, kind);
                    group.cases = cases;
                    let node = None;
                    subtasks.push(Subtask { id, node, group });
                }
            }
        }
        subtasks.retain(|subtask| !subtask.group.cases.is_empty());
        subtasks.sort_by_key(|subtask| subtask.id);
        Ok(())
    }
}

/// A subtask of the configuration, or of the names of files.
pub struct Subtask<'y> {
    id: u64,
    node: Option<&'y Node>,
    group: Group,
}

impl Subtask<'_> {
    /// Whether the names of files made it, which give no points for all of its cases together.
    pub fn is_plain(&self) -> bool {
        self.node.is_none() && self.group.aggregation == Aggregation::Sum
    }

    /// The number of its cases.
    pub fn len(&self) -> usize {
        self.group.cases.len()
    }

    /// The group; its cases have the limits of the subtask, unless they have their own.
    pub fn into_group(mut self) -> Result<Group, PackageError> {
        if let Some(node) = self.node {
            let (time, memory) = limits(node)?;
            for case in &mut self.group.cases {
                case.time_limit = case.time_limit.or(time);
                case.memory_limit = case.memory_limit.or(memory);
            }
        }
        Ok(self.group)
    }
}

fn new_group(id: u64, kind: Aggregation) -> Group {
    let mut group = Group::new(format!("subtask{id}"));
    group.aggregation = kind;
    group.stop_at_first = kind == Aggregation::Min;
    group
}

/// Returns an error about the first `if` that names no subtask with a smaller `id`: grading would ignore
/// it and give points for which a subtask is missing.
fn check_requirements(subtasks: &[Subtask<'_>]) -> Result<(), PackageError> {
    let ids: Vec<String> = subtasks
        .iter()
        .map(|subtask| subtask.id.to_string())
        .collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for (position, subtask) in subtasks.iter().enumerate() {
        let earlier = &ids[..position];
        for required in subtask.node.map_or(&[][..], requirements) {
            let id = required.integer(0)?.to_string();
            if !earlier.contains(&id.as_str()) {
                return Err(required.is_not("the `id` of an earlier subtask", &id, earlier));
            }
        }
    }
    Ok(())
}

/// The identifiers of the subtasks that a subtask requires.
fn requirements(subtask: &Node) -> &[Node] {
    subtask.get("if").map_or(&[][..], Node::one_or_more)
}
