//! Luogu's `config.yml`: the limits and points of each input file.

use super::common::{SearchPath, begin, judged, make_scoring, natural, pairs, peek};
use super::{Format, Match, hydro};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::{self, StagingDir};
use crate::input::tree::Tree;
use crate::input::units::duration;
use crate::input::yaml::Node;
use crate::model::{
    Aggregation, BuiltinChecker, Group, Package, TimeLimit, Validator, ValidatorProtocol,
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
        read(builder, &yaml)
    }
}

/// Whether a configuration is Luogu's: its keys are the names of inputs.
fn is_config(yaml: &Node) -> bool {
    yaml.entries().is_ok_and(|entries| {
        !entries.is_empty()
            && entries
                .iter()
                .all(|(key, _)| key.scalar().is_some_and(|name| name.ends_with(".in")))
    })
}

fn read(builder: &mut PackageBuilder, yaml: &Node) -> Result<(), PackageError> {
    begin(builder, "Luogu");
    let dir = builder.tree.root.clone();
    let cases = judged(pairs(&mut builder.tree, &dir)?, &dir)?;
    let mut entries: HashMap<&str, &Node> = HashMap::new();
    for (key, value) in yaml.entries()? {
        let name = key.text()?;
        if !value.is_null() {
            entries.insert(name, value);
        }
        if !dir.join(name).is_file() {
            return Err(key
                .error(format!("there is no input `{name}`"))
                .remedy("add the file, or remove the entry"));
        }
    }
    let mut subtasks: BTreeMap<u64, Group> = BTreeMap::new();
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    for mut case in cases {
        let mut subtask = 0;
        let file = format!("{}.in", case.name);
        if let Some(&node) = entries.get(&*file) {
            node.only(&KEYS)?;
            if let Some(limit) = node.get("timeLimit") {
                let time = duration(limit.integer(1)? as f64 / 1000.0);
                let wrong = || limit.error("is longer than 30 days; the unit is milliseconds");
                case.time_limit = Some(time.ok_or_else(wrong)?);
            }
            if let Some(limit) = node.get("memoryLimit") {
                case.memory_limit = Some(limit.integer(1)?.saturating_mul(1 << 10));
            }
            if let Some(score) = node.get("score") {
                case.score = Some(score.number()?);
            }
            if let Some(id) = node.get("subtaskId") {
                subtask = id.integer(0)?;
            }
            if let Some(flag) = node.get("isPretest") {
                case.sample |= flag.bool()?;
            }
        }
        slowest = slowest.max(case.time_limit.unwrap_or_default());
        largest = largest.max(case.memory_limit.unwrap_or_default());
        subtasks
            .entry(subtask)
            .or_insert_with(|| Group::new(format!("subtask{subtask}")))
            .cases
            .push(case);
    }
    let package = &mut builder.package;
    if slowest > Duration::ZERO {
        package.limits.time = TimeLimit::Given(slowest);
    }
    if largest > 0 {
        package.limits.set_memory(largest);
    }
    group(package, subtasks);
    let search_path = SearchPath {
        dirs: vec![PackageDir::new(&dir)?],
    };
    package.validation = Validator::Builtin(BuiltinChecker::RStripped).into();
    let staging_dir = builder.staging_dir()?;
    if let Some(path) = ["checker.cpp", "checker.cc", "spj.cpp"]
        .iter()
        .find_map(|name| search_path.find(name))
    {
        let validator = Validator::Program {
            path: staging_dir::program(&staging_dir, &dir, "checker", &[path], "")?,
            protocol: ValidatorProtocol::TestlibOf200,
        };
        builder.package.validation = validator.into();
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
        staging_dir.copy(&entry.path, &format!("include/cpp/{}", entry.name), "")?;
    }
    staging_dir.copy(library, "include/cpp/interactive_lib.cpp", "")?;
    Ok(staging_dir.path("include"))
}

/// A single subtask gives the sum of its cases; each of several gives the minimum of its cases.
fn group(package: &mut Package, subtasks: BTreeMap<u64, Group>) {
    let scored = subtasks
        .values()
        .any(|group| group.cases.iter().any(|case| case.score.is_some()));
    if scored {
        make_scoring(package);
    }
    if subtasks.len() == 1 {
        package.data.cases = subtasks
            .into_values()
            .flat_map(|group| group.cases)
            .collect();
        return;
    }
    for (_, mut group) in subtasks {
        group.aggregation = Aggregation::Min;
        group.cases.sort_by_key(|case| natural(&case.name));
        for case in &mut group.cases {
            case.name = format!("{}/{}", group.name, case.name);
        }
        package.data.groups.push(group);
    }
}
