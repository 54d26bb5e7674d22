//! Packages of sinol-make, the tool of the judge SIO2: `config.yml`, `prog/`, `in/`, `out/`.
//!
//! Source: sinol-make's README and example package.

mod groups;
mod programs;
mod solutions;

use self::groups::Tests;
use super::common::{begin, make_scoring, peek};
use super::{Format, Match, cms};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::units::{milliseconds, size};
use crate::input::yaml::Node;
use crate::model::LanguageLimits;
use std::path::Path;

/// The configuration.
pub const FILE: &str = "config.yml";

/// Keys that only sinol-make has.
const OWN_KEYS: [&str; 3] = [
    "sinol_task_id",
    "sinol_contest_type",
    "sinol_expected_scores",
];

/// Keys that say nothing about the format, or that are not read.
const OTHER_KEYS: [&str; 10] = [
    "title_en",
    "title_pl",
    "subtask_dependencies",
    "sinol_total_score",
    "sinol_static_tests",
    "sinol_latex_compiler",
    "sinol_undocumented_test_limits",
    "sinol_undocumented_time_tool",
    "fake_time",
    "num_processes",
];

/// Keys that other tools may have, too.
const KEYS: [&str; 12] = [
    "title",
    "time_limit",
    "time_limits",
    "memory_limit",
    "memory_limits",
    "scores",
    "override_limits",
    "extra_compilation_args",
    "extra_compilation_files",
    "extra_execution_files",
    "submitters_infos",
    "no_outgen",
];

/// sinol-make's format.
pub struct Sinol;

impl Format for Sinol {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let yaml = peek(dir, FILE)?;
        let mut own = OWN_KEYS.iter();
        let is_own = own.any(|key| yaml.get(key).is_some());
        (is_own || is_like(dir, &yaml)).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let yaml = builder.tree.yaml(&builder.tree.root.join(FILE))?;
        begin(builder, "sinol-make");
        yaml.refuse_misspelt(&[&OWN_KEYS[..], &KEYS, &OTHER_KEYS].concat())?;
        for (language, key) in [("pl", "title_pl"), ("en", "title_en")] {
            if let Some(title) = yaml.get(key) {
                let name = (language.to_owned(), title.text()?.to_owned());
                builder.package.names.push(name);
            }
        }
        for key in ["title_en", "title"] {
            if let Some(title) = yaml.get(key) {
                title.text()?.clone_into(&mut builder.package.name);
            }
        }
        let task = task_id(builder, &yaml)?;
        let contest = Contest::of(builder, &yaml)?;
        if contest != Contest::Icpc {
            make_scoring(&mut builder.package);
        }
        let programs = programs::read(builder, &yaml, &task)?;
        let mut tests = Tests::read(builder, &task)?;
        limits(builder, &yaml, &mut tests)?;
        tests.into_groups(builder, &yaml, contest, programs.has_checker)?;
        solutions::read(builder, &yaml, &task, contest)
    }
}

/// Whether a configuration has keys that other formats have, too, but the directory has sinol-make's parts.
pub fn is_like(dir: &PackageDir, yaml: &Node) -> bool {
    let mut dirs = ["in", "out", "doc"].iter();
    KEYS.iter().any(|key| yaml.get(key).is_some())
        && dir.has_dir("prog")
        && dirs.any(|name| dir.has_dir(name))
}

/// The word that the names of all files begin with; SIO2 takes it from the name of the archive.
fn task_id(builder: &PackageBuilder, yaml: &Node) -> Result<String, PackageError> {
    if let Some(id) = yaml.get("sinol_task_id") {
        return Ok(id.text()?.to_owned());
    }
    let id = builder.package.id.clone();
    let programs = builder.tree.root.join("prog");
    match crate::input::tree::names(&programs).any(|name| name.starts_with(&id)) {
        true => Ok(id),
        false => {
            let what =
                format!("has no `sinol_task_id`, and no program in `prog/` is called `{id}*`");
            Err(
                PackageError::new(builder.tree.root.join(FILE), what).remedy(
                    "add `sinol_task_id: abc`, the word that the names of the tests begin with",
                ),
            )
        }
    }
}

/// How points are given: `sinol_contest_type`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contest {
    /// Each group has the points of its worst test.
    Groups,
    /// All tests must be accepted.
    Icpc,
}

impl Contest {
    fn of(builder: &mut PackageBuilder, yaml: &Node) -> Result<Self, PackageError> {
        const KNOWN: [&str; 4] = ["default", "oi", "oij", "icpc"];
        let Some(kind) = yaml.get("sinol_contest_type") else {
            return Ok(Contest::Groups);
        };
        match kind.text()?.to_ascii_lowercase().as_str() {
            "default" | "oij" => Ok(Contest::Groups),
            "oi" => {
                let what = "the points do not decrease with the time: SIO2 gives all of them up to half of \
                            the limit, and fewer after it";
                builder.tree.warning(kind.error(what));
                Ok(Contest::Groups)
            }
            "icpc" => Ok(Contest::Icpc),
            other => Err(kind.is_not("a type of contests", other, &KNOWN)),
        }
    }
}

/// A limit for all tests, and those of groups and of single tests: `time_limit` and `time_limits`.
struct Limit<'y, T> {
    all: Option<T>,
    some: Vec<(&'y str, T)>,
}

impl<'y, T: Copy> Limit<'y, T> {
    fn of(
        yaml: &'y Node,
        key: &str,
        read: fn(&Node) -> Result<T, PackageError>,
    ) -> Result<Self, PackageError> {
        let some = yaml.get(&format!("{key}s"));
        let mut limits = Vec::new();
        for (name, value) in some.map_or(Ok(&[][..]), Node::entries)? {
            limits.push((name.text()?, read(value)?));
        }
        Ok(Limit {
            all: yaml.optional(key, read)?,
            some: limits,
        })
    }

    /// The limit of a test: its own, that of its group, or that of all tests.
    fn of_test(&self, test: &str, group: u64) -> Option<T> {
        let named = |name: &str| {
            let mut limits = self.some.iter();
            limits
                .find(|(own, _)| *own == name)
                .map(|(_, limit)| *limit)
        };
        named(test)
            .or_else(|| named(&group.to_string()))
            .or(self.all)
    }
}

fn kibibytes(node: &Node) -> Result<u64, PackageError> {
    size(node, 1 << 10)
}

/// Sets the limits of the package, the tests and the languages.
fn limits(
    builder: &mut PackageBuilder,
    yaml: &Node,
    tests: &mut Tests,
) -> Result<(), PackageError> {
    let time = Limit::of(yaml, "time_limit", milliseconds)?;
    let memory = Limit::of(yaml, "memory_limit", kibibytes)?;
    let missing = |what: &str, test: &str| {
        let what = format!("has no {what} for the test `{test}`");
        PackageError::new(builder.tree.root.join(FILE), what)
    };
    for (group, case) in &mut tests.cases {
        let (test, group) = (case.name.clone(), *group);
        case.time_limit = time.of_test(&test, group);
        if case.time_limit.is_none() {
            let error = missing("time limit", &test);
            return Err(error.remedy("add `time_limit: 1000`, in milliseconds"));
        }
        case.memory_limit = memory.of_test(&test, group);
        if case.memory_limit.is_none() {
            let error = missing("memory limit", &test);
            return Err(error.remedy("add `memory_limit: 262144`, in KiB"));
        }
    }
    let cases = || tests.cases.iter().map(|(_, case)| case);
    let longest = cases().filter_map(|case| case.time_limit).max();
    let largest = cases().filter_map(|case| case.memory_limit).max();
    let limits = &mut builder.package.limits;
    if let (Some(time), Some(memory)) = (time.all.or(longest), memory.all.or(largest)) {
        limits.set_time(Some(time), time);
        limits.set_memory(memory);
        for (_, case) in &mut tests.cases {
            case.time_limit = case.time_limit.filter(|own| *own != time);
            case.memory_limit = case.memory_limit.filter(|own| *own != memory);
        }
    }
    languages(builder, yaml)
}

/// Sets the limits of `override_limits`.
fn languages(builder: &mut PackageBuilder, yaml: &Node) -> Result<(), PackageError> {
    let Some(overrides) = yaml.get("override_limits") else {
        return Ok(());
    };
    for (extension, node) in overrides.entries()? {
        let Some(language) = language_of(extension.text()?) else {
            let what = format!("no language has the extension `{}`", extension.text()?);
            builder.tree.warning(extension.error(what));
            continue;
        };
        for key in ["time_limits", "memory_limits"] {
            if let Some(some) = node.get(key) {
                let what = "limits of single groups in one language are not applied";
                builder.tree.warning(some.error(what));
            }
        }
        builder.package.limits.languages.push(LanguageLimits {
            time: node.optional("time_limit", milliseconds)?,
            memory: node.optional("memory_limit", kibibytes)?,
            ..LanguageLimits::new(language)
        });
    }
    Ok(())
}

/// The code of the language whose sources have this extension.
fn language_of(extension: &str) -> Option<&'static str> {
    cms::language_of(Path::new(&format!("x.{extension}")))
}
