//! Luogu's `config.yml`: the limits and points of each input file.

use super::common::{SearchPath, begin, judged, make_scoring, peek};
use super::pairs::pairs;
use super::{Format, Match, hydro};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::StagingDir;
use crate::input::tree::Tree;
use crate::input::units::{duration, parse_time, size};
use crate::input::yaml::Node;
use crate::model::{
    Aggregation, BuiltinChecker, Group, Package, Points, TimeLimit, Validator, ValidatorProtocol,
};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

const KEYS: [&str; 5] = [
    "timeLimit",
    "memoryLimit",
    "score",
    "subtaskId",
    "isPretest",
];

/// Luogu's format.
pub struct Luogu;

impl Format for Luogu {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let yaml = peek(dir, hydro::configuration(dir)?)?;
        is_config(&yaml).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let tree = &mut builder.tree;
        let name = hydro::configuration(&tree.dir).unwrap_or_default();
        let yaml = tree.yaml(&tree.root.join(name))?;
        begin(builder, "Luogu");
        read_cases(builder, &yaml)?;
        programs(builder)
    }
}

/// Whether a configuration is Luogu's: its keys are the names of inputs, or all values have its keys.
fn is_config(yaml: &Node) -> bool {
    let is_named = |(key, _): &(Node, Node)| key.scalar().is_some_and(|name| name.ends_with(".in"));
    let has_keys = |(_, value): &(Node, Node)| {
        let entries = value.entries().unwrap_or_default();
        let known = |(key, _): &(Node, Node)| key.scalar().is_some_and(|key| KEYS.contains(&key));
        !entries.is_empty() && entries.iter().all(known)
    };
    yaml.entries().is_ok_and(|entries| {
        !entries.is_empty() && (entries.iter().all(is_named) || entries.iter().all(has_keys))
    })
}

fn read_cases(builder: &mut PackageBuilder, yaml: &Node) -> Result<(), PackageError> {
    let dir = builder.tree.root.clone();
    let found = pairs(&mut builder.tree, &dir)?;
    let cases = judged(&builder.tree, found, &dir)?;
    for (key, _) in yaml.entries()? {
        let name = key.text()?;
        if !dir.join(name).is_file() {
            let error = key.error(format!("there is no input `{name}`"));
            let remedy = match dir.join(format!("{name}.in")).is_file() {
                true => format!("write `{name}.in`, the name of the file"),
                false => "add the file, or remove the entry".to_owned(),
            };
            return Err(error.remedy(remedy));
        }
    }
    // `Node::get` would search the whole list for each case.
    let entries = yaml.entries()?.iter();
    let entries: HashMap<_, _> = entries.map(|(key, node)| (key.scalar(), node)).collect();
    let mut subtasks: BTreeMap<u64, Group> = BTreeMap::new();
    for mut case in cases {
        let mut subtask = 0;
        let file = format!("{}.in", case.name);
        let entry = entries.get(&Some(&*file));
        if let Some(node) = entry.filter(|node| !node.is_null()) {
            node.only(&KEYS)?;
            case.time_limit = node.optional("timeLimit", milliseconds)?;
            case.memory_limit = node.optional("memoryLimit", |limit| size(limit, 1 << 10))?;
            case.score = node.optional("score", Node::points)?;
            case.sample |= node.flag("isPretest")?;
            let id = node.optional("subtaskId", |id| id.integer(0))?;
            subtask = id.unwrap_or(0);
        }
        let group = subtasks.entry(subtask);
        let group = group.or_insert_with(|| Group::new(format!("subtask{subtask}")));
        group.cases.push(case);
    }
    let package = &mut builder.package;
    let cases = || subtasks.values().flat_map(|group| &group.cases);
    if let Some(slowest) = cases().filter_map(|case| case.time_limit).max() {
        package.limits.time = TimeLimit::Given(slowest);
    }
    if let Some(largest) = cases().filter_map(|case| case.memory_limit).max() {
        package.limits.set_memory(largest);
    }
    if cases().any(|case| case.score.is_some()) {
        make_scoring(package);
    }
    group(package, subtasks);
    Ok(())
}

fn milliseconds(limit: &Node) -> Result<Duration, PackageError> {
    let number = limit.integer(1).map_err(|error| {
        let time = limit.scalar().and_then(parse_time);
        match time.map(|time| time.as_millis()) {
            Some(number @ 1..) => error.remedy(format!("write {number}; the unit is milliseconds")),
            _ => error.remedy("write a whole number of milliseconds"),
        }
    })?;
    duration(number as f64 / 1000.0)
        .ok_or_else(|| limit.error("is longer than 30 days; the unit is milliseconds"))
}

/// Reads the checker, and the library of problems whose submissions are functions.
fn programs(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    let dir = builder.tree.root.clone();
    let search_path = SearchPath::new(&dir)?;
    builder.package.validation = Validator::Builtin(BuiltinChecker::RStripped).into();
    let staging_dir = builder.staging_dir()?;
    let mut names = ["checker.cpp", "checker.cc", "spj.cpp"].iter();
    if let Some(path) = names.find_map(|name| search_path.find(name)) {
        let validator = Validator::Program {
            path: staging_dir.program(&dir, "checker", &[path], "")?,
            protocol: ValidatorProtocol::TestlibOf200,
        };
        builder.package.validation = validator.into();
        builder
            .package
            .data
            .visit_cases(&mut |case| case.points = Points::Whole);
    }
    if let Some(path) = search_path.find("interactive_lib.cpp") {
        let include = function_grader(&mut builder.tree, &path, &staging_dir)?;
        builder.package.include = Some(include);
    }
    Ok(())
}

/// Stages `interactive_lib.cpp`, which contains the main program, and the headers next to it: they
/// are compiled with each submission, which is a function.
fn function_grader(
    tree: &mut Tree,
    library: &Path,
    staging_dir: &StagingDir,
) -> Result<PathBuf, PackageError> {
    let dir = tree.root.clone();
    let headers = tree.list(&dir)?.into_iter().filter(|entry| {
        let header = [".h", ".hpp"].iter().any(|end| entry.name.ends_with(end));
        header && !entry.is_dir && entry.name != "testlib.h"
    });
    for entry in headers {
        staging_dir.copy(&entry.path, &format!("include/cpp/{}", entry.name))?;
    }
    staging_dir.copy(library, "include/cpp/interactive_lib.cpp")?;
    Ok(staging_dir.path("include"))
}

/// A single subtask gives the sum of its cases; each of several gives the minimum of its cases.
fn group(package: &mut Package, subtasks: BTreeMap<u64, Group>) {
    let is_single = subtasks.len() == 1;
    for (_, mut group) in subtasks {
        if is_single {
            package.data.cases = group.cases;
            return;
        }
        group.aggregation = Aggregation::Min;
        for case in &mut group.cases {
            case.name = format!("{}/{}", group.name, case.name);
        }
        package.data.groups.push(group);
    }
}
