//! Cases in one file, as contestants' tools keep them: cargo-compete's `testcases/NAME.yml` and cph's
//! `.cph/.NAME_HASH.prob`.
//!
//! The cases are called `NAME-1`, ..., so that each program has its own; cargo-compete's have their own
//! names if there is only one file.

use super::super::common::pair;
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::tree::names;
use crate::input::units::{duration, parse_time};
use crate::input::yaml::{self, Node};
use crate::model::TestCase;
use crate::override_checker::tolerance_args;
use std::path::{Path, PathBuf};

/// Largest file that is read.
const MAX_BYTES: u64 = 64 << 20;
/// The directory of cph.
const CPH: &str = ".cph";

struct Found {
    path: PathBuf,
    /// The name of the program that the cases belong to, without extension.
    program: String,
    is_cph: bool,
}

/// Whether `dir`, whose entries have these names, has files of cases.
pub fn exist(dir: &Path, names: &[String]) -> bool {
    !find(dir, names).is_empty()
}

/// The files of cases in `dir`, whose entries have the names `inside`.
fn find(dir: &Path, inside: &[String]) -> Vec<Found> {
    let mut found = Vec::new();
    for name in inside {
        let ends = [".yml", ".yaml"];
        let stem = ends.iter().find_map(|end| name.strip_suffix(end));
        let Some(stem) = stem.filter(|stem| !stem.starts_with('.')) else {
            continue;
        };
        let path = dir.join(name);
        // Other tools have such files, too.
        let is_read = parse(dir, &path).is_ok_and(|yaml| {
            let has = |key: &str| yaml.get(key).is_some();
            has("type") && has("cases")
        });
        if is_read {
            let (program, is_cph) = (stem.to_owned(), false);
            found.push(Found {
                path,
                program,
                is_cph,
            });
        }
    }
    let cph = dir.join(CPH);
    let mut problems: Vec<String> = names(&cph).collect();
    problems.sort();
    for name in problems {
        // `.sol.cpp_0123456789abcdef0123456789abcdef.prob`
        let Some(stem_with_hash) = name.strip_suffix(".prob") else {
            continue;
        };
        let source = stem_with_hash.trim_start_matches('.');
        let source = source.rsplit_once('_').map_or(source, |(source, _)| source);
        let program = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
        found.push(Found {
            path: cph.join(&name),
            program: program.to_owned(),
            is_cph: true,
        });
    }
    found
}

/// Parses a file in `dir`; JSON is YAML.
fn parse(dir: &Path, path: &Path) -> Result<Node, PackageError> {
    let inside = path.strip_prefix(dir).unwrap_or(path).to_string_lossy();
    let text = PackageDir::new(dir)?.file(&inside)?.text(MAX_BYTES)?;
    yaml::parse_leniently(path, &text).map(|(node, _)| node)
}

/// Reads the cases of the tools' files in `dir`, and the limits if there is one file.
pub fn read(builder: &mut PackageBuilder, dir: &Path) -> Result<Vec<TestCase>, PackageError> {
    let mut inside: Vec<String> = names(dir).collect();
    inside.sort();
    let files = find(dir, &inside);
    let mut cases = Vec::new();
    if files.is_empty() {
        return Ok(cases);
    }
    let staging_dir = builder.staging_dir()?;
    for file in &files {
        let yaml = parse(dir, &file.path)?;
        let (list, keys) = match file.is_cph {
            true => {
                let tests = yaml.get("tests").ok_or_else(|| {
                    let error = yaml.error("has no `tests`");
                    error.remedy("save the problem in cph again, or remove the file")
                })?;
                (tests.items()?, ["input", "output"])
            }
            false => (yaml.list("cases")?, ["in", "out"]),
        };
        for (k, node) in list.iter().enumerate() {
            let own = node.optional("name", Node::text)?;
            let name = match own.filter(|_| files.len() == 1 && !file.is_cph) {
                Some(name) => name.replace('/', "-"),
                None => format!("{}-{}", file.program, k + 1),
            };
            let write = |key: &str, end: &str| {
                let text = node.optional(key, |node| Ok(node.scalar().unwrap_or_default()))?;
                let name = format!("{}/{k}.{end}", file.program);
                let write = |text: &str| staging_dir.write(&name, text.as_bytes());
                text.map(write).transpose()
            };
            let input = write(keys[0], "in")?.ok_or_else(|| {
                let error = node.error(format!("has no `{}`", keys[0]));
                error.remedy("add it, or remove the case")
            })?;
            let answer = write(keys[1], "out")?;
            let mut case = pair(&name, input, answer);
            case.validator_args = match_arguments(&yaml)?;
            cases.push(case);
        }
        if files.len() == 1 {
            limits(builder, &yaml, file.is_cph)?;
        }
    }
    Ok(cases)
}

/// cargo-compete's `match: {Float: {absolute_error: 1e-6}}`.
fn match_arguments(yaml: &Node) -> Result<Vec<String>, PackageError> {
    let float = yaml.get("match").and_then(|node| node.get("Float"));
    let mut largest: Option<f64> = None;
    for key in ["absolute_error", "relative_error"] {
        let found = float.and_then(|float| float.get(key));
        if let Some(node) = found.filter(|node| !node.is_null()) {
            let error = node.positive()?;
            largest = Some(largest.map_or(error, |largest| largest.max(error)));
        }
    }
    Ok(largest.map(tolerance_args).into_iter().flatten().collect())
}

fn limits(builder: &mut PackageBuilder, yaml: &Node, is_cph: bool) -> Result<(), PackageError> {
    let package = &mut builder.package;
    let time = match is_cph {
        true => match yaml.optional("timeLimit", Node::positive)? {
            Some(milliseconds) => duration(milliseconds / 1000.0),
            None => None,
        },
        false => yaml
            .get("timelimit")
            .and_then(Node::scalar)
            .and_then(parse_time),
    };
    if let Some(time) = time {
        package.limits.set_time(Some(time), time);
    }
    if is_cph {
        if let Some(mib) = yaml.optional("memoryLimit", |node| node.integer(1))? {
            package.limits.set_memory(mib.saturating_mul(1 << 20));
        }
        package.kind.interactive = yaml.flag("interactive")?;
    }
    Ok(())
}
